import type { Transform } from 'node:stream'
import { constants, crc32, createInflateRaw, type InflateRaw } from 'node:zlib'

/**
 * Sends pieces through a stream, such as one of zlib's. Reads only as fast as it is read. Throws what the stream reports. Stopping early ends the
 * stream and `pieces`, too.
 */
export async function* transformed(pieces: AsyncIterable<Uint8Array>, stream: Transform): AsyncGenerator<Uint8Array> {
  void feed(pieces, stream)
  try {
    yield* stream as AsyncIterable<Uint8Array>
  } finally {
    stream.destroy()
  }
}

async function feed(pieces: AsyncIterable<Uint8Array>, stream: Transform): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (stream.destroyed) return
      if (!stream.write(piece)) await room(stream)
    }
    stream.end()
  } catch (error) {
    stream.destroy(error as Error)
  }
}

function room(stream: Transform): Promise<void> {
  return new Promise(resolve => {
    const go = () => {
      stream.off('drain', go)
      stream.off('close', go)
      resolve()
    }
    stream.on('drain', go)
    stream.on('close', go)
  })
}

const CHUNK_BYTES = 64 << 10
const TRAILER_BYTES = 8
/** Bits of the flags in a gzip header, RFC 1952 2.3.1. */
const HAS_CRC = 2
const HAS_EXTRA = 4
const HAS_NAME = 8
const HAS_COMMENT = 16

/** The length of a gzip header; 0 where there is none, or not all of it. */
export function gzipHeaderBytes(bytes: Uint8Array): number {
  if (bytes.length < 10 || bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return 0
  const flags = bytes[3]!
  let at = 10
  if (flags & HAS_EXTRA) at += 2 + ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8))
  for (const text of [HAS_NAME, HAS_COMMENT]) {
    if ((flags & text) === 0) continue
    const zero = bytes.indexOf(0, at)
    if (zero < 0) return 0
    at = zero + 1
  }
  if (flags & HAS_CRC) at += 2
  return at <= bytes.length ? at : 0
}

/**
 * Unpacks gzip, member by member (RFC 1952 2.2). Bytes after the last one are ignored, as browsers and curl do: zlib takes them for another member,
 * and then loses what it had unpacked. Throws for a first member that is damaged or ends early.
 */
export async function* gunzipped(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = new Pieces(pieces)
  let isFirst = true
  try {
    while (await source.readHeader()) {
      const stream = createInflateRaw({ chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
      let crc = 0
      let bytes = 0
      try {
        void source.feed(stream)
        for await (const piece of stream as AsyncIterable<Buffer>) {
          crc = crc32(piece, crc)
          bytes += piece.length
          yield piece
        }
        if (!(await source.readTrailer(crc, bytes))) throw new Error('incorrect data check')
      } catch (error) {
        if (isFirst) throw error
        return
      } finally {
        stream.destroy()
      }
      isFirst = false
    }
    if (isFirst) throw new Error('incorrect header check')
  } finally {
    source.end()
  }
}

/** Bytes that arrive, of which some are read ahead. */
class Pieces {
  private readonly source: AsyncIterator<Uint8Array>
  private rest: Buffer = Buffer.alloc(0)

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.source = pieces[Symbol.asyncIterator]()
  }

  async readHeader(): Promise<boolean> {
    let header = gzipHeaderBytes(this.rest)
    while (header === 0 && this.mayBeHeader && (await this.more())) header = gzipHeaderBytes(this.rest)
    this.rest = this.rest.subarray(header)
    return header > 0
  }

  private get mayBeHeader(): boolean {
    const [first = 0x1f, second = 0x8b] = this.rest
    return first === 0x1f && second === 0x8b && this.rest.length < CHUNK_BYTES
  }

  /** Writes until the deflated data ends, piece by piece: what the stream does not take stays here. */
  async feed(stream: InflateRaw): Promise<void> {
    do {
      const piece = this.rest
      const before = stream.bytesWritten
      if (piece.length > 0) await new Promise<void>(resolve => void stream.write(piece, () => resolve()))
      this.rest = piece.subarray(stream.bytesWritten - before)
      if (stream.destroyed || this.rest.length > 0) return
    } while (await this.more().catch(error => void stream.destroy(error as Error)))
    stream.end()
  }

  async readTrailer(crc: number, bytes: number): Promise<boolean> {
    while (this.rest.length < TRAILER_BYTES && (await this.more()));
    const trailer = this.rest.subarray(0, TRAILER_BYTES)
    this.rest = this.rest.subarray(TRAILER_BYTES)
    return (
      trailer.length === TRAILER_BYTES && trailer.readUInt32LE(0) === crc && trailer.readUInt32LE(4) === bytes % 2 ** 32
    )
  }

  /** Does not wait: a piece may be long in coming. */
  end(): void {
    this.source.return?.().catch(() => {})
  }

  private async more(): Promise<boolean> {
    const { done, value } = await this.source.next()
    if (!done) this.rest = Buffer.concat([this.rest, value])
    return !done
  }
}
