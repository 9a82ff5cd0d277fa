import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { EscalonaError } from '../base/errors.ts'
import { isSystemError, reasonOf } from '../base/system-error.ts'
import { printable } from '../base/words/printable.ts'
import { type DumpHead, type DumpRecord, linksIn } from './dump.ts'
import { recordIn } from './dump-lines.ts'
import { DUMP_FILES, type DumpFile, type DumpManifest, readManifest, SEEDS } from './dump-manifest.ts'
import { damagedDump, dumpWords } from './dump-words.ts'

/** No line of ours is longer: a link has at most 64 KiB of URL and 4 KiB of note, a note about a host a few MiB. */
const MOST_LINE_CHARS = 1 << 26

/** Something that can be imported: a dump in a folder, or a frontier. */
export interface DumpSource {
  /** Its folder, for messages. */
  readonly folder: string
  /** When it was made, in ISO 8601. */
  readonly madeAt: string
  readonly head: DumpHead
  /** How many hosts and links it has. */
  readonly hosts: number
  readonly links: number
  /** All of its records, one after the other. */
  records(options?: ReadOptions): AsyncGenerator<DumpRecord>
  /** The crawl's settings and seeds; undefined when it is a frontier alone. */
  readonly crawl: { readonly settings: string; seeds(): AsyncGenerator<string> } | undefined
}

export interface ReadOptions {
  /** Called with how many links were read. */
  readonly onLinks?: (links: number) => void
  /** Stops the reading, between two records. */
  readonly signal?: AbortSignal
}

/** Reads every file of a dump once, to see that it is what was written. So nothing is ever imported from a damaged one. */
export async function openDump(folder: string): Promise<DumpSource> {
  const manifest = readManifest(folder)
  const { files, crawl, madeAt, hosts, links, frontier } = manifest
  for (const file of crawl === undefined ? files : [...files, crawl.seeds]) await verify(folder, file)
  return {
    ...{ folder, madeAt, hosts, links, head: { kind: 'head', ...frontier } },
    records: options => records(folder, manifest, options),
    crawl: crawl && { settings: crawl.settings, seeds: () => linesOf(join(folder, SEEDS)) },
  }
}

async function verify(folder: string, { name, bytes, sha256 }: DumpFile): Promise<void> {
  const path = join(folder, name)
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) throw damagedDump(path, dumpWords().fileMissing)
  if (size !== bytes) throw damagedDump(path, dumpWords().wrongSize)
  const hash = createHash('sha256')
  await readable(path, async () => {
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  })
  if (hash.digest('hex') !== sha256) throw damagedDump(path, dumpWords().wrongChecksum)
}

async function* records(
  folder: string,
  { frontier, files }: DumpManifest,
  { onLinks, signal }: ReadOptions = {},
): AsyncGenerator<DumpRecord> {
  yield { kind: 'head', ...frontier }
  let links = 0
  for (const { name, kinds } of DUMP_FILES) {
    const file = files.find(one => one.name === name)
    if (file === undefined) continue
    const path = join(folder, name)
    let count = 0
    for await (const line of linesOf(path)) {
      const record = recordIn(line)
      count++
      if (record === undefined || !(kinds as readonly string[]).includes(record.kind)) {
        throw damagedDump(path, dumpWords().wrongRecord(count))
      }
      links += linksIn(record)
      onLinks?.(links)
      signal?.throwIfAborted()
      yield record
    }
    if (count !== file.records) throw damagedDump(path, dumpWords().wrongCount)
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const text = pipeline(createReadStream(path), createGunzip(), () => {}).setEncoding('utf8')
  let kept = ''
  try {
    for await (const piece of text) {
      const lines = (kept + (piece as string)).split('\n')
      kept = lines.pop()!
      if (kept.length > MOST_LINE_CHARS) throw damagedDump(path, dumpWords().wrongRecord(0))
      yield* lines
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw damagedDump(path, dumpWords().wrongChecksum)
    throw error
  }
  if (kept !== '') throw damagedDump(path, dumpWords().wrongSize)
}

async function readable(path: string, read: () => Promise<void>): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new EscalonaError('FILE_UNREADABLE', dumpWords().unreadable(printable(path), reasonOf(error)), {
      cause: error,
    })
  }
}
