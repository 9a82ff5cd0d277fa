import type { FormatName, TableName } from './tables.ts'

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
  /** Visits whose record could not be read. They have no row. */
  readonly unread: number
  /** Why the first of them could not be read. */
  readonly firstUnread?: string
}

/**
 * Exports an archive as a table: reads every page back from the WARC files on all cores, and hands the bytes of the table to
 * `write`, in order. Works while the crawl runs, and changes nothing in its folder. Memory does not grow with the archive.
 */
export async function exportTable(
  _folder: string,
  _write: (bytes: Uint8Array) => void,
  _options: ExportOptions = {},
): Promise<ExportSummary> {
  throw new Error('not built yet')
}
