import { type Chunk, copyBytes, sameBytes } from '../base/structures/bytes.ts'
import { grown } from '../base/structures/grow.ts'
import { HashIndex } from '../base/structures/hash-index.ts'
import { type ClassicKernel, ROWS } from '../url/classic-kernel.ts'
import { lengthOf, regionAndLength, type Stretch, TextArena } from './text-arena.ts'

/** A URL's number, from 1; 0 means "none". */
export type Slot = number

/** The words of a slot: where its text stands; see {@link regionAndLength}. */
const AT = 0
const WHERE = 1
const SLOT_WORDS = 2

/** In WHERE: the slot is free, and AT names the next one that is. */
const FREE = 0

/** How many URLs may leave at a time. */
export const MOST_LEAVING = 256

/** How many URLs may be gone (or an eighth of all slots), or how many bytes wasted, before a sweep pays off. */
const LEAST_GONE = 1 << 16
const LEAST_WASTED_BYTES = 1 << 26

/**
 * The waiting URLs: where each one's text stands, and an index by hash that finds the same URL again.
 *
 * A URL that leaves its list only counts as gone: leaving touches no index. When more URLs are gone than are waiting, a
 * sweep takes their memory back in one go, and texts that lie thinly scattered move together. So leaving costs a fixed
 * number of steps on average, and memory stays in proportion to what is waiting.
 */
export class UrlStore {
  waiting = 0
  private gone = 0
  private last: Slot = 0
  private free: Slot = 0
  private words: Int32Array
  /** One bit per slot: the URL has left its list. Apart from the words, so that leaving stays in the cache. */
  private leftBits: Int32Array
  private readonly index: HashIndex
  readonly texts: TextArena
  /** Texts go here, from `end` on. */
  private stretch: Stretch
  private end: number
  private readonly found = new Int32Array(ROWS)
  private readonly knownAt = new Int32Array(ROWS)
  private readonly knownWhere = new Int32Array(ROWS)
  /** Where the texts stand of those that left last, and their bytes in all; see {@link locate}. */
  readonly leftAt = new Int32Array(MOST_LEAVING)
  readonly leftWhere = new Int32Array(MOST_LEAVING)
  leftBytes = 0
  /** See {@link TextArena.readAhead}. */
  protected readSum = 0

  constructor(expectedUrls: number, expectedBytes: number) {
    this.words = new Int32Array((expectedUrls + 1024) * SLOT_WORDS)
    this.leftBits = new Int32Array(((expectedUrls + 1024) >> 5) + 1)
    this.index = new HashIndex(expectedUrls)
    this.texts = new TextArena(expectedBytes)
    this.stretch = this.texts.open()
    this.end = this.stretch.start
  }

  /**
   * Adds the URLs of the kernel's rows that are not waiting already. Returns each one's slot; 0 for the others. Most are
   * new: for them the loop calls nothing.
   */
  add(kernel: ClassicKernel, rows: number): Int32Array {
    const { at, length, urlHash } = kernel
    const { found, index } = this
    index.reserve(rows)
    index.guess(urlHash, rows, found)
    this.readAheadKnown(rows)
    const shift = this.copyTexts(kernel, rows)
    const region = this.stretch.region << 24
    const first = this.end
    this.reserve(rows)
    const { words } = this
    const { pairs } = index
    const mask = pairs.length - 1
    let bytes = 0
    let added = 0
    for (let row = 0; row < rows; row++) {
      const hash = urlHash[row]!
      let place = (hash << 1) & mask
      while (pairs[place + 1] !== 0 && pairs[place] !== hash) place = (place + 2) & mask
      if (pairs[place + 1] !== 0) {
        place = this.search(kernel, row, place)
        if (place >= 0) {
          found[row] = this.comeBack(pairs[place + 1]!)
          continue
        }
        place = ~place
      }
      const slot = this.free === 0 ? ++this.last : this.reuse()
      words[slot * SLOT_WORDS + AT] = at[row]! + shift
      words[slot * SLOT_WORDS + WHERE] = region | length[row]!
      pairs[place] = hash
      pairs[place + 1] = slot
      found[row] = slot
      bytes += length[row]!
      this.end = at[row]! + shift + length[row]!
      added++
    }
    index.filled += added
    this.waiting += added
    if (added > 0) this.texts.hold(this.stretch.region, first, this.end - first, bytes)
    return found
  }

