import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES_FILE } from '../../archive/names.ts'
import { parsePageLine } from '../../archive/pages-file.ts'
import type { Clock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { said } from '../../base/messages/message.ts'
import { parsedAs, type StoredShape } from '../../base/structures/json-shape.ts'
import { whyOf } from '../../base/system-error.ts'
import type { CrawlHappening } from '../../settings/events.ts'
import { type FailuresFile, isFailure } from '../failures-file.ts'
import { readLines } from '../json-lines-file.ts'
import { COUNTS, each, HISTOGRAMS, Stats, type StatsData, SUMS } from './stats.ts'

export const STATS_FILE = 'stats.json'

/** A longer time between two lost pages is a pause between two runs. */
const LONGEST_GAP_MS = 60_000

const NAMED: StoredShape = { '*': 'number' }
const table = (entry: StoredShape): StoredShape => ({ floor: 'number', entries: [['string', entry]] })

const STATS: { readonly [Name in keyof StatsData]: StoredShape } = {
  startedAtMs: 'number',
  ...each(SUMS, () => 'number' as const),
  ...each(COUNTS, () => NAMED),
  ...each(HISTOGRAMS, () => ['number'] as const),
  hops: ['number'],
  timeline: {
    widthMs: 'number',
    pages: ['number'],
    wireBytes: ['number'],
    newDomains: ['number'],
    failures: ['number'],
  },
  details: {
    languages: NAMED,
    refusedTypes: NAMED,
    samples: [{ url: 'string', title: 'string', opening: 'string', bytes: 'number', tokens: 'number', hops: 'number' }],
    slowHosts: table({ answers: 'number', totalMs: 'number', longestMs: 'number' }),
    failingHosts: table({ links: 'number', url: 'string', reason: 'string' }),
    retryAfter: table('number'),
    examples: { '*': ['string'] },
  },
  outages: [['string', { why: 'string', sinceMs: 'number' }]],
}

/**
 * Reads the statistics of a crawl's earlier runs. Pages in `pages.jsonl` beyond them and links in `failures.jsonl` are counted
 * again, each with one request, so everything about them is right even after a crash; for the rest, such as retries and bytes
 * received, the last second before the crash is missing.
 */
export function readStats(
  crawl: string,
  lines: number,
  failures: Pick<FailuresFile, 'lines'>,
  nowMs: number,
  onRepair: (message: string) => void = () => {},
): Stats {
  const data = keptStats(crawl)
  const path = join(crawl, STATS_FILE)
  if (data === undefined && existsSync(path)) onRepair(said('folder/damaged', { path }))
  const kept = new Stats(nowMs, data)
  const stats = kept.lines <= lines ? kept : new Stats(nowMs)
  if (stats.lines < lines) addLostPages(crawl, stats)
  for (const { line } of failures.lines(stats.failuresBytes)) if (isFailure(line)) stats.addLostFailure(line)
  return stats
}

function addLostPages(crawl: string, stats: Stats): void {
  let at = 0
  let lastMs: number | undefined
  const known = stats.lines
  const parse = (text: string) => (at++ < known ? undefined : parsePageLine(text))
  for (const { line: page } of readLines(join(crawl, PAGES_FILE), parse)) {
    const { dateMs, change } = page
    stats.workMs += Math.min(LONGEST_GAP_MS, Math.max(0, dateMs - (lastMs ?? dateMs)))
    lastMs = Math.max(lastMs ?? 0, dateMs)
    if (change === 'new') stats.addLostPage(page)
    else stats.addLostRevisit(page)
  }
}

export function writeStats(crawl: string, stats: Stats): void {
  const path = join(crawl, STATS_FILE)
  writeFileSync(`${path}.new`, JSON.stringify(stats))
  renameSync(`${path}.new`, path)
}

/** The statistics as a crawl last saved them; undefined when there are none, or they are damaged. */
export function keptStats(crawl: string): StatsData | undefined {
  try {
    return parsedAs<StatsData>(readFileSync(join(crawl, STATS_FILE), 'utf8'), STATS)
  } catch {
    return undefined
  }
}

/** Links of this folder that ended by an error, also those that were put back in the queue since. */
export function failedIn(crawl: string): number {
  return Object.values(keptStats(crawl)?.failed ?? {}).reduce((sum, links) => sum + links, 0)
}

/** How often statistics are saved when something has happened, and otherwise. */
const EVERY_MS = 1000
const IDLE_EVERY_MS = 5000

/** Counts what happens in a run, and saves the statistics in the crawl's folder from time to time. */
export class StatsKeeper {
  readonly stats: Stats
  private readonly folder: { readonly path: string; readonly failures: Pick<FailuresFile, 'bytes'> }
  private readonly clock: Clock
  private readonly startMs: number
  private readonly earlierWorkMs: number
  private savedAtMs: number
  private isUnsaved = true
  private timer: NodeJS.Timeout | undefined

  constructor(stats: Stats, folder: StatsKeeper['folder'], clock: Clock) {
    this.stats = stats
    this.folder = folder
    this.clock = clock
    this.startMs = clock()
    this.savedAtMs = this.startMs
    this.earlierWorkMs = stats.workMs
  }

  record(happened: CrawlHappening, atMs: number): void {
    this.stats.workMs = this.workMsAt(atMs)
    this.stats.record(happened, this.stats.workMs)
    this.stats.outages.hear(happened, atMs)
    this.isUnsaved = true
  }

  workMsAt(atMs: number): number {
    return this.earlierWorkMs + atMs - this.startMs
  }

  start(onFailure: (error: EscalonaError) => void): void {
    this.timer = setInterval(() => {
      try {
        this.saveIfDue()
      } catch (error) {
        onFailure(new EscalonaError('CRAWL_UNWRITABLE/stats', { why: whyOf(error) }, { cause: error }))
      }
    }, EVERY_MS)
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** Brings the statistics up to date, for another to save them. */
  stamp(atMs: number): void {
    this.stats.workMs = this.workMsAt(atMs)
    this.stats.failuresBytes = this.folder.failures.bytes
  }

  save(atMs: number): void {
    this.stamp(atMs)
    this.isUnsaved = false
    this.savedAtMs = atMs
    writeStats(this.folder.path, this.stats)
  }

  private saveIfDue(): void {
    const atMs = this.clock()
    if (this.isUnsaved || atMs - this.savedAtMs >= IDLE_EVERY_MS) this.save(atMs)
  }
}
