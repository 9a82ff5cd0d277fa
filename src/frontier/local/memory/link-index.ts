import { EscalonaError } from '../../../base/errors.ts'
import { grown } from '../../../base/structures/grow.ts'
import { LinkGroups } from './link-groups.ts'
import type { LinkId } from './links.ts'

/** A page holds this many slots, a slot two words: the hash and the link; 0: it is free. */
const PAGE_BITS = 9
const PAGE_SLOTS = 1 << PAGE_BITS
const PAGE_WORDS = PAGE_SLOTS * 2
const IN_PAGE = PAGE_SLOTS - 1
/** Pages are asked for together. */
const CHUNK_BITS = 8
const CHUNK_PAGES = 1 << CHUNK_BITS
/** A part is split when it is full and has this many pages. */
const MOST_PAGES = 16
/** A part gets more pages when it has this many links per page: 88 of 100 slots. */
const MOST_IN_PAGE = Math.floor(PAGE_SLOTS * 0.88)
/** Places are searched from the beginning of a line of them. */
const LINE_BITS = 3
const LINE_SLOTS = 1 << LINE_BITS
const MOST_LINES = (MOST_PAGES * PAGE_SLOTS) / LINE_SLOTS
/** The last lines of a part are for links that find theirs filled: no search begins there. */
const SPARE_LINES = 8
/** When parts are made for links to come, they get this many, so that hardly one is split. */
const EXPECTED_IN_PART = MOST_IN_PAGE * (MOST_PAGES - 2)
/** The first bits of a fingerprint are known by its part: at least this many, which the hash leaves out. */
const FIRST_BITS = 8
/** Enough for all links that have a number. Fingerprints that are more alike were made to be. */
const MOST_BITS = 22

/** The words of a part: its pages, how many, how many links, how many bits they have in common, whether its last slot is filled. */
const PAGES = 0
const PAGE_COUNT = MOST_PAGES
const FILLED = MOST_PAGES + 1
const COMMON_BITS = MOST_PAGES + 2
const IS_CRAMPED = MOST_PAGES + 3
const PART_WORDS = MOST_PAGES + 4

/** A part is filled anew from a copy of its slots, in one piece, and then copied back to its pages. */
const BEFORE = new Int32Array(MOST_PAGES * PAGE_WORDS)
const AFTER = new Int32Array(MOST_PAGES * PAGE_WORDS)
const FILLED_IN_LINE = new Uint8Array(MOST_LINES + 1)

/**
 * Finds links by their fingerprints. The first bits of a fingerprint choose a part; each part is a hash table with linear
 * probing that grows by two pages at a time, from 8 to 16, and is then split into two. So between 70 and 88 of 100 slots
 * are filled at any size, no step takes longer than one part does, and no memory is given back or left over.
 *
 * A search begins with a line of eight slots and ends at the first free one. So it reads little, even in a table that is
 * nearly full, and nothing is moved to make room. Lines are ordered as their hashes are, so that a part that grows is copied
 * from one end to the other.
 *
 * A slot holds 32 bits of the fingerprint; the 8 before them are known by the part, and the other 24 by the link.
 */
export class LinkIndex {
  private chunks: Int32Array[] = []
  private lastPage = -1
  /**
   * Where the part for the first `bits` bits of a fingerprint begins in `parts`; one that was split less often is here
   * several times.
   */
  private directory: Int32Array
  private bits = FIRST_BITS
  private parts: Int32Array
  private lastPart: number
  /** While links are loaded, parts are filled from the front, and nothing can be found. */
  private loading: LinkGroups | undefined
  private readonly isOf: (link: LinkId, low: number) => boolean

  /**
   * `isOf`: whether a link has the last 24 bits of this fingerprint. `expected`: about this many links are loaded first; see
   * {@link finishLoading}.
   */
  constructor(isOf: (link: LinkId, low: number) => boolean, expected = 0) {
    this.isOf = isOf
    while (expected / 2 ** this.bits > EXPECTED_IN_PART) this.bits++
    const count = 1 << this.bits
    this.directory = Int32Array.from({ length: count }, (_, n) => n * PART_WORDS)
    this.parts = new Int32Array(count * PART_WORDS)
    for (const part of this.directory) this.parts[part + COMMON_BITS] = this.bits
    this.lastPart = (count - 1) * PART_WORDS
    if (expected > 0)
      this.loading = new LinkGroups(this.bits, (first, pairs, from, to) => this.load(first, pairs, from, to))
  }

  /** The link with this fingerprint, or 0. */
  find(low: number, high: number): LinkId {
    const { parts } = this
    const part = this.partOf(high)
    const hash = hashOf(low, high)
    const pageCount = parts[part + PAGE_COUNT]!
    let slot = this.homeOf(hash, part)
    for (let n = slot >>> PAGE_BITS; n < pageCount; n++) {
      const page = parts[part + PAGES + n]!
      const chunk = this.chunks[page >>> CHUNK_BITS]!
      const start = startOf(page)
      const end = start + PAGE_WORDS
      for (let at = start + 2 * (slot & IN_PAGE); at < end; at += 2) {
        const link = chunk[at + 1]!
        if (link === 0) return 0
        if (chunk[at] === hash && this.isOf(link, low)) return link
      }
      slot = 0
    }
    return 0
  }

