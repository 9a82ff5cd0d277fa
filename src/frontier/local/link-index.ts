import { EscalonaError } from '../../base/errors.ts'
import { grown } from '../../base/structures/grow.ts'
import type { LinkId } from './links.ts'
import { words } from './words.ts'

/** A page holds this many places, a place two words: the hash and the link; 0: it is free. */
const PAGE_BITS = 9
const PAGE_PLACES = 1 << PAGE_BITS
const PAGE_WORDS = PAGE_PLACES * 2
/** Pages are asked for together. */
const CHUNK_BITS = 8
const CHUNK_PAGES = 1 << CHUNK_BITS
/** A part is split when it is full and has this many pages. */
const MOST_PAGES = 16
/** A part gets more pages when it has this many links per page: 90 of 100 places. */
const MOST_IN_PAGE = Math.floor(PAGE_PLACES * 0.9)
/** When parts are made for links to come, they get this many, so that hardly one is split. */
const EXPECTED_IN_PART = MOST_IN_PAGE * (MOST_PAGES - 2)
/** The first bits of a fingerprint are known by its part: at least so many, which the hash leaves out. */
const FIRST_BITS = 8
/** Enough for all links that have a number. Fingerprints that are more alike were made to be. */
const MOST_BITS = 22

/** A part is filled anew from a copy of its places, in one piece, and then copied back to its pages. */
const BEFORE = new Int32Array(MOST_PAGES * PAGE_WORDS)
const AFTER = new Int32Array(MOST_PAGES * PAGE_WORDS)

/**
 * Finds links by their fingerprints. The first bits of a fingerprint choose a part; each part is a hash table with linear
 * probing that grows by a page at a time, from 8 pages to 16, and is then split into two. So between 78 and 88 of 100 places
 * are filled at any size, no step takes longer than one part does, and no memory is given back or left over.
 *
 * A place holds 32 bits of the fingerprint; the 8 before them are known by the part, and the other 24 by the link.
 */
export class LinkIndex {
  private chunks: Int32Array[] = []
  private lastPage = -1
  /** The part for the first `bits` bits of a fingerprint; one that was split less often stands here several times. */
  private directory: Int32Array
  private bits = FIRST_BITS
  /** Of each part: how many bits its fingerprints have in common, how many links it has, its pages. */
  private commonBits: Int32Array
  private filled: Int32Array
  private pageCounts: Int32Array
  private pages: Int32Array
  private lastPart: number
  /** While links are loaded, parts are filled from the front, and nothing can be found. */
  private isLoading: boolean
  private readonly isOf: (link: LinkId, low: number) => boolean

  /**
   * `isOf`: whether a link has the last 24 bits of this fingerprint. `expected`: about so many links are loaded first; see
   * {@link finishLoading}.
   */
  constructor(isOf: (link: LinkId, low: number) => boolean, expected = 0) {
    this.isOf = isOf
    this.isLoading = expected > 0
    while (expected / 2 ** this.bits > EXPECTED_IN_PART) this.bits++
    const parts = 2 ** this.bits
    this.directory = Int32Array.from({ length: parts }, (_, n) => n)
    this.commonBits = new Int32Array(parts).fill(this.bits)
    this.filled = new Int32Array(parts)
    this.pageCounts = new Int32Array(parts)
    this.pages = new Int32Array(parts * MOST_PAGES)
    this.lastPart = parts - 1
  }

  /** The link with this fingerprint, or 0. */
  find(low: number, high: number): LinkId {
    const part = this.partOf(high)
    if (this.filled[part] === 0) return 0
    const hash = hashOf(low, high)
    for (let place = this.homeOf(hash, part); ; place = this.nextPage(place, part)) {
      const page = this.pageOf(place, part)
      const chunk = this.chunks[page >>> CHUNK_BITS]!
      const end = endOf(page)
      for (let at = end - 2 * (PAGE_PLACES - (place & (PAGE_PLACES - 1))); at < end; at += 2) {
        const link = chunk[at + 1]!
        if (link === 0) return 0
        if (chunk[at] === hash && this.isOf(link, low)) return link
      }
    }
  }

  /** Adds a link that is not there yet. */
  add(low: number, high: number, link: LinkId): void {
    let part = this.partOf(high)
    while (this.filled[part]! >= this.pageCounts[part]! * MOST_IN_PAGE) {
      this.makeRoom(part, high)
      part = this.partOf(high)
    }
    this.put(hashOf(low, high), link, part)
  }

  /** Call it when the expected links were added. */
  finishLoading(): void {
    this.isLoading = false
    for (let part = 0; part <= this.lastPart; part++) this.refill(part, this.copyOut(part))
  }

  private partOf(high: number): number {
    return this.directory[high >>> (32 - this.bits)]!
  }

  /** Where the search for a hash begins. */
  private homeOf(hash: number, part: number): number {
    return homeAmong(this.pageCounts[part]! * PAGE_PLACES, hash << (this.commonBits[part]! - FIRST_BITS))
  }

  private pageOf(place: number, part: number): number {
    return this.pages[part * MOST_PAGES + (place >>> PAGE_BITS)]!
  }

  /** The first place of the page after that of this place; after the last page comes the first. */
  private nextPage(place: number, part: number): number {
    const n = (place >>> PAGE_BITS) + 1
    return n === this.pageCounts[part] ? 0 : n << PAGE_BITS
  }

