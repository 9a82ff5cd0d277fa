import { join } from 'node:path'
import { printable, shellWord } from '../../base/words/printable.ts'
import { counted, shownBytes, shownCount, shownDuration, shownTime } from '../../base/words/quantity.ts'
import type { CrawlFile } from '../../folder/crawl-file.ts'
import { sitemapCounts, type Waterfall, waterfall } from '../../folder/stats/outcome-counts.ts'
import type { Stats } from '../../folder/stats/stats.ts'
import type { Opening, PlannedAgain, SharedOpening } from '../../run/opening/opening.ts'
import type { CrawlEnd, CrawlShare } from '../../run/session.ts'
import type { Action, ActionResult, SettingsChange } from '../../settings/actions.ts'
import { choiceOptions } from '../../settings/link-choice.ts'
import { aboutReason, classOf } from '../../settings/reasons.ts'
import { showSetting } from '../../settings/setting-texts.ts'
import type { CrawlSettings } from '../../settings/settings.ts'
import { isChangeable, WRITTEN_SETTINGS } from '../../settings/settings-table.ts'
import { plannedVisits } from '../../view/process/planned-visits.ts'
import { unsentHeaders } from './host-secrets.ts'
import { runningWords } from './running-words.ts'

/** A delay from this length on is considerate towards hosts that are not one's own. */
const CONSIDERATE_DELAY_MS = 1000
const MOST_REQUEUED = 5

/** The parts of a `CrawlSession` that the opening lines need. */
interface OpenCrawl {
  readonly opening: Opening
  readonly seeds: readonly string[]
  readonly settings: Pick<CrawlSettings, 'userAgent' | 'delayMs' | 'hostSettings' | 'recrawlOnly'>
  readonly file: Pick<CrawlFile, 'runs'>
}

/** The lines at the start of a crawl: a missing contact, secrets not sent, what is being continued, and what has changed. */
export function openingLines(
  crawl: OpenCrawl,
  isNew: boolean,
  folder: string,
  nowMs: number,
  retry: readonly string[] = [],
): string[] {
  const { opening, seeds, settings } = crawl
  const words = runningWords()
  const lines: string[] = []
  if (!namesContact(settings.userAgent)) {
    const { userAgent, delayMs } = settings
    const slower = delayMs < CONSIDERATE_DELAY_MS ? words.slower(shownDuration(delayMs)) : ''
    lines.push(`${words.noContact(printable(userAgent))}${slower}`)
  }
  lines.push(...unsentLines(crawl))
  const { pages, sinceMs, waiting, changes, addedSeeds, requeued } = opening
  const name = shellWord(folder)
  if (opening.shared !== undefined) lines.push(sharedLine(opening, opening.shared, name, seeds.length))
  else if (isNew) return [...lines, words.begins(name, seeds.length)]
  else lines.push(words.goesOn(name, words.pages(pages), shownTime(sinceMs, nowMs), shownCount(waiting)))
  if (crawl.file.runs.at(-1)?.isPaused) lines.push(words.paused(name))
  const differences = changes.map(({ setting, before, now }) => `${setting} ${printable(before)} → ${printable(now)}`)
  if (differences.length > 0) lines.push(words.changed(differences.join(', ')))
  if (addedSeeds > 0 && opening.shared?.isBegun !== false) lines.push(words.seedsAdded(addedSeeds))
  const reasons = Object.entries(requeued).filter(([, links]) => links > 0)
  if (reasons.length > 0) lines.push(requeuedLine(reasons))
  if (opening.again !== undefined) lines.push(...againLines(opening.again, settings.recrawlOnly))
  lines.push(...vainRetries(retry, opening).map(what => words.nothingToRetry(printable(what))))
  const secrets = missingSecrets(crawl.file)
  if (secrets.length > 0) lines.push(words.secretsMissing(printable(secrets.join(', '))))
  return lines
}

