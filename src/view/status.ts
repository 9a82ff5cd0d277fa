import { lockHolder } from '../base/files/folder-lock.ts'
import { language } from '../base/words/language.ts'
import { type CrawlFile, type CrawlRun, readCrawlFile } from '../folder/crawl-file.ts'
import { type DiskUse, diskUse } from '../folder/stats/disk-use.ts'
import { type SitemapCounts, sitemapCounts, type Waterfall, waterfall } from '../folder/stats/outcome-counts.ts'
import { keptStats } from '../folder/stats/stats-file.ts'
import type { FrontierCounts, Outlook } from '../frontier/frontier.ts'
import type { RunActivity } from '../run/run-status.ts'
import type { NamedSettings } from '../settings/setting-texts.ts'
import type { Source } from './questions/questions.ts'

/** Where a crawl stands. */
export interface CrawlStatus {
  readonly state: CrawlState
  /** When its first run began, in milliseconds since 1970; undefined when unknown. */
  readonly startedAtMs: number | undefined
  /** What the process is doing now; undefined when the crawl is not running or does not answer. */
  readonly running: RunActivity | undefined
  /** What became of all known links; the numbers add up. */
  readonly waterfall: Waterfall
  readonly frontier: FrontierCounts
  /** How many hosts could be asked now, and which one is next. */
  readonly outlook: Outlook
  /** Totals over all runs. */
  readonly totals: CrawlTotals
  /** What became of the sitemaps, over all runs; while the crawl runs, as of the last time it saved its statistics. */
  readonly sitemaps: SitemapCounts
  /** When machines share the crawl; the totals, runs and disk are this folder's, everything else is the whole crawl's. */
  readonly shared?: SharedStatus
  /** Oldest first. Empty when `crawl.json` is missing. */
  readonly runs: readonly CrawlRun[]
  /** The settings given in the newest run or an earlier one, by option name; all others have their defaults. */
  readonly settings: NamedSettings
  readonly disk: DiskUse
}

/**
 * Whether a crawl is running, and how it ended otherwise.
 *
 * - `running`: a process is working on it; `host` is the machine.
 * - `unseen`: the folder is in use by a process that cannot be seen from here, on another machine or in a container.
 * - `ended`: it ended in good order; `because` and `atMs` are undefined when `crawl.json` is missing.
 * - `killed`: its last run was killed or ended with an error.
 * - `new`: it never ran.
 */
export type CrawlState =
  | { readonly kind: 'running' | 'unseen'; readonly pid: number | undefined; readonly host: string | undefined }
  | { readonly kind: 'ended'; readonly because: CrawlRun['because']; readonly atMs: number | undefined }
  | { readonly kind: 'killed' | 'new' }

/** A folder's part in a crawl that machines share. */
export interface SharedStatus {
  /** `redis://HOST:PORT/NAME`, without a password. */
  readonly where: string
  /** How many machines are at work. */
  readonly machines: number
}

/** Totals over all runs of a crawl. */
export interface CrawlTotals {
  readonly pages: number
  readonly requests: number
  readonly wireBytes: number
  readonly workMs: number
  /** Links that a setting kept out and that were only counted (`held-limit`), since `maxHeld` were remembered already. */
  readonly notRemembered: number
  /** How often the engine of a shared frontier had forgotten what it had acknowledged. */
  readonly losses: number
}

export async function statusOf(folder: string, source: Source): Promise<CrawlStatus> {
  const { frontier, outlook, running: now, losses = lossesIn(folder), machines = 0 } = await source.ask('status', {})
  const running = now && { ...now, waitingFor: now.waitingFor[language()] }
  const file = readCrawlFile(folder)
  const where = file?.frontier?.where
  return {
    state: stateOf(folder, file, running),
    startedAtMs: file && Date.parse(file.startedAt),
    running,
    waterfall: waterfall(frontier),
    frontier,
    outlook,
    totals: {
      ...totalsOf(folder, where === undefined, frontier, running),
      notRemembered: notRememberedIn(folder),
      losses,
    },
    sitemaps: sitemapCounts(Object.entries(keptStats(folder)?.sitemaps ?? {})),
    ...(where !== undefined && { shared: { where, machines } }),
    runs: file?.runs ?? [],
    settings: file?.runs.at(-1)?.settings ?? {},
    disk: await diskUse(folder),
  }
}

/** `running`: what its process says, if it answers. */
export function stateOf(
  folder: string,
  file: CrawlFile | undefined,
  running: Pick<RunActivity, 'pid'> | undefined,
): CrawlState {
  const { state, owner } = lockHolder(folder)
  if (running !== undefined) return { kind: 'running', pid: running.pid, host: owner?.host }
  if (state === 'runs') return { kind: 'running', pid: owner?.pid, host: owner?.host }
  if (state === 'unseen') return { kind: 'unseen', pid: owner?.pid, host: owner?.host }
  const run = file?.runs.at(-1)
  if (run?.endedAt !== undefined) return { kind: 'ended', because: run.because, atMs: Date.parse(run.endedAt) }
  if (state === 'gone' || run !== undefined) return { kind: 'killed' }
  return file === undefined || file.runs.length === 0
    ? { kind: 'ended', because: undefined, atMs: undefined }
    : { kind: 'new' }
}

/**
 * The totals that the process knows, or those from `stats.json`; after a kill, with pages that it does not have, as the next start
 * will count them. `isOwn`: the frontier counts the pages of this folder, not those of other machines, too.
 */
export function totalsOf(
  folder: string,
  isOwn: boolean,
  counts: FrontierCounts,
  running: Omit<RunActivity, 'waitingFor'> | undefined,
): Omit<CrawlTotals, 'notRemembered' | 'losses'> {
  if (running !== undefined) {
    const { pages, requests, wireBytes, workMs } = running
    return { pages, requests, wireBytes, workMs }
  }
  const frontier = isOwn ? counts : undefined
  const { pages: keptPages = 0, wireBytes: keptBytes = 0, requests = 0, workMs = 0 } = keptStats(folder) ?? {}
  const lost = Math.max(0, (frontier?.pages ?? 0) - keptPages)
  return {
    pages: frontier?.pages ?? keptPages,
    requests: Math.max(requests + lost, frontier?.done ?? 0),
    wireBytes: Math.round(keptBytes * (1 + lost / Math.max(1, keptPages))),
    workMs,
  }
}

export function lossesIn(folder: string): number {
  return keptStats(folder)?.losses ?? 0
}

function notRememberedIn(folder: string): number {
  return keptStats(folder)?.refusedLinks['held-limit'] ?? 0
}
