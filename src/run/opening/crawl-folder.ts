import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ArchiveWriter } from '../../archive/archive-writer.ts'
import { finishIndex } from '../../archive/index-files.ts'
import { crawlIdOf, PAGES_FILE } from '../../archive/names.ts'
import { openArchive } from '../../archive/open-archive.ts'
import { PagesFile } from '../../archive/pages-file.ts'
import type { Archived } from '../../archive/scan.ts'
import type { Clock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { FolderLock } from '../../base/files/folder-lock.ts'
import { makeFolder } from '../../base/files/make-folder.ts'
import { UNFINISHED } from '../../base/files/whole-file.ts'
import { said } from '../../base/messages/message.ts'
import { isSystemError, whyOf } from '../../base/system-error.ts'
import { shellWord } from '../../base/words/printable.ts'
import { ActionsFile } from '../../folder/actions-file.ts'
import { CONFIG_FILE, frontierInConfig, readConfig } from '../../folder/config-file.ts'
import {
  amendRun,
  CRAWL_FILE,
  type CrawlFile,
  isCrawlFolder,
  openCrawlFile,
  readCrawlFile,
} from '../../folder/crawl-file.ts'
import { type FailuresFile, openFailures } from '../../folder/failures-file.ts'
import { withRemedy } from '../../folder/frontier-damage.ts'
import { type Former, givenIn, type RunPlan } from '../../folder/run-plan.ts'
import { readSeeds, SEEDS_FILE, SeedsFile } from '../../folder/seeds-file.ts'
import { noSitemaps, readSitemapsFile, type SitemapsKept, writeSitemapsFile } from '../../folder/sitemaps-file.ts'
import type { Stats } from '../../folder/stats/stats.ts'
import { writeStats } from '../../folder/stats/stats-file.ts'
import { unfinished } from '../../frontier/dump-errors.ts'
import type { CrawlFrontier } from '../../frontier/frontier.ts'
import { IMPORTING, SEED_FILE } from '../../frontier/local/journal/segment-files.ts'
import { shownWhere, type Where } from '../../frontier/redis/engine/where.ts'
import type { EndedBecause } from '../../settings/events.ts'
import { type FrontierAddress, frontierAddress } from '../machines/frontier-address.ts'
import type { Joined } from '../machines/join.ts'
import { SharedCrawl } from '../machines/shared-crawl.ts'
import {
  FRONTIER_FOLDER,
  openOwnFrontier,
  openSharedFrontier,
  type SharedFrontierHears,
  WITNESS_FILE,
} from './open-frontier.ts'

export interface CrawlFolder extends OpenFiles {
  readonly frontier: CrawlFrontier
  /** Present when the frontier is not in the folder: machines share it. */
  readonly shared: SharedCrawl | undefined
  /** Kept when the run ends. Machines that share a frontier note there what they have read. */
  readonly sitemaps: SitemapsKept
}

export interface OpenFiles {
  readonly path: string
  readonly lock: FolderLock
  readonly archive: ArchiveWriter
  readonly pages: PagesFile
  readonly seeds: SeedsFile
  readonly failures: FailuresFile
  readonly actions: ActionsFile
  readonly file: CrawlFile
  readonly plan: RunPlan
  readonly isNew: boolean
  /** The newest answers in the archive. */
  readonly recent: readonly Archived[]
}

export interface FolderOptions extends FrontierAddress, SharedFrontierHears {
  readonly path: string
  readonly seedsGiven: number
  /** Plans the run from what the folder knows; an error leaves the folder as it was. */
  plan(former: Former): RunPlan
  /** Makes the frontier in the folder again before it is opened; undefined: it is used as it is. */
  readonly rebuild?: ((files: OpenFiles) => Promise<void>) | undefined
  readonly version: string
  readonly clock: Clock
  /** Called with a sentence about each repair of what a crash left behind, and about what opening is waiting for. */
  onRepair(message: string): void
  /** Aborting it ends the wait for another machine to begin the crawl. */
  readonly signal?: AbortSignal | undefined
}

export async function openCrawlFolder(options: FolderOptions): Promise<CrawlFolder> {
  const { path, onRepair } = options
  let lock: FolderLock | undefined
  try {
    const { isBegun, where } = prepare(path, options)
    lock = await FolderLock.acquire(path, { codes: 'CRAWL', onWait: onRepair })
    const file = readCrawlFile(path)
    const former = isBegun ? formerIn(path, file, onRepair) : NOTHING_FORMER
    const joined = where && (await joinOthers(options, where, former, file))
    const plan = joined?.plan ?? options.plan(former)
    const isNew = !isBegun || file?.runs.length === 0
    return await openLocked(options, lock, plan, isNew, joined && { where, joined })
  } catch (error) {
    lock?.release()
    if (!isSystemError(error)) throw error
    throw new EscalonaError('CRAWL_FOLDER_UNUSABLE', { path, why: whyOf(error) }, { cause: error })
  }
}

const NOTHING_FORMER: Former = { given: undefined, isUnsure: false, seeds: new Set(), lacksSeeds: false }

/** What the folder knows about earlier runs. Without `crawl.json`, their settings are those in `crawl.toml`. */
function formerIn(path: string, file: CrawlFile | undefined, onRepair: (message: string) => void): Former {
  const lines = readSeeds(path)
  const run = file?.runs.at(-1)
  const config = file === undefined ? readConfig(path) : undefined
  if (file === undefined)
    onRepair(said(config === undefined ? 'run/no-settings' : 'run/from-config', { path: join(path, CRAWL_FILE) }))
  return {
    given: run === undefined ? config : givenIn(run),
    isUnsure: run?.isOpening ?? false,
    seeds: new Set(lines.flatMap(({ url, from }) => (from === undefined ? url : []))),
    lacksSeeds: file !== undefined && (file.runs.length === 0 || lines.length < (run?.knownSeeds ?? 0)),
  }
}

async function joinOthers(
  options: FolderOptions,
  where: Where,
  former: Former,
  file: CrawlFile | undefined,
): Promise<Joined> {
  const { path, seedsGiven, plan, onRepair, onTrouble, signal } = options
  const crawler = file?.frontier?.crawler
  const hasPages = havePages(path)
  // Loaded on demand: most crawls have their frontier in their folder.
  const { joinCrawl } = await import('../machines/join.ts')
  return joinCrawl({ where, crawler, former, hasPages, seedsGiven, plan, onWait: onRepair, onTrouble, signal })
}

async function openLocked(
  { path, version, clock, rebuild, onRepair, onTrouble, onLost, onDamaged }: FolderOptions,
  lock: FolderLock,
  plan: RunPlan,
  isNew: boolean,
  elsewhere: { readonly where: Where; readonly joined: Joined } | undefined,
): Promise<CrawlFolder> {
  const { check: fence, tookOver } = lock
  const { settings } = plan
  const file = openCrawlFile(path, clock(), elsewhere && shownWhere(elsewhere.where))
  const open: { close(): Promise<void> }[] = []
  const opened = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    open.push(part)
    return part
  }
  try {
    const maker = { software: `Escalona/${version}`, userAgent: settings.userAgent, crawlId: crawlIdOf(file.id) }
    const { writer, recent } = openArchive(path, { maker, now: clock, onRepair, fence, tookOver })
    opened(writer)
    const newest = new Set(recent.map(({ file }) => file))
    const pages = opened(new PagesFile(join(path, 'pages.jsonl'), { files: newest, onRepair, fence, tookOver }))
    const seeds = opened(new SeedsFile(path, { onRepair, fence, tookOver }))
    const failures = opened(openFailures(path, { onRepair, fence, tookOver }))
    const actions = opened(new ActionsFile(path, { onRepair, fence, tookOver }))
    const files = { path, lock, archive: writer, pages, seeds, failures, actions, file, plan, isNew, recent }
    if (elsewhere === undefined) {
      if (!isNew) await rebuild?.(files)
      const witness = join(path, WITNESS_FILE)
      const frontier = await openOwnFrontier(join(path, FRONTIER_FOLDER), settings, { clock, onRepair, witness }).catch(
        error => {
          throw withRemedy(error, path)
        },
      )
      return { ...files, frontier, shared: undefined, sitemaps: readSitemapsFile(path) }
    }
    const place = file.frontier!
    const hears = { onTrouble, onLost, onDamaged, hasWorked: pages.lines > 0 }
    const { where, joined } = elsewhere
    const frontier = opened(await openSharedFrontier(where, place.crawler, settings, hears))
    const { checkTerms } = await import('../machines/join.ts')
    await checkTerms(where, joined, frontier)
    return { ...files, frontier, shared: new SharedCrawl(place, frontier, joined, seeds), sitemaps: noSitemaps() }
  } catch (error) {
    for (const part of open) await part.close().catch(() => {})
    throw error
  }
}

