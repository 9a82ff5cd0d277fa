/** Bytes that are written one value after the other; what {@link ByteReader} reads. Numbers are little-endian. */
export class ByteWriter {
  length = 0
  private buffer: Buffer

  constructor(bytes = 1 << 16) {
    this.buffer = Buffer.allocUnsafeSlow(bytes)
  }

  /** What has been written; valid until the next write. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
  }

  u8(value: number): void {
    this.reserve(1)
    this.buffer[this.length++] = value
  }

  u32(value: number): void {
    this.reserve(4)
    this.buffer.writeUInt32LE(value >>> 0, this.length)
    this.length += 4
  }

  f64(value: number): void {
    this.reserve(8)
    this.buffer.writeDoubleLE(value, this.length)
    this.length += 8
  }

  /** A whole number from 0 up, seven bits a byte, the lowest first. */
  varint(value: number): void {
    this.reserve(8)
    let left = value
    while (left >= 0x80) {
      this.buffer[this.length++] = (left % 0x80) + 0x80
      left = Math.floor(left / 0x80)
    }
    this.buffer[this.length++] = left
  }

  /** Bytes behind their length. */
  block(bytes: Uint8Array): void {
    this.varint(bytes.length)
    this.raw(bytes)
  }

  text(text: string): void {
    this.block(Buffer.from(text))
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.buffer.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Writes over four bytes that are there already. */
  patchU32(at: number, value: number): void {
    this.buffer.writeUInt32LE(value >>> 0, at)
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.length + bytes, this.buffer.length * 2))
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }
}
