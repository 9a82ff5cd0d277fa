import { gunzipped, transformed } from '../base/structures/unpacked-pieces.ts'
import { SHORT_BYTES } from './body-plan.ts'
import { type Coding, undoing } from './decode.ts'
import type { ReadBody } from './exchange.ts'

interface Source {
  pause(): void
  resume(): void
}

/** A body that is handed on while it arrives. The connection is read only as fast as the body is. The first 64 KiB are kept for the archive. */
export class StreamedBody {
  /** It could not be decoded. */
  isBroken = false
  /** More came than was read or kept. */
  isCut = false
  /** Nothing more is read. Rejects only for a mistake of the reader. */
  readonly ended: Promise<void>
  private readonly source: Source
  private readonly start = new BodyBuffer(SHORT_BYTES, 0)
  private readonly maxBytes: number
  private readonly pieces: Uint8Array[] = []
  private isOver = false
  private wake = () => {}

  /** `maxBytes`: after decoding. */
  constructor(source: Source, codings: readonly Coding[], maxBytes: number, read: ReadBody) {
    this.source = source
    this.maxBytes = maxBytes
    this.ended = read(this.kept(decoded(this.wire(), codings))).finally(() => {
      this.isOver = true
      this.wake()
    })
    // `end` reports it.
    this.ended.catch(() => {})
  }

  get beginning(): Uint8Array {
    return this.start.view
  }

  add(piece: Uint8Array): void {
    if (this.isOver) return
    this.pieces.push(Buffer.from(piece))
    this.source.pause()
    this.wake()
  }

  end(): Promise<void> {
    this.isOver = true
    this.wake()
    return this.ended
  }

  private async *wire(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.pieces.shift()
      if (piece !== undefined) {
        yield piece
        continue
      }
      if (this.isOver) return
      this.source.resume()
      if (this.pieces.length === 0 && !this.isOver) await new Promise<void>(resolve => (this.wake = resolve))
    }
  }

  /** Ends quietly when it can't be decoded, or is too long. */
  private async *kept(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let left = this.maxBytes
    try {
      for await (const piece of pieces) {
        if (!this.start.add(piece) || piece.length > left) this.isCut = true
        yield piece.length > left ? piece.subarray(0, left) : piece
        left -= piece.length
        if (left <= 0) return
      }
    } catch {
      this.isBroken = true
    }
  }
}

/** Undoes the codings, the last one first, piece by piece. */
function decoded(wire: AsyncIterable<Uint8Array>, codings: readonly Coding[]): AsyncIterable<Uint8Array> {
  return codings.reduceRight((pieces, coding) => undone(pieces, coding), wire)
}

async function* undone(pieces: AsyncIterable<Uint8Array>, coding: Coding): AsyncGenerator<Uint8Array> {
  if (coding === 'gzip') return yield* gunzipped(pieces)
  const iterator = pieces[Symbol.asyncIterator]()
  const { value: first = EMPTY } = await iterator.next()
  const stream = undoing(first, coding)
  stream.write(first)
  yield* transformed({ [Symbol.asyncIterator]: () => iterator }, stream)
}

const FIRST_BYTES = 32 << 10

/** Copies pieces into one buffer, so a million one-byte pieces cost a megabyte. */
export class BodyBuffer {
  length = 0
  private bytes: Uint8Array = EMPTY
  private readonly limit: number
  private readonly expected: number

  /** `expected`: the length announced, 0 when unknown; only a hint. */
  constructor(limit: number, expected: number) {
    this.limit = limit
    this.expected = Math.min(expected, limit)
  }

  /** False when the limit cut something off. */
  add(piece: Uint8Array): boolean {
    const isWhole = this.length + piece.length <= this.limit
    const taken = isWhole ? piece : piece.subarray(0, this.limit - this.length)
    this.makeRoom(this.length + taken.length)
    this.bytes.set(taken, this.length)
    this.length += taken.length
    return isWhole
  }

  /** Valid until more is added. */
  get view(): Uint8Array {
    return this.bytes.length === this.length ? this.bytes : this.bytes.subarray(0, this.length)
  }

  private makeRoom(needed: number): void {
    if (needed <= this.bytes.length) return
    const room = Math.min(Math.max(needed * 2, FIRST_BYTES), this.limit)
    const larger = Buffer.allocUnsafeSlow(needed <= this.expected ? this.expected : room)
    larger.set(this.view)
    this.bytes = larger
  }
}

export const EMPTY = new Uint8Array(0)
