import { type ByteChunk, copyBytes, newChunk, sameBytes } from '../../../base/structures/bytes.ts'

/** Where a text begins. */
export type Name = number

const CHUNK_BITS = 18
const CHUNK_BYTES = 1 << CHUNK_BITS
const LENGTH_BYTES = 2

/**
 * Short texts one after the other, each preceded by its length (16 bits). Nothing is removed, so a number is enough to
 * find one.
 */
export class NameTable {
  private readonly chunks: ByteChunk[] = []
  private end = 0

  add(from: DataView, start: number, length: number): Name {
    const left = this.chunks.length * CHUNK_BYTES - this.end
    if (left < length + LENGTH_BYTES) {
      this.end = this.chunks.length * CHUNK_BYTES
      this.chunks.push(newChunk(CHUNK_BYTES))
    }
    const name = this.end
    const at = name & (CHUNK_BYTES - 1)
    const { view } = this.chunkOf(name)
    view.setUint16(at, length, true)
    copyBytes(from, start, length, view, at + LENGTH_BYTES)
    this.end += LENGTH_BYTES + length
    return name
  }

  /** A name is the `lengthOf(name)` bytes of `viewOf(name)` from `startOf(name)` on. */
  viewOf(name: Name): DataView {
    return this.chunkOf(name).view
  }

  startOf(name: Name): number {
    return (name & (CHUNK_BYTES - 1)) + LENGTH_BYTES
  }

  lengthOf(name: Name): number {
    return this.chunkOf(name).view.getUint16(name & (CHUNK_BYTES - 1), true)
  }

  textOf(name: Name): string {
    const start = this.startOf(name)
    return this.chunkOf(name).bytes.toString('utf8', start, start + this.lengthOf(name))
  }

  is(name: Name, view: DataView, start: number, length: number): boolean {
    return this.lengthOf(name) === length && sameBytes(this.viewOf(name), this.startOf(name), view, start, length)
  }

  private chunkOf(name: Name): ByteChunk {
    return this.chunks[Math.floor(name / CHUNK_BYTES)]!
  }
}
