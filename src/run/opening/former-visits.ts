import { setImmediate as turn } from 'node:timers/promises'
import type { Change, PageLine, PagesFile } from '../../archive/pages-file.ts'
import { readRecord } from '../../archive/read.ts'
import { type Archived, locationOf, type RecordLocation } from '../../archive/scan.ts'
import { type ArchivedVisit, finishedVisitsOf, isBrokenOff } from '../../archive/visits-of.ts'
import { httpOf } from '../../archive/warc-record.ts'
import { headerOf } from '../../base/words/raw-headers.ts'
import { EarlierPages } from '../../decide/earlier-pages.ts'
import { FilteredLinks, type LinkJudges } from '../../decide/filtered-links.ts'
import { packLinks } from '../../decide/job.ts'
import {
  isElsewhere,
  type KnownAnswer,
  type KnownFacts,
  type KnownPage,
  type Validators,
  validatorsOf,
} from '../../decide/known-page.ts'
import { type Attachment, attachedBy, carriedBy, readPageNote } from '../../decide/link-note.ts'
import { rankOfUrl } from '../../decide/link-rank.ts'
import type { RevisitPlan } from '../../decide/revisit-plan.ts'
import type { DetectLanguage } from '../../extract/detect-language.ts'
import type { Extracted } from '../../extract/extract.ts'
import { newestPageLines } from '../../folder/lines-of.ts'
import type {
  Again,
  Explanation,
  FormerVisit,
  Frontier,
  FrontierViews,
  HostNotes,
  Link,
  LinkControl,
} from '../../frontier/frontier.ts'
import { prepareBase, webUrl } from '../../url/web.ts'
import { fullRecord, knownFrom, storedTextDigest } from '../../visit/read-former.ts'
import { extractedFrom, linksOf, linkWithText } from '../../visit/visit.ts'
import { offerAll } from './enqueue.ts'
import { ShorterPaths } from './shorter-paths.ts'

export interface FormerDeps extends LinkJudges {
  readonly crawl: string
  readonly frontier: Frontier & LinkControl & FrontierViews & HostNotes
  readonly pages: PagesFile
  readonly agent: string
  /** Knows all pages that have a line; learns of the others. */
  readonly earlier: EarlierPages
  readonly detectLanguage?: DetectLanguage | undefined
  /** When pages are visited again; undefined: no next visit is planned. */
  readonly plan?: RevisitPlan | undefined
}

interface Deps extends FormerDeps {
  /** The visits of each page in the newest files, oldest first: the index does not know all of them. */
  readonly newest: ReadonlyMap<string, readonly Archived[]>
}

const AT_ONCE = 100
/** How much of `pages.jsonl` is read to know the newest pages: about 200,000. */
const NEWEST_BYTES = 1 << 27
/** Links offered at a time; see `packLinks`. */
const LINKS_AT_ONCE = 1000

/** The newest pages of a crawl: what later ones may repeat. */
export function formerPages(crawl: string): EarlierPages {
  const earlier = new EarlierPages()
  for (const line of newestPageLines(crawl, NEWEST_BYTES)) earlier.learn(line)
  return earlier
}

/**
 * Settles pages that a killed run archived but did not settle: they are in the newest files and still wait in the frontier, or
 * their next visit is still the one that was made. They are not fetched again; missing lines in `pages.jsonl` are written, and
 * the frontier settles them. `recent`: the newest answers in the archive.
 */
export async function settleFormerVisits(recent: readonly Archived[], given: FormerDeps): Promise<void> {
  const pages = recent.filter(({ isPage }) => isPage)
  const deps = { ...given, newest: byUrl(pages) }
  await completeLines(pages, deps)
  // Of answers that are not pages, only those that said so for the last time have a line.
  for (const one of recent) if (!one.isPage && deps.pages.isKnown(one)) await settleGone(one, deps)
  for (let at = 0; at < pages.length; at += AT_ONCE) {
    const some = pages.slice(at, at + AT_ONCE)
    const explained = await deps.frontier.explain(some.map(({ url }) => url))
    for (const [i, page] of some.entries()) {
      const one = explained[i]!
      if (one.state === 'waiting') await settle(page, deps, undefined, (await deps.frontier.link(page.url))?.note)
      else if (isPlanned(one)) await settleAgain(page, deps)
    }
  }
}

