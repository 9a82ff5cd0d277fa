import { copyBytes, newChunk, SPARE_BYTES } from './bytes.ts'

/** Fewer are copied one by one. */
const FEW_BYTES = 64

/** What {@link ByteReader} reads. Numbers are little-endian. */
export class ByteWriter {
  length = 0
  private chunk: ReturnType<typeof newChunk>
  private room: number

  constructor(bytes = 1 << 16) {
    this.chunk = newChunk(bytes)
    this.room = bytes
  }

  /** Valid until the next write. */
  get bytes(): Buffer {
    return this.chunk.bytes.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
  }

  u8(value: number): void {
    const at = this.move(1)
    this.chunk.bytes[at] = value
  }

  u32(value: number): void {
    const at = this.move(4)
    this.chunk.view.setUint32(at, value, true)
  }

  u32s(values: Int32Array, count: number): void {
    const at = this.move(4 * count)
    const { view } = this.chunk
    for (let i = 0; i < count; i++) view.setUint32(at + 4 * i, values[i]!, true)
  }

  f64(value: number): void {
    const at = this.move(8)
    this.chunk.view.setFloat64(at, value, true)
  }

  /** Not negative; seven bits per byte, the lowest first. */
  varint(value: number): void {
    let left = value
    while (left >= 0x80) {
      this.u8((left % 0x80) + 0x80)
      left = Math.floor(left / 0x80)
    }
    this.u8(left)
  }

  /** A length, then that many bytes. Up to 3 bytes after them are read, too. */
  block(from: DataView, start: number, length: number): void {
    this.varint(length)
    const at = this.move(length)
    copyBytes(from, start, length, this.chunk.view, at)
  }

  text(text: string): void {
    const length = Buffer.byteLength(text)
    this.varint(length)
    const at = this.move(length)
    this.chunk.bytes.write(text, at)
  }

  raw(bytes: Uint8Array): void {
    const at = this.move(bytes.length)
    this.chunk.bytes.set(bytes, at)
  }

  /** The bytes from `start` to below `end`; unlike `raw`, it makes no object for a few of them. */
  part(bytes: Uint8Array, start: number, end: number): void {
    if (end - start > FEW_BYTES) {
      this.raw(bytes.subarray(start, end))
      return
    }
    const at = this.move(end - start)
    const to = this.chunk.bytes
    for (let i = start; i < end; i++) to[at + i - start] = bytes[i]!
  }

  patchU8(at: number, value: number): void {
    this.chunk.bytes[at] = value
  }

  patchU32(at: number, value: number): void {
    this.chunk.view.setUint32(at, value, true)
  }

  /** Returns where the bytes go. */
  private move(bytes: number): number {
    const at = this.length
    this.length = at + bytes
    if (this.length > this.room) this.grow(at)
    return at
  }

  private grow(kept: number): void {
    const larger = newChunk(Math.max(this.length, this.room * 2))
    this.chunk.bytes.copy(larger.bytes, 0, 0, kept)
    this.chunk = larger
    this.room = larger.bytes.length - SPARE_BYTES
  }
}
