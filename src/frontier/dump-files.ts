import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline as pipe, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type Clock, unixClock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { makeFolder } from '../base/files/make-folder.ts'
import { replaceFile, syncFolder, UNFINISHED } from '../base/files/whole-file.ts'
import { message } from '../base/messages/message.ts'
import { parsedAs, type StoredShape } from '../base/structures/json-shape.ts'
import { isSystemError, whyOf } from '../base/system-error.ts'
import { type Dump, type DumpHead, type DumpRecord, linksIn, recordIn } from './dump.ts'
import { damagedDump } from './dump-errors.ts'

/** `dump.json`, written last: without it, a folder holds no dump. The other files are gzipped lines. */
interface DumpManifest {
  readonly format: typeof FORMAT
  readonly version: typeof VERSION
  /** When it was made, in ISO 8601. */
  readonly madeAt: string
  readonly frontier: DumpHead
  /** What belongs to the crawl rather than to its frontier; missing: there is no crawl. */
  readonly crawl?: { readonly settings: string }
  /** {@link RECORDS}, and with a crawl {@link SEEDS}. */
  readonly files: readonly DumpFile[]
  /** The SHA-256 of all of the above as JSON without spaces. */
  readonly check: string
}

interface DumpFile {
  readonly name: string
  readonly lines: number
  readonly bytes: number
  /** Of the file as it is, in hexadecimal digits. */
  readonly sha256: string
}

/** What belongs to the crawl rather than to its frontier. These texts mean nothing here. */
export interface CrawlPart {
  readonly settings: string
  /** Its seeds, one text each, without line feeds. */
  readonly seeds: Iterable<string> | AsyncIterable<string>
}

/** Something that can be imported: a dump in a folder, or a frontier as it is now. */
export interface DumpSource extends Dump {
  /** Its folder, for messages. */
  readonly folder: string
  /** When it was made, in ISO 8601. */
  readonly madeAt: string
  /** Undefined: a frontier without a crawl. */
  readonly crawl: CrawlPart | undefined
}

/** Where to write a dump to. */
export interface WriteOptions {
  /** A new folder, or an empty one. */
  readonly folder: string
  readonly crawl?: CrawlPart | undefined
  readonly clock?: Clock
  /** Stops the writing, between two records. */
  readonly signal?: AbortSignal
  /** Called with how many links were written. */
  readonly onLinks?: (links: number) => void
}

export const MANIFEST = 'dump.json'
const FORMAT = 'escalona dump'
const VERSION = 4
export const RECORDS = 'frontier.jsonl.gz'
const SEEDS = 'seeds.jsonl.gz'

const SHAPE: StoredShape = {
  ...{ format: 'string', version: 'number', madeAt: 'string', check: 'string', 'crawl?': { settings: 'string' } },
  frontier: {
    ...{
      fingerprintSeed: ['number', 'number'],
      parts: 'number',
      known: 'number',
      hosts: 'number',
      auxiliaries: 'number',
    },
    turnedAway: { 'max-hosts': 'number', 'domain-hosts': 'number', 'page-hosts': 'number' },
  },
  files: [{ name: 'string', lines: 'number', bytes: 'number', sha256: 'string' }],
}

/** Little is gained by more: most of a dump is URLs. */
const LEVEL = 3
const WRITTEN_AT_ONCE = 1 << 18
/** No line of ours is longer: a link has at most 64 KiB of URL and 4 KiB of note, a note about a host a few MiB. */
const MOST_LINE_CHARS = 1 << 26

/** Writes a dump to a folder; what was written is removed when that fails. Returns how many bytes it has. */
export async function writeDump(options: WriteOptions, dump: Dump): Promise<number> {
  const { folder } = options
  try {
    makeFolder(folder)
    if (readdirSync(folder).length > 0) throw new EscalonaError('DUMP_FOLDER_TAKEN', { path: folder })
    return await write(options, dump).catch(error => {
      for (const name of [RECORDS, SEEDS, MANIFEST, MANIFEST + UNFINISHED]) rmSync(join(folder, name), { force: true })
      throw error
    })
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new EscalonaError('FILE_UNWRITABLE/export', { path: folder, why: whyOf(error) }, { cause: error })
  }
}

