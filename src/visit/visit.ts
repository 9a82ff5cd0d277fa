import { archiveRecords, notModifiedRecords, type Records, unansweredRecords } from '../archive/records.ts'
import type { Clock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { headerOf, headersOf, lastHeaderOf } from '../base/words/raw-headers.ts'
import {
  type Answer,
  type FetchJob,
  type FetchResult,
  type FoundLink,
  type LinkOfPageRefusal,
  packLinks,
} from '../decide/job.ts'
import { conditionsOf, type KnownAnswer, validatorsOf } from '../decide/known-page.ts'
import type { DetectLanguage } from '../extract/detect-language.ts'
import { type Extracted, type ExtractOptions, extract } from '../extract/extract.ts'
import { retryAfterMs } from '../fetch/answer-head.ts'
import type { Exchange, Fetched, HttpClient } from '../fetch/exchange.ts'
import { compileRobots } from '../robots/robots.ts'
import { isOther } from '../settings/languages.ts'
import type { LinkRules } from '../settings/link-rules.ts'
import type { CrawlSettings } from '../settings/settings-table.ts'
import { hostOf } from '../url/host-of.ts'
import { prepareBase, type WebUrl, webUrl } from '../url/web.ts'
import { challengeInHead, challengeInPage, MOST_CHALLENGE_WORDS } from './challenges.ts'
import {
  type ArchivingDeps,
  type PageRecordsDeps,
  pageRecords,
  robotsRecords,
  sameness,
  sitemapRecords,
  unkeptRecords,
  unwantedRecords,
} from './page-records.ts'
import { knownFrom } from './read-former.ts'
import type { RecentlyOffered } from './recently-offered.ts'
import { type SendPart, SitemapVisit } from './sitemap-visit.ts'

export interface VisitDeps extends PageRecordsDeps, ArchivingDeps, Pick<CrawlSettings, 'onlyLanguage'> {
  readonly fetcher: Pick<HttpClient, 'get'>
  readonly rules: LinkRules
  /** Links that need not be sent again; undefined when all are always sent. */
  readonly offered: RecentlyOffered | undefined
  /** Whether links have their texts. */
  readonly wantsTexts?: boolean
  /** Whether pages are visited again: their texts are compared then. */
  readonly revisits: boolean
  /** Undefined when nothing depends on the language of pages. */
  readonly detectLanguage: DetectLanguage | undefined
  readonly clock: Clock
}

/** Links of one page are followed to at most this many other hosts; no honest page has more. */
export const MOST_HOSTS_PER_PAGE = 1000

/** Makes one request, which was decided before, and parses the answer. `number`: of the visit. `send`: sends parts of a sitemap. */
export async function visit(number: number, job: FetchJob, deps: VisitDeps, send: SendPart): Promise<FetchResult> {
  const { former } = job
  const known = former && (former.known ?? knownFrom(deps.crawl, former.place))
  // A 304 refers to a record of the same URL: a page whose body is in that of another is asked for whole.
  const isConditional = former?.isConditional === true && known?.isWhole === true && known.original.url === job.url
  const conditions = isConditional ? conditionsOf(known) : []
  const sitemap = job.sitemap && new SitemapVisit(job, job.sitemap, deps, send)
  const fetched = await deps.fetcher.get(job.url, job.address, job.wanted, conditions, sitemap?.read).catch(badUrlOnly)
  if (fetched === undefined) return { kind: 'bad url' }
  if (fetched.kind === 'refused') return { kind: 'forbidden address' }
  if (fetched.kind === 'failed') return failedResult(fetched, deps)
  const { exchange } = fetched
  const by = challengeInHead(exchange) ?? challengeInAnswer(job, fetched, deps)
  if (by !== undefined) return challengeResult(exchange, by, deps)
  if (job.wanted === 'robots') return robotsResult(exchange, deps)
  if (sitemap !== undefined) return sitemapResult(exchange, sitemap, deps)
  if (fetched.isHtml) {
    const domainOf = job.sendsGivers ? await domains() : undefined
    return pageResult(number, job, exchange, known, deps, domainOf)
  }
  if (exchange.status === 304 && isConditional) return notModified(job, exchange, known, deps)
  const location = redirectOf(exchange)
  if (location !== undefined) return redirectResult(job, exchange, location, deps)
  const records = unwantedRecords(job, exchange, deps)
  return { kind: 'other', answer: answerOf(exchange, deps, records), type: mediaTypeOf(exchange) }
}

/** What came of the answer is archived as that of an answer that is not a page; without a status line, the request alone. */
function failedResult({ why, isSilent, sent }: Fetched & { kind: 'failed' }, deps: VisitDeps): FetchResult {
  if (sent === undefined || deps.archive === 'pages') return { kind: 'failed', why, isSilent }
  if (!('status' in sent))
    return { kind: 'failed', why, isSilent, records: unansweredRecords(sent, sent.sentAtMs, why) }
  const { noarchive } = extractedFrom(sent, deps.agent)
  return { kind: 'failed', why, isSilent, records: unkeptRecords(sent, noarchive, deps.archive) }
}

function badUrlOnly(error: unknown): undefined {
  if (!(error instanceof EscalonaError && error.code === 'FETCH_BAD_URL')) throw error
}

/**
 * Judges links. Those to other hosts come first, so that a crawl that is cut short has seen more of the web. `heldFor`: why all links
 * of the page are held that no rule holds.
 */
export function linksOf(
  page: { url: string; hops: number },
  found: Extracted,
  rules: LinkRules,
  heldFor?: LinkOfPageRefusal,
): RuledLinks {
  const unfollowed: Record<string, number> = { ...found.refusedLinks }
  const own = hostOf(page.url)
  const hosts = { followed: new Set<string>(), held: new Set<string>() }
  const elsewhere: WebUrl[] = []
  const here: WebUrl[] = []
  const held: FoundLink[] = []
  for (const link of found.links) {
    const refused = rules.refusal(link, page.hops + 1) ?? heldFor
    const known = hosts[refused === undefined ? 'followed' : 'held']
    if (link.host !== own && !known.has(link.host) && known.size >= MOST_HOSTS_PER_PAGE) {
      unfollowed['page-hosts'] = (unfollowed['page-hosts'] ?? 0) + 1
      continue
    }
    if (link.host !== own) known.add(link.host)
    if (refused !== undefined) held.push(toFoundLink(link, refused))
    else if (link.host === own) here.push(link)
    else elsewhere.push(link)
  }
  return { links: [...elsewhere, ...here], held, unfollowed }
}

export interface RuledLinks {
  readonly links: readonly WebUrl[]
  readonly held: readonly FoundLink[]
  readonly unfollowed: Readonly<Record<string, number>>
}

export function extractedFrom(
  exchange: Pick<Exchange, 'url' | 'headers' | 'body'>,
  agent: string,
  wanted: ExtractOptions = {},
): Extracted {
  const { url, body, headers } = exchange
  return extract({
    url,
    body,
    agent,
    contentType: lastHeaderOf(headers, 'content-type'),
    contentLanguage: headerOf(headers, 'content-language'),
    robotsTags: headersOf(headers, 'x-robots-tag'),
    refresh: headerOf(headers, 'refresh'),
    wanted,
  })
}

/**
 * A page is looked at when its words have been counted; a sitemap was not kept. A site may answer with a page where it has no robots.txt, and
 * its provider puts the same scripts in that one as in others.
 */
function challengeInAnswer(
  { wanted }: FetchJob,
  { exchange, isHtml }: Fetched & { kind: 'answer' },
  { agent }: VisitDeps,
): string | undefined {
  const isUnwanted = exchange.status >= 400 && !isHtml && wanted === 'html'
  if (wanted !== 'robots' && !isUnwanted) return undefined
  return challengeInPage(exchange, () => extractedFrom(exchange, agent, { links: false }).tokens)
}

/** Archived like any answer that is not wanted. */
function challengeResult(exchange: Exchange, by: string, deps: VisitDeps): FetchResult {
  return { kind: 'challenge', answer: answerOf(exchange, deps, unkeptRecords(exchange, false, deps.archive)), by }
}

function pageResult(
  number: number,
  job: FetchJob,
  exchange: Exchange,
  former: KnownAnswer | undefined,
  deps: VisitDeps,
  domainOf: DomainOf | undefined,
): FetchResult {
  const { detectLanguage } = deps
  const found = extractedFrom(exchange, deps.agent, {
    textDigest: deps.revisits,
    fingerprint: true,
    detectLanguage,
    anchors: deps.wantsTexts === true,
  })
  const by = found.tokens > MOST_CHALLENGE_WORDS ? undefined : challengeInPage(exchange, () => found.tokens)
  if (by !== undefined) return challengeResult(exchange, by, deps)
  const { language } = found
  // Seeds, and what they redirected to, are exempt.
  const isForeign = job.hops > 0 && isOther(language, deps.onlyLanguage)
  const { links, held, unfollowed } = linksOf(job, found, deps.rules, isForeign ? 'page-language' : undefined)
  const { offered } = deps
  const givers = domainOf && offered && oneToEachDomain(job.url, links, domainOf)
  const fresh = [
    ...(offered === undefined
      ? links
      : links.filter(link => !offered.isKnown(link.href) || givers?.has(link) === true)
    ).map(linkWithText(found)),
    ...(offered === undefined
      ? held
      : held.filter(link => !offered.isKnown(link.url) && !offered.isKnown(keyOf(link)))),
  ]
  offered?.bring(number, fresh.map(keyOf))
  const keep = found.noindex ? 'noindex' : found.noarchive ? 'noarchive' : isForeign ? 'language' : 'yes'
  const about = { isPage: true, dateMs: exchange.sentAtMs, hops: job.hops }
  const { title, opening, tokens, textDigest, fingerprint } = found
  const kept = keep === 'yes' ? pageRecords(exchange, about, former, deps) : undefined
  const isAgain = job.former !== undefined && kept !== undefined
  return {
    kind: 'page',
    answer: answerOf(exchange, deps, kept?.records ?? unkeptRecords(exchange, found.noarchive, deps.archive)),
    keep,
    original: kept?.original,
    same: isAgain ? sameness(exchange, kept.records, textDigest, former, deps.crawl) : undefined,
    page: {
      title,
      opening,
      bytes: exchange.body.length,
      tokens,
      linksOut: links.length,
      language,
      validators: validatorsOf(exchange.headers),
      textDigest,
      isWhole: exchange.truncated === undefined,
      fingerprint,
    },
    links: packLinks(fresh),
    refusedLinks: unfollowed,
  }
}

type DomainOf = (host: string) => string

/** Loads the list of suffixes, which is large, only for the strategy that needs it. */
async function domains(): Promise<DomainOf> {
  return (await import('../url/registrable-domain.ts')).registrableDomain
}

/** The first link to each registrable domain other than the page's own. */
function oneToEachDomain(from: string, links: readonly WebUrl[], domainOf: DomainOf): ReadonlySet<WebUrl> {
  const seen = new Set([domainOf(hostOf(from))])
  return new Set(links.filter(({ host }) => seen.size < seen.add(domainOf(host)).size))
}

function notModified(job: FetchJob, exchange: Exchange, known: KnownAnswer, deps: VisitDeps): FetchResult {
  const about = { isPage: true, dateMs: exchange.sentAtMs, hops: job.hops }
  const answer = answerOf(exchange, deps, notModifiedRecords(exchange, about, known.original))
  return { kind: 'not modified', answer, known }
}

/** The target is a new link, to which all rules apply. What a seed redirects to belongs to the scope, as the seed does. */
function redirectResult(job: FetchJob, exchange: Exchange, location: string, deps: VisitDeps): FetchResult {
  const answer = answerOf(exchange, deps, archiveRecords(exchange, { isPage: false, dateMs: exchange.sentAtMs }))
  const target = webUrl(location, prepareBase(exchange.url))
  if (typeof target === 'string') return { kind: 'redirect', answer, links: [], refusedLinks: { [target]: 1 } }
  const refused = job.hops === 0 ? undefined : deps.rules.refusal(target, job.hops)
  return { kind: 'redirect', answer, links: packLinks([toFoundLink(target, refused)]), refusedLinks: {} }
}

/** A link that was held for its depth, or for its page, is sent again when it is found on a shorter path, or on another page. */
function keyOf({ url, refused }: FoundLink): string {
  return refused === 'max-depth' || refused === 'page-language' ? `>${url}` : url
}

function robotsResult(exchange: Exchange, deps: VisitDeps): FetchResult {
  const isFile = exchange.status >= 200 && exchange.status < 300
  return {
    kind: 'robots',
    answer: answerOf(exchange, deps, robotsRecords(exchange, deps.archive)),
    rules: compileRobots(isFile ? exchange.body : new Uint8Array(0), deps.agent),
    location: redirectOf(exchange),
  }
}

function sitemapResult(exchange: Exchange, { facts, refused }: SitemapVisit, deps: VisitDeps): FetchResult {
  const isFile = exchange.status >= 200 && exchange.status < 300
  return {
    kind: 'sitemap',
    answer: answerOf(exchange, deps, sitemapRecords(exchange, deps)),
    location: redirectOf(exchange),
    file: isFile ? facts : undefined,
    refusedLinks: refused,
  }
}

function answerOf(exchange: Exchange, deps: VisitDeps, records?: Records): Answer {
  const { status, sentAtMs, tookMs, wireBytes } = exchange
  const wish = status === 429 || status === 503 ? headerOf(exchange.headers, 'retry-after') : undefined
  const pauseMs = wish === undefined ? undefined : retryAfterMs(wish, deps.clock())
  return { status, sentAtMs, tookMs, wireBytes, retryAfterMs: pauseMs, records }
}

/** `Image/PNG; name=x` → `image/png`. */
function mediaTypeOf({ headers }: Exchange): string | undefined {
  return /^[\w.+-]{1,40}\/[\w.+-]{1,60}/.exec(lastHeaderOf(headers, 'content-type')?.trim().toLowerCase() ?? '')?.[0]
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function redirectOf({ status, headers }: Pick<Exchange, 'status' | 'headers'>): string | undefined {
  if (!REDIRECTS.has(status)) return undefined
  const location = headerOf(headers, 'location')
  // Headers are bytes; if they are not ASCII, they are read as UTF-8, as browsers do.
  return location && Buffer.from(location, 'latin1').toString()
}

function toFoundLink({ href, depth }: WebUrl, refused: FoundLink['refused']): FoundLink {
  return { url: href, pathDepth: depth, refused }
}

export function followed(link: WebUrl): FoundLink {
  return toFoundLink(link, undefined)
}

/** Links that are followed, each with the text of the first anchor that leads there; without texts unless the anchors were extracted. */
export function linkWithText({ anchors }: Extracted): (link: WebUrl) => FoundLink {
  if (anchors === undefined) return followed
  const texts = new Map<string, string>()
  for (const { url, text } of anchors) if (text !== '' && !texts.has(url.href)) texts.set(url.href, text)
  return link => ({ ...followed(link), text: texts.get(link.href) })
}
