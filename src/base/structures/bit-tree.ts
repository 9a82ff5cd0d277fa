import { grown } from './grow.ts'

const LEVELS = 6

/**
 * A set of small whole numbers that finds the next one in a fixed number of steps: level 0 has one bit per number, each level above it one bit for
 * every non-zero word of the one below.
 */
export class BitTree {
  private readonly levels: Int32Array[] = Array.from({ length: LEVELS }, () => new Int32Array(1))

  add(n: number): void {
    let at = n
    for (let level = 0; level < LEVELS; level++) {
      let words = this.levels[level]!
      const w = at >>> 5
      if (w >= words.length) words = this.levels[level] = grown(words, w)
      const before = words[w]!
      words[w] = before | (1 << (at & 31))
      if (before !== 0) return
      at = w
    }
  }

  delete(n: number): void {
    let at = n
    for (const words of this.levels) {
      const w = at >>> 5
      if (w >= words.length || (words[w]! &= ~(1 << (at & 31))) !== 0) return
      at = w
    }
  }

  has(n: number): boolean {
    return ((this.levels[0]![n >>> 5] ?? 0) & (1 << (n & 31))) !== 0
  }

  /** Or -1. */
  firstFrom(from: number): number {
    let at = from
    for (let level = 0; level < LEVELS; level++) {
      const w = at >>> 5
      const words = this.levels[level]!
      const bits = w < words.length ? words[w]! & (-1 << (at & 31)) : 0
      if (bits !== 0) return this.lowestUnder(level, w * 32 + lowestBit(bits))
      at = w + 1
    }
    return -1
  }

  clear(): void {
    for (let level = 0; level < LEVELS; level++) this.levels[level] = new Int32Array(1)
  }

  private lowestUnder(level: number, at: number): number {
    let lowest = at
    for (let below = level - 1; below >= 0; below--) lowest = lowest * 32 + lowestBit(this.levels[below]![lowest]!)
    return lowest
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}
