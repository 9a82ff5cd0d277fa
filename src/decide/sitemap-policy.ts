import { PATIENCE } from '../fetch/exchange.ts'
import { type Link, type Outcome, restMs, type Shown, type Ticket } from '../frontier/frontier.ts'
import type { CrawlHappening } from '../settings/events.ts'
import { hostOf } from '../url/host-of.ts'
import { prepareBase, webUrl } from '../url/web.ts'
import { AGAIN, type Decision, DONE, pauseAfterAnswer, refused, settled, TROUBLE } from './decision.ts'
import { FilteredLinks } from './filtered-links.ts'
import { type FetchResult, SITEMAP_HOPS, type SitemapPart, type SitemapTerms } from './job.ts'
import { readNote, type SitemapNote, writeNote } from './link-note.ts'
import type { PolicyDeps } from './policy.ts'
import { type GateAnswer, KEPT_MS, originOf, robotsLink } from './robots-gate.ts'
import { noteKey } from './sitemap-book.ts'

/** An index may name indexes, which may name indexes, which name sitemaps. */
const DEEPEST_LEVEL = 3
const MOST_NAMED = 1000
/** As for robots.txt. */
const MOST_REDIRECTS = 5

export function sitemapLink(url: string, sitemap: SitemapNote, more: { from?: string; redirects?: number } = {}): Link {
  return { url, kind: 'sitemap', rank: 0, hops: 0, note: writeNote({ ...more, sitemap }) }
}

/** The sitemaps of a robots.txt that are to be read now. They count as read once produced; then the event is complete, too. */
export function namedSitemaps(
  origin: string,
  named: readonly string[],
  { sitemaps: book }: Pick<PolicyDeps, 'sitemaps'>,
  nowMs: number,
): { readonly batches: Iterable<readonly Link[]>; readonly event: CrawlHappening } {
  const base = prepareBase(`${origin}/robots.txt`)
  const of = hostOf(origin)
  const counts: Record<string, number> = {}
  const admitted = () => {
    book.look(origin, nowMs)
    let tooMany = Math.max(0, named.length - MOST_NAMED)
    const links = named.slice(0, MOST_NAMED).flatMap(text => {
      const url = webUrl(text, base)
      const verdict = typeof url === 'string' ? 'no' : book.admits(url.href, of, nowMs)
      if (verdict === 'too many') tooMany++
      if (typeof url === 'string' || verdict !== 'yes') return []
      return sitemapLink(url.href, { of, level: 0 }, { from: base.href })
    })
    if (tooMany > 0) counts['sitemap-files'] = tooMany
    return links
  }
  return { batches: produced(admitted), event: { kind: 'links refused', url: base.href, counts } }
}

function produced(links: () => readonly Link[]): Iterable<readonly Link[]> {
  return {
    *[Symbol.iterator]() {
      yield links()
    },
  }
}

/** If sitemaps of the page's origin are to be read, the page is given back and comes after them. */
export async function sitemapsFirst(ticket: Ticket, deps: PolicyDeps, nowMs: number): Promise<Decision | undefined> {
  const origin = originOf(ticket.url)
  if (!(await deps.sitemaps.isDue(origin, nowMs))) return undefined
  const { batches, event } = namedSitemaps(origin, deps.gate.sitemaps(origin), deps, nowMs)
  const links = [...batches].flat()
  if (links.length === 0) return undefined
  const note = { host: hostOf(origin), key: noteKey(origin), bytes: new Uint8Array(0), forMs: KEPT_MS }
  return { entry: { links: [links], note, settlement: { giveBack: ticket.id } }, events: [event] }
}