  /** The word that a search reads first, if there is one. */
  touch(low: number, high: number): number {
    const part = this.partOf(high)
    if (this.parts[part + PAGE_COUNT] === 0) return 0
    const slot = this.homeOf(hashOf(low, high), part)
    const page = this.parts[part + PAGES + (slot >>> PAGE_BITS)]!
    return this.chunks[page >>> CHUNK_BITS]![startOf(page) + 2 * (slot & IN_PAGE)]!
  }

  /** Adds a link that is not there yet. */
  add(low: number, high: number, link: LinkId): void {
    const hash = hashOf(low, high)
    if (this.loading === undefined) this.put(hash, link, this.partWithRoom(high))
    else this.loading.add(high, hash, link)
  }

  /** Call it when the expected links were added. */
  finishLoading(): void {
    this.loading?.finish()
    this.loading = undefined
    const { lastPart } = this
    for (let part = 0; part <= lastPart; part += PART_WORDS) this.arrange(part)
  }

  /** The part of a fingerprint, with room for one more link, which is counted. */
  private partWithRoom(high: number): number {
    let part = this.partOf(high)
    while (this.isFull(part)) {
      this.makeRoom(part, high)
      part = this.partOf(high)
    }
    this.parts[part + FILLED]!++
    return part
  }

  private isFull(part: number): boolean {
    const { parts } = this
    return parts[part + FILLED]! >= parts[part + PAGE_COUNT]! * MOST_IN_PAGE || parts[part + IS_CRAMPED] === 1
  }

  private partOf(high: number): number {
    return this.directory[high >>> (32 - this.bits)]!
  }

  /** Where the search for a hash begins. */
  private homeOf(hash: number, part: number): number {
    const slots = this.parts[part + PAGE_COUNT]! * PAGE_SLOTS
    return lineAmong(slots / LINE_SLOTS, hash, this.parts[part + COMMON_BITS]!) * LINE_SLOTS
  }

  /** Puts a link at the first free slot of its search. The last slot of the part must be free. */
  private put(hash: number, link: LinkId, part: number): void {
    const { parts } = this
    const pageCount = parts[part + PAGE_COUNT]!
    let slot = this.homeOf(hash, part)
    for (let n = slot >>> PAGE_BITS; n < pageCount; n++) {
      const page = parts[part + PAGES + n]!
      const chunk = this.chunks[page >>> CHUNK_BITS]!
      const start = startOf(page)
      const end = start + PAGE_WORDS
      let at = start + 2 * (slot & IN_PAGE)
      while (at < end && chunk[at + 1] !== 0) at += 2
      if (at < end) {
        chunk[at] = hash
        chunk[at + 1] = link
        if (n + 1 === pageCount && at + 2 === end) parts[part + IS_CRAMPED] = 1
        return
      }
      slot = 0
    }
  }

  /** Puts a group after the other links of its part. Since all before it have 32 links, it fits into one page. */
  private load(first: number, pairs: Int32Array, from: number, to: number): void {
    const { parts } = this
    const part = this.partOf(first)
    const slot = parts[part + FILLED]!
    if (slot === parts[part + PAGE_COUNT]! * PAGE_SLOTS) this.addPage(part)
    const page = parts[part + PAGES + (slot >>> PAGE_BITS)]!
    const chunk = this.chunks[page >>> CHUNK_BITS]!
    const start = startOf(page) + 2 * (slot & IN_PAGE)
    for (let at = from; at < to; at++) chunk[start + at - from] = pairs[at]!
    parts[part + FILLED] = slot + (to - from) / 2
  }

  /** Puts the links of a part where they belong, after loading. */
  private arrange(part: number): void {
    const length = this.copyOut(part)
    while (this.parts[part + PAGE_COUNT]! < pagesFor(this.parts[part + FILLED]!)) this.addPage(part)
    const high = this.directory.indexOf(part) << (32 - this.bits)
    if (!this.refill(part, length)) this.split(part, high, length)
  }

  /** Gives a full part more pages, or splits it. `high`: of one of its fingerprints. */
  private makeRoom(part: number, high: number): void {
    const length = this.copyOut(part)
    if (this.parts[part + PAGE_COUNT]! < MOST_PAGES) {
      this.addPage(part)
      if (length > 0 && this.parts[part + PAGE_COUNT]! < MOST_PAGES) this.addPage(part)
      if (this.refill(part, length)) return
    }
    this.split(part, high, length)
  }

  /** Splits a part by the next bit: the links that have it go to a new part. Its pages are divided as its links are. */
  private split(part: number, high: number, length: number): void {
    const other = this.addPart(part, high)
    const { parts } = this
    const bit = 1 << (32 + FIRST_BITS - parts[part + COMMON_BITS]!)
    let moving = 0
    for (let at = 0; at < length; at += 2) if (BEFORE[at + 1] !== 0 && (BEFORE[at]! & bit) !== 0) moving++
    const staying = pagesFor(parts[part + FILLED]! - moving)
    parts.copyWithin(other + PAGES, part + PAGES + staying, part + PAGES + MOST_PAGES)
    parts[part + PAGE_COUNT] = staying
    parts[other + PAGE_COUNT] = MOST_PAGES - staying
    while (parts[other + PAGE_COUNT]! < pagesFor(moving)) this.addPage(other)
    if (!this.refill(part, length, bit, 0) || !this.refill(other, length, bit, bit)) throw alike()
  }

