import { type Chunk, copyBytes, sameBytes } from '../base/bytes.ts'
import { grown } from '../base/grow.ts'
import { HashIndex } from '../base/hash-index.ts'
import { type ClassicKernel, ROWS } from '../url/classic-kernel.ts'
import { lengthOf, regionAndLength, type Stretch, TextArena } from './text-arena.ts'

/** A URL's number, from 1 up; 0 means "none". */
export type Slot = number

/** The words of a slot: where its text stands; see {@link regionAndLength}. */
const AT = 0
const WHERE = 1
const SLOT_WORDS = 2

/** In AT: the URL has left its list. */
const GONE = 1 << 31
/** In WHERE: the slot is free, and AT names the next one that is. */
const FREE = 0

/** So many URLs may be gone, or so many bytes wasted, before a sweep is worth its while. */
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
  private readonly index: HashIndex
  readonly texts: TextArena
  /** Texts go here, from `end` on. */
  private stretch: Stretch
  private end: number
  private readonly found = new Int32Array(ROWS)
  private readonly knownAt = new Int32Array(ROWS)
  private readonly knownWhere = new Int32Array(ROWS)
  /** See {@link TextArena.readAhead}. */
  protected readSum = 0

  constructor(expectedUrls: number, expectedBytes: number) {
    this.words = new Int32Array((expectedUrls + 1024) * SLOT_WORDS)
    this.index = new HashIndex(expectedUrls)
    this.texts = new TextArena(expectedBytes)
    this.stretch = this.texts.open()
    this.end = this.stretch.start
  }

  /** Adds the URLs of the kernel's rows that are not waiting already. Tells each one's slot; 0 for the others. */
  add(kernel: ClassicKernel, rows: number): Int32Array {
    const { view, at, length, urlHash } = kernel
    const { found, index } = this
    index.reserve(rows)
    index.guess(urlHash, rows, found)
    this.readAheadKnown(rows)
    const shift = this.copyTexts(kernel, rows)
    const first = this.end
    let bytes = 0
    for (let row = 0; row < rows; row++) {
      const hash = urlHash[row]!
      let place = index.search(hash)
      while (place >= 0 && !this.isSame(index.id(place), view, at[row]!, length[row]!)) {
        place = index.searchOn(place, hash)
      }
      if (place >= 0) found[row] = this.comeBack(index.id(place))
      else {
        const slot = this.put(at[row]! + shift, length[row]!)
        index.fill(place, hash, slot)
        found[row] = slot
        bytes += length[row]!
      }
    }
    if (bytes > 0) this.texts.hold(this.stretch.region, first, this.end - first, bytes)
    return found
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

  /** Copies the texts, which stand one behind the other, in one go; tells how far they have moved. */
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

  private put(at: number, length: number): Slot {
    const slot = this.allot()
    this.words[slot * SLOT_WORDS + AT] = at
    this.words[slot * SLOT_WORDS + WHERE] = regionAndLength(this.stretch.region, length)
    this.end = at + length
    this.waiting++
    return slot
  }

  private isGone(slot: Slot): boolean {
    return this.words[slot * SLOT_WORDS + AT]! < 0
  }

  /** A URL that is known and has left its list waits again. Tells its slot, or 0 when it never left. */
  private comeBack(slot: Slot): Slot {
    if (!this.isGone(slot)) return 0
    this.words[slot * SLOT_WORDS + AT] = this.at(slot)
    this.gone--
    this.waiting++
    return slot
  }

  /** These URLs have left their lists. Their texts can be read until the next URL is added. */
  leave(slots: Int32Array, from: number, count: number): void {
    const { words } = this
    for (let i = from; i < from + count; i++) {
      const at = slots[i]! * SLOT_WORDS + AT
      words[at] = words[at]! | GONE
    }
    this.waiting -= count
    this.gone += count
  }

  /** Where the texts of these slots stand, into columns; see {@link regionAndLength}. Tells their bytes in all. */
  locate(slots: Int32Array, count: number, at: Int32Array, where: Int32Array): number {
    const { words } = this
    let bytes = 0
    for (let i = 0; i < count; i++) {
      const slot = slots[i]! * SLOT_WORDS
      at[i] = words[slot + AT]! & ~GONE
      where[i] = words[slot + WHERE]!
      bytes += lengthOf(where[i]!)
    }
    return bytes
  }

  /** A text stands in `chunk(slot)`, from `at(slot)` on, `length(slot)` bytes long. */
  chunk(slot: Slot): Chunk {
    return this.texts.regionOf(this.words[slot * SLOT_WORDS + WHERE]!)
  }

  at(slot: Slot): number {
    return this.words[slot * SLOT_WORDS + AT]! & ~GONE
  }

  length(slot: Slot): number {
    return lengthOf(this.words[slot * SLOT_WORDS + WHERE]!)
  }

  /** Takes back the memory of what is gone, when that is worth its while. */
  sweepIfWorthwhile(): void {
    const isMostlyGone = this.gone > this.waiting + LEAST_GONE
    const isMostlyWaste = this.texts.openBytes > 3 * this.texts.heldBytes + LEAST_WASTED_BYTES
    if (isMostlyGone || isMostlyWaste) this.sweep()
  }

  clear(): void {
    this.index.clear()
    this.last = 0
    this.free = 0
    this.gone = 0
    this.waiting = 0
    this.texts.unholdAll()
    this.texts.releaseAllUnheld()
    this.stretch = this.texts.open()
    this.end = this.stretch.start
  }

  private allot(): Slot {
    if (this.free !== 0) {
      const slot = this.free
      this.free = this.words[slot * SLOT_WORDS + AT]!
      return slot
    }
    const slot = ++this.last
    const end = (slot + 1) * SLOT_WORDS
    if (end > this.words.length) this.words = grown(this.words, end)
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
      this.free = slot
    }
    this.gone = 0
    this.holdAll()
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
