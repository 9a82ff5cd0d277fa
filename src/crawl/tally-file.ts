import { createReadStream, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parsePageLine } from '../archive/pages-file.ts'
import { Tally, type TallyData } from './tally.ts'

const FILE = 'tally.json'

/**
 * The tally of a crawl's earlier runs. What `pages.jsonl` holds beyond it is counted again, so all about pages is exact
 * after a crash; of the rest, the last seconds before it are missing.
 */
export async function readTally(crawl: string, lines: number, nowMs: number): Promise<Tally> {
  const kept = keptTally(crawl, nowMs)
  const tally = kept !== undefined && kept.pages <= lines ? kept : new Tally(nowMs)
  if (tally.pages === lines) return tally
  let at = 0
  const known = tally.pages
  for await (const line of createInterface({ input: createReadStream(join(crawl, 'pages.jsonl')) })) {
    const page = at++ >= known ? parsePageLine(line) : undefined
    if (page !== undefined) tally.addPage(page, tally.workMs)
  }
  return tally
}

export function writeTally(crawl: string, tally: Tally): void {
  const path = join(crawl, FILE)
  writeFileSync(`${path}.new`, JSON.stringify(tally))
  renameSync(`${path}.new`, path)
}

function keptTally(crawl: string, nowMs: number): Tally | undefined {
  const path = join(crawl, FILE)
  if (!existsSync(path)) return undefined
  try {
    return new Tally(nowMs, JSON.parse(readFileSync(path, 'utf8')) as TallyData)
  } catch {
    // Torn by a power cut: what can be counted again, is.
    return undefined
  }
}