  /** From a place with the same hash on, the place of the row's URL; a negative number when it is not there. */
  private search(kernel: ClassicKernel, row: number, from: number): number {
    const { index } = this
    let place = from
    while (place >= 0 && !this.isSame(index.id(place), kernel.view, kernel.at[row]!, kernel.length[row]!)) {
      place = index.searchOn(place, kernel.urlHash[row]!)
    }
    return place
  }

  /** Reads the texts ahead that new ones will be compared with. */
  private readAheadKnown(rows: number): void {
    const { found, knownAt, knownWhere } = this
    let known = 0
    for (let row = 0; row < rows; row++) if (found[row] !== 0) found[known++] = found[row]!
    if (known === 0) return
    this.locate(found, known, knownAt, knownWhere)
    this.readSum = this.texts.readAhead(knownAt, knownWhere, known)
  }

  private isSame(slot: Slot, view: DataView, at: number, length: number): boolean {
    return this.length(slot) === length && sameBytes(this.chunk(slot).view, this.at(slot), view, at, length)
  }

  /** Copies the texts, which stand one after the other, in one go; returns how far they have moved. */
  private copyTexts({ bytes, at, length }: ClassicKernel, rows: number): number {
    const from = at[0]!
    const to = at[rows - 1]! + length[rows - 1]!
    if (this.end + to - from > this.stretch.end) {
      this.texts.releaseUnheld(this.stretch)
      this.stretch = this.texts.open(to - from)
      this.end = this.stretch.start
    }
    this.texts.chunk(this.stretch).bytes.set(bytes.subarray(from, to), this.end)
    return this.end - from
  }

  private isGone(slot: Slot): boolean {
    return ((this.leftBits[slot >> 5]! >> (slot & 31)) & 1) === 1
  }

  /** A URL that is known and has left its list waits again. Returns its slot, or 0 when it never left. */
  private comeBack(slot: Slot): Slot {
    if (!this.isGone(slot)) return 0
    this.leftBits[slot >> 5]! &= ~(1 << (slot & 31))
    this.texts.heldBytes += this.length(slot)
    this.gone--
    this.waiting++
    return slot
  }

  /** These URLs have left their lists. Their texts can be read until the next URL is added. */
  leave(slots: Int32Array, count: number): void {
    const { leftBits } = this
    this.leftBytes = this.locate(slots, count, this.leftAt, this.leftWhere)
    this.texts.heldBytes -= this.leftBytes
    for (let i = 0; i < count; i++) {
      const slot = slots[i]!
      leftBits[slot >> 5] = leftBits[slot >> 5]! | (1 << (slot & 31))
    }
    this.waiting -= count
    this.gone += count
  }

  /**
   * Where the texts of these slots stand, into columns; see {@link regionAndLength}. Returns their bytes in all. Four at a
   * time, so that the waits for memory overlap: the columns must have room for three more.
   */
  locate(slots: Int32Array, count: number, at: Int32Array, where: Int32Array): number {
    const { words } = this
    for (let i = 0; i < count; i += 4) {
      const a = slots[i]! * SLOT_WORDS
      const b = slots[i + 1]! * SLOT_WORDS
      const c = slots[i + 2]! * SLOT_WORDS
      const d = slots[i + 3]! * SLOT_WORDS
      const atA = words[a + AT]!
      const atB = words[b + AT]!
      const atC = words[c + AT]!
      const atD = words[d + AT]!
      at[i] = atA
      at[i + 1] = atB
      at[i + 2] = atC
      at[i + 3] = atD
      where[i] = words[a + WHERE]!
      where[i + 1] = words[b + WHERE]!
      where[i + 2] = words[c + WHERE]!
      where[i + 3] = words[d + WHERE]!
    }
    let bytes = 0
    for (let i = 0; i < count; i++) bytes += lengthOf(where[i]!)
    return bytes
  }

