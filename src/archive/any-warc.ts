import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { EscalonaError } from '../base/errors.ts'
import { whyOf } from '../base/system-error.ts'

/** A record as any tool may have written it. */
export interface AnyRecord {
  /** In lower case. */
  readonly type: string
  /** Names in lower case; the values of a name that comes several times are joined by blanks. */
  readonly fields: ReadonlyMap<string, string>
  /** As much of its start as was asked for; valid during the call only. */
  readonly block: Buffer
  /** Of the whole block. */
  readonly blockBytes: number
}

export interface RecordTaker {
  /** How much of its block is wanted. */
  wants(record: Pick<AnyRecord, 'type' | 'fields'>): number
  record(record: AnyRecord): void | Promise<void>
  /** Bytes of the file, as they are read. */
  read?(bytes: number): void
}

/** `cut`: it ends inside of a record. `damaged`: something that isn't a record follows those that were read. `foreign`: it doesn't begin with one. */
export type WarcEnd = 'whole' | 'cut' | 'damaged' | 'foreign'

const PIECE_BYTES = 1 << 18
const STEP_BYTES = 1 << 14
const MOST_HEAD_BYTES = 1 << 16
const LENGTH = /^\d{1,15}$/
const LF = 10
const CR = 13
const START = Buffer.from('WARC/')

/**
 * Hands over the records of a WARC file of any version and tool, compressed by gzip in one member or many, or not at all. The
 * memory that it takes depends on `wants` only. Throws if the file can't be read; whatever is in it is data.
 */
export async function walkWarc(path: string, taker: RecordTaker): Promise<WarcEnd> {
  const records = new RecordSplitter(taker)
  try {
    for await (const piece of await plainPieces(path, taker)) if (!(await records.feed(piece))) break
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!code.startsWith('Z_')) throw unreadable(path, error)
    return code === 'Z_BUF_ERROR' ? 'cut' : records.isAtStart ? 'foreign' : 'damaged'
  }
  return records.end()
}

async function plainPieces(path: string, { read }: RecordTaker): Promise<AsyncIterable<Uint8Array>> {
  const stream = createReadStream(path, { highWaterMark: PIECE_BYTES })
  const source = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  let start: Buffer = Buffer.alloc(0)
  async function next(): Promise<Buffer | undefined> {
    const { done, value } = await source.next()
    if (done) return undefined
    read?.(value.length)
    return value
  }
  for (let more: Buffer | undefined; start.length < 2 && (more = await next()) !== undefined; )
    start = Buffer.concat([start, more])
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      if (start.length > 0) yield start
      for (let piece = await next(); piece !== undefined; piece = await next()) yield piece
    } finally {
      stream.destroy()
    }
  }
  if (start[0] !== 0x1f || start[1] !== 0x8b) return pieces()
  return unzipped(pieces())
}

/**
 * All gzip members of a file. Unlike a stream that is read, it hands over everything in front of an error: what a stream holds when it fails is lost. One
 * step unpacks a short piece, so that a bomb of zeros takes 16 MB at a time.
 */
async function* unzipped(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = createGunzip({ chunkSize: PIECE_BYTES })
  let unpacked: Buffer[] = []
  let failure: unknown
  stream.on('data', (piece: Buffer) => void unpacked.push(piece))
  // A write that fails never calls back.
  let goOn = () => {}
  stream.on('close', () => goOn())
  stream.on('error', error => {
    failure = error
    goOn()
  })
  function* ready(): Generator<Buffer> {
    yield* unpacked
    unpacked = []
    if (failure !== undefined) throw failure
  }
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; at += STEP_BYTES) {
        const step = piece.subarray(at, at + STEP_BYTES)
        await new Promise<void>(resolve => {
          goOn = resolve
          stream.write(step, () => resolve())
        })
        yield* ready()
      }
    }
    await new Promise<void>(resolve => {
      goOn = resolve
      stream.end()
    })
    yield* ready()
  } finally {
    stream.destroy()
  }
}

function unreadable(path: string, error: unknown): unknown {
  if (error instanceof EscalonaError) return error
  return new EscalonaError('FILE_UNREADABLE', { name: path, why: whyOf(error) }, { cause: error })
}

type Head = Pick<AnyRecord, 'type' | 'fields' | 'blockBytes'>

/** Divides the plain bytes of a WARC file into records. */
class RecordSplitter {
  /** Not one record was read. */
  isAtStart = true
  private readonly taker: RecordTaker
  private rest: Buffer = Buffer.alloc(0)
  private isDamaged = false
  /** Of the record whose block is being read. */
  private head: Head | undefined
  private kept: Buffer[] = []
  private wanted = 0
  private left = 0