/** The links of an archived page, as they would be offered now. `to`: of the link to the page. An archive that can't be read is an error. */
export function linksOn(page: Archived, deps: Omit<FormerDeps, 'frontier' | 'pages'>, to: LinkToPage = {}): Link[] {
  return offered(page, readBack(page, deps, undefined), deps, to)
}

/** Pages among these answers become done and known with all links; so does what others redirect to. `maxDepth`: of links. */
export async function offerAgain(answers: readonly Archived[], given: FormerDeps, maxDepth: number): Promise<void> {
  const deps = { ...given, newest: new Map() }
  // It is not known how far from a seed a redirect was: as far as may be.
  const targetHops = Number.isFinite(maxDepth) ? maxDepth : 0
  for (let at = 0; at < answers.length; at += AT_ONCE) {
    const some = answers.slice(at, at + AT_ONCE)
    const explained = await deps.frontier.explain(some.map(({ url }) => url))
    for (const [i, answer] of some.entries()) {
      const { state } = explained[i]!
      if (answer.isPage && state === 'unknown') await deps.frontier.offer([linkTo(answer)])
      if (answer.isPage && (state === 'unknown' || state === 'waiting')) await settle(answer, deps, undefined)
      else if (answer.isPage) {
        if (isPlanned(explained[i]!)) await settleAgain(answer, deps)
        await offerAll(deps.frontier, await letIn(linksOn(answer, deps), deps))
      } else if (state === 'done') await offerAll(deps.frontier, targetOf(answer, targetHops, deps))
      await turn()
    }
  }
}

/** Those of these links that were held because of an earlier page wait from now on. Returns what to offer. */
async function letIn(links: readonly Link[], { frontier }: Deps): Promise<readonly Link[]> {
  const paths = new ShorterPaths(frontier, true)
  const wanted: Link[] = []
  for (let at = 0; at < links.length; at += LINKS_AT_ONCE)
    wanted.push(...(await paths.ahead([links.slice(at, at + LINKS_AT_ONCE)])).flat())
  return wanted
}

function isPlanned(one: Explanation): boolean {
  return one.state === 'done' && one.againInMs !== undefined
}

/** What an answer redirects to, if that may be followed. */
function targetOf({ url, status, file, offset }: Archived, hops: number, { crawl, rules, ranks }: Deps): Link[] {
  if (status < 300 || status >= 400) return []
  const location = headerOf(httpOf(readRecord(crawl, file, offset)).headers, 'location')
  const target = webUrl(Buffer.from(location ?? '', 'latin1').toString(), prepareBase(url))
  if (typeof target === 'string' || rules.refusal(target, hops) !== undefined) return []
  return [{ url: target.href, rank: ranks.ofUrl(target.href, hops), hops }]
}

export function linkTo({ url, hops }: Pick<Archived, 'url' | 'hops'>): Link {
  return { url, rank: rankOfUrl(url), hops }
}

/** A page whose line says that it is gone, and that was not settled: it is not asked for once more. */
async function settleGone(page: Archived, { frontier }: Deps): Promise<void> {
  const view = await frontier.link(page.url)
  if (view?.again === undefined || view.again.visitedAtMs >= page.dateMs) return
  await frontier.settleFormer([{ url: page.url, isPage: true, links: [], dateMs: page.dateMs }])
}

async function settleAgain(page: Archived, deps: Deps): Promise<void> {
  const view = await deps.frontier.link(page.url)
  if (view?.again !== undefined && view.again.visitedAtMs < page.dateMs)
    await settle(page, deps, view.note, view.note, view.again.visitedAtMs)
}

/** `note`: of the link, if this was a visit again; `firstNote`: if it was the first. `beforeMs`: when the visit before was. */
async function settle(
  page: Archived,
  deps: Deps,
  note: string | undefined,
  firstNote = note,
  beforeMs = page.dateMs,
): Promise<void> {
  const found = readBack(page, deps, stateOf(page, deps, note))
  const links = await letIn(offered(page, found, deps, { of: attachedBy(firstNote), note: firstNote }), deps)
  const most = links.length - (links.length % LINKS_AT_ONCE)
  await offerAll(deps.frontier, links.slice(0, most))
  const again = deps.plan && nextVisit(page, found, deps, deps.plan, { note, firstNote, beforeMs })
  const { url, dateMs } = page
  const visit: FormerVisit = { url, isPage: true, links: links.slice(most), dateMs, ...(again && { again }) }
  await deps.frontier.settleFormer([visit])
}