/** Finishes all files, then releases the folder. `file`: as it was when the run began. */
export async function closeCrawlFolder(
  folder: CrawlFolder,
  stats: Stats,
  ended: { readonly file: CrawlFile; readonly because: EndedBecause; readonly atMs: number },
): Promise<CrawlFile> {
  const { path, frontier, shared, archive, pages, seeds, failures, actions, sitemaps, lock } = folder
  try {
    for (const part of [archive, pages, seeds, failures, actions]) await part.close()
    writeStats(path, stats)
    if (shared === undefined && sitemaps.readAtMs.size + sitemaps.hints.size > 0) writeSitemapsFile(path, sitemaps)
    finishIndex(path)
    lock.check()
    const { file, because, atMs } = ended
    return amendRun(path, file, { endedAt: new Date(atMs).toISOString(), because })
  } finally {
    await frontier.close().finally(() => lock.release())
  }
}

/** Closes everything after an error that has been reported already. What was kept is safe; the next run repairs the rest. */
export async function abandonCrawlFolder(folder: CrawlFolder): Promise<void> {
  const { frontier, archive, pages, seeds, failures, actions, lock } = folder
  for (const part of [archive, pages, seeds, failures, actions, frontier]) await part.close().catch(() => {})
  lock.release()
}

/** Refuses folders that hold anything but a crawl, and crawls that have lost their frontier. Returns whether there is a crawl, and where its frontier is, if not in the folder. */
function prepare(path: string, place: FolderOptions): { readonly isBegun: boolean; readonly where: Where | undefined } {
  const isBegun = isCrawlFolder(path)
  // A URL that is wrong must fail before anything is created.
  const frontier = join(path, FRONTIER_FOLDER)
  if (existsSync(join(frontier, IMPORTING))) throw unfinished(path)
  const former = isBegun ? frontierOf(path) : undefined
  const where = frontierAddress(
    place,
    path,
    former !== undefined || existsSync(frontier) ? { where: former } : undefined,
  )
  makeFolder(path)
  // `crawl.json` is the first file that a crawl writes, so another process may just be writing it.
  const others = readdirSync(path).filter(name => !/^\.?lock-/.test(name) && name !== CRAWL_FILE + UNFINISHED)
  if (others.length > 0 && ![CRAWL_FILE, CONFIG_FILE, SEEDS_FILE].some(name => others.includes(name)) && isBegun)
    throw new EscalonaError('CRAWL_OTHER_FORMAT/unnamed', { path: join(path, CRAWL_FILE) })
  if (others.length > 0 && !isBegun) throw new EscalonaError('CRAWL_FOLDER_TAKEN', { path })
  if (where !== undefined && place.rebuild !== undefined)
    throw new EscalonaError('CRAWL_OTHER_FRONTIER/no-rebuild', { where: shownWhere(where) })
  if (where === undefined && place.rebuild === undefined && hasWorked(path) && !existsSync(join(frontier, SEED_FILE)))
    throw new EscalonaError('CRAWL_FRONTIER_MISSING/no-frontier', { path: frontier, folder: shellWord(path) })
  return { isBegun, where }
}

/** Whether a frontier was there once: it is opened before the first run is recorded. */
function hasWorked(path: string): boolean {
  return havePages(path) || (readCrawlFile(path)?.runs.length ?? 0) > 0
}

function havePages(path: string): boolean {
  return (statSync(join(path, PAGES_FILE), { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Where the frontier of a crawl's folder is; undefined: in the folder itself. */
function frontierOf(path: string): string | undefined {
  const file = readCrawlFile(path)
  return file === undefined ? frontierInConfig(path) : file.frontier?.where
}
