import { Blocks } from '../base/structures/blocks.ts'
import { Heap } from '../base/structures/heap.ts'
import { HOST_WORDS, type HostId, type Hosts } from './hosts.ts'
import { IN_LINK, Queues } from './queues.ts'
import type { Strategy } from './strategy.ts'
import type { UrlSlot, UrlStore } from './url-store.ts'

/** The words of a host's record that belong to its lists. */
const COUNT = 0
const LOWEST = 1
const DEEP = 2
const DEEP_BITS = 3
const SHALLOW = 16
/** Queues of this depth and more have their ends in a block. */
const DEEP_FROM = 8
/** URLs of this depth and more have no queues: they wait in one heap per host. */
const ABYSS = 64

/** A heap's key is a depth times this, plus the arrival: exact in 53 bits for every depth that a line can have. */
const MOST_ARRIVALS = 2 ** 28

const SMALLEST_BITS = 3
/** A host that has run empty keeps a block of at most this size. */
const KEPT_BITS = 5

type Growth = Pick<Strategy, 'wantsAllGrowth' | 'grew'>
type Depths = Pick<UrlStore, 'depth'>

/**
 * Each host's waiting URLs by depth, then by arrival: one queue per depth. The ends of the queues of the usual depths are in
 * the host's record, those of the deeper ones in a block, at their depth. URLs of 64 slashes and more are rare and long:
 * a host's wait in a heap, so that an unused depth costs nothing.
 *
 * Adding takes a fixed number of steps. Taking looks for the lowest queue that is not empty, which costs at most one step
 * for each slash of the URL that it finds: less than writing it out; and so does the heap.
 */
export class DepthLists {
  private readonly hosts: Hosts
  private readonly queues = new Queues()
  private readonly blocks = new Blocks()
  private readonly abysses = new Map<HostId, Heap>()
  /** How many URLs ever came to a heap: of the same depth, later ones come after. */
  private arrivals = 0

  constructor(hosts: Hosts) {
    this.hosts = hosts
  }

  /** How many URLs of this host are waiting. */
  count(host: HostId): number {
    return this.hosts.words[host * HOST_WORDS + COUNT]!
  }

  /**
   * Puts slots, which come as pairs of a slot and its host, at the end of their host's queue for their depth. Mostly the last
   * link of the queue has room: then the loop calls little. The strategy is notified of hosts that grew.
   */
  append(arrivals: Int32Array, depths: Depths, strategy: Growth): void {
    const { words } = this.hosts
    const { queues } = this
    for (let i = 0; i < arrivals.length; i += 2) {
      const slot = arrivals[i]!
      const host = arrivals[i + 1]!
      const depth = depths.depth(slot)
      const at = host * HOST_WORDS
      const count = words[at + COUNT]! + 1
      words[at + COUNT] = count
      if (count === 1 || depth < words[at + LOWEST]!) words[at + LOWEST] = Math.min(depth, ABYSS)
      const queue = at + SHALLOW + 2 * depth
      if (depth < DEEP_FROM && (words[queue + 1]! & IN_LINK) !== 0) {
        queues.cells[words[queue + 1]!] = slot
        words[queue + 1] = words[queue + 1]! + 1
      } else this.push(at, depth, slot)
      if (count === 1 || strategy.wantsAllGrowth) strategy.grew(host, count)
    }
  }

  private push(at: number, depth: number, slot: UrlSlot): void {
    if (depth >= ABYSS) this.pushIntoAbyss(at / HOST_WORDS, depth, slot)
    else if (depth < DEEP_FROM) this.queues.push(this.hosts.words, at + SHALLOW + 2 * depth, slot)
    else {
      const ends = this.deepEnds(at, depth)
      this.queues.push(this.blocks.words, ends, slot)
    }
  }

