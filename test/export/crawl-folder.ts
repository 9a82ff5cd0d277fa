// A crawl's folder with exactly these visits, without a web.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { finishIndex } from '../../src/archive/index-files.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { type Change, PagesFile } from '../../src/archive/pages-file.ts'
import {
  archiveRecords,
  notModifiedRecords,
  type Original,
  type Records,
  revisitRecords,
} from '../../src/archive/records.ts'
import { type ExportOptions, exportTable } from '../../src/export/export-table.ts'
import { exchange, options, START_MS } from '../archive/sample.ts'

/** A visit that is in the archive. Times are one second apart. */
export interface Visited {
  readonly url: string
  readonly html?: string | Buffer
  readonly status?: number
  readonly change?: Change
  readonly headers?: readonly string[]
  readonly isCut?: boolean
  /** A revisit of the visit of this number: same payload, or a 304. */
  readonly again?: number
  readonly notModified?: boolean
  /** The page on which its link was found. */
  readonly from?: string
  /** An archived answer that is no page: `pages.jsonl` has no line of it. */
  readonly isNoPage?: boolean
}

/** Makes the folder. `isRunning`: the WARC file stays in progress. */
export async function crawlOf(
  t: TestContext,
  visits: readonly Visited[],
  { isRunning = false } = {},
): Promise<{ readonly folder: string; readonly ids: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-export-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'crawl.json'), '{}\n')
  const { writer } = openArchive(folder, options())
  const lines = new PagesFile(join(folder, 'pages.jsonl'), { files: [], onRepair: () => {} })
  const originals: Original[] = []
  const ids: string[] = []
  for (const [n, visit] of visits.entries()) {
    const records = recordsOf(visit, n, originals)
    const [place] = writer.append([records])
    ids.push(records.recordId)
    originals.push({ ...place!, ...records, url: visit.url })
    if (visit.isNoPage) continue
    const { url, from, status = visit.notModified ? 304 : 200, change = 'new' } = visit
    const numbers = { bytes: 1, tokens: 1, hops: n % 3, linksOut: 0, dateMs: START_MS + 1000 * n }
    lines.append([{ url, status, title: '', ...numbers, change, from, ...place! }])
  }
  await lines.close()
  if (isRunning) {
    await writer.sync()
    return { folder, ids }
  }
  await writer.close()
  finishIndex(folder)
  return { folder, ids }
}

function recordsOf(visit: Visited, n: number, originals: readonly Original[]): Records {
  const { url, html = '', status = 200, headers = ['Content-Type', 'text/html; charset=utf-8'], isCut = false } = visit
  const answer = exchange({ url, status, headers, body: Buffer.from(html), truncated: isCut ? 'length' : undefined })
  const about = { isPage: visit.change !== 'gone', dateMs: START_MS + 1000 * n, hops: n % 3 }
  if (visit.again === undefined) return archiveRecords(answer, about)
  const make = visit.notModified ? notModifiedRecords : revisitRecords
  return make(answer, about, originals[visit.again]!)
}

/** All bytes of an export. */
export async function exported(folder: string, wanted: ExportOptions = {}): Promise<Buffer> {
  const parts: Uint8Array[] = []
  await exportTable(folder, bytes => parts.push(bytes), { workers: 1, ...wanted })
  return Buffer.concat(parts)
}

/** The rows of an export as JSON. */
export async function rowsOf(folder: string, wanted: ExportOptions = {}): Promise<Record<string, unknown>[]> {
  return parsedJson((await exported(folder, { ...wanted, format: 'jsonl' })).toString())
}

export function parsedJson(lines: string): Record<string, unknown>[] {
  return lines
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as Record<string, unknown>)
}
