import { hashOf } from './tokens.ts'

/**
 * What a list notes about the words beside a term, for phrases. Each word belongs to a class, by a hash of it. A document that has the term
 * few times has 6 bits for each time: the classes, of eight, before and after. Otherwise there are two sets of classes, those before and
 * those after, as bits, two to four for each time. So few documents without a phrase are taken for ones with it,
 * and none with it is missed.
 *
 * It is kept in pieces of up to 16 bits.
 */
const FEW_TIMES = 4
const FEW_BITS = 3
/** So often, nearly all classes are there. */
const MANY_TIMES = 64
const MOST_CLASSES = 128
const PIECE_BITS = 16
/** Pieces of the longest note. */
export const MOST_PIECES = (2 * MOST_CLASSES) / PIECE_BITS

/** One of the classes that a term belongs to; the same in every index. Where there are fewer, its lowest bits count. */
export function classOf(words: Int32Array, length: number): number {
  return hashOf(words, length, 0) & (MOST_CLASSES - 1)
}

/** Bits of the note about a term that a document has `count` times. */
export function noteBits(count: number): number {
  if (count <= FEW_TIMES) return 2 * FEW_BITS * count
  return count > MANY_TIMES ? 0 : 2 * classesFor(count)
}

/** How many classes are told apart: 16 for up to 8 times, 32 for up to 16, 64 for up to 32, 128 for more. */
function classesFor(count: number): number {
  return Math.min(MOST_CLASSES, 2 << (32 - Math.clz32(count - 1)))
}

/** Adds to a note that a term is between words of these classes, for the `time`th of `count` times. */
export function note(pieces: Int32Array, count: number, time: number, before: number, after: number): void {
  if (count <= FEW_TIMES) {
    const mask = (1 << FEW_BITS) - 1
    const bits = ((before & mask) << FEW_BITS) | (after & mask)
    const at = 2 * FEW_BITS * time
    // 6 bits may be in two pieces.
    const shifted = bits << (at % PIECE_BITS)
    pieces[(at / PIECE_BITS) | 0]! |= shifted & 0xffff
    if (shifted > 0xffff) pieces[((at / PIECE_BITS) | 0) + 1]! |= shifted >>> PIECE_BITS
  } else if (count <= MANY_TIMES) {
    const classes = classesFor(count)
    const [one, other] = [before & (classes - 1), classes + (after & (classes - 1))]
    pieces[one >> 4]! |= 1 << (one & 15)
    pieces[other >> 4]! |= 1 << (other & 15)
  }
}

/** Whether a term may be between words of these classes, by the note about it; a class of -1 is any word. */
export function mayBeBetween(pieces: Int32Array, count: number, before: number, after: number): boolean {
  if (count > MANY_TIMES) return true
  if (count > FEW_TIMES) {
    const classes = classesFor(count)
    const has = (bit: number) => (pieces[bit >> 4]! & (1 << (bit & 15))) !== 0
    return (before < 0 || has(before & (classes - 1))) && (after < 0 || has(classes + (after & (classes - 1))))
  }
  const mask = (1 << FEW_BITS) - 1
  const few = pieces[0]! | (pieces[1]! << PIECE_BITS)
  for (let time = 0; time < count; time++) {
    const bits = few >>> (2 * FEW_BITS * time)
    if (after >= 0 && (bits & mask) !== (after & mask)) continue
    if (before < 0 || ((bits >>> FEW_BITS) & mask) === (before & mask)) return true
  }
  return false
}
