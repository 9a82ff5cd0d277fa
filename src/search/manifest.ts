import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { PAGES_FILE } from '../archive/names.ts'
import { replaceFile, syncFolder } from '../base/files/whole-file.ts'
import type { Message } from '../base/messages/message.ts'
import { unpredictableSeed } from '../base/random.ts'
import { seededHash } from '../base/structures/hash-index.ts'
import { parsedAs, type StoredShape } from '../base/structures/json-shape.ts'

/** The folder of the index in a crawl's folder, and the file there that says what belongs to it. Everything else there is left over. */
const SEARCH_FOLDER = 'search'
const MANIFEST_FILE = 'index.json'
const FORMAT = 1
/** How much of `pages.jsonl` shows that it is the file that was indexed. */
const CHECKED_BYTES = 4096

export interface SegmentLine {
  readonly file: string
  readonly documents: number
  readonly tokens: number
  readonly bytes: number
  /** Of its foot. */
  readonly crc: number
  /** Documents that are not shown, since there is a newer visit of their page: a bit each. */
  readonly hidden?: { readonly file: string; readonly count: number; readonly crc: number }
}

/** `search/index.json`: which segments there are, in the order of the visits in them. It is replaced as a whole. */
export interface Manifest {
  readonly format: number
  /** For the keys of URLs. */
  readonly seed: readonly [number, number]
  /** Bytes of `pages.jsonl` whose visits are indexed; and a CRC-32 of the last few of them. */
  readonly upTo: number
  readonly check: number
  /** Bytes of `pages.jsonl` whose visits have hidden the older ones of their page. */
  readonly hiddenUpTo: number
  /** Visits that could not be read, and why the first of them could not. */
  readonly unread: number
  readonly firstUnread?: Message
  readonly segments: readonly SegmentLine[]
}

const SHAPE: StoredShape = {
  format: 'number',
  seed: ['number', 'number'],
  upTo: 'number',
  check: 'number',
  hiddenUpTo: 'number',
  unread: 'number',
  'firstUnread?': { key: 'string', values: {} },
  segments: [
    {
      file: 'string',
      documents: 'number',
      tokens: 'number',
      bytes: 'number',
      crc: 'number',
      'hidden?': { file: 'string', count: 'number', crc: 'number' },
    },
  ],
}
/** A name that cannot lead out of the folder. */
const FILE = /^[0-9a-z]{1,20}\.(?:segment|hidden)$/

export function searchFolder(crawl: string): string {
  return join(crawl, SEARCH_FOLDER)
}

export function pagesPath(crawl: string): string {
  return join(crawl, PAGES_FILE)
}

export function emptyManifest(): Manifest {
  return { format: FORMAT, seed: unpredictableSeed(), upTo: 0, check: 0, hiddenUpTo: 0, unread: 0, segments: [] }
}

/**
 * What is indexed of a crawl; undefined: nothing, or an index in another format, of another `pages.jsonl`, or one that is damaged. Such
 * an index is built again.
 */
export function readManifest(crawl: string): Manifest | undefined {
  const manifest = parsedAs<Manifest>(textOf(join(searchFolder(crawl), MANIFEST_FILE)), SHAPE)
  if (manifest === undefined || manifest.format !== FORMAT) return undefined
  const files = manifest.segments.flatMap(({ file, hidden }) => [file, ...(hidden === undefined ? [] : [hidden.file])])
  return files.every(file => FILE.test(file)) && checkOf(crawl, manifest.upTo) === manifest.check ? manifest : undefined
}

export function writeManifest(crawl: string, manifest: Manifest): void {
  const folder = searchFolder(crawl)
  // The segments that it names are there after a crash before it is.
  syncFolder(folder)
  replaceFile(join(folder, MANIFEST_FILE), write => write(Buffer.from(`${JSON.stringify(manifest)}\n`)))
  syncFolder(folder)
}

export function makeSearchFolder(crawl: string): void {
  mkdirSync(searchFolder(crawl), { recursive: true })
}

/** Removes segments that the manifest does not name: of a writer that was killed, or that were merged. */
export function removeLeftovers(crawl: string, { segments }: Manifest): void {
  const named = new Set(segments.flatMap(({ file, hidden }) => [file, hidden?.file]))
  for (const name of readdirSync(searchFolder(crawl))) {
    if (FILE.test(name) && !named.has(name)) rmSync(join(searchFolder(crawl), name), { force: true })
  }
}

/** A CRC-32 of the bytes of `pages.jsonl` before this place; -1: it is shorter. */
export function checkOf(crawl: string, end: number): number {
  const path = pagesPath(crawl)
  if (end === 0) return 0
  if (!existsSync(path) || statSync(path).size < end) return -1
  const fd = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.min(end, CHECKED_BYTES))
    readSync(fd, bytes, 0, bytes.length, end - bytes.length)
    return crc32(bytes)
  } finally {
    closeSync(fd)
  }
}

/** A number below 2 ** 48 that no other URL is likely to have, nor can be made to have. */
export function urlKey(url: string, [high, low]: readonly [number, number]): number {
  const bytes = Buffer.from(url)
  const [first, second] = [seededHash(high, bytes, 0, bytes.length), seededHash(low, bytes, 0, bytes.length)]
  return (first >>> 0) * 2 ** 16 + (second & 0xffff)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
