/** The tables that an archive can be exported as. */
export const TABLES = ['pages', 'links', 'hosts'] as const
/** The name of a table: pages, links or hosts. */
export type TableName = (typeof TABLES)[number]

/** The formats of an export; `wet` has the text of pages only. */
export const FORMATS = ['jsonl', 'csv', 'parquet', 'wet'] as const
/** The name of a format: JSON lines, CSV, Parquet, or the text of pages as WARC records. */
export type FormatName = (typeof FORMATS)[number]

/** A column of a table. */
export interface Column {
  readonly name: string
  /** `code`: ASCII, such as a URL; `words`: any text from the web; `integer`: up to 2^53; `time`: Unix time in milliseconds. */
  readonly kind: 'code' | 'words' | 'integer' | 'time' | 'flag'
  /** May be null. */
  readonly isOptional?: boolean
  /** Few values come again and again, so that a list of them takes less room. */
  readonly hasFewValues?: boolean
}

export type Value = string | number | boolean | null
/** Values by the names of the columns. */
export type TableRow = Readonly<Record<string, Value>>

const TEXT: Column = { name: 'text', kind: 'words', isOptional: true }

/** Named as in the index table of Common Crawl where the meaning is the same; docs/export.md says what each one means. */
const PAGES: readonly Column[] = [
  { name: 'url', kind: 'code' },
  { name: 'url_surtkey', kind: 'code' },
  { name: 'url_host_name', kind: 'code', hasFewValues: true },
  { name: 'url_host_registered_domain', kind: 'code', hasFewValues: true },
  { name: 'fetch_time', kind: 'time' },
  { name: 'fetch_status', kind: 'integer', hasFewValues: true },
  { name: 'content_digest', kind: 'code' },
  { name: 'content_mime_type', kind: 'code', hasFewValues: true },
  { name: 'content_charset', kind: 'code', hasFewValues: true },
  { name: 'content_truncated', kind: 'code', isOptional: true, hasFewValues: true },
  { name: 'warc_filename', kind: 'code', hasFewValues: true },
  { name: 'warc_record_offset', kind: 'integer' },
  { name: 'warc_record_length', kind: 'integer' },
  { name: 'title', kind: 'words' },
  TEXT,
  { name: 'hops', kind: 'integer', hasFewValues: true },
  { name: 'text_digest', kind: 'code' },
  { name: 'simhash', kind: 'code', isOptional: true },
  { name: 'lang', kind: 'code', isOptional: true, hasFewValues: true },
  { name: 'change', kind: 'code', hasFewValues: true },
]

const LINKS: readonly Column[] = [
  { name: 'from', kind: 'code', hasFewValues: true },
  { name: 'to', kind: 'code' },
  { name: 'anchor', kind: 'words' },
  { name: 'rel', kind: 'words', hasFewValues: true },
  { name: 'internal', kind: 'flag' },
]

const HOSTS: readonly Column[] = [
  { name: 'host', kind: 'code' },
  { name: 'domain', kind: 'code' },
  { name: 'pages', kind: 'integer' },
  { name: 'links_in', kind: 'integer' },
  { name: 'links_out', kind: 'integer' },
  { name: 'links_internal', kind: 'integer' },
]

/** The columns of a table, in their order. */
export function columnsOf(table: TableName, withText: boolean): readonly Column[] {
  if (table === 'links') return LINKS
  if (table === 'hosts') return HOSTS
  return withText ? PAGES : PAGES.filter(column => column !== TEXT)
}