  /** Takes at most `max` slots off a host's lists, in order, into `taken` from `from` on; returns how many. */
  take(host: HostId, max: number, taken: Int32Array, from: number): number {
    const { words } = this.hosts
    const at = host * HOST_WORDS
    const wanted = Math.min(max, words[at + COUNT]!)
    if (wanted === 0) return 0
    const end = from + wanted
    let to = from
    let depth = words[at + LOWEST]!
    for (; ; depth++) {
      if (depth === ABYSS) to = this.shiftFromAbyss(host, taken, to, end)
      else if (depth < DEEP_FROM) to = this.queues.shift(words, at + SHALLOW + 2 * depth, taken, to, end)
      else if (this.deepEndsAt(at, depth) === 0) depth = ABYSS - 1
      else to = this.queues.shift(this.blocks.words, this.deepEndsAt(at, depth), taken, to, end)
      if (to === end) break
    }
    words[at + LOWEST] = depth
    words[at + COUNT] = words[at + COUNT]! - wanted
    if (words[at + COUNT] === 0 && words[at + DEEP_BITS]! > KEPT_BITS) this.dropDeep(at)
    return wanted
  }

  /** A host's slots in order; nothing leaves. */
  *slotsOf(host: HostId): Iterable<UrlSlot> {
    const { words } = this.hosts
    const at = host * HOST_WORDS
    let left = words[at + COUNT]!
    for (let depth = words[at + LOWEST]!; left > 0 && depth < ABYSS; depth++) {
      for (const slot of this.queueAt(at, depth)) {
        yield slot
        left--
      }
    }
    for (const [, slot] of this.abysses.get(host)?.inOrder() ?? []) yield slot
  }

  private queueAt(at: number, depth: number): Iterable<UrlSlot> {
    if (depth < DEEP_FROM) return this.queues.slotsOf(this.hosts.words, at + SHALLOW + 2 * depth)
    const ends = this.deepEndsAt(at, depth)
    return ends === 0 ? [] : this.queues.slotsOf(this.blocks.words, ends)
  }

  clear(): void {
    this.queues.clear()
    this.blocks.clear()
    this.abysses.clear()
  }

  private pushIntoAbyss(host: HostId, depth: number, slot: UrlSlot): void {
    let abyss = this.abysses.get(host)
    if (abyss === undefined) {
      abyss = new Heap()
      this.abysses.set(host, abyss)
    }
    this.arrivals = (this.arrivals + 1) % MOST_ARRIVALS
    abyss.push(depth * MOST_ARRIVALS + this.arrivals, slot)
  }

  private shiftFromAbyss(host: HostId, taken: Int32Array, from: number, end: number): number {
    const abyss = this.abysses.get(host)!
    let to = from
    for (; to < end && abyss.length > 0; abyss.pop()) taken[to++] = abyss.topId
    if (abyss.length === 0) this.abysses.delete(host)
    return to
  }

  /** Where the ends of a deep queue are; 0 when the block is too short. */
  private deepEndsAt(at: number, depth: number): number {
    const { words } = this.hosts
    const ends = 2 * (depth - DEEP_FROM)
    return words[at + DEEP] !== 0 && ends < 1 << words[at + DEEP_BITS]! ? words[at + DEEP]! + ends : 0
  }

  /** Where the ends of a deep queue are; makes room for them. */
  private deepEnds(at: number, depth: number): number {
    const { words } = this.hosts
    const needed = 2 * (depth - DEEP_FROM) + 2
    if (this.deepEndsAt(at, depth) === 0) {
      const bits = Math.max(SMALLEST_BITS, 32 - Math.clz32(needed - 1))
      const block = this.blocks.allot(bits)
      const old = words[at + DEEP]!
      if (old !== 0) {
        this.blocks.words.copyWithin(block, old, old + (1 << words[at + DEEP_BITS]!))
        this.dropDeep(at)
      }
      words[at + DEEP] = block
      words[at + DEEP_BITS] = bits
    }
    return this.deepEndsAt(at, depth)
  }

  private dropDeep(at: number): void {
    const { words } = this.hosts
    this.blocks.release(words[at + DEEP]!, words[at + DEEP_BITS]!)
    words[at + DEEP] = 0
    words[at + DEEP_BITS] = 0
  }
}
