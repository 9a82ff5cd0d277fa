import type { Column, Row, Value } from '../tables.ts'

/** Rows as JSON, one object per line, with all keys in the order of the columns. What a terminal might obey, the extractor has left out. */
export function jsonLines(columns: readonly Column[]): (row: Row) => string {
  const keys = columns.map(({ name }, at) => `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`)
  return row => {
    let line = ''
    for (let at = 0; at < columns.length; at++) line += keys[at]! + jsonOf(row[columns[at]!.name]!, columns[at]!)
    return `${line}}\n`
  }
}

function jsonOf(value: Value, { kind }: Column): string {
  return kind === 'time' ? `"${new Date(value as number).toISOString()}"` : JSON.stringify(value)
}
