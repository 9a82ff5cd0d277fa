import { createHash } from 'node:crypto'
import { createWriteStream, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Clock, unixClock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { makeFolder } from '../base/files/make-folder.ts'
import { syncFolder } from '../base/files/sync-folder.ts'
import { replaceFile, UNFINISHED } from '../base/files/whole-file.ts'
import { isSystemError, reasonOf } from '../base/system-error.ts'
import { printable } from '../base/words/printable.ts'
import { type DumpHead, type DumpRecord, linksIn } from './dump.ts'
import { type LineRecord, lineOf } from './dump-lines.ts'
import {
  type CrawlPart,
  checkOf,
  DUMP_FILES,
  type DumpFile,
  type DumpManifest,
  FORMAT,
  MANIFEST,
  PLANNED,
  SEEDS,
  VERSION,
} from './dump-manifest.ts'
import { dumpWords } from './dump-words.ts'

/** Little is gained by more: most of a dump is URLs. */
const LEVEL = 3
const WRITTEN_AT_ONCE = 1 << 18

/** Where to write a dump to. */
export interface WriteOptions {
  /** A new folder, or an empty one. */
  readonly folder: string
  readonly crawl?: CrawlPart
  readonly clock?: Clock
  /** Stops the writing, between two records. */
  readonly signal?: AbortSignal
  /** Called now and then with how many links were written. */
  readonly onLinks?: (links: number) => void
}

/**
 * Writes a dump to a folder. Without its last file, `dump.json`, it is not one: nothing imports it. What was written is removed
 * when it fails.
 */
export async function writeDump(options: WriteOptions, records: AsyncIterable<DumpRecord>): Promise<DumpManifest> {
  const { folder } = options
  try {
    makeFolder(folder)
    if (readdirSync(folder).length > 0)
      throw new EscalonaError('DUMP_FOLDER_TAKEN', dumpWords().taken(printable(folder)))
    return await write(options, records).catch(error => {
      for (const name of ALL_NAMES) rmSync(join(folder, name), { force: true })
      throw error
    })
  } catch (error) {
    if (!isSystemError(error)) throw error
    const message = dumpWords().unwritable(printable(folder), reasonOf(error))
    throw new EscalonaError('FILE_UNWRITABLE', message, { cause: error })
  }
}

const ALL_NAMES = [...DUMP_FILES.map(({ name }) => name), SEEDS, MANIFEST, MANIFEST + UNFINISHED]

async function write(options: WriteOptions, records: AsyncIterable<DumpRecord>): Promise<DumpManifest> {
  const { folder, crawl, clock = unixClock } = options
  const source = new Source(records, options)
  const { kind: _, ...frontier } = await source.head()
  const files: DumpFile[] = []
  for (const { name, kinds } of DUMP_FILES) {
    if (name === PLANNED && !source.isNext(kinds)) continue
    files.push(await writeFile(folder, name, source.lines(kinds)))
  }
  const version = files.some(({ name }) => name === PLANNED) ? VERSION : 1
  const madeAt = new Date(clock()).toISOString()
  const rest: Omit<DumpManifest, 'check'> = {
    ...{ format: FORMAT, version, madeAt, frontier, hosts: source.hosts, links: source.links, files },
    ...(crawl !== undefined && { crawl: { settings: crawl.settings, seeds: await writeSeeds(folder, crawl) } }),
  }
  const manifest = { ...rest, check: checkOf(rest) }
  replaceFile(join(folder, MANIFEST), put => put(Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`)))
  syncFolder(folder)
  return manifest
}

async function writeFile(folder: string, name: string, lines: Lines): Promise<DumpFile> {
  const hash = createHash('sha256')
  let bytes = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  const file = createWriteStream(join(folder, name), { flags: 'wx', flush: true })
  await pipeline(lines.pieces(), createGzip({ level: LEVEL }), counter, file)
  return { name, records: lines.count, bytes, sha256: hash.digest('hex') }
}

function writeSeeds(folder: string, { seeds }: CrawlPart): Promise<DumpFile> {
  const lines = {
    count: 0,
    async *pieces() {
      for await (const seed of seeds) {
        lines.count++
        yield `${seed}\n`
      }
    },
  }
  return writeFile(folder, SEEDS, lines)
}

interface Lines {
  readonly count: number
  pieces(): AsyncGenerator<string>
}

/** The records, one file's after the other's. */
class Source {
  private readonly iterator: AsyncIterator<DumpRecord>
  private readonly options: WriteOptions
  private next: LineRecord | undefined
  hosts = 0
  links = 0

  constructor(records: AsyncIterable<DumpRecord>, options: WriteOptions) {
    this.iterator = records[Symbol.asyncIterator]()
    this.options = options
  }

  async head(): Promise<DumpHead> {
    const first = await this.iterator.next()
    if (first.done || first.value.kind !== 'head') throw new Error('a dump begins with its head')
    await this.move()
    return first.value
  }

  isNext(kinds: readonly string[]): boolean {
    return this.next !== undefined && kinds.includes(this.next.kind)
  }

  /** The next records, as long as they are of these kinds. */
  lines(kinds: readonly string[]): Lines {
    const source = this
    const lines = {
      count: 0,
      async *pieces() {
        let piece = ''
        for (; source.isNext(kinds); await source.move()) {
          piece += `${lineOf(source.next!)}\n`
          lines.count++
          if (piece.length < WRITTEN_AT_ONCE) continue
          yield piece
          piece = ''
        }
        if (piece !== '') yield piece
      },
    }
    return lines
  }

  private async move(): Promise<void> {
    this.options.signal?.throwIfAborted()
    const { value, done } = await this.iterator.next()
    this.next = done ? undefined : (value as LineRecord)
    if (this.next?.kind === 'host') this.hosts++
    if (this.next !== undefined) this.links += linksIn(this.next)
    this.options.onLinks?.(this.links)
  }
}
