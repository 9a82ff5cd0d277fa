import type { PageLine } from '../archive/pages-file.ts'
import { Wildcard } from '../base/words/wildcard.ts'
import { readNote } from '../decide/link-note.ts'
import type { LinkView } from '../frontier/frontier.ts'
import { classOf, isHeld } from '../settings/reasons.ts'
import { hostOf } from '../url/host-of.ts'
import type { HostFilter, ListedHost } from './questions/host-shapes.ts'
import type { Source } from './questions/questions.ts'

/** What became of a link: archived (`done`), ended by an error, refused by its host, kept out by a setting, or still waiting. */
export type LinkState = 'done' | 'failed' | 'refused' | 'held' | 'waiting'

export const LINK_STATES: readonly LinkState[] = ['done', 'failed', 'refused', 'held', 'waiting']

/** Selects the links to list; all of them if empty. */
export interface ListFilter {
  readonly states?: readonly LinkState[]
  /** The name of a reason: `robots`, `timeout`, `status-404`; `*` matches any text, as in `status-4*`. */
  readonly reason?: string
  /** The name of a host, with its port if it has one; `*` matches any text, as in `*.example.org`. */
  readonly host?: string
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
/** The first page is short, so that the first row appears quickly. */
const FIRST_LINKS = 50

/** Lists links: archived pages from their file, all others from the frontier, page by page. */
export async function* listed(
  which: ListFilter,
  source: Source,
  pages: () => AsyncIterable<PageLine>,
): AsyncGenerator<ListedLink> {
  const wanted = which.states ?? LINK_STATES
  const isHost = hostTest(which.host)
  if (which.changedSinceMs !== undefined) {
    yield* changedPages(pages(), which.changedSinceMs, isHost)
    return
  }
  if (wanted.includes('done') && which.reason === undefined) {
    // A page has one line that is new, and one more for each visit again.
    for await (const page of pages()) if (page.change === 'new' && isHost(hostOf(page.url))) yield archived(page)
  }
  const states = (['failed', 'refused', 'held'] as const).filter(state => wanted.includes(state))
  if (states.length > 0) {
    const reasons = await reasonsOf(states, which.reason, source)
    if (reasons.length > 0) yield* fromFrontier({ state: 'refused', reasons }, which.host, source)
  }
  if (wanted.includes('waiting') && which.reason === undefined)
    yield* fromFrontier({ state: 'waiting' }, which.host, source)
}

async function* changedPages(
  pages: AsyncIterable<PageLine>,
  sinceMs: number,
  isHost: (host: string) => boolean,
): AsyncGenerator<ListedLink> {
  const changed = new Map<string, ListedLink>()
  for await (const page of pages) {
    const { url, change, dateMs } = page
    changed.delete(url)
    const isChange = change === 'changed' || change === 'gone'
    if (isChange && dateMs >= sinceMs && isHost(hostOf(url))) changed.set(url, { ...archived(page), change })
  }
  yield* changed.values()
}

/** The reasons that occurred, belong to these states and match the pattern. */
async function reasonsOf(states: readonly LinkState[], pattern: string | undefined, source: Source): Promise<string[]> {
  const { refusedFor } = (await source.ask('status', {})).frontier
  const isWanted = pattern === undefined ? () => true : wildcardTest(pattern)
  return Object.keys(refusedFor).filter(reason => isWanted(reason) && states.includes(stateOf(reason)))
}

async function* fromFrontier(
  which: { readonly state: 'waiting' | 'refused'; readonly reasons?: readonly string[] },
  host: string | undefined,
  source: Source,
): AsyncGenerator<ListedLink> {
  const isHost = hostTest(host)
  const filter = host === undefined || host.includes('*') ? which : { ...which, host }
  let limit = FIRST_LINKS
  for (let after: string | undefined; ; ) {
    const page = await source.ask('listLinks', { which: filter, page: { after, limit } })
    for (const link of page.items) if (isHost(link.host)) yield ofLink(link)
    after = page.next
    if (after === undefined) return
    limit = LINKS_AT_ONCE
  }
}

function archived({ url, hops, from, status, title, bytes, dateMs }: PageLine): ListedLink {
  return { url, state: 'done', ...(from !== undefined && { from }), hops, status, title, bytes, dateMs }
}

function ofLink(link: LinkView): ListedLink {
  const { url, reason, hops, note } = link
  const { from } = readNote(note)
  const why = reason === undefined ? ({ state: 'waiting' } as const) : { state: stateOf(reason), reason }
  return { url, ...why, ...(from !== undefined && { from }), hops, attempts: triesOf(link) }
}

/** How many times a link was requested. The frontier also counts the turn in which a setting or robots.txt kept it out. */
export function triesOf({ reason, attempts }: Pick<LinkView, 'reason' | 'attempts'>): number {
  const isKeptOut = reason !== undefined && (isHeld(reason) || reason === 'robots')
  return isKeptOut ? Math.max(0, attempts - 1) : attempts
}

/** The state of a known link that was refused for this reason. */
export function stateOf(reason: string): 'failed' | 'refused' | 'held' {
  const kind = classOf(reason)
  return kind === 'not followed' ? 'held' : kind
}

function hostTest(pattern: string | undefined): (host: string) => boolean {
  return pattern === undefined ? () => true : wildcardTest(pattern)
}

function wildcardTest(pattern: string): (text: string) => boolean {
  const wildcard = new Wildcard(pattern, true)
  return text => wildcard.matches(text)
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
