import { availableParallelism } from 'node:os'
import { EscalonaError } from '../base/errors.ts'
import { sentence } from '../base/messages/message.ts'
import { checkCrawlFolder } from '../view/files/check-crawl-folder.ts'
import type { BatchRead } from './export-thread.ts'
import { type EncodedRows, encoderFor, type FileFrame, frameFor } from './formats/formats.ts'
import { columnsOf, FORMATS, type FormatName, TABLES, type TableName } from './tables.ts'
import { readInThreads } from './threads.ts'
import { PageLines, visitBatches } from './visits.ts'

/** What to export, and how. */
export interface ExportOptions {
  /** `pages` by default. */
  readonly table?: TableName
  /** `jsonl` by default; `wet` for pages only. */
  readonly format?: FormatName
  /** Whether the table of pages has their visible text; false by default. */
  readonly text?: boolean
  /** Threads that read the archive; one for each core by default. */
  readonly workers?: number
  /** Called now and then with the share that is done, from 0 to 1. */
  onProgress?(share: number): void
  /** Aborting it ends the export with an error (`EXPORT_ABORTED`). */
  readonly signal?: AbortSignal
}

/** What an export wrote. */
export interface ExportSummary {
  readonly rows: number
  /** Visits of pages that were read from the archive. */
  readonly visits: number
  /** Visits whose record, or line in `pages.jsonl`, could not be read. They have no row. */
  readonly unread: number
  /** Why the first of them could not be read. */
  readonly firstUnread?: string
}

export const MOST_EXPORT_WORKERS = 256
const VISITS_EACH = 128
/** A row group of Parquet does not go beyond a batch, and readers prefer large ones. */
const VISITS_EACH_OF_PARQUET = 4096

/**
 * Exports an archive as a table: reads every page back from the WARC files on all cores, and hands the bytes of the table to
 * `write`, in order. Works while the crawl runs, and changes nothing in its folder. Memory does not grow with the archive.
 */
export async function exportTable(
  folder: string,
  write: (bytes: Uint8Array) => void,
  options: ExportOptions = {},
): Promise<ExportSummary> {
  const { table = 'pages', format = 'jsonl', text = false, workers = availableParallelism(), signal } = options
  check({ table, format, text, workers })
  checkCrawlFolder(folder)
  const columns = columnsOf(table, text)
  const file = new TableFile(await frameFor(format, columns), write)
  // Loaded for its own table only: it brings the list of public suffixes.
  const hosts = table === 'hosts' ? new (await import('./visit-rows.ts')).HostCounts() : undefined
  const total = { visits: 0, unread: 0, firstUnread: undefined as string | undefined }
  const visitsEach = format === 'parquet' ? VISITS_EACH_OF_PARQUET : VISITS_EACH
  const unreadOne = (why: string) => {
    total.unread++
    total.firstUnread ??= why
  }
  const lines = new PageLines(folder, unreadOne)
  file.begin()
  await readInThreads({
    data: { folder, table, format, withText: text },
    workers,
    batches: visitBatches(lines, { visitsEach, isNewestOnly: table !== 'pages' }),
    signal,
    onPart: part => file.add(part),
    onBatch({ visits, unread, firstUnread, hosts: counted }: BatchRead, share: number) {
      total.visits += visits
      total.unread += unread
      total.firstUnread ??= firstUnread && sentence(firstUnread)
      if (counted !== undefined) hosts?.merge(counted)
      options.onProgress?.(share)
    },
  })
  if (hosts !== undefined) {
    const encoder = await encoderFor(format, columns)
    for (const row of hosts.rows()) {
      encoder.add(row)
      if (encoder.isFull) file.add(encoder.take())
    }
    file.add(encoder.take())
  }
  file.end()
  const { visits, unread, firstUnread } = total
  return { rows: file.rows, visits, unread, ...(firstUnread !== undefined && { firstUnread }) }
}

/** Writes the parts of a file, with what is around them. */
class TableFile {
  rows = 0
  private readonly frame: FileFrame
  private readonly write: (bytes: Uint8Array) => void

  constructor(frame: FileFrame, write: (bytes: Uint8Array) => void) {
    this.frame = frame
    this.write = write
  }

  begin(): void {
    this.writeSome(this.frame.head())
  }

  add(part: EncodedRows | undefined): void {
    if (part === undefined) return
    this.frame.place(part)
    this.rows += part.rows
    this.write(part.bytes)
  }

  end(): void {
    this.writeSome(this.frame.end())
  }

  private writeSome(bytes: Uint8Array): void {
    if (bytes.length > 0) this.write(bytes)
  }
}

function check({
  table,
  format,
  text,
  workers,
}: Required<Pick<ExportOptions, 'table' | 'format' | 'text' | 'workers'>>) {
  if (!TABLES.includes(table))
    throw new EscalonaError('EXPORT_BAD_OPTIONS/unknown', { option: 'table', choices: TABLES })
  if (!FORMATS.includes(format))
    throw new EscalonaError('EXPORT_BAD_OPTIONS/unknown', { option: 'format', choices: FORMATS })
  if (format === 'wet' && table !== 'pages') throw new EscalonaError('EXPORT_BAD_OPTIONS/only-pages')
  if (text && table !== 'pages') throw new EscalonaError('EXPORT_BAD_OPTIONS/no-text-in', { table })
  const isCount = Number.isSafeInteger(workers) && workers >= 1 && workers <= MOST_EXPORT_WORKERS
  if (!isCount) throw new EscalonaError('EXPORT_BAD_OPTIONS/bad-workers', { most: MOST_EXPORT_WORKERS })
}