function nextVisit(
  page: Archived,
  found: ReadBack,
  deps: Deps,
  plan: RevisitPlan,
  { note, firstNote, beforeMs }: { note: string | undefined; firstNote: string | undefined; beforeMs: number },
): Again {
  const { url, dateMs } = page
  const link = { url, ...carriedBy(firstNote) }
  const state = plan.stateIn(url, note)
  const known = knownOf(page, found)
  const visit = { url, sinceMs: dateMs - beforeMs }
  if (state !== undefined && page.status === 304) return plan.again(link, plan.notModified(state, known, visit))
  const answer = { place: locationOf(known.original), known, facts: found.facts }
  if (state === undefined) return plan.again(link, plan.first(answer, dateMs))
  const isChanged = changeOf(page, found.textDigest, deps, state) === 'changed'
  return plan.again(link, plan.received(state, answer, { ...visit, isChanged, dateMs }))
}

function knownOf(
  { url, file, offset, length, recordId, date, payloadDigest, original }: Archived,
  found: ReadBack,
): KnownAnswer {
  return {
    original: original ?? { file, offset, length, recordId, url, date, payloadDigest },
    validators: found.validators,
    textDigest: found.textDigest,
    isWhole: found.isWhole,
    ...(found.receivedDate !== undefined && { receivedDate: found.receivedDate }),
  }
}

/** The note of the link to a page, and what is attached to it. */
interface LinkToPage {
  readonly of?: Attachment | undefined
  readonly note?: string | undefined
}

function offered(
  page: Archived,
  { extracted }: ReadBack,
  { rules, held, ranks, filterLink, earlier }: LinkJudges & Pick<FormerDeps, 'earlier'>,
  { of, note }: LinkToPage,
): Link[] {
  if (extracted === undefined || !rules.followsLinks) return []
  const ruled = linksOf(page, extracted, rules)
  const links = packLinks([...ruled.links.map(linkWithText(extracted)), ...ruled.held])
  const isHeldBack = rules.holdsRepeats && earlier.repeatedBy(comparedPage(page, extracted)) !== undefined
  const heldBack = isHeldBack ? 'near-duplicate' : undefined
  const ranking = { note, isSeed: page.hops === 0, linksOut: ruled.links.length, language: extracted.language }
  const origin = { from: page.url, hops: page.hops + 1, of, page: ranking, heldBack } as const
  const found = new FilteredLinks(links, {}, origin, { rules, held, ranks, filterLink })
  return [...found.batches].flat()
}

function comparedPage({ url }: Archived, { tokens, fingerprint }: Extracted) {
  return { url, tokens, simhash: fingerprint?.simhash }
}

/** Writes missing lines: the crash came before them, or a power cut lost them. */
async function completeLines(pages: readonly Archived[], deps: Deps): Promise<void> {
  const missing = pages.filter(page => !deps.pages.isKnown(page))
  if (missing.length === 0) return
  const lines: PageLine[] = []
  for (const page of missing) {
    const view = await deps.frontier.link(page.url)
    // The note of a link that is still waiting, or is planned, is all that is left of what was attached to it.
    const { from, label, data } = carriedBy(view?.note)
    const state = stateOf(page, deps, view?.note)
    const line = lineOf(page, readBack(page, deps, state), deps, state)
    deps.earlier.learn(line)
    lines.push({ ...line, from, label, data })
  }
  deps.pages.append(lines)
  await deps.pages.sync()
}

function lineOf(
  page: Archived,
  { facts, validators, textDigest, extracted }: ReadBack,
  deps: Deps,
  state: KnownPage | undefined,
): PageLine {
  const { url, status, hops, dateMs, file, offset, length, payloadDigest, original } = page
  const { title, bytes, tokens, linksOut, language } = facts
  return {
    ...{ url, status, title, bytes, tokens, hops, linksOut, language, dateMs },
    change: deps.plan === undefined ? 'new' : changeOf(page, textDigest, deps, state),
    ...validators,
    digest: payloadDigest,
    ...(textDigest !== undefined && { textDigest }),
    simhash: extracted?.fingerprint?.simhash,
    repeats: extracted && deps.earlier.repeatedBy(comparedPage(page, extracted)),
    ...(original !== undefined && { original: locationOf(original) }),
    ...{ file, offset, length },
  }
}

