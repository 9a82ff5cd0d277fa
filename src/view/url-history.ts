import { readRecord } from '../archive/read.ts'
import type { RecordLocation } from '../archive/scan.ts'
import { type HttpMessage, httpOf } from '../archive/warc-record.ts'
import { lastHeaderOf } from '../base/words/raw-headers.ts'
import { LEVELS } from '../decide/importance.ts'
import { readNote, readPageNote } from '../decide/link-note.ts'
import { DEFERRED, PREFERRED, rankOfUrl } from '../decide/link-rank.ts'
import { originOf } from '../decide/robots-gate.ts'
import type { Places } from '../folder/lines-of.ts'
import { readSeeds } from '../folder/seeds-file.ts'
import type { Explanation, LinkView } from '../frontier/frontier.ts'
import { parseRobots } from '../robots/robots.ts'
import { sitemapIn } from '../settings/check-options.ts'
import { stateOf } from '../settings/link-choice.ts'
import { aboutReason, isHeld, isRuled } from '../settings/reasons.ts'
import { prepareBase, webUrl } from '../url/web.ts'
import { canonicalForms } from './files/canonical-forms.ts'
import { isVerdict } from './indexes/robots-file.ts'
import { triesOf } from './listed.ts'
import type { RobotsVerdict, UrlFacts, UrlHistory } from './questions/explained-shapes.ts'

/** Maximum length of a line of robots.txt that is shown. */
const MOST_LINE_CHARS = 500

export interface HistoryFiles {
  readonly folder: string
  readonly places: Places
}

/** `facts`: what the crawl knows about a canonical URL. `files`: undefined when only the frontier can be asked. */
export async function historyOf(
  text: string,
  facts: (url: string) => Promise<UrlFacts>,
  files?: HistoryFiles,
): Promise<UrlHistory> {
  const [first, ...others] = canonicalForms(text)
  let url = first!
  let told = await facts(url)
  for (const form of others) {
    if (told.frontier.state !== 'unknown') break
    const other = await facts(form)
    if (other.frontier.state !== 'unknown') [url, told] = [form, other]
  }
  return files === undefined ? historyAlone(url, told) : wholeHistory(url, told, files)
}

async function wholeHistory(url: string, told: UrlFacts, { folder, places }: HistoryFiles): Promise<UrlHistory> {
  const { frontier, link, host, heldBy, setting, preference } = told
  const isDone = frontier.state === 'done'
  const page = isDone ? await places.pageLineOf(url) : undefined
  // A robots.txt or a sitemap is not a link, but its answer is archived.
  const isAuxiliary = frontier.state === 'unknown'
  const answer = page ?? (isDone || isAuxiliary ? await places.answerOf(url) : undefined)
  const isSeed =
    page === undefined &&
    (isDone || (isAuxiliary && answer !== undefined)) &&
    readSeeds(folder).some(seed => seed.from === undefined && (isDone ? seed.url : sitemapIn(seed.url)) === url)
  const newest = frontier.state === 'refused' ? await places.failureLineOf(url) : undefined
  // A link that a setting holds now may have failed in an earlier run.
  const failure = frontier.state === 'refused' && newest?.reason === frontier.reason ? newest : undefined
  const from = readNote(link?.note).from ?? page?.from ?? failure?.from
  const isHeldBack = frontier.state === 'refused' && frontier.reason === 'near-duplicate' && from !== undefined
  const { repeats } = page ?? (isHeldBack ? await places.pageLineOf(from) : undefined) ?? {}
  return {
    url,
    ...stateIn(frontier),
    ...(page !== undefined && { state: 'done' as const }),
    ...rhythmOf(url, link),
    ...failedVisitOf(url, link),
    ...rankOf(url, frontier, link, preference),
    redirectsTo: page === undefined && answer !== undefined ? redirectIn(url, answer, folder) : undefined,
    heldBy: heldBy ?? heldOtherwise(frontier),
    ...(setting !== undefined && { setting }),
    robots: await robotsOf(url, told, { folder, places }),
    host,
    from,
    ...(repeats !== undefined && { repeats }),
    hops: link?.hops ?? page?.hops ?? (isSeed ? 0 : undefined),
    attempts: failure?.attempts ?? (link && triesOf(link)),
    page,
    answer,
    failure,
  }
}

export function inCurrentLanguage(history: UrlHistory): UrlHistory {
  if (history.reason === undefined) return history
  const { sentence, advice } = aboutReason(history.reason)
  return { ...history, sentence, advice }
}

/** What a frontier knows without the files of a crawl. */
function historyAlone(
  url: string,
  { frontier, link, host, heldBy, setting, preference, robots }: UrlFacts,
): UrlHistory {
  return {
    ...{ url, ...stateIn(frontier), redirectsTo: undefined, heldBy: heldBy ?? heldOtherwise(frontier), robots, host },
    ...rankOf(url, frontier, link, preference),
    ...{ from: readNote(link?.note).from, hops: link?.hops, attempts: link && triesOf(link) },
    ...{ page: undefined, answer: undefined, failure: undefined, ...(setting !== undefined && { setting }) },
  }
}

