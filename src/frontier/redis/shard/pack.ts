/** Writes MessagePack: what a script gets. */
export class Packer {
  private bytes: Buffer
  private at = 0

  constructor(bytes = 1 << 13) {
    this.bytes = Buffer.allocUnsafe(bytes)
  }

  /** What was written; a copy. */
  done(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.at))
  }

  /** How many bytes were written. */
  get length(): number {
    return this.at
  }

  /** What another one has written. */
  append({ bytes, at }: Packer): void {
    this.room(at)
    this.bytesOf(bytes, 0, at)
  }

  /** The beginning of a list with this many entries, which follow. */
  list(length: number): this {
    if (length < 16) this.room(1)[this.at++] = 0x90 | length
    else {
      const bytes = this.room(5)
      bytes[this.at] = 0xdd
      bytes.writeUInt32BE(length, this.at + 1)
      this.at += 5
    }
    return this
  }

  number(value: number): this {
    const bytes = this.room(9)
    if (Number.isInteger(value) && value >= 0 && value <= 0xffffffff) {
      if (value < 0x80) bytes[this.at++] = value
      else if (value < 0x10000) {
        bytes[this.at] = 0xcd
        this.at = bytes.writeUInt16BE(value, this.at + 1)
      } else {
        bytes[this.at] = 0xce
        this.at = bytes.writeUInt32BE(value, this.at + 1)
      }
    } else if (value === -1) bytes[this.at++] = 0xff
    else {
      bytes[this.at] = 0xcb
      this.at = bytes.writeDoubleBE(value, this.at + 1)
    }
    return this
  }

  no(): this {
    this.room(1)[this.at++] = 0xc2
    return this
  }

  numbers(...values: readonly number[]): this {
    for (const value of values) this.number(value)
    return this
  }

  text(text: string): this {
    this.room(text.length * 3 + 5)
    // A text of one-byte characters is the usual case: its length is known before it is written.
    const head = text.length < 32 ? 1 : text.length < 0x10000 ? 3 : 5
    const length = this.bytes.write(text, this.at + head)
    if (length === text.length || (head === 3 && length < 0x10000)) {
      this.head(length, head)
      this.at += length
      return this
    }
    return this.raw(Buffer.from(text))
  }

  raw(raw: Uint8Array): this {
    this.room(raw.length + 5)
    this.head(raw.length, raw.length < 32 ? 1 : raw.length < 0x10000 ? 3 : 5)
    this.bytes.set(raw, this.at)
    this.at += raw.length
    return this
  }

  /** A text of 8 bytes: two numbers of 32 bits, little-endian. */
  pair(low: number, high: number): this {
    const bytes = this.room(9)
    bytes[this.at] = 0xa8
    bytes.writeInt32LE(low, this.at + 1)
    this.at = bytes.writeInt32LE(high, this.at + 5)
    return this
  }

  /** The beginning of a text of this many bytes, which follow by the next three. */
  beginText(length: number): void {
    this.room(length + 5)
    this.head(length, length < 32 ? 1 : length < 0x10000 ? 3 : 5)
  }

  byte(value: number): void {
    this.bytes[this.at++] = value
  }

  /** A whole number that is not negative, seven bits per byte, the lowest first. */
  varint(value: number): void {
    let left = value
    for (; left >= 0x80; left = Math.floor(left / 0x80)) this.byte((left % 0x80) + 0x80)
    this.byte(left)
  }

  bytesOf(from: Buffer, start: number, end: number): void {
    this.at += from.copy(this.bytes, this.at, start, end)
  }

  private head(length: number, bytes: number): void {
    if (bytes === 1) this.bytes[this.at] = 0xa0 | length
    else if (bytes === 3) {
      this.bytes[this.at] = 0xda
      this.bytes.writeUInt16BE(length, this.at + 1)
    } else {
      this.bytes[this.at] = 0xdb
      this.bytes.writeUInt32BE(length, this.at + 1)
    }
    this.at += bytes
  }

  private room(more: number): Buffer {
    if (this.at + more > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + more))
      this.bytes.copy(larger, 0, 0, this.at)
      this.bytes = larger
    }
    return this.bytes
  }
}

/** What a script returns. */
export type MsgpackValue = number | boolean | null | Buffer | readonly MsgpackValue[]

/** Reads MessagePack. Texts are views of `bytes`. Throws a RangeError when it ends early or holds what no script returns. */
export function unpack(bytes: Buffer): MsgpackValue {
  const reader = { bytes, at: 0 }
  const value = readValue(reader, 0)
  if (reader.at !== bytes.length) throw new RangeError('bytes are left')
  return value
}

interface Reader {
  readonly bytes: Buffer
  at: number
}

const DEEPEST = 8

function readValue(from: Reader, depth: number): MsgpackValue {
  const { bytes } = from
  const kind = bytes.readUInt8(from.at++)
  if (kind < 0x80) return kind
  if (kind >= 0xe0) return kind - 0x100
  if (kind >= 0xa0 && kind < 0xc0) return readText(from, kind & 31)
  if (kind >= 0x90 && kind < 0xa0) return readList(from, kind & 15, depth)
  if (kind === 0xcb) return bytes.readDoubleBE(skip(from, 8))
  if (kind === 0xcd) return bytes.readUInt16BE(skip(from, 2))
  if (kind === 0xce) return bytes.readUInt32BE(skip(from, 4))
  if (kind === 0xda) return readText(from, bytes.readUInt16BE(skip(from, 2)))
  if (kind === 0xdc) return readList(from, bytes.readUInt16BE(skip(from, 2)), depth)
  if (kind === 0xdd) return readList(from, bytes.readUInt32BE(skip(from, 4)), depth)
  if (kind === 0xdb) return readText(from, bytes.readUInt32BE(skip(from, 4)))
  if (kind === 0xd9) return readText(from, bytes.readUInt8(skip(from, 1)))
  if (kind === 0xcc) return bytes.readUInt8(skip(from, 1))
  if (kind === 0xcf) return Number(bytes.readBigUInt64BE(skip(from, 8)))
  if (kind === 0xd0) return bytes.readInt8(skip(from, 1))
  if (kind === 0xd1) return bytes.readInt16BE(skip(from, 2))
  if (kind === 0xd2) return bytes.readInt32BE(skip(from, 4))
  if (kind === 0xd3) return Number(bytes.readBigInt64BE(skip(from, 8)))
  if (kind === 0xca) return bytes.readFloatBE(skip(from, 4))
  if (kind === 0xc0) return null
  if (kind === 0xc2 || kind === 0xc3) return kind === 0xc3
  throw new RangeError(`an unknown kind: ${kind}`)
}

function skip(from: Reader, bytes: number): number {
  return (from.at += bytes) - bytes
}

function readText(from: Reader, length: number): Buffer {
  const end = from.at + length
  if (end > from.bytes.length) throw new RangeError('a text ends early')
  const text = from.bytes.subarray(from.at, end)
  from.at = end
  return text
}

function readList(from: Reader, length: number, depth: number): MsgpackValue[] {
  if (depth === DEEPEST || length > from.bytes.length - from.at) throw new RangeError('a list ends early')
  const list: MsgpackValue[] = []
  for (let n = 0; n < length; n++) list.push(readValue(from, depth + 1))
  return list
}
