import { EscalonaError } from '../base/errors.ts'

/** How far beyond its end a reader looks. Bytes to be read must be followed by this many others. */
export const READ_AHEAD = 8

/** Numbers of few bits each, packed from the lowest bit of each byte up. */
export class BitWriter {
  bytes = new Uint8Array(256)
  length = 0
  private held = 0
  private heldBits = 0

  clear(): void {
    this.length = 0
    this.held = 0
    this.heldBits = 0
  }

  /** The lowest `count` bits of a number, at most 24. */
  put(value: number, count: number): void {
    if (this.length + 4 > this.bytes.length) this.grow()
    let held = this.held | (value << this.heldBits)
    let bits = this.heldBits + count
    while (bits >= 8) {
      this.bytes[this.length++] = held
      held >>>= 8
      bits -= 8
    }
    this.held = held
    this.heldBits = bits
  }

  /** A number from 0 on that is about `2 ** k` on average: its higher bits as zeros before a one, then its `k` lower bits. */
  rice(value: number, k: number): void {
    let high = value >>> k
    const low = value & ((1 << k) - 1)
    if (high + 1 + k <= 24) {
      this.put((1 << high) | (low << (high + 1)), high + 1 + k)
      return
    }
    for (; high >= 24; high -= 24) this.put(0, 24)
    this.put(1 << high, high + 1)
    this.put(low, k)
  }

  /** A number from 1 to 2 ** 24 − 1, most often a small one (Elias gamma): as many zeros as it has bits after its first, then it. */
  gamma(value: number): void {
    const bits = 31 - Math.clz32(value)
    const low = value & ((1 << bits) - 1)
    if (bits <= 11) {
      this.put((1 << bits) | (low << (bits + 1)), 2 * bits + 1)
      return
    }
    this.put(0, bits)
    this.put(1, 1)
    this.put(low, bits)
  }

  /** Fills up the last byte. */
  align(): void {
    if (this.heldBits > 0) this.put(0, 8 - this.heldBits)
  }

  private grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2)
    larger.set(this.bytes)
    this.bytes = larger
  }
}

/** Reads what a {@link BitWriter} wrote. Bytes that are damaged give wrong numbers, or an error, and never an endless loop. */
export class BitReader {
  private bytes: Uint8Array = new Uint8Array(READ_AHEAD)
  private endBit = 0
  private at = 0

  /** `end`: of what may be read; the bytes themselves are {@link READ_AHEAD} longer. */
  open(bytes: Uint8Array, end: number): void {
    this.bytes = bytes
    this.endBit = end * 8
    this.at = 0
  }

  seek(byte: number): void {
    if (byte * 8 > this.endBit) throw new EscalonaError('SEARCH_DAMAGED')
    this.at = byte * 8
  }

  /** The byte behind what was read. */
  get byte(): number {
    return (this.at + 7) >>> 3
  }

  skip(count: number): void {
    this.at += count
  }

  /** At most 24 bits. */
  get(count: number): number {
    if (this.at + count > this.endBit) throw new EscalonaError('SEARCH_DAMAGED')
    const value = this.peek() & ((1 << count) - 1)
    this.at += count
    return value
  }

  rice(k: number): number {
    const word = this.peek()
    const high = 31 - Math.clz32(word & -word)
    if (high < 0 || high + 1 + k > 25) {
      const zeros = this.zeros()
      return (zeros << k) | this.get(k)
    }
    this.at += high + 1 + k
    if (this.at > this.endBit) throw new EscalonaError('SEARCH_DAMAGED')
    return (high << k) | ((word >>> (high + 1)) & ((1 << k) - 1))
  }

  gamma(): number {
    const word = this.peek()
    const bits = 31 - Math.clz32(word & -word)
    if (bits < 0 || bits > 12) {
      const zeros = this.zeros()
      if (zeros > 24) throw new EscalonaError('SEARCH_DAMAGED')
      return (1 << zeros) | this.get(zeros)
    }
    this.at += 2 * bits + 1
    if (this.at > this.endBit) throw new EscalonaError('SEARCH_DAMAGED')
    return (1 << bits) | ((word >>> (bits + 1)) & ((1 << bits) - 1))
  }

  /** Zeros before the next one. */
  private zeros(): number {
    for (let count = 0; ; count += 25) {
      if (this.at >= this.endBit) throw new EscalonaError('SEARCH_DAMAGED')
      const word = this.peek()
      if (word !== 0) {
        const zeros = 31 - Math.clz32(word & -word)
        this.at += zeros + 1
        return count + zeros
      }
      this.at += 25
    }
  }

  /** The next 25 bits. */
  private peek(): number {
    const { bytes, at } = this
    const byte = at >>> 3
    const word = bytes[byte]! | (bytes[byte + 1]! << 8) | (bytes[byte + 2]! << 16) | (bytes[byte + 3]! << 24)
    return (word >>> (at & 7)) & 0x1ffffff
  }
}

/** The best `k` for `count` numbers whose sum is about `sum`. Writer and reader work it out from what both know. */
export function riceOf(sum: number, count: number): number {
  const mean = Math.floor((0.69 * sum) / count)
  return mean < 1 ? 0 : Math.min(24, 31 - Math.clz32(mean))
}
