import { closeSync, openSync, readSync } from 'node:fs'
import { type PageLine, parsePageLine } from '../archive/pages-file.ts'
import { grown } from '../base/structures/grow.ts'
import { NEAR_BITS, ones } from '../extract/simhash.ts'
import { newestVisits, type PageLines } from './visits.ts'

/** Up to this many, all pairs are compared. */
const FEW = 48
/** A difference of three bits leaves one of four parts of the bits alone. */
const PARTS = NEAR_BITS + 1
const MOST_KEY_BITS = 16

/**
 * Numbers of 64 bits, and groups of those that differ in few bits. Two numbers that differ in at most three bits have one of four parts of 16 bits in
 * common, so only numbers with a part in common are compared. Where too many have, the bits in which they differ are divided again.
 */
export class NearGroups {
  count = 0
  private high: Int32Array = new Int32Array(1024)
  private low: Int32Array = new Int32Array(1024)
  private parent = new Uint32Array(0)
  private readonly most: number

  /** `most`: how many bits may differ, at most 3. */
  constructor(most = NEAR_BITS) {
    this.most = most
  }

  add(simhash: string): void {
    if (this.count === this.high.length) {
      this.high = grown(this.high, this.count)
      this.low = grown(this.low, this.count)
    }
    this.high[this.count] = Number.parseInt(simhash.slice(0, 8), 16)
    this.low[this.count++] = Number.parseInt(simhash.slice(8), 16)
  }

  /** The groups of two and more, as places in the order of `add`; largest first, then by their first member. Pauses now and then with how much is done, from 0 to 1. */
  *groups(): Generator<number, Uint32Array[], undefined> {
    this.parent = Uint32Array.from({ length: this.count }, (_, at) => at)
    const distinct = this.joinEqual()
    yield* this.join(distinct, 0, 1)
    const sizes = new Uint32Array(this.count)
    for (let at = 0; at < this.count; at++) sizes[this.root(at)]!++
    const groups = new Map<number, { readonly members: Uint32Array; filled: number }>()
    for (let at = 0; at < this.count; at++) {
      const root = this.root(at)
      if (sizes[root]! < 2) continue
      let group = groups.get(root)
      if (group === undefined) groups.set(root, (group = { members: new Uint32Array(sizes[root]!), filled: 0 }))
      group.members[group.filled++] = at
    }
    return [...groups.values()].map(({ members }) => members).sort((a, b) => b.length - a.length || a[0]! - b[0]!)
  }

  distance(a: number, b: number): number {
    return ones(this.high[a]! ^ this.high[b]!) + ones(this.low[a]! ^ this.low[b]!)
  }

  /** Joins equal numbers, which may be very many, and returns one of each. */
  private joinEqual(): Uint32Array {
    const { high, low } = this
    const order = Uint32Array.from({ length: this.count }, (_, at) => at)
    order.sort((a, b) => high[a]! - high[b]! || low[a]! - low[b]! || a - b)
    let kept = 0
    for (const at of order) {
      const last = order[kept - 1]
      if (kept > 0 && high[at] === high[last!] && low[at] === low[last!]) this.parent[at] = last!
      else order[kept++] = at
    }
    return order.subarray(0, kept)
  }

  private *join(some: Uint32Array, done: number, share: number): Generator<number, void, undefined> {
    if (this.most === 0 || this.isOneGroup(some)) return
    if (some.length <= FEW) {
      this.compareAll(some)
      return
    }
    const bits = this.varying(some)
    for (let part = 0; part < PARTS; part++) {
      const [from, to] = [part, part + 1].map(n => Math.floor((n * bits.length) / PARTS)) as [number, number]
      const partShare = share / PARTS
      yield done + part * partShare
      const sorted = this.sortedBy(some, bits.slice(from, Math.min(to, from + MOST_KEY_BITS)))
      for (const bucket of bucketsOf(sorted)) {
        yield done + part * partShare
        yield* this.join(bucket, done + part * partShare, 0)
      }
    }
  }

  private compareAll(some: Uint32Array): void {
    for (let a = 1; a < some.length; a++) {
      for (let b = 0; b < a; b++) {
        if (this.distance(some[a]!, some[b]!) <= this.most) this.unite(some[a]!, some[b]!)
      }
    }
  }

  /** Positions of the bits, from 0 to 63, that are not the same in all of them. */
  private varying(some: Uint32Array): number[] {
    let high = 0
    let low = 0
    for (const at of some) {
      high |= this.high[at]! ^ this.high[some[0]!]!
      low |= this.low[at]! ^ this.low[some[0]!]!
    }
    return Array.from({ length: 64 }, (_, bit) => bit).filter(
      bit => ((bit < 32 ? low >>> bit : high >>> (bit - 32)) & 1) === 1,
    )
  }

