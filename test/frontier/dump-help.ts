// What the tests of exports share.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { DumpRecord } from '../../src/frontier/dump.ts'
import { DUMP_FILES } from '../../src/frontier/dump-manifest.ts'

/** A folder that is removed at the end of the test. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-dump-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function allOf(records: AsyncIterable<DumpRecord>): Promise<DumpRecord[]> {
  const all: DumpRecord[] = []
  for await (const record of records) all.push(record)
  return all
}

export async function* streamOf(records: readonly DumpRecord[]): AsyncGenerator<DumpRecord> {
  yield* records
}

/** The lines of all files of a dump, and what its manifest says about the frontier. */
export function textOf(folder: string): string {
  const { frontier, crawl } = JSON.parse(readFileSync(join(folder, 'dump.json'), 'utf8'))
  const files = DUMP_FILES.map(({ name }) => gunzipSync(readFileSync(join(folder, name))).toString())
  return `${JSON.stringify({ frontier, crawl })}\n${files.join('\n')}`
}
