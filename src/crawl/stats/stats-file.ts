import { createReadStream, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { PageLine } from '../../archive/pages-file.ts'
import { type FailuresFile, isFailure } from '../failures-file.ts'
import { Stats, type StatsData } from './stats.ts'

const FILE = 'stats.json'
/** The name of the file before version 0.2. */
const OLD_FILE = 'tally.json'

/** A longer time between two lost pages is a pause between two runs. */
const LONGEST_GAP_MS = 60_000

/**
 * Reads the statistics of a crawl's earlier runs. Pages in `pages.jsonl` beyond them and links in `failures.jsonl` are counted
 * again, each with one request, so everything about them is right even after a crash; for the rest, such as retries and bytes
 * received, the last second before the crash is missing.
 */
export async function readStats(
  crawl: string,
  lines: number,
  failures: Pick<FailuresFile, 'lines'>,
  nowMs: number,
): Promise<Stats> {
  const kept = statsBefore(crawl, nowMs)
  const stats = kept !== undefined && kept.lines <= lines ? kept : new Stats(nowMs)
  if (stats.lines < lines) await addLostPages(crawl, stats)
  for (const { line } of failures.lines(stats.failuresBytes)) if (isFailure(line)) stats.addLostFailure(line)
  return stats
}

async function addLostPages(crawl: string, stats: Stats): Promise<void> {
  let at = 0
  let lastMs: number | undefined
  const known = stats.lines
  for await (const line of createInterface({ input: createReadStream(join(crawl, 'pages.jsonl')) })) {
    if (at++ < known) continue
    const page = JSON.parse(line) as PageLine & { readonly depth?: number }
    const { dateMs = 0, change = 'new' } = page
    stats.workMs += Math.min(LONGEST_GAP_MS, Math.max(0, dateMs - (lastMs ?? dateMs)))
    lastMs = Math.max(lastMs ?? 0, dateMs)
    if (change !== 'new') stats.addLostRevisit({ status: page.status, change })
    else stats.addLostPage({ ...page, hops: page.hops ?? page.depth ?? 0 })
  }
}

export function writeStats(crawl: string, stats: Stats): void {
  const path = join(crawl, FILE)
  writeFileSync(`${path}.new`, JSON.stringify(stats))
  renameSync(`${path}.new`, path)
}

function statsBefore(crawl: string, nowMs: number): Stats | undefined {
  const path = [FILE, OLD_FILE].map(name => join(crawl, name)).find(existsSync)
  if (path === undefined) return undefined
  try {
    const data = JSON.parse(readFileSync(path, 'utf8')) as StatsData & { readonly depths?: readonly number[] }
    return new Stats(nowMs, { ...data, hops: data.hops ?? data.depths ?? [] })
  } catch {
    // Damaged by a power cut: count again what can be counted.
    return undefined
  }
}
