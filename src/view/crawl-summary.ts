import { statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { EscalonaError } from '../base/errors.ts'
import { crawlFileStamp, readCrawlFile } from '../folder/crawl-file.ts'
import { diskUse } from '../folder/stats/disk-use.ts'
import { keptStats, STATS_FILE } from '../folder/stats/stats-file.ts'
import type { RunActivity } from '../run/run-status.ts'
import { ProcessSource } from './process/process-source.ts'
import type { CrawlSummary } from './questions/crawl-shapes.ts'
import { stateOf } from './status.ts'

/** The size of a folder that changes is added up again after this time. */
const DISK_KEPT_MS = 60_000
const AT_REST: readonly CrawlSummary['state'][] = ['ended', 'killed', 'new', 'unreadable']
/** A process that does not answer in this time is shown as its files say. */
const LONGEST_ANSWER_MS = 1000

/** Sums up the crawl in a folder from small files and, while it runs, its process: never from its frontier. */
export class SummedCrawl {
  private readonly folder: string
  private stamp: string | undefined
  private kept: CrawlSummary | undefined
  private diskBytes: number | undefined
  private disk: { readonly stamp: string; readonly atMs: number } | undefined

  constructor(folder: string) {
    this.folder = folder
  }

  async summary(): Promise<CrawlSummary> {
    const stamp = `${crawlFileStamp(this.folder)} ${statsStamp(this.folder) ?? ''}`
    // The next run would write into crawl.json.
    const isAtRest = this.kept !== undefined && AT_REST.includes(this.kept.state)
    if (this.kept === undefined || stamp !== this.stamp || !isAtRest) this.kept = await this.summedUp()
    this.stamp = stamp
    return { ...this.kept, diskBytes: this.diskBytes }
  }

  /** Adds up the size of the folder, if it may have changed. */
  async measure(nowMs: number): Promise<void> {
    const stamp = this.stamp ?? ''
    if (this.disk?.stamp === stamp || (this.disk !== undefined && nowMs - this.disk.atMs < DISK_KEPT_MS)) return
    this.disk = { stamp, atMs: nowMs }
    this.diskBytes = Object.values(await diskUse(this.folder)).reduce((sum, bytes) => sum + bytes, 0)
  }

  private async summedUp(): Promise<CrawlSummary> {
    const { folder } = this
    const stats = keptStats(folder)
    const counted = {
      name: basename(resolve(folder)),
      pages: stats?.pages ?? 0,
      pagesPerSecond: 0,
      failed: Object.values(stats?.failed ?? {}).reduce((sum, links) => sum + links, 0),
      activeAtMs: statsStamp(folder),
    }
    try {
      const running = await activityIn(folder)
      const state = stateOf(folder, readCrawlFile(folder), running)
      if (running === undefined) return { ...counted, state: state.kind }
      const { pages, limit, pagesPerSecond } = running
      return { ...counted, state: running.state, pages, limit, pagesPerSecond }
    } catch (error) {
      if (error instanceof EscalonaError) return { ...counted, state: 'unreadable' }
      throw error
    }
  }
}

/** What the process of a running crawl says; undefined when none answers. */
async function activityIn(folder: string): Promise<Omit<RunActivity, 'waitingFor'> | undefined> {
  const source = await ProcessSource.of(folder)
  if (source === undefined) return undefined
  const late = setTimeout(() => source.close(), LONGEST_ANSWER_MS)
  try {
    return (await source.ask('status', {})).running
  } catch {
    return undefined
  } finally {
    clearTimeout(late)
    source.close()
  }
}

function statsStamp(folder: string): number | undefined {
  return statSync(join(folder, STATS_FILE), { throwIfNoEntry: false })?.mtimeMs
}