/** What the settings and robots.txt say about a sitemap; undefined when it may be asked for. */
export function sitemapHeld(ticket: Ticket, gate: GateAnswer | undefined, deps: PolicyDeps): Decision | undefined {
  const sitemap = sitemapOf(ticket)
  if (gate === undefined) return isWanted(sitemap, deps) ? undefined : unread(ticket, 'sitemap')
  switch (gate.kind) {
    case 'open':
      return undefined
    case 'shut':
      return unread(ticket, gate.reason)
    case 'unknown': {
      // Offered again after robots.txt: given back, it would come before it for ever. The count makes it another auxiliary link.
      const { from, redirects } = readNote(ticket.note)
      const more = { ...(from !== undefined && { from }), ...(redirects !== undefined && { redirects }) }
      const again = sitemapLink(ticket.url, { ...sitemap, turn: (sitemap.turn ?? 0) + 1 }, more)
      const links = [[robotsLink(originOf(ticket.url)), again]]
      return { entry: { links, settlement: settled(ticket, DONE, undefined, 0) }, events: [] }
    }
    case 'elsewhere':
      return { entry: { block: { host: ticket.host, ms: 1000 }, settlement: { giveBack: ticket.id } }, events: [] }
  }
}

/** Those that seeds name are read whatever the setting. */
function isWanted({ isSeed }: SitemapNote, { settings }: PolicyDeps): boolean {
  return isSeed === true || settings.sitemaps === 'yes'
}

export function sitemapTerms(ticket: Ticket, { settings, sitemaps }: PolicyDeps, nowMs: number): SitemapTerms {
  const { of } = sitemapOf(ticket)
  // A seed was offered without asking; it need not be read for another host again.
  sitemaps.admits(ticket.url, of, nowMs)
  return { hosts: [...new Set([ticket.host, of])], wantsHints: settings.recrawl !== 'no' }
}

export function sitemapPart(
  ticket: Ticket,
  { links, sitemaps }: Pick<SitemapPart, 'links' | 'sitemaps'>,
  deps: PolicyDeps,
  nowMs: number,
): { readonly links: Iterable<readonly Link[]>; readonly unfollowed: Readonly<Record<string, number>> } {
  const { url } = ticket
  const found = new FilteredLinks(links, {}, { from: url, hops: SITEMAP_HOPS }, deps)
  const batches = [...found.batches]
  const unfollowed: Record<string, number> = { ...found.unfollowed }
  const count = (reason: string) => (unfollowed[reason] = (unfollowed[reason] ?? 0) + 1)
  const { of, level, isSeed } = sitemapOf(ticket)
  const nested = sitemaps.flatMap(one => {
    const verdict = level >= DEEPEST_LEVEL ? 'too deep' : deps.sitemaps.admits(one, of, nowMs)
    if (verdict === 'too deep') count('sitemap-depth')
    if (verdict === 'too many') count('sitemap-files')
    if (verdict !== 'yes') return []
    return sitemapLink(one, { of, level: level + 1, ...(isSeed && { isSeed }) }, { from: url })
  })
  if (nested.length > 0) batches.push(nested)
  return { links: batches, unfollowed }
}

/** What becomes of a ticket for a sitemap. One that can't be read refuses nothing. */
export function afterSitemap(
  ticket: Ticket,
  result: Exclude<FetchResult, { kind: 'lost' | 'abandoned' | 'not asked' }>,
  deps: PolicyDeps,
  nowMs: number,
): Decision {
  switch (result.kind) {
    case 'sitemap':
      return answered(ticket, result, deps, nowMs)
    case 'failed': {
      const shown = result.isSilent ? 'silence' : 'answer'
      const pauseMs = deps.hosts.delayMs(ticket.host)
      return tryAgain(ticket, result.why, shown, pauseMs, PATIENCE[result.why] === 'again', deps)
    }
    case 'challenge':
      return tryAgain(
        ticket,
        'challenge',
        'trouble',
        pauseAfterAnswer(deps.hosts.delayMs(ticket.host), result.answer),
        true,
        deps,
      )
    case 'forbidden address':
      return unread(ticket, 'address')
    case 'bad url':
      return unread(ticket, 'malformed')
    case 'no such host': {
      const gone = { host: ticket.host, reason: 'dns', atMs: nowMs }
      return {
        entry: { gone, settlement: settled(ticket, refused('dns'), 'gone', 0) },
        events: [unreadEvent(ticket, 'dns')],
      }
    }
    default:
      throw new Error(`a ${result.kind} came for a sitemap`)
  }
}

