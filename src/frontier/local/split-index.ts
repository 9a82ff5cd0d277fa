import { HashIndex } from '../../base/hash-index.ts'

const PARTS = 256
/** The first eight bits of a hash choose the part; inside a part the last ones count. */
const PART_SHIFT = 24
const SPLIT_FROM = 1 << 15

/**
 * A hash index in parts, each of which grows alone: with many ids, no single step costs much more than the others. A
 * small one is a single part.
 */
export class SplitIndex {
  private parts: HashIndex[]
  private mask: number

  constructor(expected = 0) {
    const isSplit = expected >= SPLIT_FROM
    const each = isSplit ? Math.ceil((expected / PARTS) * 1.02) : expected
    this.parts = Array.from({ length: isSplit ? PARTS : 1 }, () => new HashIndex(each))
    this.mask = this.parts.length - 1
  }

  /** The part that a hash belongs to; see {@link HashIndex}. */
  part(hash: number): HashIndex {
    return this.parts[(hash >>> PART_SHIFT) & this.mask]!
  }

  /** The same, with room for one more. */
  roomyPart(hash: number): HashIndex {
    if (this.mask === 0 && this.parts[0]!.filled >= SPLIT_FROM) this.split()
    const part = this.part(hash)
    part.reserve(1)
    return part
  }

  /** Puts an id where its hash belongs; the caller knows that it is not there. */
  add(hash: number, id: number): void {
    const part = this.roomyPart(hash)
    let place = part.search(hash)
    while (place >= 0) place = part.searchOn(place, hash)
    part.fill(place, hash, id)
  }

  /** Reads the places where these hashes begin, so that the waits for memory overlap. The sum keeps it from being optimised away. */
  readAhead(hashes: Int32Array, count: number): number {
    let sum = 0
    for (let i = 0; i < count; i++) {
      const { pairs } = this.part(hashes[i]!)
      sum = (sum + pairs[(hashes[i]! << 1) & (pairs.length - 1)]!) | 0
    }
    return sum
  }

  private split(): void {
    const { pairs } = this.parts[0]!
    this.parts = Array.from({ length: PARTS }, () => new HashIndex())
    this.mask = PARTS - 1
    for (let place = 0; place < pairs.length; place += 2) {
      if (pairs[place + 1] !== 0) this.add(pairs[place]!, pairs[place + 1]!)
    }
  }
}
