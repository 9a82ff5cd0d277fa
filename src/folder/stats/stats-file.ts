import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES_FILE } from '../../archive/names.ts'
import { parsePageLine } from '../../archive/pages-file.ts'
import type { Clock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { type JsonShape, parsedAs } from '../../base/structures/json-shape.ts'
import { reasonOf } from '../../base/system-error.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import type { CrawlHappening } from '../../settings/events.ts'
import { type FailuresFile, isFailure } from '../failures-file.ts'
import { readLines } from '../json-lines-file.ts'
import { Stats, type StatsData } from './stats.ts'

const FILE = 'stats.json'

/** A longer time between two lost pages is a pause between two runs. */
const LONGEST_GAP_MS = 60_000

const words = catalogue({
  en: {
    damaged: (path: string) =>
      `${path} is damaged; what can be counted is counted again from pages.jsonl and failures.jsonl`,
    unwritable: (why: string) => `cannot write the statistics: ${why}; fix that, then run the same command to continue`,
  },
  pt: {
    damaged: path =>
      `${path} está danificado; o que pode ser contado é contado de novo de pages.jsonl e failures.jsonl`,
    unwritable: (why: string) =>
      `não foi possível gravar as estatísticas: ${why}; resolva isso e execute o mesmo comando para continuar`,
  },
})

const COUNTS: JsonShape = { '*': 'number' }
const table = (entry: JsonShape): JsonShape => ({ floor: 'number', entries: [['string', entry]] })

const STATS: { readonly [Name in keyof StatsData]: JsonShape } = {
  startedAtMs: 'number',
  pages: 'number',
  requests: 'number',
  wireBytes: 'number',
  pageBytes: 'number',
  tokens: 'number',
  redirects: 'number',
  revisits: COUNTS,
  workMs: 'number',
  statuses: COUNTS,
  again: COUNTS,
  failed: COUNTS,
  refused: COUNTS,
  refusedLinks: COUNTS,
  sitemaps: COUNTS,
  sitemapEntries: 'number',
  losses: 'number',
  damagedHosts: 'number',
  hops: ['number'],
  tokensAPage: ['number'],
  bytesAPage: ['number'],
  answerMs: ['number'],
  timeline: {
    widthMs: 'number',
    pages: ['number'],
    wireBytes: ['number'],
    newDomains: ['number'],
    failures: ['number'],
  },
  details: {
    languages: COUNTS,
    refusedTypes: COUNTS,
    samples: [{ url: 'string', title: 'string', opening: 'string', bytes: 'number', tokens: 'number', hops: 'number' }],
    slowHosts: table({ answers: 'number', totalMs: 'number', longestMs: 'number' }),
    failingHosts: table({ links: 'number', url: 'string', reason: 'string' }),
    retryAfter: table('number'),
    examples: { '*': ['string'] },
  },
  failuresBytes: 'number',
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
  const path = join(crawl, FILE)
  if (data === undefined && existsSync(path)) onRepair(words().damaged(printable(path)))
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
  const path = join(crawl, FILE)
  writeFileSync(`${path}.new`, JSON.stringify(stats))
  renameSync(`${path}.new`, path)
}

/** The statistics as a crawl last saved them; undefined when there are none, or they are damaged. */
export function keptStats(crawl: string): StatsData | undefined {
  try {
    return parsedAs<StatsData>(readFileSync(join(crawl, FILE), 'utf8'), STATS)
  } catch {
    return undefined
  }
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

  /** The run begins now. */
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
    this.isUnsaved = true
  }

  /** How long all runs have worked so far. */
  workMsAt(atMs: number): number {
    return this.earlierWorkMs + atMs - this.startMs
  }

  /** Saves from time to time from now on. */
  start(onFailure: (error: EscalonaError) => void): void {
    this.timer = setInterval(() => {
      try {
        this.saveIfDue()
      } catch (error) {
        onFailure(new EscalonaError('CRAWL_UNWRITABLE', words().unwritable(reasonOf(error)), { cause: error }))
      }
    }, EVERY_MS)
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** Brings the statistics up to date, for somebody else to save them. */
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