  private put(hash: number, link: LinkId, part: number): void {
    const first = this.isLoading ? this.filled[part]! : this.homeOf(hash, part)
    this.filled[part]!++
    for (let place = first; ; place = this.nextPage(place, part)) {
      const page = this.pageOf(place, part)
      const chunk = this.chunks[page >>> CHUNK_BITS]!
      const end = endOf(page)
      for (let at = end - 2 * (PAGE_PLACES - (place & (PAGE_PLACES - 1))); at < end; at += 2) {
        if (chunk[at + 1] !== 0) continue
        chunk[at] = hash
        chunk[at + 1] = link
        return
      }
    }
  }

  /** Gives a full part one more page, or splits it. `high`: of one of its fingerprints. */
  private makeRoom(part: number, high: number): void {
    if (this.pageCounts[part] === MOST_PAGES) {
      this.split(part, high)
      return
    }
    const length = this.copyOut(part)
    this.addPage(part)
    if (length > 0 && this.pageCounts[part]! < MOST_PAGES) this.addPage(part)
    if (!this.isLoading) this.refill(part, length)
  }

  /** Splits a part by the next bit: the links that have it go to a new part. Its pages are divided as its links are. */
  private split(part: number, high: number): void {
    const length = this.copyOut(part)
    const other = this.addPart(part, high)
    const bit = 1 << (32 + FIRST_BITS - this.commonBits[part]!)
    let moving = 0
    for (let at = 0; at < length; at += 2) if (BEFORE[at + 1] !== 0 && (BEFORE[at]! & bit) !== 0) moving++
    const staying = pagesFor(this.filled[part]! - moving)
    this.pages.copyWithin(other * MOST_PAGES, part * MOST_PAGES + staying, (part + 1) * MOST_PAGES)
    this.pageCounts[part] = staying
    this.pageCounts[other] = MOST_PAGES - staying
    while (this.pageCounts[other]! < pagesFor(moving)) this.addPage(other)
    this.refill(part, length, bit, 0)
    this.refill(other, length, bit, bit)
  }

  /** Copies the places of a part to `BEFORE`; returns how many words they have. */
  private copyOut(part: number): number {
    const count = this.pageCounts[part]!
    for (let n = 0; n < count; n++) BEFORE.set(this.wordsOf(part, n), n * PAGE_WORDS)
    return count * PAGE_WORDS
  }

  /** Fills a part with the links in `BEFORE`, or with those that have this value at this bit of their hash. */
  private refill(part: number, length: number, bit = 0, value = 0): void {
    const words = this.pageCounts[part]! * PAGE_WORDS
    const shift = this.commonBits[part]! - FIRST_BITS
    let filled = 0
    AFTER.fill(0, 0, words)
    for (let from = 0; from < length; from += 2) {
      const hash = BEFORE[from]!
      const link = BEFORE[from + 1]!
      if (link === 0 || (hash & bit) !== value) continue
      let at = 2 * homeAmong(words >>> 1, hash << shift)
      while (AFTER[at + 1] !== 0) at = at + 2 === words ? 0 : at + 2
      AFTER[at] = hash
      AFTER[at + 1] = link
      filled++
    }
    for (let at = 0; at < words; at += PAGE_WORDS) {
      this.wordsOf(part, at / PAGE_WORDS).set(AFTER.subarray(at, at + PAGE_WORDS))
    }
    this.filled[part] = filled
  }

  /** The places of a page of a part. */
  private wordsOf(part: number, n: number): Int32Array {
    const page = this.pages[part * MOST_PAGES + n]!
    const end = endOf(page)
    return this.chunks[page >>> CHUNK_BITS]!.subarray(end - PAGE_WORDS, end)
  }

  /** Makes the part for the second half of the fingerprints of this one. */
  private addPart(part: number, high: number): number {
    const common = this.commonBits[part]! + 1
    if (common > MOST_BITS) throw new EscalonaError('INDEX_FULL', words().alike)
    if (common > this.bits) this.doubleDirectory()
    const other = ++this.lastPart
    if (other >= this.filled.length) this.growParts()
    this.commonBits[part] = common
    this.commonBits[other] = common
    const places = 2 ** (this.bits - common)
    const second = ((high >>> (32 - common)) | 1) * places
    this.directory.fill(other, second, second + places)
    return other
  }

  private doubleDirectory(): void {
    const { directory } = this
    this.directory = Int32Array.from({ length: directory.length * 2 }, (_, n) => directory[n >>> 1]!)
    this.bits++
  }

  private growParts(): void {
    const last = this.filled.length
    this.commonBits = grown(this.commonBits, last)
    this.filled = grown(this.filled, last)
    this.pageCounts = grown(this.pageCounts, last)
    this.pages = grown(this.pages, last * MOST_PAGES)
  }

  private addPage(part: number): void {
    const page = ++this.lastPage
    if (page >>> CHUNK_BITS === this.chunks.length) this.chunks.push(new Int32Array(CHUNK_PAGES * PAGE_WORDS))
    this.pages[part * MOST_PAGES + this.pageCounts[part]!] = page
    this.pageCounts[part]!++
  }
}

/** The bits of a fingerprint after the first eight. */
function hashOf(low: number, high: number): number {
  return (high << FIRST_BITS) | (low >>> (32 - FIRST_BITS))
}

/** Where a page ends in its chunk. */
function endOf(page: number): number {
  return ((page & (CHUNK_PAGES - 1)) + 1) * PAGE_WORDS
}

/** The place of a hash, without the bits that all have in common, among so many. 16 bits of it are enough for that. */
function homeAmong(places: number, hash: number): number {
  return Math.imul(hash >>> 16, places) >>> 16
}

/** How many pages a part with this many links has, so that there is room for one more if there can be. */
function pagesFor(links: number): number {
  return Math.min(MOST_PAGES, Math.floor(links / MOST_IN_PAGE) + 1)
}