function againLines({ planned, againInMs, dueNow }: PlannedAgain, only: readonly string[]): string[] {
  const words = runningWords()
  if (dueNow === undefined)
    return visitsAgain(plannedVisits({ planned, due: 0 }, againInMs === undefined ? {} : { againInMs }))
  if (dueNow > 0 || only.length === 0) return visitsAgain(words.dueNow(dueNow))
  return visitsAgain(words.noneMatches(printable(only.join(', '))))
}

function visitsAgain(text: string): string[] {
  return text === '' ? [] : [`${runningWords().visitsAgain}: ${text}`]
}

/** A machine that begins a crawl for many, or joins one. */
function sharedLine({ pages, waiting }: Opening, shared: SharedOpening, folder: string, seeds: number): string {
  const words = runningWords()
  const { where, others, isBegun } = shared
  if (!isBegun) return words.beginsShared(printable(where), folder, seeds)
  return words.joins(printable(where), folder, words.pages(pages), shownCount(waiting), others)
}

/** Secrets that the previous run had and this one lacks. Folders never keep them; without them, hosts may answer differently. */
function missingSecrets({ runs }: Pick<CrawlFile, 'runs'>): readonly string[] {
  const now = runs.at(-1)?.secrets ?? []
  return (runs.at(-2)?.secrets ?? []).filter(secret => !now.includes(secret))
}

/** Headers that no seed gets: without a word about them, a login would fail silently. */
function unsentLines({ settings, seeds }: OpenCrawl): string[] {
  const words = runningWords()
  return unsentHeaders(settings.hostSettings, seeds).map(({ name, host, origin, instead }) =>
    origin === undefined
      ? words.noSuchSeed(name, printable(host))
      : words.unsent(name, printable(host), printable(origin), printable(instead!)),
  )
}

/** What `--retry` named without effect. Seeds are requeued at every start, so they may have been meant. */
function vainRetries(retry: readonly string[], { requeued }: Opening): readonly string[] {
  if (requeued.seeds !== undefined) return []
  const found = new Set(Object.keys(requeued).flatMap(reason => [reason, classOf(reason) as string]))
  return retry.filter(what => !found.has(what))
}

function requeuedLine(reasons: readonly (readonly [string, number])[]): string {
  const words = runningWords()
  const links = reasons.reduce((sum, [, count]) => sum + count, 0)
  const sorted = reasons.toSorted((a, b) => b[1] - a[1])
  const named = sorted.slice(0, MOST_REQUEUED).map(([reason, count]) => `${printable(reason)} ${shownCount(count)}`)
  if (sorted.length > MOST_REQUEUED) named.push('…')
  return words.requeued(words.links(links), named.join(', '))
}

/** The default contact: it leads to the makers of Escalona, not to those who run the crawl. */
const OUR_CONTACT = /\(\+https:\/\/github\.com\/escalona\/escalona\)$/

/** Whether the User-Agent says whom the people who run a host can write to. */
export function namesContact(userAgent: string): boolean {
  return /@|https?:\/\/|\bwww\./i.test(userAgent) && !OUR_CONTACT.test(userAgent)
}

/** A list of patterns is cut after this many. */
const MOST_VALUES = 3

/** A line about what a person did to the crawl. `command`: continues it. */
export function actionLine(action: Action, result: ActionResult, command: string, nowMs: number): string {
  const { requeued = 0, seeds = 0, cleared } = result
  const { actions, changed, seedsAdded } = runningWords()
  const back = requeued > 0 ? actions.requeued(requeued) : ''
  switch (action.kind) {
    case 'pause':
      return actions.pause(command)
    case 'resume':
      return actions.resume
    case 'stop':
      return actions.stop
    case 'add seeds':
      return seedsAdded(seeds) + back
    case 'change settings':
      return changed(shownSettings(action.settings)) + back
    case 'retry links':
      return actions.retried(printable(choiceOptions(action.which))) + back
    case 'let links in':
      return actions.letIn(printable(choiceOptions(action.which))) + back
    case 'change host': {
      const { delayMs, blockedUntilMs } = action.change
      const parts: string[] = []
      if (delayMs !== undefined) parts.push(delayMs === null ? actions.noDelay : actions.delay(shownDuration(delayMs)))
      if (blockedUntilMs !== undefined) {
        const isBlocked = blockedUntilMs !== null && blockedUntilMs > nowMs
        parts.push(isBlocked ? actions.blocked(shownTime(blockedUntilMs, nowMs)) : actions.released)
      }
      if (cleared !== undefined) parts.push(actions.cleared(cleared))
      return `${printable(action.host)}: ${parts.join(', ')}`
    }
  }
}