  /** Copies the slots of a part to `BEFORE`; returns how many words they have. */
  private copyOut(part: number): number {
    const count = this.parts[part + PAGE_COUNT]!
    for (let n = 0; n < count; n++) BEFORE.set(this.wordsOf(part, n), n * PAGE_WORDS)
    return count * PAGE_WORDS
  }

  /**
   * Fills a part with the links in `BEFORE`, or with those that have this value at this bit of their hash. It gets as many
   * pages as it needs; returns false when it would need too many.
   */
  private refill(part: number, length: number, bit = 0, value = 0): boolean {
    while (!this.spread(part, length, bit, value)) {
      if (this.parts[part + PAGE_COUNT] === MOST_PAGES) return false
      this.addPage(part)
    }
    for (let n = 0; n < this.parts[part + PAGE_COUNT]!; n++) {
      this.wordsOf(part, n).set(AFTER.subarray(n * PAGE_WORDS, (n + 1) * PAGE_WORDS))
    }
    this.parts[part + IS_CRAMPED] = 0
    return true
  }

  /** Returns false when there are too many at the end of the part. */
  private spread(part: number, length: number, bit: number, value: number): boolean {
    const lines = (this.parts[part + PAGE_COUNT]! * PAGE_SLOTS) / LINE_SLOTS
    const common = this.parts[part + COMMON_BITS]!
    let filled = 0
    AFTER.fill(0, 0, 2 * lines * LINE_SLOTS)
    FILLED_IN_LINE.fill(0)
    for (let from = 0; from < length; from += 2) {
      const hash = BEFORE[from]!
      const link = BEFORE[from + 1]!
      if (link === 0 || (hash & bit) !== value) continue
      let line = lineAmong(lines, hash, common)
      while (FILLED_IN_LINE[line] === LINE_SLOTS) line++
      const slot = line * LINE_SLOTS + FILLED_IN_LINE[line]!++
      AFTER[2 * slot] = hash
      AFTER[2 * slot + 1] = link
      filled++
    }
    this.parts[part + FILLED] = filled
    return FILLED_IN_LINE[lines - 1]! < LINE_SLOTS
  }

  /** The slots of a page of a part. */
  private wordsOf(part: number, n: number): Int32Array {
    const page = this.parts[part + PAGES + n]!
    const start = startOf(page)
    return this.chunks[page >>> CHUNK_BITS]!.subarray(start, start + PAGE_WORDS)
  }

  /** Makes the part for the second half of the fingerprints of this one. */
  private addPart(part: number, high: number): number {
    const common = this.parts[part + COMMON_BITS]! + 1
    if (common > MOST_BITS) throw alike()
    if (common > this.bits) this.doubleDirectory()
    this.lastPart += PART_WORDS
    const other = this.lastPart
    if (other >= this.parts.length) this.parts = grown(this.parts, this.parts.length)
    this.parts[part + COMMON_BITS] = common
    this.parts[other + COMMON_BITS] = common
    const slots = 1 << (this.bits - common)
    const second = ((high >>> (32 - common)) | 1) * slots
    this.directory.fill(other, second, second + slots)
    return other
  }

  private doubleDirectory(): void {
    const { directory } = this
    this.directory = Int32Array.from({ length: directory.length * 2 }, (_, n) => directory[n >>> 1]!)
    this.bits++
  }

  private addPage(part: number): void {
    if (this.parts[part + PAGE_COUNT] === MOST_PAGES) throw alike()
    const page = ++this.lastPage
    if (page >>> CHUNK_BITS === this.chunks.length) this.chunks.push(new Int32Array(CHUNK_PAGES * PAGE_WORDS))
    this.parts[part + PAGES + this.parts[part + PAGE_COUNT]!] = page
    this.parts[part + PAGE_COUNT]!++
  }
}

/** The bits of a fingerprint after the first eight. */
function hashOf(low: number, high: number): number {
  return (high << FIRST_BITS) | (low >>> (32 - FIRST_BITS))
}

/** The line of a hash among this many. 16 of the bits that differ are enough for that. */
function lineAmong(lines: number, hash: number, commonBits: number): number {
  return Math.imul((hash << (commonBits - FIRST_BITS)) >>> 16, lines - SPARE_LINES) >>> 16
}

/** Where a page begins in its chunk. */
function startOf(page: number): number {
  return (page & (CHUNK_PAGES - 1)) * PAGE_WORDS
}

/** How many pages a part with this many links has, so that there is room for one more if there can be. */
function pagesFor(links: number): number {
  return Math.min(MOST_PAGES, Math.floor(links / MOST_IN_PAGE) + 1)
}

function alike(): EscalonaError {
  return new EscalonaError('INDEX_FULL/alike')
}
