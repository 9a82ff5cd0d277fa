import { EscalonaError } from '../../base/errors.ts'
import { grown } from '../../base/structures/grow.ts'
import type { LinkId } from './links.ts'
import { words } from './words.ts'

/** A page holds this many places, a place two words: the hash and the link; 0: it is free. */
const PAGE_BITS = 9
const PAGE_PLACES = 1 << PAGE_BITS
const PAGE_WORDS = PAGE_PLACES * 2
const IN_PAGE = PAGE_PLACES - 1
/** Pages are asked for together. */
const CHUNK_BITS = 8
const CHUNK_PAGES = 1 << CHUNK_BITS
/** A part is split when it is full and has this many pages. */
const MOST_PAGES = 16
/** A part gets more pages when it has this many links per page: 90 of 100 places. */
const MOST_IN_PAGE = Math.floor(PAGE_PLACES * 0.9)
/** The last places of a part are for links that find theirs filled: no search begins there. */
const SPARE_PLACES = 64
/** When parts are made for links to come, they get this many, so that hardly one is split. */
const EXPECTED_IN_PART = MOST_IN_PAGE * (MOST_PAGES - 2)
/** The first bits of a fingerprint are known by its part: at least so many, which the hash leaves out. */
const FIRST_BITS = 8
const SIGN = 1 << 31
/** Enough for all links that have a number. Fingerprints that are more alike were made to be. */
const MOST_BITS = 22

/** A part is filled anew from a copy of its places, in one piece, and then copied back to its pages. */
const BEFORE = new Int32Array(MOST_PAGES * PAGE_WORDS)
const AFTER = new Int32Array(MOST_PAGES * PAGE_WORDS)