  /** A text stands in `chunk(slot)`, from `at(slot)` on, `length(slot)` bytes long. */
  chunk(slot: Slot): Chunk {
    return this.texts.regionOf(this.words[slot * SLOT_WORDS + WHERE]!)
  }

  at(slot: Slot): number {
    return this.words[slot * SLOT_WORDS + AT]!
  }

  length(slot: Slot): number {
    return lengthOf(this.words[slot * SLOT_WORDS + WHERE]!)
  }

  /** Takes back the memory of what is gone, when that pays off. */
  sweepIfWorthwhile(): void {
    const isMostlyGone = this.gone > this.waiting + Math.max(LEAST_GONE, this.last >> 3)
    const isMostlyWaste = this.texts.openBytes > 3 * this.texts.heldBytes + LEAST_WASTED_BYTES
    if (isMostlyGone || isMostlyWaste) this.sweep()
  }

  clear(): void {
    this.index.clear()
    this.leftBits.fill(0, 0, (this.last >> 5) + 1)
    this.last = 0
    this.free = 0
    this.gone = 0
    this.waiting = 0
    this.texts.unholdAll()
    this.texts.releaseAllUnheld()
    this.stretch = this.texts.open()
    this.end = this.stretch.start
  }

  /** Makes room for this many more slots. */
  private reserve(more: number): void {
    const end = this.last + more + 1
    if (end * SLOT_WORDS > this.words.length) this.words = grown(this.words, end * SLOT_WORDS)
    if (end >> 5 >= this.leftBits.length) this.leftBits = grown(this.leftBits, end >> 5)
  }

  private reuse(): Slot {
    const slot = this.free
    this.free = this.words[slot * SLOT_WORDS + AT]!
    return slot
  }

  private sweep(): void {
    if (this.waiting === 0) {
      this.clear()
      return
    }
    this.index.retain(slot => !this.isGone(slot))
    for (let slot = 1; slot <= this.last; slot++) {
      if (!this.isGone(slot)) continue
      this.words[slot * SLOT_WORDS + WHERE] = FREE
      this.words[slot * SLOT_WORDS + AT] = this.free
      this.leftBits[slot >> 5]! &= ~(1 << (slot & 31))
      this.free = slot
    }
    this.gone = 0
    this.holdAll()
    this.texts.releaseAllUnheld(this.stretch)
    this.gather()
    this.holdAll()
    this.texts.releaseAllUnheld(this.stretch)
  }

  private holdAll(): void {
    this.texts.unholdAll()
    for (let slot = 1; slot <= this.last; slot++) {
      const where = this.words[slot * SLOT_WORDS + WHERE]!
      if (where !== FREE) this.texts.hold(where >>> 24, this.at(slot), lengthOf(where), lengthOf(where))
    }
  }

  /** Moves texts out of pieces that are less than half in use, into fresh ones. */
  private gather(): void {
    let to: Stretch | undefined
    let end = 0
    for (let slot = 1; slot <= this.last; slot++) {
      const where = this.words[slot * SLOT_WORDS + WHERE]!
      if (where === FREE || !this.texts.isSparse(where >>> 24, this.at(slot))) continue
      const length = lengthOf(where)
      if (to === undefined || end + length > to.end) {
        to = this.texts.open(length)
        end = to.start
      }
      copyBytes(this.chunk(slot).view, this.at(slot), length, this.texts.chunk(to).view, end)
      this.words[slot * SLOT_WORDS + AT] = end
      this.words[slot * SLOT_WORDS + WHERE] = regionAndLength(to.region, length)
      end += length
    }
  }
}
