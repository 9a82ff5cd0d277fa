import type { Column, Row, Value } from '../tables.ts'

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** The first line of a CSV file. */
export function csvHead(columns: readonly Column[]): string {
  return `${columns.map(({ name }) => name).join(',')}\r\n`
}

/**
 * Rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula gets a `'` in front, in every column: the name of a
 * host may begin with `=`, too. The other formats have it as it is.
 */
export function csvLines(columns: readonly Column[]): (row: Row) => string {
  return row => `${columns.map(column => fieldOf(row[column.name]!, column)).join(',')}\r\n`
}

function fieldOf(value: Value, { kind }: Column): string {
  if (value === null) return ''
  if (kind === 'time') return new Date(value as number).toISOString()
  const text = String(value)
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
