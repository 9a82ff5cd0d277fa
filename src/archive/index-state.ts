import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '../base/files/sync-folder.ts'
import { replaceFile } from '../base/files/whole-file.ts'
import { INDEX_FILE, indexedFiles, PARTS_FOLDER, partPath } from './names.ts'
import { surt } from './surt.ts'

/** Under `index/`: which keys the parts have. Without this file they are those of an earlier version. */
const KEYS_FILE = 'keys'
const KEYS = 'surt 2\n'
/** Under `index/`: the bytes of `index.cdxj`, then the name of each WARC file whose part is in it, one per line. */
const MERGED_FILE = 'merged'

/** Whether the parts have the keys of an earlier version. */
export function hasOldKeys(crawl: string): boolean {
  return textIn(join(crawl, PARTS_FOLDER, KEYS_FILE)) !== KEYS
}

/** Gives all parts the keys of this version, if that was not done before. After a sudden end it is done once more. */
export function renewKeys(crawl: string, fence: () => void): void {
  if (!hasOldKeys(crawl)) return
  for (const { name } of indexedFiles(crawl)) {
    const path = partPath(crawl, name)
    const lines = readFileSync(path, 'latin1').split('\n').filter(Boolean).map(renewed)
    fence()
    replaceFile(path, write => write(Buffer.from(sortedText(lines), 'latin1')))
  }
  fence()
  syncFolder(join(crawl, PARTS_FOLDER))
  replaceFile(join(crawl, PARTS_FOLDER, KEYS_FILE), write => write(Buffer.from(KEYS)))
}

/** Lines as a part or the index holds them. JavaScript orders by UTF-16, which for ASCII is by bytes, as LC_ALL=C does. */
export function sortedText(lines: readonly string[]): string {
  return [...lines]
    .sort()
    .map(line => `${line}\n`)
    .join('')
}

/** A line of the index with the key of this version. */
export function renewed(line: string): string {
  const url = /^\S+ \d{14} \{"url": ("(?:[^"\\]|\\.)*"),/.exec(line)?.[1]
  return url === undefined ? line : surt(JSON.parse(url) as string) + line.slice(line.indexOf(' '))
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