/** What a visit found, by what the archive holds from before, or, if that is in the archives of other machines, by what is known of the page. */
function changeOf(
  page: Archived,
  textDigest: string | undefined,
  { crawl, newest }: Deps,
  state: KnownPage | undefined,
): Change {
  const { url, status, dateMs, original } = page
  if (status === 304) return 'same'
  const own = newest.get(url) ?? []
  const places = new Set(own.map(keyOf))
  const older = finishedVisitsOf(crawl, url).filter(
    visit => isPage(visit) && visit.dateMs <= dateMs && !places.has(keyOf(visit)),
  )
  const before = [...older, ...own.slice(0, own.indexOf(page))]
  if (before.length === 0 && state !== undefined && isElsewhere(state.place)) {
    return original !== undefined || (textDigest !== undefined && state.known?.textDigest === textDigest)
      ? 'same'
      : 'changed'
  }
  if (before.length === 0) return 'new'
  if (original !== undefined && before.some(visit => keyOf(visit) === keyOf(original))) return 'same'
  const full = before.findLast(({ kind }) => kind === 'response')
  return full !== undefined && storedTextDigest(crawl, url, full) === textDigest ? 'same' : 'changed'
}

function stateOf({ url }: Archived, { plan }: Deps, note: string | undefined): KnownPage | undefined {
  return plan === undefined ? readPageNote(url, note) : plan.stateIn(url, note)
}

function isPage(visit: ArchivedVisit): boolean {
  return visit.kind === 'revisit' || (visit.status >= 200 && visit.status < 300 && !isBrokenOff(visit))
}

function byUrl(pages: readonly Archived[]): Map<string, Archived[]> {
  const all = new Map<string, Archived[]>()
  for (const page of pages) {
    const own = all.get(page.url)
    if (own === undefined) all.set(page.url, [page])
    else own.push(page)
  }
  return all
}

function keyOf({ file, offset }: RecordLocation): string {
  return `${file} ${offset}`
}

interface ReadBack {
  /** Undefined when the body can't be read. */
  readonly extracted: Extracted | undefined
  readonly facts: KnownFacts
  readonly validators: Validators
  readonly textDigest: string | undefined
  readonly isWhole: boolean
  readonly receivedDate: string | undefined
}

/** The body of a revisit is that of its original; if that file was moved away, `state` says what is known of it. */
function readBack(
  page: Archived,
  deps: Pick<FormerDeps, 'crawl' | 'agent' | 'rules' | 'ranks' | 'plan' | 'detectLanguage'>,
  state: KnownPage | undefined,
): ReadBack {
  const { crawl, agent, rules, ranks, plan, detectLanguage } = deps
  const { url, file, offset, original } = page
  const record = readRecord(crawl, file, offset)
  const full = original === undefined ? record : fullRecord(crawl, original)
  const body = full && httpOf(full)
  // A 304 says nothing about the version: what was asked with still holds.
  const head = record.block.length > 0 ? httpOf(record) : body
  const asked = page.status === 304 ? knownBefore(state, crawl) : undefined
  const validators = asked?.validators ?? validatorsOf(head?.headers ?? [])
  const receivedDate = original !== undefined && page.status !== 304 ? page.date : asked?.receivedDate
  if (full === undefined || body === undefined) {
    const { facts = NO_FACTS, known: { textDigest, isWhole = false } = {} } = state ?? {}
    return { extracted: undefined, facts, validators, textDigest, isWhole, receivedDate }
  }
  const answer = { url, headers: (head ?? body).headers, body: body.body }
  const extracted = extractedFrom(answer, agent, {
    textDigest: plan !== undefined,
    fingerprint: true,
    detectLanguage,
    anchors: ranks.rankLink !== undefined,
  })
  const { title, tokens, textDigest, language } = extracted
  const linksOut = linksOf(page, extracted, rules).links.length
  const facts = { title, bytes: body.body.length, tokens, linksOut, language }
  return { extracted, facts, validators, textDigest, isWhole: !full.fields.has('warc-truncated'), receivedDate }
}

const NO_FACTS: KnownFacts = { title: '', bytes: 0, tokens: 0, linksOut: 0 }

function knownBefore(state: KnownPage | undefined, crawl: string): KnownAnswer | undefined {
  return state && (state.known ?? knownFrom(crawl, state.place))
}
