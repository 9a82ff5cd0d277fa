import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ArchiveWriter } from '../archive/archive-writer.ts'
import { finishIndex } from '../archive/index-files.ts'
import { openArchive } from '../archive/open-archive.ts'
import { PagesFile } from '../archive/pages-file.ts'
import type { Archived } from '../archive/scan.ts'
import type { Clock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { FolderLock } from '../base/files/folder-lock.ts'
import { reasonOf } from '../base/system-error.ts'
import { printable } from '../base/words/printable.ts'
import type { Frontier } from '../frontier/frontier.ts'
import { openLocal } from '../frontier/local/open.ts'
import { unprovenSlots } from './conductor/slots.ts'
import { CRAWL_FILE, openCrawlFile } from './crawl-file.ts'
import { HostBook } from './host-settings.ts'
import type { CrawlSettings } from './settings.ts'
import type { Stats } from './stats/stats.ts'
import { writeStats } from './stats/stats-file.ts'

/** Open visits are renewed; a lease only has to outlast a request, and a pause of the process. */
const LEASE_MS = 10 * 60_000
/** Tickets that are not for pages: looking their hosts up takes no slot, so there are more of them than requests. */
const LEAST_ERRANDS = 128

/** What a crawl keeps on disk, open. */
export interface CrawlFolder {
  readonly path: string
  readonly lock: FolderLock
  readonly frontier: Frontier
  readonly archive: ArchiveWriter
  readonly pages: PagesFile
  /** The newest answers in the archive. */
  readonly recent: readonly Archived[]
}

export interface FolderOptions {
  readonly path: string
  readonly settings: CrawlSettings
  readonly version: string
  /** Unix time. */
  readonly clock: Clock
  /** Is told in words what a crash had left behind and was repaired, and what opening waits for. */
  onRepair(message: string): void
}

export async function openCrawlFolder(options: FolderOptions): Promise<CrawlFolder> {
  const { path, onRepair, clock } = options
  prepare(path)
  const lock = await FolderLock.acquire(path, { lockedCode: 'CRAWL_LOCKED', lostCode: 'CRAWL_LOST', onWait: onRepair })
  try {
    openCrawlFile(path, clock())
    return await openLocked(options, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openLocked({ path, settings, version, clock, onRepair }: FolderOptions, lock: FolderLock) {
  const { check: fence, tookOver } = lock
  const maker = { software: `Escalona/${version}`, userAgent: settings.userAgent }
  const { writer, recent } = openArchive(path, { maker, now: clock, onRepair, fence, tookOver })
  let pages: PagesFile | undefined
  try {
    const files = new Set(recent.map(({ file }) => file))
    pages = new PagesFile(join(path, 'pages.jsonl'), { files, onRepair, fence, tookOver })
    const frontier = await openFrontier(path, settings, clock, onRepair, pages.lines)
    return { path, lock, frontier, archive: writer, pages, recent }
  } catch (error) {
    await writer.close().catch(() => {})
    await pages?.close().catch(() => {})
    throw error
  }
}

function openFrontier(
  path: string,
  settings: CrawlSettings,
  clock: Clock,
  onRepair: (message: string) => void,
  formerPages: number,
): Promise<Frontier> {
  const { strategy, exploreChance, seed, retries, limit, perServer, concurrency } = settings
  return openLocal({
    folder: join(path, 'frontier'),
    strategy,
    exploreChance,
    seed,
    leaseMs: LEASE_MS,
    // Longer ones come with each settlement.
    delayMs: new HostBook(settings).shortestDelayMs,
    serverGapMs: settings.serverDelayMs,
    perServer,
    retries,
    limit,
    unproven: unprovenSlots(concurrency),
    errands: Math.max(LEAST_ERRANDS, concurrency),
    maxHosts: settings.maxHosts,
    maxHostsPerDomain: settings.maxHostsPerDomain,
    formerPages,
    clock,
    onRepair,
  })
}

/** Everything is finished and lies in its place; then the folder is free. */
export async function closeCrawlFolder(folder: CrawlFolder, stats: Stats): Promise<void> {
  const { path, frontier, archive, pages, lock } = folder
  try {
    await archive.close()
    await pages.close()
    writeStats(path, stats)
    finishIndex(path)
  } finally {
    await frontier.close().finally(() => lock.release())
  }
}

/** Lets go of everything after an error, which is reported already. What was kept is safe; the next run repairs the rest. */
export async function abandonCrawlFolder({ frontier, archive, pages, lock }: CrawlFolder): Promise<void> {
  for (const part of [archive, pages, frontier]) await part.close().catch(() => {})
  lock.release()
}

/** A crawl never writes into a folder that holds other things. `frontier`: a folder of an earlier version has only that. */
function prepare(path: string): void {
  let names: string[]
  try {
    mkdirSync(path, { recursive: true })
    names = readdirSync(path)
  } catch (error) {
    throw new EscalonaError('CRAWL_FOLDER_UNUSABLE', `cannot use ${printable(path)}: ${reasonOf(error)}`, {
      cause: error,
    })
  }
  const isCrawl = names.includes(CRAWL_FILE) || names.includes('frontier')
  const others = names.filter(name => !/^\.?lock-/.test(name))
  if (others.length > 0 && !isCrawl) {
    const message = `${printable(path)} holds other things than a crawl; name a new or empty folder with -o`
    throw new EscalonaError('CRAWL_FOLDER_TAKEN', message)
  }
}