  /** Each with its key of these bits: `key * 2^32 + place`, in rising order. */
  private sortedBy(some: Uint32Array, bits: readonly number[]): Float64Array {
    const keyed = new Float64Array(some.length)
    for (const [n, at] of some.entries()) {
      let key = 0
      for (const bit of bits) key = key * 2 + ((bit < 32 ? this.low[at]! >>> bit : this.high[at]! >>> (bit - 32)) & 1)
      keyed[n] = key * 2 ** 32 + at
    }
    return keyed.sort()
  }

  private isOneGroup(some: Uint32Array): boolean {
    const root = this.root(some[0] ?? 0)
    return some.every(at => this.root(at) === root)
  }

  private root(at: number): number {
    const { parent } = this
    let root = at
    while (parent[root] !== root) root = parent[root] = parent[parent[root]!]!
    return root
  }

  /** The earlier one becomes the root. */
  private unite(a: number, b: number): void {
    const [one, other] = [this.root(a), this.root(b)]
    this.parent[Math.max(one, other)] = Math.min(one, other)
  }
}

/** Runs of the same key that have more than one member. */
function* bucketsOf(sorted: Float64Array): Generator<Uint32Array, void, undefined> {
  for (let from = 0; from < sorted.length; ) {
    const key = Math.floor(sorted[from]! / 2 ** 32)
    let to = from + 1
    while (to < sorted.length && Math.floor(sorted[to]! / 2 ** 32) === key) to++
    if (to - from > 1) yield Uint32Array.from(sorted.subarray(from, to), keyed => keyed % 2 ** 32)
    from = to
  }
}

/** A page of a group. */
export interface NearDuplicate {
  /** Groups count from 1, the largest first. */
  readonly group: number
  /** Pages of the group. */
  readonly size: number
  /** In how many bits its simhash differs from that of the first page of its group. */
  readonly distance: number
  readonly url: string
  readonly title: string
  readonly tokens: number
  readonly simhash: string
  readonly dateMs: number
}

export interface NearDuplicateOptions {
  readonly isWanted: (line: PageLine) => boolean
  readonly most: number
}

/** What was found: how many pages have a simhash, and how many have none because they have no words or an earlier version archived them. */
export interface NearDuplicates {
  readonly pages: number
  readonly without: number
  readonly groups: number
  rows(): Generator<NearDuplicate, void, undefined>
}

/** Groups of pages whose words are nearly the same; the newest visit of each page counts. About 40 bytes of memory per page. Pauses with how much is done. */
export function* nearDuplicates(
  lines: PageLines,
  { isWanted, most }: NearDuplicateOptions,
): Generator<number, NearDuplicates, undefined> {
  const isNewest = newestVisits(lines.path, lines.size)
  const found = new NearGroups(most)
  /** Where their lines begin. */
  const places: number[] = []
  let without = 0
  for (const { line, at, end } of lines.read()) {
    if (!isNewest(line, end) || !isWanted(line)) continue
    if (line.simhash === undefined) {
      without++
      continue
    }
    places.push(at)
    found.add(line.simhash)
    yield (end / lines.size) * 0.7
  }
  const finding = found.groups()
  let step = finding.next()
  for (; !step.done; step = finding.next()) yield 0.7 + 0.3 * step.value
  const groups = step.value
  return {
    pages: found.count,
    without,
    groups: groups.length,
    *rows() {
      const file = openSync(lines.path, 'r')
      try {
        for (const [n, group] of groups.entries()) {
          for (const member of group) {
            const line = lineAt(file, places[member]!)
            if (line?.simhash === undefined) continue
            const { url, title, tokens, simhash, dateMs } = line
            const distance = found.distance(group[0]!, member)
            yield { group: n + 1, size: group.length, distance, url, title, tokens, simhash, dateMs }
          }
        }
      } finally {
        closeSync(file)
      }
    },
  }
}

const LINE_BYTES = 1 << 13
const MOST_LINE_BYTES = 1 << 24

/** The line that begins here; undefined when it can't be read any more. */
function lineAt(file: number, at: number): PageLine | undefined {
  for (let bytes = LINE_BYTES; bytes <= MOST_LINE_BYTES; bytes *= 8) {
    const piece = Buffer.allocUnsafe(bytes)
    const text = piece.subarray(0, readSync(file, piece, 0, bytes, at))
    const end = text.indexOf('\n')
    if (end >= 0) return parsePageLine(text.toString('utf8', 0, end))
  }
  return undefined
}