function shownSettings(change: SettingsChange): string {
  const shown = WRITTEN_SETTINGS.flatMap(row => {
    const value = isChangeable(row.name) ? change[row.name] : undefined
    if (value === undefined) return []
    const values = showSetting(row, value)
    const more = values.length > MOST_VALUES ? ', …' : ''
    return [`${row.option} ${values.slice(0, MOST_VALUES).map(printable).join(', ')}${more}`]
  })
  return shown.join('; ')
}

const MOST_REASONS = 3
/** How many reasons for which hosts are down. */
const MOST_OUTAGES = 10

/** The lines at the end of a crawl: how much was collected, and what became of every link. `isIdle`: this run archived nothing. */
export function farewell(stats: Stats, end: CrawlEnd, folder: string, isIdle: boolean): string[] {
  const words = runningWords()
  const { because, frontier, hosts, share } = end
  const pages = share === undefined ? stats.pages : frontier.pages
  const parts = [
    words.ofHosts(words.pages(pages), words.hosts(hosts.hosts)),
    shownBytes(stats.wireBytes),
    words.queued(shownCount(frontier.waiting)),
    shownDuration(stats.workMs),
  ]
  const links = waterfall(frontier)
  const lines = [`${words.endings[because]}: ${parts.join(', ')}`]
  if (share !== undefined && pages > 0) lines.push(shareLine(share, pages))
  if (stats.losses > 0) lines.push(words.losses(shownCount(stats.losses)))
  if (pages === 0) lines.push(words.nothingArchived)
  if (isIdle && because === 'limit') lines.push(words.raiseLimit(words.pages(pages)))
  if (isIdle && because === 'bytes') lines.push(words.raiseBytes)
  if (links.known > 0) lines.push(sum(words.known, links.known, linkTerms(links)), ...mainReasons(links))
  else lines.push(...seedTrouble(stats))
  lines.push(...revisits(stats), ...visitsAgain(plannedVisits(frontier, end)), ...sitemaps(stats))
  const notRemembered = stats.refusedLinks.get('held-limit') ?? 0
  if (notRemembered > 0) lines.push(reasonLine('held-limit', notRemembered))
  if (frontier.down > 0) lines.push(...downLines(end))
  if (links.failed.count > 0) lines.push(words.failures(`escalona list ${shellWord(folder)} --state failed`))
  return [...lines, words.report(shellWord(join(folder, 'report.html')))]
}

/** Why a crawl ended without a page, in one line. */
export function noPage(stats: Stats, end: CrawlEnd): string {
  const words = runningWords()
  const { frontier } = end
  const why = frontier.down > 0 ? downLines(end)[0] : undefined
  const [reason = seedTrouble(stats)[0]] = mainReasons(waterfall(frontier))
  return [words.nothingArchived, why ?? reason?.trim()].filter(text => text !== undefined).join(': ')
}

function shareLine({ where, pages, machines }: CrawlShare, all: number): string {
  // After a clear, the folder has more pages than the frontier knows.
  const percent = Math.min(100, Math.round((pages / all) * 100))
  const command = `escalona frontier ${shellWord(where)} report -o report`
  return runningWords().share(shownCount(pages), percent, machines, command)
}

type Term = readonly [became: keyof ReturnType<typeof runningWords>['became'], count: number, why?: string]

