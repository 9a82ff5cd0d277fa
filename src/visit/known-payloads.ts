import { archiveFiles } from '../archive/names.ts'
import type { RecordLocation } from '../archive/scan.ts'
import { seededHash } from '../base/structures/hash-index.ts'
import { pageLines } from '../folder/lines-of.ts'

/** A shorter body costs no more than a record that refers to another. */
export const LEAST_PAYLOAD_BYTES = 1024

/** Of an entry, in 32-bit words: three hashes of the digest, the file's number, offset (two words), length, when it was added. */
const WORDS = 8
const FILE = 3
const OFFSET_LOW = 4
const OFFSET_HIGH = 5
const LENGTH = 6
const ADDED = 7
const PER_BUCKET = 4
const SEEDS = [0x51ed270b, 0x2127599b, 0x6c62272e] as const

/**
 * Where payloads are in the archive, by digest: a table of 32 bytes per payload in memory that the threads share. The main thread
 * adds what is on disk; the workers look up what they have fetched. A full bucket forgets its oldest entry. There are no locks: a
 * place that is read while it is written is wrong, so a reader that finds one reads the record and compares its digest.
 */
export class KnownPayloads {
  readonly memory: SharedArrayBuffer
  private readonly words: Int32Array
  private readonly buckets: number
  private readonly crawl: string
  private names: ReadonlyMap<number, string> = new Map()
  private numbers: ReadonlyMap<string, number> = new Map()
  private added = 0

  /** `memory`: of a table that another thread made. */
  constructor(crawl: string, payloads: number, memory?: SharedArrayBuffer) {
    this.crawl = crawl
    this.buckets = Math.max(1, Math.ceil(payloads / PER_BUCKET))
    this.memory = memory ?? new SharedArrayBuffer(this.buckets * PER_BUCKET * WORDS * 4)
    this.words = new Int32Array(this.memory)
  }

  add(digest: string, { file, offset, length }: RecordLocation): void {
    const number = this.numberOf(file)
    if (number === undefined) return
    const hashes = hashesOf(digest)
    const at = this.slotFor(hashes)
    const { words } = this
    // While it is written, no digest has it.
    words[at] = 0
    words[at + FILE] = number
    words[at + OFFSET_LOW] = offset | 0
    words[at + OFFSET_HIGH] = Math.floor(offset / 2 ** 32)
    words[at + LENGTH] = length | 0
    words[at + ADDED] = ++this.added
    words[at + 1] = hashes[1]
    words[at + 2] = hashes[2]
    words[at] = hashes[0]
  }

  find(digest: string): RecordLocation | undefined {
    const hashes = hashesOf(digest)
    const at = this.slotOf(hashes)
    if (at === undefined) return undefined
    const { words } = this
    const file = this.nameOf(words[at + FILE]!)
    const offset = (words[at + OFFSET_HIGH]! >>> 0) * 2 ** 32 + (words[at + OFFSET_LOW]! >>> 0)
    return file === undefined ? undefined : { file, offset, length: words[at + LENGTH]! >>> 0 }
  }

  private slotOf(hashes: Hashes): number | undefined {
    const { words } = this
    for (const at of this.slots(hashes))
      if (words[at] === hashes[0] && words[at + 1] === hashes[1] && words[at + 2] === hashes[2]) return at
    return undefined
  }

  private slotFor(hashes: Hashes): number {
    const { words } = this
    const known = this.slotOf(hashes)
    return known ?? this.slots(hashes).reduce((old, at) => (words[at + ADDED]! < words[old + ADDED]! ? at : old))
  }

  private slots([first]: Hashes): number[] {
    const start = ((first >>> 0) % this.buckets) * PER_BUCKET
    return Array.from({ length: PER_BUCKET }, (_, i) => (start + i) * WORDS)
  }

  private numberOf(file: string): number | undefined {
    if (!this.numbers.has(file)) this.readNames()
    return this.numbers.get(file)
  }

  private nameOf(number: number): string | undefined {
    if (!this.names.has(number)) this.readNames()
    return this.names.get(number)
  }

  private readNames(): void {
    const files = archiveFiles(this.crawl)
    this.names = new Map(files.map(({ number, name }) => [number, name]))
    this.numbers = new Map(files.map(({ number, name }) => [name, number]))
  }
}

type Hashes = readonly [number, number, number]

function hashesOf(digest: string): Hashes {
  const bytes = Buffer.from(digest, 'latin1')
  const [a, b, c] = SEEDS.map(seed => seededHash(seed, bytes, 0, bytes.length))
  // An empty entry has 0.
  return [a! || 1, b!, c!]
}

/** A table of the payloads that earlier runs archived, as far as it holds them: the newest are not forgotten. */
export function archivedPayloads(crawl: string, payloads: number): KnownPayloads {
  const table = new KnownPayloads(crawl, payloads)
  for (const line of pageLines(crawl)) {
    if (line.digest === undefined || line.original !== undefined || line.change === 'gone') continue
    if (line.bytes >= LEAST_PAYLOAD_BYTES) table.add(line.digest, line)
  }
  return table
}
