import type { Column, Row, Value } from '../tables.ts'

/** What JSON leaves as it is and a terminal might obey. */
const OBEYED = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/
const ALL_OBEYED = new RegExp(OBEYED, 'g')

/** Rows as JSON, one object per line, with all keys in the order of the columns. */
export function jsonLines(columns: readonly Column[]): (row: Row) => string {
  const keys = columns.map(({ name }, at) => `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`)
  return row => {
    let line = ''
    for (let at = 0; at < columns.length; at++) line += keys[at]! + jsonOf(row[columns[at]!.name]!, columns[at]!)
    return `${OBEYED.test(line) ? line.replace(ALL_OBEYED, escaped) : line}}\n`
  }
}

function jsonOf(value: Value, { kind }: Column): string {
  return kind === 'time' ? `"${new Date(value as number).toISOString()}"` : JSON.stringify(value)
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
