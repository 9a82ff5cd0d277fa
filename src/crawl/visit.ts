import { archiveRecords, type Records } from '../archive/records.ts'
import type { Clock } from '../base/clock.ts'
import { headerOf, headersOf } from '../base/raw-headers.ts'
import { type Extracted, extract } from '../extract/extract.ts'
import { type Exchange, PATIENCE } from '../fetch/exchange.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { retryAfterMs } from '../fetch/retry-after.ts'
import { hostOf } from '../frontier/frontier.ts'
import { prepareBase, type WebUrl, webUrl } from '../url/web.ts'
import type { Answer, End, Errand, Finding, FoundLink } from './errand.ts'
import type { LinkRules } from './link-rules.ts'
import type { RecentlyOffered } from './recently-offered.ts'

/** What a visit needs. One set a worker. */
export interface VisitRooms {
  readonly fetcher: Fetcher
  readonly rules: LinkRules
  /** Links that need not travel again. */
  readonly offered: RecentlyOffered | undefined
  /** The name that directives know us by. */
  readonly agent: string
  /** Unix time. */
  readonly clock: Clock
}

/**
 * One page's whole way, on a worker: asked for, read, and made ready for the archive. Whether it may be asked for was
 * decided before; what becomes of it, the collector decides: it archives, and settles only what is archived.
 */
export async function visit(errand: Errand, rooms: VisitRooms): Promise<Finding> {
  const fetched = await rooms.fetcher.get(errand.url, errand.address, errand.wanted)
  if (fetched.kind === 'refused') return finding(errand, { kind: 'refused', reason: fetched.by })
  if (fetched.kind === 'failed') {
    const { why } = fetched
    if (why === 'stopped') return finding(errand, { kind: 'unvisited' })
    return finding(errand, { kind: 'failed', why, isWorthAgain: PATIENCE[why] === 'again' })
  }
  const { exchange } = fetched
  if (errand.wanted === 'robots') return robotsFinding(errand, exchange, rooms)
  if (fetched.isHtml) return pageFinding(errand, exchange, rooms)
  const location = redirectOf(exchange)
  if (location !== undefined) return redirectFinding(errand, exchange, location, rooms)
  return finding(errand, endOf(exchange.status), answerOf(exchange, rooms))
}

/** Links to other hosts come first: a crawl that is cut short has seen more of the web. */
export function linksOf(errand: { url: string; hops: number }, found: Extracted, rules: LinkRules): RuledLinks {
  const refused: Record<string, number> = { ...found.refusedLinks }
  const own = hostOf(errand.url)
  const elsewhere: WebUrl[] = []
  const here: WebUrl[] = []
  for (const link of found.links) {
    const refusal = rules.refusal(link, errand.hops + 1)
    if (refusal !== undefined) refused[refusal] = (refused[refusal] ?? 0) + 1
    else (link.host === own ? here : elsewhere).push(link)
  }
  return { links: [...elsewhere, ...here], refused }
}

export interface RuledLinks {
  readonly links: readonly WebUrl[]
  readonly refused: Readonly<Record<string, number>>
}

export function extractedFrom(exchange: Pick<Exchange, 'url' | 'headers' | 'body'>, agent: string): Extracted {
  const { url, body, headers } = exchange
  return extract({
    url,
    body,
    agent,
    contentType: headerOf(headers, 'content-type'),
    robotsTags: headersOf(headers, 'x-robots-tag'),
  })
}

function pageFinding(errand: Errand, exchange: Exchange, rooms: VisitRooms): Finding {
  const found = extractedFrom(exchange, rooms.agent)
  const { links, refused } = linksOf(errand, found, rooms.rules)
  const fresh = links.filter(link => rooms.offered?.isNew(link.href) ?? true).map(toFoundLink)
  if (found.noindex || found.noarchive) {
    const end: End = { kind: 'not kept', reason: found.noindex ? 'noindex' : 'noarchive' }
    return finding(errand, end, answerOf(exchange, rooms), fresh, refused)
  }
  const { title, opening, tokens } = found
  const page = { title, opening, bytes: exchange.body.length, tokens, linksOut: links.length }
  return finding(
    errand,
    { kind: 'page', page },
    answerOf(exchange, rooms, archiveRecords(exchange, { isPage: true, dateMs: exchange.sentAtMs, hops: errand.hops })),
    fresh,
    refused,
  )
}

/** A redirect is an outcome that offers its target: robots.txt, scope, politeness and no-revisit hold for it too. */
function redirectFinding(errand: Errand, exchange: Exchange, location: string, rooms: VisitRooms): Finding {
  const answer = answerOf(exchange, rooms, archiveRecords(exchange, { isPage: false, dateMs: exchange.sentAtMs }))
  const target = webUrl(location, prepareBase(exchange.url))
  const refusal = typeof target === 'string' ? target : rooms.rules.refusal(target, errand.hops)
  if (typeof target === 'string' || refusal !== undefined)
    return finding(errand, { kind: 'redirect' }, answer, [], { [refusal!]: 1 })
  return finding(errand, { kind: 'redirect' }, answer, [toFoundLink(target)])
}

function robotsFinding(errand: Errand, exchange: Exchange, rooms: VisitRooms): Finding {
  // A copy: what it is a view of may be much larger, and it is kept for a day.
  const end: End = { kind: 'robots', body: exchange.body.slice(), location: redirectOf(exchange) }
  return finding(
    errand,
    end,
    answerOf(exchange, rooms, archiveRecords(exchange, { isPage: false, dateMs: exchange.sentAtMs })),
  )
}

function endOf(status: number): End {
  if (status === 429) return { kind: 'failed', why: 'status-429', isWorthAgain: true }
  if (status >= 500) return { kind: 'failed', why: `status-${status}` as 'status-500', isWorthAgain: true }
  return { kind: 'refused', reason: status >= 200 && status < 300 ? 'type' : `status-${status}` }
}

function finding(
  { ticketId }: Errand,
  end: End,
  answer?: Answer,
  links: readonly FoundLink[] = [],
  refusedLinks: Readonly<Record<string, number>> = {},
): Finding {
  return { ticketId, answer, end, links, refusedLinks }
}

function answerOf(exchange: Exchange, rooms: VisitRooms, records?: Records): Answer {
  const { status, sentAtMs, tookMs, wireBytes } = exchange
  const wish = status === 429 || status === 503 ? headerOf(exchange.headers, 'retry-after') : undefined
  const pauseMs = wish === undefined ? undefined : retryAfterMs(wish, rooms.clock())
  return { status, sentAtMs, tookMs, wireBytes, retryAfterMs: pauseMs, records }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function redirectOf({ status, headers }: Exchange): string | undefined {
  if (!REDIRECTS.has(status)) return undefined
  const location = headerOf(headers, 'location')
  // Headers are bytes; those that are not ASCII are meant as UTF-8, as browsers read them.
  return location && Buffer.from(location, 'latin1').toString()
}

function toFoundLink({ href, depth }: WebUrl): FoundLink {
  return { url: href, depth }
}