/** Why a waiting link comes when it does at its host, as far as its note says. */
function rankOf(
  url: string,
  { state }: Explanation,
  link: LinkView | undefined,
  setting: string | undefined,
): Pick<UrlHistory, 'rank'> {
  if (state !== 'waiting' || link === undefined) return {}
  const { rank: value, note } = link
  const { rankedBy, score, share: [importance, links] = [] } = readNote(note)
  const last = rankedBy === 'language' && !setting?.startsWith('--defer ') ? rankedBy : 'defer'
  const by = value === PREFERRED ? 'prefer' : value === DEFERRED ? last : undefined
  if (by !== undefined) return { rank: { value, by, ...(setting?.startsWith(`--${by} `) && { setting }) } }
  // A seed has no note, and a program may leave a link to the depth of its path.
  if ((rankedBy === undefined || value > LEVELS) && value === rankOfUrl(url)) return { rank: { value, by: 'depth' } }
  return { rank: { value, by: rankedBy ?? 'importance', levels: LEVELS, importance, links, score } }
}

/** How often a page changes, by its visits again; nothing when there was none. */
function rhythmOf(url: string, link: LinkView | undefined): Pick<UrlHistory, 'changesEveryMs'> {
  const page = link?.again && readPageNote(url, link.note)
  return page === undefined || page.evidence === 0 ? {} : { changesEveryMs: page.meanMs }
}

function failedVisitOf(url: string, link: LinkView | undefined): Pick<UrlHistory, 'failedVisit'> {
  const reason = link?.again && readPageNote(url, link.note)?.failedFor
  return reason === undefined ? {} : { failedVisit: { atMs: link!.again!.visitedAtMs, reason } }
}

/** What keeps it out besides the rules for links, which are checked again: the address guard, a page limit, the caller's filter. */
function heldOtherwise(frontier: Explanation): string | undefined {
  if (frontier.state !== 'refused' || isRuled(frontier.reason)) return undefined
  return isHeld(frontier.reason) ? frontier.reason : undefined
}

/** Where an archived redirect leads; undefined when it is not one, or its WARC file was moved to other storage. */
function redirectIn(url: string, { file, offset }: RecordLocation, folder: string): string | undefined {
  try {
    return redirectTarget(url, httpOf(readRecord(folder, file, offset)))
  } catch {
    return undefined
  }
}

/** Where an answer redirects to, in canonical form; undefined when it does not, or not to a web address. */
export function redirectTarget(url: string, { status, headers }: HttpMessage): string | undefined {
  const location = status >= 300 && status < 400 ? lastHeaderOf(headers, 'location') : undefined
  // Headers are bytes; if they are not ASCII, they are read as UTF-8, as browsers do.
  const target = location && webUrl(Buffer.from(location, 'latin1').toString(), prepareBase(url))
  return typeof target === 'object' ? target.href : undefined
}

function stateIn(frontier: Explanation): Pick<UrlHistory, 'state'> & Partial<UrlHistory> {
  switch (frontier.state) {
    case 'waiting': {
      const { place, isExact, readyInMs } = frontier
      return { state: 'waiting', place, isExact, readyInMs }
    }
    case 'done':
      return {
        state: frontier.isPage ? 'done' : 'redirected',
        ...(frontier.againInMs !== undefined && { againInMs: frontier.againInMs }),
      }
    case 'refused': {
      const { reason } = frontier
      const { sentence, advice } = aboutReason(reason)
      return { state: stateOf(reason), reason, sentence, advice }
    }
    default:
      return { state: frontier.state }
  }
}

/** Uses the rules that the crawl keeps; the text of the line, and rules no longer kept, come from the archive. */
async function robotsOf(
  url: string,
  { robots: kept, agent }: UrlFacts,
  { folder, places }: HistoryFiles,
): Promise<UrlHistory['robots']> {
  if (kept.kind !== 'unknown' && kept.line === undefined) return kept
  const file = archivedRobots(folder, await places.answerOf(`${originOf(url)}/robots.txt`))
  if (file === undefined) return kept
  if (!isVerdict(file.status)) return kept.kind === 'unknown' ? { ...kept, status: file.status } : kept
  if (kept.kind !== 'unknown') return withText(kept, file)
  const robots = parseRobots(file.body)
  const { allowed, line } = robots.allows(agent, url)
  return withText({ kind: allowed ? 'allowed' : 'refused', line, crawlDelaySeconds: robots.crawlDelay(agent) }, file)
}

/** The archived answer for a robots.txt; undefined if there is none. Any status but 2xx counts as an empty file. */
export function archivedRobots(folder: string, place: RecordLocation | undefined): HttpMessage | undefined {
  if (place === undefined) return undefined
  try {
    const message = httpOf(readRecord(folder, place.file, place.offset))
    return message.status < 300 ? message : { ...message, body: new Uint8Array(0) }
  } catch {
    // Its WARC file was moved to other storage.
    return undefined
  }
}

function withText(
  robots: RobotsVerdict & { readonly line: number | undefined },
  { body }: HttpMessage,
): UrlHistory['robots'] {
  if (robots.line === undefined) return robots
  const text = Buffer.from(body)
    .toString()
    .split(/\r\n|[\r\n]/)
    [robots.line - 1]?.trim()
    .slice(0, MOST_LINE_CHARS)
  return text === undefined || text === '' ? robots : { ...robots, text }
}
