import type { AccessSink } from './log-parser.ts'

/** The accesses of one id. */
export interface IdRange {
  readonly id: number
  accesses: number
  lowest: number
  highest: number
  readonly used: UsedAddresses
}

/** The ranges of a log, which must be known before it can be drawn. */
export class LogRanges implements AccessSink {
  lowest = Number.POSITIVE_INFINITY
  highest = 0
  private readonly ids: IdRange[] = []

  access(_kind: 'read' | 'write', _phase: number, id: number, address: number): void {
    const range = (this.ids[id] ??= { id, accesses: 0, lowest: address, highest: address, used: new UsedAddresses() })
    range.accesses++
    range.used.add(address)
    if (address < range.lowest) range.lowest = address
    if (address > range.highest) range.highest = address
    if (address < this.lowest) this.lowest = address
    if (address > this.highest) this.highest = address
  }

  /** In ascending order of id. */
  all(): IdRange[] {
    return this.ids.filter(range => range !== undefined)
  }
}

/** A range of addresses that is used, from `from` up to, not including, `to`. */
export interface Segment {
  readonly from: number
  readonly to: number
}

const SMALLEST_PAGE_BYTES = 64
/** With more pages than this, pages are merged into larger ones, so that memory stays bounded. */
const MOST_PAGES = 8192
/** A gap larger than this share of the whole range, from the first address to the last, separates two segments. */
const APART_SHARE = 0.02
const MOST_SEGMENTS = 8

/** Which ranges of its address space a structure uses: a set of pages, which grow as needed. */
export class UsedAddresses {
  private pageBytes = SMALLEST_PAGE_BYTES
  private pages = new Set<number>()
  private last = -1

  add(address: number): void {
    const page = Math.floor(address / this.pageBytes)
    if (page === this.last) return
    this.last = page
    this.pages.add(page)
    while (this.pages.size > MOST_PAGES) {
      this.pageBytes *= 2
      this.pages = new Set(Array.from(this.pages, one => Math.floor(one / 2)))
      this.last = -1
    }
  }

  /** The used ranges, in ascending order; those close together are merged. */
  segments(): Segment[] {
    const pages = Float64Array.from(this.pages).sort()
    if (pages.length === 0) return []
    const spanBytes = (pages.at(-1)! + 1 - pages[0]!) * this.pageBytes
    const gaps: { after: number; pages: number }[] = []
    for (let i = 1; i < pages.length; i++) {
      const between = pages[i]! - pages[i - 1]! - 1
      if (between * this.pageBytes > spanBytes * APART_SHARE) gaps.push({ after: i - 1, pages: between })
    }
    const widest = gaps.sort((a, b) => b.pages - a.pages).slice(0, MOST_SEGMENTS - 1)
    const ends = [...widest.map(({ after }) => after).sort((a, b) => a - b), pages.length - 1]
    return ends.map((end, i) => {
      const first = i === 0 ? 0 : ends[i - 1]! + 1
      return { from: pages[first]! * this.pageBytes, to: (pages[end]! + 1) * this.pageBytes }
    })
  }
}
