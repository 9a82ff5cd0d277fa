import { systemClock } from '../../base/clock.ts'
import { csvLine } from '../../base/words/csv.ts'
import { printable } from '../../base/words/printable.ts'
import { answer, safeJson } from './say.ts'

/** How rows are written: for people, as JSON (one object per line), or as CSV (RFC 4180, with a header line). */
export type RowForm = 'text' | 'json' | 'csv'

export interface RowColumn<Row> {
  /** Header in CSV. */
  readonly name: string
  /** Header for people. */
  readonly title: string
  /** In characters, for people; the last column is as wide as its text. Numbers are right-aligned. */
  readonly width: number
  readonly isNumber?: boolean
  /** Shown in CSV only. */
  readonly isExtra?: boolean
  value(row: Row): string | number | undefined
  /** The text for people, if it differs from the value. */
  shown?(row: Row): string
}

const FLUSH_CHARS = 1 << 14
/** A row is written at most this long after it arrived, as long as more rows keep coming. */
const FLUSH_MS = 50

/** Writes rows to standard output as they arrive: the first one at once, the others in batches. */
export class RowWriter<Row> {
  /** Rows written so far. */
  count = 0
  private readonly columns: readonly RowColumn<Row>[]
  private readonly form: RowForm
  private waiting = ''
  private flushedAtMs = 0
  private hasReader = true

  constructor(columns: readonly RowColumn<Row>[], form: RowForm) {
    this.columns = form === 'text' ? columns.filter(({ isExtra }) => !isExtra) : columns
    this.form = form
  }

  /** Returns false when the reader has gone away. */
  write(row: Row): boolean {
    if (this.count++ === 0) this.waiting = this.head()
    this.waiting += this.line(row)
    if (this.waiting.length >= FLUSH_CHARS || systemClock() - this.flushedAtMs >= FLUSH_MS) this.flush()
    return this.hasReader
  }

  flush(): void {
    if (this.waiting === '') return
    this.hasReader = answer(this.waiting)
    this.waiting = ''
    this.flushedAtMs = systemClock()
  }

  private head(): string {
    if (this.form === 'json') return ''
    if (this.form === 'csv') return csvLine(this.columns.map(({ name }) => name))
    return this.laidOut(({ title }) => title)
  }

  private line(row: Row): string {
    if (this.form === 'json') return `${safeJson(row)}\n`
    if (this.form === 'csv') return csvLine(this.columns.map(column => column.value(row)))
    return this.laidOut(column => printable(column.shown?.(row) ?? String(column.value(row) ?? '')))
  }

  private laidOut(text: (column: RowColumn<Row>) => string): string {
    const cells = this.columns.map((column, n) => {
      if (column.isNumber) return text(column).padStart(column.width)
      return n === this.columns.length - 1 ? text(column) : text(column).padEnd(column.width)
    })
    return `${cells.join('  ').trimEnd()}\n`
  }
}