function answered(
  ticket: Ticket,
  { answer, location, file, refusedLinks }: FetchResult & { kind: 'sitemap' },
  deps: PolicyDeps,
  nowMs: number,
): Decision {
  const { url } = ticket
  const { status } = answer
  const pauseMs = pauseAfterAnswer(deps.hosts.delayMs(ticket.host), answer)
  if (status === 429 || status >= 500) {
    const shown = TROUBLE.has(status) ? 'trouble' : 'answer'
    return tryAgain(ticket, `status-${status}`, shown, pauseMs, true, deps)
  }
  const settlement = settled(ticket, DONE, 'answer', pauseMs)
  if (location !== undefined) {
    const { link, why } = moved(ticket, location, deps, nowMs)
    if (link !== undefined) return { entry: { links: link, settlement }, events: [] }
    return { entry: { settlement }, events: why === undefined ? [] : [unreadEvent(ticket, why)] }
  }
  if (file === undefined) return { entry: { settlement }, events: [unreadEvent(ticket, `status-${status}`)] }
  if (file.kind === 'none') return { entry: { settlement }, events: [unreadEvent(ticket, 'sitemap-none')] }
  const { kind: form, entries, cutAt } = file
  const { isSeed, level } = sitemapOf(ticket)
  const sitemapRead = { name: `sitemap:${url}`, atMs: nowMs }
  return {
    entry: { ...(isSeed && level === 0 && { sitemapRead }), settlement },
    events: [
      { kind: 'sitemap', url, form, entries, ...(cutAt !== undefined && { cutAt }) },
      { kind: 'links refused', url, counts: refusedLinks },
    ],
  }
}

/** A redirect is followed also to another host, each when that host is due. */
function moved(
  ticket: Ticket,
  location: string,
  { sitemaps: book }: PolicyDeps,
  nowMs: number,
): { readonly link?: Iterable<readonly Link[]>; readonly why?: string } {
  const target = webUrl(location, prepareBase(ticket.url))
  const { from, redirects: before = 0 } = readNote(ticket.note)
  const redirects = before + 1
  const { turn: _, ...sitemap } = sitemapOf(ticket)
  if (typeof target === 'string') return { why: 'malformed' }
  if (redirects > MOST_REDIRECTS) return { why: 'too-many-redirects' }
  const verdict = book.verdict(target.href, sitemap.of, nowMs)
  if (verdict === 'read') return {}
  if (verdict === 'too many') return { why: 'sitemap-files' }
  const link = sitemapLink(target.href, sitemap, { ...(from !== undefined && { from }), redirects })
  return { link: produced(() => (book.admits(target.href, sitemap.of, nowMs) === 'yes' ? [link] : [])) }
}

function tryAgain(
  ticket: Ticket,
  why: string,
  shown: Shown,
  pauseMs: number,
  isWorthAgain: boolean,
  { settings }: PolicyDeps,
): Decision {
  const isLast = !isWorthAgain || ticket.attempt > settings.retries
  const delayMs = shown === 'answer' && !isLast ? Math.max(pauseMs, restMs(ticket.attempt)) : pauseMs
  const outcome: Outcome = isLast ? refused(why) : AGAIN
  const events: CrawlHappening = isLast
    ? unreadEvent(ticket, why)
    : { kind: 'again', url: ticket.url, why: `sitemap-${why}` }
  return { entry: { settlement: settled(ticket, outcome, shown, delayMs) }, events: [events] }
}

function unread(ticket: Ticket, why: string): Decision {
  return { entry: { settlement: settled(ticket, refused(why), undefined, 0) }, events: [unreadEvent(ticket, why)] }
}

function unreadEvent({ url }: Ticket, why: string): CrawlHappening {
  return { kind: 'sitemap', url, why }
}

/** Another version may have offered it. */
function sitemapOf({ note, host }: Ticket): SitemapNote {
  return readNote(note).sitemap ?? { of: host, level: 0 }
}
