import { type OrderKeys, orderedPart } from '../../base/structures/ordered-part.ts'
import type { HostColumns } from '../questions/host-columns.ts'
import type { HOST_ORDERS } from '../questions/host-shapes.ts'
import { HostNames, NamePattern } from './host-names.ts'

/** Times are kept in this unit, so that 497 days fit in 32 bits. */
const TIME_UNIT_MS = 10
const MOST = 2 ** 32 - 1
const FEWEST = 1024

/** By which column hosts are sorted; see the question `hosts`. */
export type HostOrder = (typeof HOST_ORDERS)[number]

/** Which hosts to list; see the question `hosts`. */
export interface HostQuery {
  readonly q?: string | undefined
  readonly sort?: HostOrder | undefined
  readonly reverse?: boolean | undefined
  readonly offset: number
  readonly limit: number
}

type Column = Exclude<HostOrder, 'known' | 'name'>

/** Hosts that match a text, in order of discovery, of the first `searched`. */
interface Matching {
  readonly q: string
  readonly searched: number
  readonly hosts: Uint32Array
}

/**
 * All known hosts in columns, about 40 bytes and the name for each: searched and sorted without an object per host. A part of a
 * list of a million takes some milliseconds, and another search some more.
 */
export class HostTable {
  private readonly names = new HostNames()
  private readonly columns: Record<Column, Uint32Array> = newColumns(FEWEST)
  private readonly sinceMs: number
  /** All hosts, and more. */
  private all = new Uint32Array(0)
  /** What was searched for last: for the next part of the same list. */
  private matching: Matching | undefined

  /** `sinceMs`: a Unix time; what was earlier is not distinguished. */
  constructor(sinceMs: number) {
    this.sinceMs = sinceMs
  }

  get count(): number {
    return this.names.count
  }

  /** Adds or updates rows `start` to below `end`. `probably`: which host the first of them may be. */
  take(rows: HostColumns, start: number, end: number, probably: number, failedOf: (host: string) => number): void {
    for (let i = start; i < end; i++) {
      const name = rows.names[i]!
      const host = this.hostOf(name, probably + i - start)
      const { columns } = this
      const waiting = rows.waiting[i]!
      columns.waiting[host] = waiting
      columns.pages[host] = rows.pages[i]!
      columns.delay[host] = rows.delayMs[i]!
      columns.failed[host] = failedOf(name)
      columns.next[host] = waiting === 0 ? 0 : this.timeOf(rows.readyAtMs[i]!)
    }
  }

  /** The names of some hosts, and how many a query found. */
  find({ q = '', sort = 'known', reverse = false, offset, limit }: HostQuery): { names: string[]; total: number } {
    const hosts = this.matchingOf(q.trim())
    const total = hosts.length
    const start = reverse ? Math.max(0, total - offset - limit) : offset
    const end = reverse ? total - offset : offset + limit
    const part = end <= start ? [] : this.partOf(hosts, sort, start, end - start)
    const names = part.map(host => this.names.nameOf(host))
    return { names: reverse ? names.reverse() : names, total }
  }

  private partOf(hosts: Uint32Array, sort: HostOrder, offset: number, limit: number): number[] {
    if (sort === 'known') return [...hosts.subarray(offset, offset + limit)]
    return orderedPart(hosts, sort === 'name' ? this.names : new LargestFirst(this.columns[sort]), offset, limit)
  }

  /** Names never change, so only those that are new are compared. */
  private matchingOf(q: string): Uint32Array {
    if (q === '') {
      if (this.all.length < this.count) this.all = numbersTo(this.columns.waiting.length)
      return this.all.subarray(0, this.count)
    }
    const before = this.matching?.q === q ? this.matching : { q, searched: 0, hosts: new Uint32Array(0) }
    if (before.searched === this.count) return before.hosts
    const more = new NamePattern(q).find(this.names, before.searched)
    const hosts = new Uint32Array(before.hosts.length + more.length)
    hosts.set(before.hosts)
    hosts.set(more, before.hosts.length)
    this.matching = { q, searched: this.count, hosts }
    return hosts
  }

  private hostOf(name: string, probably: number): number {
    const { names } = this
    if (probably < names.count && names.isName(probably, name)) return probably
    const host = names.take(name)
    if (host >= this.columns.waiting.length) this.grow()
    return host
  }

  private timeOf(readyAtMs: number): number {
    if (readyAtMs === 0) return 0
    return Math.min(MOST, Math.max(1, Math.ceil((readyAtMs - this.sinceMs) / TIME_UNIT_MS)))
  }

  private grow(): void {
    const larger = newColumns(this.columns.waiting.length * 2)
    for (const column of Object.keys(larger) as Column[]) {
      larger[column].set(this.columns[column])
      this.columns[column] = larger[column]
    }
  }
}

class LargestFirst implements OrderKeys {
  readonly levels = 2
  private readonly values: Uint32Array

  constructor(values: Uint32Array) {
    this.values = values
  }

  read(level: number, hosts: Uint32Array, digits: Uint16Array): boolean {
    const { values } = this
    const shift = level === 0 ? 16 : 0
    const first = values[hosts[0]!]!
    let difference = 0
    for (let i = 0; i < hosts.length; i++) {
      const value = values[hosts[i]!]!
      difference |= value ^ first
      // All bits are inverted; an array of 16 bits keeps only the lowest.
      digits[i] = ~(value >>> shift)
    }
    return ((difference >>> shift) & 0xffff) === 0
  }

  compare(a: number, b: number): number {
    return this.values[b]! - this.values[a]! || a - b
  }
}

function numbersTo(end: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(end)
  for (let i = 0; i < end; i++) numbers[i] = i
  return numbers
}

function newColumns(hosts: number): Record<Column, Uint32Array> {
  const column = () => new Uint32Array(hosts)
  return { waiting: column(), pages: column(), failed: column(), delay: column(), next: column() }
}
