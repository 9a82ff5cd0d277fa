import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../base/files/whole-file.ts'
import { INDEX_FILE, PARTS_FOLDER } from './names.ts'

/** Under `index/`: the bytes of `index.cdxj`, then the name of each WARC file whose part is in it, one per line. */
const MERGED_FILE = 'merged'

/** Lines as a part or the index holds them. JavaScript orders by UTF-16, which for ASCII is by bytes, as LC_ALL=C does. */
export function sortedText(lines: readonly string[]): string {
  return [...lines]
    .sort()
    .map(line => `${line}\n`)
    .join('')
}

/** Remembers that these parts, and no others, are in `index.cdxj` as it is now. */
export function noteMerged(crawl: string, names: Iterable<string>): void {
  const lines = Array.from(names, name => `${name}\n`)
  const text = `${sizeOf(join(crawl, INDEX_FILE))}\n${lines.join('')}`
  replaceFile(join(crawl, PARTS_FOLDER, MERGED_FILE), write => write(Buffer.from(text, 'latin1')))
}

/** A part is about to have more lines than `index.cdxj` has of it. */
export function noteChanged(crawl: string, name: string): void {
  const names = new Set(mergedNames(crawl))
  if (names.delete(name)) noteMerged(crawl, names)
}

/** Names of the files whose parts are in `index.cdxj`; none when the index is another. */
export function mergedNames(crawl: string): ReadonlySet<string> {
  const [bytes, ...names] = textIn(join(crawl, PARTS_FOLDER, MERGED_FILE)).split('\n')
  return bytes === String(sizeOf(join(crawl, INDEX_FILE))) ? new Set(names.filter(Boolean)) : new Set()
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
