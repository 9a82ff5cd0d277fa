import type { PageLine } from '../archive/pages-file.ts'
import { readNote } from '../decide/link-note.ts'
import type { LinkView } from '../frontier/frontier.ts'
import {
  LINK_STATES,
  type LinkChoice,
  type LinkState,
  linkTest,
  oneHost,
  reasonsIn,
  stateOf,
} from '../settings/link-choice.ts'
import { isHeld } from '../settings/reasons.ts'
import type { HostFilter, ListedHost } from './questions/host-shapes.ts'
import type { Source } from './questions/questions.ts'

/** Selects the links to list; all of them if empty. */
export interface ListFilter extends LinkChoice {
  /** Only pages whose last visit was a visit again, since this time, and found a change: the earliest first. In milliseconds since 1970. */
  readonly changedSinceMs?: number
}

/** A link and what became of it. */
export interface ListedLink {
  readonly url: string
  readonly state: LinkState
  /** Why there is no page. */
  readonly reason?: string
  /** The page on which it was first found; undefined for a seed. */
  readonly from?: string
  /** Number of links from a seed; 0 for a seed. */
  readonly hops: number
  /** How many times it was requested. */
  readonly attempts?: number
  /** For an archived page: HTTP status, title, bytes, and when it was requested, in milliseconds since 1970. */
  readonly status?: number
  readonly title?: string
  readonly bytes?: number
  readonly dateMs?: number
  /** With `changedSinceMs`: what the visit again found. */
  readonly change?: 'changed' | 'gone'
}

const LINKS_AT_ONCE = 500
const ENDED: readonly LinkState[] = ['failed', 'refused', 'held']
/** The first page is short, so that the first row appears quickly. */
const FIRST_LINKS = 50

/** Lists links: archived pages from their file, all others from the frontier, page by page. */
export async function* listed(
  which: ListFilter,
  source: Source,
  pages: () => AsyncIterable<PageLine>,
): AsyncGenerator<ListedLink> {
  const wanted = which.states ?? LINK_STATES
  const isChosen = linkTest(which)
  if (which.changedSinceMs !== undefined) {
    yield* changedPages(pages(), which.changedSinceMs, isChosen)
    return
  }
  const hasReason = which.reason !== undefined
  if (wanted.includes('done') && !hasReason) {
    // A page has one line that is new, and one more for each visit again.
    for await (const page of pages()) if (page.change === 'new' && isChosen(page)) yield archived(page)
  }
  if (wanted.some(state => ENDED.includes(state))) {
    const reasons = reasonsIn(which, (await source.ask('status', {})).frontier.refusedFor)
    if (reasons.length > 0) yield* fromFrontier({ state: 'refused', reasons }, which, source)
  }
  for (const state of ['leased', 'waiting'] as const)
    if (wanted.includes(state) && !hasReason) yield* fromFrontier({ state }, which, source)
}

async function* changedPages(
  pages: AsyncIterable<PageLine>,
  sinceMs: number,
  isChosen: ReturnType<typeof linkTest>,
): AsyncGenerator<ListedLink> {
  const changed = new Map<string, ListedLink>()
  for await (const page of pages) {
    const { url, change, dateMs } = page
    changed.delete(url)
    const isChange = change === 'changed' || change === 'gone'
    if (isChange && dateMs >= sinceMs && isChosen(page)) changed.set(url, { ...archived(page), change })
  }
  yield* changed.values()
}

async function* fromFrontier(
  which: { readonly state: 'waiting' | 'leased' | 'refused'; readonly reasons?: readonly string[] },
  choice: LinkChoice,
  source: Source,
): AsyncGenerator<ListedLink> {
  const isChosen = linkTest(choice)
  const host = oneHost(choice)
  const filter = host === undefined ? which : { ...which, host }
  let limit = FIRST_LINKS
  for (let after: string | undefined; ; ) {
    const page = await source.ask('listLinks', { which: filter, page: { after, limit } })
    for (const link of page.items) if (isChosen(link)) yield ofLink(link, which.state)
    after = page.next
    if (after === undefined) return
    limit = LINKS_AT_ONCE
  }
}

function archived({ url, hops, from, status, title, bytes, dateMs }: PageLine): ListedLink {
  return { url, state: 'done', ...(from !== undefined && { from }), hops, status, title, bytes, dateMs }
}

function ofLink(link: LinkView, state: 'waiting' | 'leased' | 'refused'): ListedLink {
  const { url, reason, hops, note } = link
  const { from } = readNote(note)
  const why = state === 'refused' ? { state: stateOf(reason!), reason: reason! } : { state }
  return { url, ...why, ...(from !== undefined && { from }), hops, attempts: triesOf(link) }
}

/** How many times a link was requested. The frontier also counts the turn in which a setting or robots.txt kept it out. */
export function triesOf({ reason, attempts }: Pick<LinkView, 'reason' | 'attempts'>): number {
  const isKeptOut = reason !== undefined && (isHeld(reason) || reason === 'robots')
  return isKeptOut ? Math.max(0, attempts - 1) : attempts
}

const HOSTS_AT_ONCE = 500

/** The known hosts, page by page. `check` is called before each page. */
export async function* hostsOf(
  source: Source,
  { host }: HostFilter,
  check: () => void = () => {},
): AsyncGenerator<ListedHost> {
  for (let after: string | undefined; ; ) {
    check()
    const page = await source.ask('listHosts', { page: { after, limit: HOSTS_AT_ONCE }, host })
    yield* page.items
    after = page.next
    if (after === undefined) return
  }
}
