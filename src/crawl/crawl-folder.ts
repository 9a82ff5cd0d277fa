import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ArchiveWriter } from '../archive/archive-writer.ts'
import { finishIndex } from '../archive/index-files.ts'
import { openArchive } from '../archive/open-archive.ts'
import { PagesFile } from '../archive/pages-file.ts'
import type { Archived } from '../archive/scan.ts'
import type { Clock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/printable.ts'
import { reasonOf } from '../base/system-error.ts'
import type { Frontier } from '../frontier/frontier.ts'
import { openLocal } from '../frontier/local/open.ts'
import type { CrawlSettings } from './settings.ts'
import type { Tally } from './tally.ts'
import { writeTally } from './tally-file.ts'

/** A lease only has to outlast a visit, also one that was held up: a process that dies loses its leases anyway. */
const LEASE_MS = 30 * 24 * 3_600_000

/** What a crawl keeps on disk, open. The lock of the frontier guards the whole folder. */
export interface CrawlFolder {
  readonly path: string
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
  onRepair(message: string): void
}

export async function openCrawlFolder(options: FolderOptions): Promise<CrawlFolder> {
  const { path, settings, clock, onRepair } = options
  prepare(path)
  const frontier = await openLocal({
    folder: join(path, 'frontier'),
    strategy: settings.strategy,
    exploreChance: settings.exploreChance,
    seed: settings.seed,
    leaseMs: LEASE_MS,
    delayMs: settings.delayMs,
    nowMs: clock(),
    onRepair,
  })
  try {
    const maker = { software: `Escalona/${options.version}`, userAgent: settings.userAgent }
    const { writer, recent } = openArchive(path, { maker, now: clock, onRepair })
    const files = new Set(recent.map(({ file }) => file))
    const pages = new PagesFile(join(path, 'pages.jsonl'), { files, onRepair })
    return { path, frontier, archive: writer, pages, recent }
  } catch (error) {
    await frontier.close()
    throw error
  }
}

/** Everything is finished and lies in its place; then the folder is free. */
export async function closeCrawlFolder({ path, frontier, archive, pages }: CrawlFolder, tally: Tally): Promise<void> {
  try {
    await archive.close()
    await pages.close()
    writeTally(path, tally)
    finishIndex(path)
  } finally {
    await frontier.close()
  }
}

/** Lets go of everything after an error, which is told already. What was kept is safe; the next run mends the rest. */
export async function abandonCrawlFolder({ frontier, archive, pages }: CrawlFolder): Promise<void> {
  for (const part of [archive, pages, frontier]) await part.close().catch(() => {})
}

/** A crawl never writes into a folder that holds other things. */
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
  if (names.length > 0 && !names.includes('frontier')) {
    const message = `${printable(path)} holds other things than a crawl; name a new or empty folder with -o`
    throw new EscalonaError('CRAWL_FOLDER_TAKEN', message)
  }
}
