import { availableParallelism } from 'node:os'
import type { Clock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { type EarlierPages, MOST_HELD_BACK } from '../../decide/earlier-pages.ts'
import { type FilterLink, HeldLinks } from '../../decide/filtered-links.ts'
import { LinkRanks, type RankLink } from '../../decide/link-rank.ts'
import { RevisitPlan } from '../../decide/revisit-plan.ts'
import { pageTest } from '../../decide/revisit-policy.ts'
import { wasRead } from '../../decide/sitemap-book.ts'
import { languageDetector } from '../../extract/detect-language.ts'
import { writeConfig } from '../../folder/config-file.ts'
import {
  addRun,
  amendRun,
  beginRevisits,
  type CrawlFile,
  type CrawlRun,
  isCrawlFolder,
  MOST_NAMED_SEEDS,
} from '../../folder/crawl-file.ts'
import { dropUnsettled } from '../../folder/failures-file.ts'
import { pageLines } from '../../folder/lines-of.ts'
import { namedHosts, planRun, type RunPlan, type SettingChange } from '../../folder/run-plan.ts'
import { allHosts } from '../../folder/stats/host-survey.ts'
import { waterfall } from '../../folder/stats/outcome-counts.ts'
import type { Stats } from '../../folder/stats/stats.ts'
import { readStats } from '../../folder/stats/stats-file.ts'
import type { CrawlFrontier, FrontierCounts, FrontierViews, Link } from '../../frontier/frontier.ts'
import { type LinkRuleOptions, LinkRules, linkRuleOptions } from '../../settings/link-rules.ts'
import { namedSettings } from '../../settings/setting-texts.ts'
import { agentOf, type CrawlSettings, settingsWith } from '../../settings/settings.ts'
import { hostOf } from '../../url/host-of.ts'
import { registrableDomain } from '../../url/registrable-domain.ts'
import type { WebUrl } from '../../url/web.ts'
import type { FrontierAddress } from '../machines/frontier-address.ts'
import { abandonCrawlFolder, type CrawlFolder, type OpenFiles, openCrawlFolder } from './crawl-folder.ts'
import {
  linesTakenBack,
  offerRobots,
  offerSeeds,
  planFormerPages,
  type Requeued,
  refusedLinks,
  requeueRefused,
  requeueSeeds,
  retried,
  undone,
} from './enqueue.ts'
import { formerPages, settleFormerVisits } from './former-visits.ts'
import type { SharedFrontierHears } from './open-frontier.ts'
import type { RebuildProgress } from './rebuild-frontier.ts'
import { offerAnsweredSince, requestedSinceMs } from './recover.ts'
import { BOUNDS, planByBounds, planNow } from './replan.ts'

export interface OpeningOptions extends FrontierAddress {
  /** Where everything is kept; if it holds a crawl, that crawl continues. */
  readonly folder: string
  /** May be empty, or fewer than the crawl has, when a crawl continues. */
  readonly seeds: readonly WebUrl[]
  /** Whether to add seeds that the crawl does not have; otherwise they are an error (`CRAWL_OTHER_SEEDS`). */
  readonly add: boolean
  /** Which links to put back in the queue: `failed`, `refused`, `held`, or reasons such as `timeout`. */
  readonly retry: readonly string[]
  /** Whether to make the frontier in the folder again from everything else that is there. */
  readonly rebuild?: boolean | undefined
  /** Only the settings given now. The others stay as they were in the previous run. */
  readonly given: Partial<CrawlSettings>
  readonly version: string
  readonly clock: Clock
  readonly filterLink?: FilterLink | undefined
  readonly rankLink?: RankLink | undefined
  /** Called with a sentence about each repair of what a crash left behind. */
  onRepair?(message: string): void
  onRebuild?(progress: RebuildProgress): void
  readonly hears?: SharedFrontierHears
  /** Aborting it ends the wait for another machine to begin the crawl. */
  readonly signal?: AbortSignal | undefined
}

/** The state in which a run begins: what is being continued, what has changed, what was put back in the queue. */
export interface Opening {
  /** Whether this is the first run. */
  readonly isNew: boolean
  /** When the crawl began, in milliseconds since 1970. */
  readonly sinceMs: number
  /** Archived pages and waiting links before this run. */
  readonly pages: number
  readonly waiting: number
  /** Settings that differ from the previous run. */
  readonly changes: readonly SettingChange[]
  readonly addedSeeds: number
  /** Secret headers that the previous run had and this one lacks, since folders never keep them: `Cookie for example.org`. */
  readonly missingSecrets: readonly string[]
  /** Links put back in the queue, by the reason they had been refused for; `seeds`: seeds that had been refused or failed. */
  readonly requeued: Readonly<Requeued>
  /** With `recrawl`. */
  readonly again?: PlannedAgain
  /** Present when machines share the crawl. */
  readonly shared?: SharedOpening
}

/** Pages that are planned to be visited again. */
export interface PlannedAgain {
  readonly planned: number
  /** How long until the first is due; 0: it is. Undefined when none is planned. */
  readonly againInMs?: number | undefined
  /** With `recrawl: now`: how many were made due at the start. */
  readonly dueNow?: number | undefined
}

/** How a machine begins to work on a crawl that machines share. */
export interface SharedOpening {
  /** `redis://HOST:PORT/NAME`, without a password. */
  readonly where: string
  /** How many other machines were at work. */
  readonly others: number
  /** Whether another machine, or an earlier run, had begun the crawl. */
  readonly isBegun: boolean
}

export interface OpenRun {
  readonly folder: CrawlFolder
  readonly file: CrawlFile
  readonly opening: Opening
  /** For worker threads. `rules` start out the same and grow when seeds redirect. */
  readonly ruleOptions: LinkRuleOptions
  readonly rules: LinkRules
  readonly held: HeldLinks
  readonly earlier: EarlierPages
  /** Links that are held because of the page they were found on; as many as are remembered. */
  readonly heldBack: readonly string[]
  readonly ranks: LinkRanks
  readonly stats: Stats
  readonly counts: FrontierCounts
}

/** Opens the folder, repairs what a crash left behind, offers the seeds, and requeues what changed settings now allow. */
export async function openRun(options: OpeningOptions): Promise<OpenRun> {
  const { seeds, given, version, clock, onRepair = () => {}, hears = DEAF, signal } = options
  const { frontier, frontierPassword } = options
  const cores = availableParallelism()
  // Invalid settings must fail before anything is created.
  settingsWith(given, cores, version)
  const isShared = frontier !== undefined
  if (seeds.length === 0 && !isShared && !isCrawlFolder(options.folder)) throw new EscalonaError('CRAWL_NO_SEEDS')
  const plan = (former: Parameters<typeof planRun>[1]) => planRun({ ...options, cores }, former)
  const place = { frontier, frontierPassword, seedsGiven: seeds.length }
  const folder = await openCrawlFolder({
    path: options.folder,
    ...place,
    plan,
    rebuild: options.rebuild ? files => rebuild(files, options) : undefined,
    version,
    clock,
    onRepair,
    ...hears,
    signal,
  })
  try {
    return await begin(folder, options)
  } catch (error) {
    await abandonCrawlFolder(folder)
    throw error
  }
}

async function rebuild({ path, lock, pages, seeds, file, plan }: OpenFiles, options: OpeningOptions): Promise<void> {
  const { clock, filterLink, rankLink, onRepair = () => {}, onRebuild = () => {} } = options
  // Loaded on demand: few crawls need it.
  const { rebuildFrontier } = await import('./rebuild-frontier.ts')
  await rebuildFrontier({
    ...{ crawl: path, settings: plan.settings, seeds: [...seeds.all], lines: pages.lines, clock, onRepair },
    ...{ filterLink, rankLink },
    revisits: file.revisits ?? false,
    fence: lock.check,
    onProgress: onRebuild,
  })
}

const DEAF: SharedFrontierHears = { onTrouble() {}, async onLost() {}, onDamaged() {} }

async function begin(folder: CrawlFolder, options: OpeningOptions): Promise<OpenRun> {
  const { version, clock, filterLink, rankLink, onRepair = () => {} } = options
  const { path, frontier, shared, pages, seeds, failures, plan, isNew } = folder
  const { settings, addedSeeds } = plan
  const lastRun = folder.file.runs.at(-1)
  const wanted = retried(options.retry, (await frontier.counts()).refusedFor)
  await dropUnsettled(failures, lastRun?.failuresBytes ?? 0, frontier)
  // Before anything is offered: without its settings, a crawl that is killed now would go on with others.
  let begun = addRun(path, folder.file, runOf(plan, folder, version, clock()))
  writeConfig(path, settings, plan.given, shared?.place.where)
  seeds.append(addedSeeds.map(({ href }) => ({ url: href })))
  await shared?.exchangeSeeds()
  const ruleOptions = linkRuleOptions(settings, [...seeds.all])
  const rules = new LinkRules(ruleOptions, registrableDomain)
  const held = new HeldLinks(frontier, settings.maxHeld, await frontier.counts())
  const ranks = new LinkRanks(settings, rankLink)
  const agent = agentOf(settings.userAgent)
  const revisits = new RevisitPlan(settings, shared?.place.crawler)
  const earlier = formerPages(path)
  const detectLanguage = await languageDetector(settings)
  const judges = { rules, held, ranks, filterLink, earlier }
  const former = { crawl: path, frontier, pages, agent, detectLanguage, ...judges }
  const settling = { ...former, ...(begun.revisits && { plan: revisits }) }
  await settleFormerVisits(folder.recent, settling)
  const missedLossMs = shared?.frontier.missedLossMs
  if (missedLossMs !== undefined) await offerAnsweredSince(requestedSinceMs(missedLossMs, settings), settling, settings)
  if (settings.recrawl !== 'no' && !begun.revisits) {
    await planFormerPages(path, frontier, revisits)
    begun = beginRevisits(path, begun)
  } else if (begun.revisits && BOUNDS.some(name => plan.changed.has(name)))
    await planByBounds({ pages: pageLines(path), frontier, plan: revisits })
  const dueNow = settings.recrawl === 'now' ? await dueAtOnce(folder, revisits, clock()) : undefined
  const stats = readStats(path, pages.lines, failures, clock(), onRepair)
  for await (const domain of shared === undefined ? visited(frontier) : domainsIn(path)) stats.domains.add(domain)
  stats.countLostDomains()
  const before = await frontier.counts()
  // A run that ended in good order has lost no events. Of a shared crawl it is not known whose redirects these were.
  if (shared === undefined && lastRun !== undefined && lastRun.endedAt === undefined)
    stats.addLostRedirects(Math.max(0, waterfall(before).redirected - stats.redirects))
  const isRead = (origin: string) => wasRead(folder.sitemaps.readAtMs, origin, clock())
  const links = await offerSeeds(
    frontier,
    [...seeds.all].filter(seed => !isRead(seed)),
    ranks,
  )
  if (!isNew && settings.recrawl !== 'no' && settings.sitemaps === 'yes') await offerRobots(frontier, seeds.all, isRead)
  await shared?.frontier.book.markSeeded()
  const isBegun = shared === undefined ? !isNew : shared.joined.isSeeded
  const requeued = isBegun ? await requeue(folder, lastRun, rules, links, before, wanted, clock()) : {}
  const file = amendRun(path, begun, { isOpening: undefined })
  const opening: Opening = {
    isNew,
    sinceMs: Date.parse(file.startedAt),
    pages: before.pages,
    waiting: before.waiting,
    changes: plan.changes,
    addedSeeds: addedSeeds.length,
    missingSecrets: missing(lastRun?.secrets ?? [], file.runs.at(-1)!.secrets),
    requeued,
    ...(settings.recrawl !== 'no' && { again: await againFrom(frontier, dueNow) }),
    ...(shared !== undefined && {
      shared: { where: shared.place.where, others: shared.joined.others, isBegun },
    }),
  }
  const heldBack = await heldBackIn(frontier)
  const known = { rules, held, earlier, heldBack, ranks }
  return { folder, file, opening, ruleOptions, ...known, stats, counts: await frontier.counts() }
}

async function heldBackIn(frontier: CrawlFrontier): Promise<string[]> {
  const urls: string[] = []
  if (!Object.hasOwn((await frontier.counts()).refusedFor, 'near-duplicate')) return urls
  for await (const links of refusedLinks(frontier, ['near-duplicate'], {})) {
    for (const { url } of links) urls.push(url)
    if (urls.length >= MOST_HELD_BACK) break
  }
  return urls
}

function dueAtOnce({ path, frontier, plan }: CrawlFolder, revisits: RevisitPlan, nowMs: number): Promise<number> {
  const isWanted = pageTest(plan.settings.recrawlOnly)
  return planNow({ pages: pageLines(path), frontier, plan: revisits }, isWanted, nowMs)
}

/** Requeues what `--retry` and changed settings bring back, and seeds and their redirects that were refused or failed. */
async function requeue(
  { frontier, shared, seeds, failures, plan }: CrawlFolder,
  former: CrawlRun | undefined,
  rules: LinkRules,
  links: readonly Link[],
  { refused, refusedFor }: FrontierCounts,
  wanted: readonly string[],
  nowMs: number,
): Promise<Requeued> {
  const takeBack = linesTakenBack(failures, nowMs)
  // While others are at work, seeds that failed were tried just now, and nothing that holds for all has changed but what is added.
  const isAlone = shared?.isFirst ?? true
  const again = refused === 0 || !isAlone ? 0 : await requeueSeeds(frontier, links, takeBack)
  const changed = new Set(plan.changed)
  // More seeds, or more hosts that seeds redirected to, widen the scope.
  const isWider = isAlone ? former !== undefined && seeds.all.size > former.knownSeeds : plan.addedSeeds.length > 0
  if (isWider) changed.add('scope')
  const undoable = undone(changed, refusedFor).filter(reason => !wanted.includes(reason))
  const requeued = {
    ...(await requeueRefused(frontier, wanted, undefined, takeBack)),
    ...(await requeueRefused(frontier, undoable, rules, takeBack)),
  }
  return again > 0 ? { ...requeued, seeds: again } : requeued
}

async function againFrom(frontier: CrawlFrontier, dueNow: number | undefined): Promise<PlannedAgain> {
  const [{ planned }, { againInMs }] = await Promise.all([frontier.counts(), frontier.outlook()])
  return { planned, againInMs, dueNow }
}

function runOf(plan: RunPlan, { seeds, failures, file }: CrawlFolder, version: string, nowMs: number): CrawlRun {
  const former = file.runs.at(-1)
  const added = plan.addedSeeds.map(({ href }) => href)
  const unknown = added.filter(url => !seeds.all.has(url))
  return {
    startedAt: new Date(nowMs).toISOString(),
    version,
    seeds: added.slice(0, MOST_NAMED_SEEDS),
    seedCount: added.length,
    settings: namedSettings(plan.given),
    hostSettings: namedHosts(plan.settings.hostSettings),
    secrets: secretsOf(plan.settings),
    knownSeeds: seeds.all.size + unknown.length,
    failuresBytes: failures.bytes,
    ...(former?.isPaused && { isPaused: true }),
    isOpening: true,
  }
}

function missing(before: readonly string[], now: readonly string[]): string[] {
  return before.filter(secret => !now.includes(secret))
}

/** The names of the secret headers, without their values. Always in English, since runs are compared. */
function secretsOf({ hostSettings }: CrawlSettings): string[] {
  return hostSettings.flatMap(({ host, headers = {} }) => Object.keys(headers).map(name => `${name} for ${host}`))
}

async function* visited(frontier: FrontierViews): AsyncGenerator<string> {
  for await (const { host, pages } of allHosts(frontier)) if (pages > 0) yield registrableDomain(host)
}

/** The domains of the pages in this folder: a shared frontier also counts those of other machines. */
function* domainsIn(path: string): Generator<string> {
  let last = ''
  for (const { url } of pageLines(path)) {
    const host = hostOf(url)
    if (host !== last && host !== '') yield registrableDomain(host)
    last = host
  }
}
