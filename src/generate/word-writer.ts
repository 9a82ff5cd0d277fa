import type { Chance } from './chance.ts'
import type { SpreadLaw } from './spread-law.ts'

const LETTERS = 26
const A = 0x61
const MOST_TRIES = 100

/**
 * Writes rows of random words, such that rows with different numbers differ, without remembering any: the first letters
 * of a row are its number, shuffled, in base 26; as many letters as the largest number needs. The others are random.
 */
export class WordWriter {
  private readonly lengths: SpreadLaw
  /** How many letters a number has, and how many numbers those can distinguish. */
  private readonly digits: number
  private readonly texts: number
  private readonly shuffle: Shuffle
  private readonly row: number[] = []

  /** Of `rows` numbers in a row, all are distinguished. */
  constructor(lengths: SpreadLaw, rows: number, chance: Chance) {
    this.lengths = lengths
    let digits = 1
    let texts = LETTERS
    for (; texts < rows; texts *= LETTERS) digits++
    this.digits = digits
    this.texts = texts
    this.shuffle = new Shuffle(texts, chance.share(), chance.share())
  }

  /** Writes the row of this number: this many words with a separator between each two. Returns where it ends. */
  write(bytes: Uint8Array, start: number, number: number, words: number, separator: number, chance: Chance): number {
    this.drawLengths(words, chance)
    let left = this.shuffle.placeOf(number % this.texts)
    let at = start
    let letters = 0
    let random = 0
    for (let word = 0; word < words; word++) {
      if (word > 0) bytes[at++] = separator
      for (let end = at + this.row[word]!; at < end; letters++) {
        if (letters < this.digits) {
          bytes[at++] = A + (left % LETTERS)
          left = Math.floor(left / LETTERS)
          continue
        }
        // Each half of a random number makes a letter.
        random = ((letters ^ this.digits) & 1) === 0 ? chance.next() : random >>> 16
        bytes[at++] = A + (((random & 0xffff) * LETTERS) >>> 16)
      }
    }
    return at
  }

  /** Lengths that have room for the number. Nearly all have; if none is found, the first word gets longer. */
  private drawLengths(words: number, chance: Chance): void {
    const { row } = this
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      let letters = 0
      for (let word = 0; word < words; word++) letters += row[word] = this.lengths.at(chance.next())
      if (letters >= this.digits) return
    }
    row[0] = this.digits
  }
}

/** A number's place in a shuffled order of `size` numbers, computed and not stored: n → (a·n + b) mod size, a bijection. */
export class Shuffle {
  private readonly size: number
  private readonly factor: number
  private readonly start: number

  /** The two shares, from 0 to below 1, choose the order. `size` is at most 2⁴⁶, so that every product is exact. */
  constructor(size: number, factorShare: number, startShare: number) {
    this.size = size
    const largest = Math.min(size, Math.floor(2 ** 53 / size))
    let factor = Math.max(1, Math.floor(largest * (0.3 + 0.4 * factorShare)))
    while (divisor(factor, size) !== 1) factor++
    this.factor = factor
    this.start = Math.floor(size * startShare)
  }

  placeOf(n: number): number {
    return (((this.factor * n) % this.size) + this.start) % this.size
  }
}

/** The greatest common divisor. */
function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}
