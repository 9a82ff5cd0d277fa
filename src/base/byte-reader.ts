/** Reads what {@link ByteWriter} wrote. Reading past the end throws a RangeError. */
export class ByteReader {
  at: number
  private readonly buffer: Buffer
  private readonly end: number

  constructor(buffer: Buffer, at = 0, end = buffer.length) {
    this.buffer = buffer
    this.at = at
    this.end = end
  }

  get isAtEnd(): boolean {
    return this.at >= this.end
  }

  u8(): number {
    return this.buffer[this.move(1)]!
  }

  u32(): number {
    return this.buffer.readUInt32LE(this.move(4))
  }

  f64(): number {
    return this.buffer.readDoubleLE(this.move(8))
  }

  varint(): number {
    let value = 0
    let unit = 1
    for (;;) {
      const byte = this.u8()
      value += (byte & 0x7f) * unit
      if (byte < 0x80) return value
      unit *= 0x80
    }
  }

  block(): Buffer {
    return this.raw(this.varint())
  }

  text(): string {
    return this.block().toString()
  }

  /** The next so many bytes, not copied. */
  raw(length: number): Buffer {
    const from = this.move(length)
    return this.buffer.subarray(from, from + length)
  }

  private move(bytes: number): number {
    const from = this.at
    if (from + bytes > this.end) throw new RangeError('read past the end')
    this.at += bytes
    return from
  }
}
