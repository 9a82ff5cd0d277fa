/** Reads what {@link ByteWriter} wrote. Reading past the end throws a RangeError. */
export class ByteReader {
  at: number
  private readonly buffer: Buffer
  private readonly view: DataView
  private end: number

  constructor(buffer: Buffer, at = 0, end = buffer.length) {
    this.buffer = buffer
    this.view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
    this.at = at
    this.end = end
  }

  moveTo(at: number, end: number): void {
    this.at = at
    this.end = end
  }

  get isAtEnd(): boolean {
    return this.at >= this.end
  }

  u8(): number {
    const from = this.move(1)
    return this.buffer[from]!
  }

  u32(): number {
    const from = this.move(4)
    return this.view.getUint32(from, true)
  }

  i32(): number {
    const from = this.move(4)
    return this.view.getInt32(from, true)
  }

  f64(): number {
    const from = this.move(8)
    return this.view.getFloat64(from, true)
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

  /** Not copied. */
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
