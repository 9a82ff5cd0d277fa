// An archive as a crawl leaves it, of answers that a test makes up.
import type { TestContext } from 'node:test'
import { finishIndex } from '../../src/archive/index-files.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { archiveRecords, type Kept, notModifiedRecords, type Recordable } from '../../src/archive/records.ts'
import { crawlFolder, exchange, options, START_MS } from '../archive/sample.ts'

export const DAY_MS = 86_400_000

/** An answer of the archive. */
export interface MadeAnswer {
  readonly url: string
  /** Days after `START_MS`; 0 unless given. */
  readonly day?: number
  readonly status?: number
  /** `text/html` unless given. */
  readonly type?: string
  /** Further headers: name, value, … */
  readonly headers?: readonly string[]
  readonly body?: string | Buffer
  readonly kept?: Kept
  readonly truncated?: Recordable['truncated']
  /** It says that nothing changed since the first answer of this URL. */
  readonly isSame?: boolean
}

/** When an answer of that day was asked for, to the second, as the index knows it. */
export function atMs(day: number): number {
  return Math.floor((START_MS + day * DAY_MS) / 1000) * 1000
}

/** Puts answers into the archive of a folder. */
export async function archive(folder: string, answers: readonly MadeAnswer[]): Promise<void> {
  const { writer } = openArchive(folder, options())
  const firsts = new Map<string, Parameters<typeof notModifiedRecords>[2]>()
  for (const { url, day = 0, status = 200, type = 'text/html', headers = [], body = '', ...rest } of answers) {
    const { kept, isSame, truncated } = rest
    const about = { isPage: true, dateMs: START_MS + day * DAY_MS, ...(kept && { kept }) }
    const made = exchange({
      url,
      status: isSame ? 304 : status,
      headers: [...(type === '' ? [] : ['Content-Type', type]), ...headers],
      body: isSame ? Buffer.alloc(0) : Buffer.from(body),
      truncated,
    })
    const original = firsts.get(url)
    const records = isSame && original ? notModifiedRecords(made, about, original) : archiveRecords(made, about)
    const [place] = writer.append([records])
    const { recordId, date, payloadDigest } = records
    if (original === undefined) firsts.set(url, { ...place!, recordId, url, date, payloadDigest })
  }
  await writer.close()
  finishIndex(folder)
}

/** A folder with an archive, for one test. */
export async function archivedWeb(t: TestContext, answers: readonly MadeAnswer[]): Promise<string> {
  const folder = crawlFolder(t)
  await archive(folder, answers)
  return folder
}