  constructor(taker: RecordTaker) {
    this.taker = taker
  }

  /** False as soon as something isn't a record. */
  async feed(piece: Uint8Array): Promise<boolean> {
    const more = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    const bytes = this.rest.length === 0 ? more : Buffer.concat([this.rest, more])
    let at = 0
    while (at < bytes.length && !this.isDamaged) {
      if (this.head === undefined) {
        const end = this.readHead(bytes, at)
        if (end === at) break
        at = end
      } else {
        const part = bytes.subarray(at, at + this.left)
        this.keep(part)
        at += part.length
      }
      if (this.head !== undefined && this.left === 0) await this.hand()
    }
    this.rest = bytes.subarray(at)
    return !this.isDamaged
  }

  end(): WarcEnd {
    if (this.isDamaged) return this.isAtStart ? 'foreign' : 'damaged'
    if (this.head === undefined && this.rest.length === 0) return this.isAtStart ? 'foreign' : 'whole'
    return this.isAtStart && this.head === undefined ? 'foreign' : 'cut'
  }

  /** Returns where the block begins; `from` when the head isn't whole yet. Empty lines before a record do no harm. */
  private readHead(bytes: Buffer, from: number): number {
    let at = from
    while (bytes[at] === LF || bytes[at] === CR) at++
    const start = bytes.subarray(at, at + START.length)
    if (!start.equals(START.subarray(0, start.length))) this.isDamaged = true
    const end = endOfHead(bytes, at)
    if (end === -1) {
      if (bytes.length - at > MOST_HEAD_BYTES) this.isDamaged = true
      return this.isDamaged ? from : at
    }
    const head = headOf(bytes.toString('latin1', at, end))
    if (head === undefined) this.isDamaged = true
    else {
      this.head = head
      this.left = head.blockBytes
      this.wanted = Math.min(this.taker.wants(head), head.blockBytes)
    }
    return end
  }

  private keep(part: Buffer): void {
    this.left -= part.length
    if (this.wanted === 0) return
    const wanted = part.subarray(0, this.wanted)
    this.kept.push(wanted)
    this.wanted -= wanted.length
  }

  private hand(): void | Promise<void> {
    const [only, ...others] = this.kept
    const block = others.length === 0 ? (only ?? Buffer.alloc(0)) : Buffer.concat(this.kept)
    const record = { ...this.head!, block }
    this.head = undefined
    this.kept = []
    this.isAtStart = false
    return this.taker.record(record)
  }
}

/** Where a head ends, with its empty line: CR LF, or LF alone as some tools and servers write it; -1 when it doesn't. */
function endOfHead(bytes: Buffer, from: number): number {
  const within = bytes.subarray(from, from + MOST_HEAD_BYTES)
  const usual = within.indexOf('\n\r\n')
  const bare = (usual === -1 ? within : within.subarray(0, usual + 1)).indexOf('\n\n')
  if (bare !== -1) return from + bare + 2
  return usual === -1 ? -1 : from + usual + 3
}

function headOf(text: string): Head | undefined {
  const fields = new Map<string, string>()
  for (const [name, value] of looseFields(text)) {
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : `${before} ${value}`)
  }
  const length = fields.get('content-length') ?? ''
  const type = fields.get('warc-type')?.toLowerCase()
  return type === undefined || !LENGTH.test(length) ? undefined : { type, fields, blockBytes: Number(length) }
}

/** Names in lower case and values of the lines after the first; a line that begins with a blank belongs to the one before it. */
function looseFields(text: string): [name: string, value: string][] {
  const lines = text.replace(/\r?\n[\t ]+/g, ' ').split(/\r?\n/)
  return lines.slice(1).flatMap((line): [string, string][] => {
    const colon = line.indexOf(':')
    return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]]
  })
}

/** The HTTP head at the start of a block. */
export interface LooseHead {
  readonly startLine: string
  /** Name in lower case, value, name, value, … one character per byte. */
  readonly headers: readonly string[]
  /** Where the body begins in the block. */
  readonly end: number
}

/** Undefined when there is none, or it isn't whole. */
export function looseHead(block: Buffer): LooseHead | undefined {
  const end = endOfHead(block, 0)
  if (end === -1) return undefined
  const text = block.toString('latin1', 0, end)
  return { startLine: text.slice(0, text.search(/\r?\n/)), headers: looseFields(text).flat(), end }
}