async function write(options: WriteOptions, { head: frontier, records }: Dump): Promise<number> {
  const { folder, crawl, clock = unixClock } = options
  const files = [await writeLines(folder, RECORDS, linesOf(records, options))]
  if (crawl !== undefined) files.push(await writeLines(folder, SEEDS, oneByOne(crawl.seeds)))
  const rest: Omit<DumpManifest, 'check'> = {
    ...{ format: FORMAT, version: VERSION, madeAt: new Date(clock()).toISOString(), frontier },
    ...(crawl !== undefined && { crawl: { settings: crawl.settings } }),
    files,
  }
  const text = JSON.stringify({ ...rest, check: checkOf(rest) }, undefined, 2)
  replaceFile(join(folder, MANIFEST), put => put(Buffer.from(`${text}\n`)))
  syncFolder(folder)
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

async function* linesOf(records: Dump['records'], { signal, onLinks }: WriteOptions): AsyncGenerator<string[]> {
  let links = 0
  for await (const some of records) {
    signal?.throwIfAborted()
    for (const record of some) links += linksIn(record)
    onLinks?.(links)
    yield some.map(record => JSON.stringify(record))
  }
}

async function* oneByOne(seeds: CrawlPart['seeds']): AsyncGenerator<string[]> {
  for await (const seed of seeds) yield [seed]
}

async function writeLines(folder: string, name: string, texts: AsyncIterable<string[]>): Promise<DumpFile> {
  const hash = createHash('sha256')
  let [lines, bytes] = [0, 0]
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  const pieces = async function* () {
    let piece = ''
    for await (const some of texts) {
      for (const text of some) piece += `${text}\n`
      lines += some.length
      if (piece.length < WRITTEN_AT_ONCE) continue
      yield piece
      piece = ''
    }
    yield piece
  }
  const file = createWriteStream(join(folder, name), { flags: 'wx', flush: true })
  await pipeline(pieces, createGzip({ level: LEVEL }), counter, file)
  return { name, lines, bytes, sha256: hash.digest('hex') }
}

function checkOf(manifest: Omit<DumpManifest, 'check'>): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
}

/** Reads every file of a dump once, to see that it is what was written. So nothing is ever imported from a damaged one. */
export async function openDump(folder: string): Promise<DumpSource> {
  const { files, crawl, madeAt, frontier: head } = readManifest(folder)
  for (const name of crawl === undefined ? [RECORDS] : [RECORDS, SEEDS]) {
    const file = files.find(one => one.name === name)
    const path = join(folder, name)
    if (!existsSync(path)) throw damagedDump(path, message('dump/file-missing'))
    if ((await hashOf(path)) !== file?.sha256) throw damagedDump(path, message('dump/wrong-checksum'))
  }
  return {
    ...{ folder, madeAt, head, records: recordsIn(join(folder, RECORDS)) },
    crawl: crawl && { settings: crawl.settings, seeds: seedsIn(join(folder, SEEDS)) },
  }
}

function readManifest(folder: string): DumpManifest {
  const path = join(folder, MANIFEST)
  if (!existsSync(path)) throw new EscalonaError('DUMP_MISSING', { path: folder })
  const text = readFileSync(path, 'utf8')
  const { format, version } = parsedAs<DumpManifest>(text, { format: 'string', version: 'number' }) ?? {}
  if (format === FORMAT && version !== VERSION)
    throw new EscalonaError('DUMP_OTHER_FORMAT', { path, found: version!, known: VERSION })
  const manifest = parsedAs<DumpManifest>(text, SHAPE)
  if (manifest === undefined || format !== FORMAT) throw damagedDump(path, message('dump/wrong-record', { line: 1 }))
  const { check, ...rest } = manifest
  if (checkOf(rest) !== check) throw damagedDump(path, message('dump/wrong-checksum'))
  return manifest
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  } catch (error) {
    throw new EscalonaError('FILE_UNREADABLE/export', { path, why: whyOf(error) }, { cause: error })
  }
  return hash.digest('hex')
}

async function* recordsIn(path: string): AsyncGenerator<DumpRecord[]> {
  let count = 0
  for await (const lines of linesIn(path)) {
    yield lines.map(line => {
      const record = recordIn(line)
      count++
      if (record === undefined) throw damagedDump(path, message('dump/wrong-record', { line: count }))
      return record
    })
  }
}

async function* seedsIn(path: string): AsyncGenerator<string> {
  for await (const lines of linesIn(path)) yield* lines
}

async function* linesIn(path: string): AsyncGenerator<string[]> {
  const text = pipe(createReadStream(path), createGunzip(), () => {}).setEncoding('utf8')
  let kept = ''
  try {
    for await (const piece of text) {
      const lines = (kept + (piece as string)).split('\n')
      kept = lines.pop()!
      if (kept.length > MOST_LINE_CHARS) throw damagedDump(path, message('dump/line-too-long'))
      yield lines
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw damagedDump(path, message('dump/wrong-checksum'))
    throw error
  }
}