/** `known links 52 = 10 archived + 2 refused + 40 waiting`, without terms that are zero. */
function sum(title: string, all: number, terms: readonly Term[]): string {
  const shown = terms.flatMap(([became, count, why = '']) => {
    const [one = '', many = one] = runningWords().became[became].split('/')
    return count === 0 ? [] : [counted(count, one, many) + why]
  })
  return `${title} ${shownCount(all)} = ${shown.join(' + ')}`
}

/** `visits again 9 = 2 changed + 7 the same`; empty when there were none. */
function revisits({ revisits }: Stats): string[] {
  const found = (['changed', 'same', 'gone', 'failed'] as const).map(name => [name, revisits.get(name) ?? 0] as const)
  const all = found.reduce((sum, [, count]) => sum + count, 0)
  return all === 0 ? [] : [sum(runningWords().visitsAgain, all, found)]
}

/** `sitemaps 3 = 1 read + 2 not read (status-404, timeout)`; empty when there were none. */
function sitemaps(stats: Stats): string[] {
  const { read, notRead, reasons } = sitemapCounts(stats.sitemaps)
  if (read + notRead === 0) return []
  const why = reasons.slice(0, MOST_REASONS).map(({ reason }) => reason)
  const terms: Term[] = [
    ['read', read],
    ['notRead', notRead, ` (${why.join(', ')})`],
  ]
  return [sum(runningWords().sitemaps, read + notRead, terms)]
}

function linkTerms(links: Waterfall): Term[] {
  const { archived, redirected, refused, failed, held, waiting, leased } = links
  const counts = {
    archived,
    redirected,
    refused: refused.count,
    failed: failed.count,
    held: held.count,
    waiting,
    leased,
  }
  return Object.entries(counts) as [keyof typeof counts, number][]
}

/** The most frequent reasons, each with its sentence and what to do about it. */
function mainReasons({ refused, failed, held }: Waterfall): string[] {
  return [...refused.reasons, ...failed.reasons, ...held.reasons]
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_REASONS)
    .map(({ reason, count }) => reasonLine(reason, count))
}

function reasonLine(reason: string, count: number): string {
  const { sentence, advice } = aboutReason(reason)
  return `  ${reason}, ${runningWords().links(count)}: ${sentence} ${advice}`.trimEnd()
}

/** Links that wait at hosts that are down, and why they are: in the same line if it is the same for all, or else in a line for each reason. */
function downLines({ frontier, hosts }: CrawlEnd): string[] {
  const words = runningWords()
  const links = words.links(frontier.down)
  const [only, ...others] = hosts.unreachable
  const known = others.length > 0 || only?.why === undefined ? undefined : only.why
  if (known !== undefined) return [words.down(links, ` (${known}: ${aboutReason(known).sentence.replace(/\.$/, '')})`)]
  const groups = others.length === 0 ? [] : hosts.unreachable.slice(0, MOST_OUTAGES)
  return [
    words.down(links, ''),
    ...groups.map(({ why, hosts: count, links: waiting, example }) => {
      const [name, sentence] = why === undefined ? ['?', words.notKnown] : [why, aboutReason(why).sentence]
      return `  ${name}, ${words.downAt(words.links(waiting), count, printable(example))}: ${sentence}`
    }),
  ]
}

/** Why a crawl whose seeds are sitemaps, which don't count as links, has found no link. */
function seedTrouble({ again, failed, sitemaps }: Stats): string[] {
  const named = sitemapCounts(sitemaps).reasons.map(
    ({ reason, count }) => [reason.startsWith('sitemap') ? reason : `sitemap-${reason}`, count] as const,
  )
  const [most] = [...named, ...failed, ...again].sort((a, b) => b[1] - a[1])
  if (most === undefined) return []
  const { sentence, advice } = aboutReason(most[0])
  return [`  ${most[0]}: ${sentence} ${advice}`.trimEnd()]
}