/**
 * Finds links by their fingerprints. The first bits of a fingerprint choose a part; each part is a hash table with linear
 * probing that grows by two pages at a time, from 8 to 16, and is then split into two. So between 72 and 90 of 100 places
 * are filled at any size, no step takes longer than one part does, and no memory is given back or left over.
 *
 * Hashes are ordered as their homes are, and stand in that order. So a search ends early, even in a table that is nearly
 * full, and a part that grows is copied from one end to the other.
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
  /** Of each part: whether its last place is filled. */
  private isCramped: Uint8Array
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
    const parts = 1 << this.bits
    this.directory = Int32Array.from({ length: parts }, (_, n) => n)
    this.commonBits = new Int32Array(parts).fill(this.bits)
    this.filled = new Int32Array(parts)
    this.pageCounts = new Int32Array(parts)
    this.pages = new Int32Array(parts * MOST_PAGES)
    this.isCramped = new Uint8Array(parts)
    this.lastPart = parts - 1
  }

  /** The link with this fingerprint, or 0. */
  find(low: number, high: number): LinkId {
    const part = this.partOf(high)
    const pageCount = this.pageCounts[part]!
    if (pageCount === 0) return 0
    const hash = hashOf(low, high)
    let place = this.homeOf(hash, part)
    for (let n = place >>> PAGE_BITS; n < pageCount; n++) {
      const page = this.pages[part * MOST_PAGES + n]!
      const chunk = this.chunks[page >>> CHUNK_BITS]!
      const start = startOf(page)
      for (let at = start + 2 * (place & IN_PAGE); at < start + PAGE_WORDS; at += 2) {
        const link = chunk[at + 1]!
        if (link === 0 || chunk[at]! > hash) return 0
        if (chunk[at] === hash && this.isOf(link, low)) return link
      }
      place = 0
    }
    return 0
  }

  /** Adds a link that is not there yet. */
  add(low: number, high: number, link: LinkId): void {
    this.insert(hashOf(low, high), high, link)
  }

  /** Call it when the expected links were added. */
  finishLoading(): void {
    this.isLoading = false
    const { lastPart } = this
    for (let part = 0; part <= lastPart; part++) this.arrange(part)
  }

  private insert(hash: number, high: number, link: LinkId): void {
    let part = this.partOf(high)
    while (this.isFull(part)) {
      this.makeRoom(part, high)
      part = this.partOf(high)
    }
    if (this.isLoading) this.append(hash, link, part)
    else this.put(hash, link, part)
    this.filled[part]!++
  }

  private isFull(part: number): boolean {
    return this.filled[part]! >= this.pageCounts[part]! * MOST_IN_PAGE || this.isCramped[part] === 1
  }

  private partOf(high: number): number {
    return this.directory[high >>> (32 - this.bits)]!
  }

  /** Where the search for a hash begins. */
  private homeOf(hash: number, part: number): number {
    return homeAmong(this.pageCounts[part]! * PAGE_PLACES, hash, this.commonBits[part]!)
  }

  /** Puts a link before the first one with a larger hash; those after it make room. The last place must be free. */
  private put(newHash: number, newLink: LinkId, part: number): void {
    const pageCount = this.pageCounts[part]!
    let hash = newHash
    let link = newLink
    let place = this.homeOf(hash, part)
    for (let n = place >>> PAGE_BITS; n < pageCount; n++) {
      const page = this.pages[part * MOST_PAGES + n]!
      const chunk = this.chunks[page >>> CHUNK_BITS]!
      const start = startOf(page)
      for (let at = start + 2 * (place & IN_PAGE); at < start + PAGE_WORDS; at += 2) {
        const hashThere = chunk[at]!
        const linkThere = chunk[at + 1]!
        if (linkThere !== 0 && hashThere <= hash) continue
        chunk[at] = hash
        chunk[at + 1] = link
        if (linkThere === 0) {
          if (n + 1 === pageCount && at + 2 === start + PAGE_WORDS) this.isCramped[part] = 1
          return
        }
        hash = hashThere
        link = linkThere
      }
      place = 0
    }
  }

  /** While links are loaded: puts one after the others. */
  private append(hash: number, link: LinkId, part: number): void {
    const place = this.filled[part]!
    const page = this.pages[part * MOST_PAGES + (place >>> PAGE_BITS)]!
    const at = startOf(page) + 2 * (place & IN_PAGE)
    this.chunks[page >>> CHUNK_BITS]![at] = hash
    this.chunks[page >>> CHUNK_BITS]![at + 1] = link
  }

  /** Puts the links of a part where they belong, after loading. */
  private arrange(part: number): void {
    const links = this.filled[part]!
    this.copyOut(part)
    const pairs = BEFORE.slice(0, 2 * links)
    for (let n = 0; n < this.pageCounts[part]!; n++) this.wordsOf(part, n).fill(0)
    this.filled[part] = 0
    const firstBits = (this.directory.indexOf(part) >>> (this.bits - FIRST_BITS)) << (32 - FIRST_BITS)
    for (let at = 0; at < pairs.length; at += 2) {
      const hash = pairs[at]!
      this.insert(hash, firstBits | ((hash ^ SIGN) >>> FIRST_BITS), pairs[at + 1]!)
    }
  }

  /** Gives a full part more pages, or splits it. `high`: of one of its fingerprints. */
  private makeRoom(part: number, high: number): void {
    const length = this.copyOut(part)
    if (this.pageCounts[part]! < MOST_PAGES) {
      this.addPage(part)
      if (length > 0 && this.pageCounts[part]! < MOST_PAGES) this.addPage(part)
      if (this.isLoading || this.refill(part, length)) return
    }
    this.split(part, high, length)
  }

  /** Splits a part by the next bit: the links that have it go to a new part. Its pages are divided as its links are. */
  private split(part: number, high: number, length: number): void {
    const other = this.addPart(part, high)
    const bit = 1 << (32 + FIRST_BITS - this.commonBits[part]!)
    let moving = 0
    for (let at = 0; at < length; at += 2) if (BEFORE[at + 1] !== 0 && ((BEFORE[at]! ^ SIGN) & bit) !== 0) moving++
    const staying = pagesFor(this.filled[part]! - moving)
    this.pages.copyWithin(other * MOST_PAGES, part * MOST_PAGES + staying, (part + 1) * MOST_PAGES)
    this.pageCounts[part] = staying
    this.pageCounts[other] = MOST_PAGES - staying
    while (this.pageCounts[other]! < pagesFor(moving)) this.addPage(other)
    if (!this.refill(part, length, bit, 0) || !this.refill(other, length, bit, bit)) throw alike()
  }

  /** Copies the places of a part to `BEFORE`; returns how many words they have. */
  private copyOut(part: number): number {
    const count = this.pageCounts[part]!
    for (let n = 0; n < count; n++) BEFORE.set(this.wordsOf(part, n), n * PAGE_WORDS)
    return count * PAGE_WORDS
  }

  /**
   * Fills a part with the links in `BEFORE`, or with those that have this value at this bit of their hash. It gets as many
   * pages as it needs; returns false when it would need too many.
   */
  private refill(part: number, length: number, bit = 0, value = 0): boolean {
    while (!this.spread(part, length, bit, value)) {
      if (this.pageCounts[part] === MOST_PAGES) return false
      this.addPage(part)
    }
    for (let n = 0; n < this.pageCounts[part]!; n++) {
      this.wordsOf(part, n).set(AFTER.subarray(n * PAGE_WORDS, (n + 1) * PAGE_WORDS))
    }
    this.isCramped[part] = 0
    return true
  }

  /** Returns false when there are too many at the end of the part. */
  private spread(part: number, length: number, bit: number, value: number): boolean {
    const places = this.pageCounts[part]! * PAGE_PLACES
    const common = this.commonBits[part]!
    let filled = 0
    let last = -1
    AFTER.fill(0, 0, 2 * places)
    for (let from = 0; from < length; from += 2) {
      const hash = BEFORE[from]!
      const link = BEFORE[from + 1]!
      if (link === 0 || ((hash ^ SIGN) & bit) !== value) continue
      last = this.isLoading ? last + 1 : Math.max(last + 1, homeAmong(places, hash, common))
      AFTER[2 * last] = hash
      AFTER[2 * last + 1] = link
      filled++
    }
    this.filled[part] = filled
    return last < places - 1
  }

  /** The places of a page of a part. */
  private wordsOf(part: number, n: number): Int32Array {
    const page = this.pages[part * MOST_PAGES + n]!
    const start = startOf(page)
    return this.chunks[page >>> CHUNK_BITS]!.subarray(start, start + PAGE_WORDS)
  }

  /** Makes the part for the second half of the fingerprints of this one. */
  private addPart(part: number, high: number): number {
    const common = this.commonBits[part]! + 1
    if (common > MOST_BITS) throw alike()
    if (common > this.bits) this.doubleDirectory()
    const other = ++this.lastPart
    if (other >= this.filled.length) this.growParts()
    this.commonBits[part] = common
    this.commonBits[other] = common
    const places = 1 << (this.bits - common)
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
    const isCramped = new Uint8Array(this.filled.length)
    isCramped.set(this.isCramped)
    this.isCramped = isCramped
  }

  private addPage(part: number): void {
    const page = ++this.lastPage
    if (page >>> CHUNK_BITS === this.chunks.length) this.chunks.push(new Int32Array(CHUNK_PAGES * PAGE_WORDS))
    this.pages[part * MOST_PAGES + this.pageCounts[part]!] = page
    this.pageCounts[part]!++
  }
}

/** The bits of a fingerprint after the first eight, as a number with a sign that is ordered as they are. */
function hashOf(low: number, high: number): number {
  return ((high << FIRST_BITS) | (low >>> (32 - FIRST_BITS))) ^ SIGN
}

/** The home of a hash among so many places. 16 of the bits that differ are enough for that. */
function homeAmong(places: number, hash: number, commonBits: number): number {
  return Math.imul(((hash ^ SIGN) << (commonBits - FIRST_BITS)) >>> 16, places - SPARE_PLACES) >>> 16
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
  return new EscalonaError('INDEX_FULL', words().alike)
}
