import { createReadStream, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { PageLine } from '../../archive/pages-file.ts'
import { Stats, type StatsData } from './stats.ts'

const FILE = 'stats.json'
/** What versions before 0.2 called it. */
const OLD_FILE = 'tally.json'

/**
 * The statistics of a crawl's earlier runs. What `pages.jsonl` holds beyond them is counted again, each page with its request,
 * so all about pages is exact after a crash; of the rest, the last seconds before it are missing.
 */
export async function readStats(crawl: string, lines: number, nowMs: number): Promise<Stats> {
  const kept = keptStats(crawl, nowMs)
  const stats = kept !== undefined && kept.pages <= lines ? kept : new Stats(nowMs)
  if (stats.pages === lines) return stats
  let at = 0
  const known = stats.pages
  for await (const line of createInterface({ input: createReadStream(join(crawl, 'pages.jsonl')) })) {
    if (at++ < known) continue
    const page = JSON.parse(line) as PageLine & { readonly depth?: number }
    stats.addLostPage({ ...page, hops: page.hops ?? page.depth ?? 0 })
  }
  return stats
}

export function writeStats(crawl: string, stats: Stats): void {
  const path = join(crawl, FILE)
  writeFileSync(`${path}.new`, JSON.stringify(stats))
  renameSync(`${path}.new`, path)
}

function keptStats(crawl: string, nowMs: number): Stats | undefined {
  const path = [FILE, OLD_FILE].map(name => join(crawl, name)).find(existsSync)
  if (path === undefined) return undefined
  try {
    const data = JSON.parse(readFileSync(path, 'utf8')) as StatsData & { readonly depths?: readonly number[] }
    return new Stats(nowMs, { ...data, hops: data.hops ?? data.depths ?? [] })
  } catch {
    // Torn by a power cut: what can be counted again, is.
    return undefined
  }
}
