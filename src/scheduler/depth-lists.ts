import { Blocks } from '../base/blocks.ts'
import { HOST_WORDS, type HostId, type Hosts } from './hosts.ts'
import { IN_LINK, Queues } from './queues.ts'
import type { Strategy } from './strategy.ts'
import type { Slot } from './url-store.ts'

/** The words of a host's record that belong to its lists. */
const COUNT = 0
const LOWEST = 1
const DEEP = 2
const DEEP_BITS = 3
const SHALLOW = 16
/** Queues of this depth and more have their ends in a block. */
const DEEP_FROM = 8

const SMALLEST_BITS = 3
/** A host that has run empty keeps a block of at most this size. */
const KEPT_BITS = 5

/**
 * Each host's waiting URLs by depth, then by arrival: a queue a depth. The ends of the queues of the usual depths are in
 * the host's record, those of the deeper ones in a block, at their depth.
 *
 * Adding takes a fixed number of steps. Taking looks for the lowest queue that is not empty, which costs at most one step
 * for each slash of the URL that it finds: less than writing it out. A block has at most twice as many ends as the
 * deepest URL has slashes, and goes back when its host runs empty.
 */
export class DepthLists {
  private readonly hosts: Hosts
  private readonly queues: Queues
  private readonly blocks = new Blocks()

  constructor(hosts: Hosts, expectedSlots: number) {
    this.hosts = hosts
    this.queues = new Queues(expectedSlots)
  }

  /** How many URLs of this host are waiting. */
  count(host: HostId): number {
    return this.hosts.words[host * HOST_WORDS + COUNT]!
  }

  /**
   * Puts each row's slot at the end of its host's queue for its depth; a row without a slot is skipped. Mostly the last
   * link of the queue has room: then the loop calls nothing. The strategy is told of hosts that grew.
   */
  append(hosts: Int32Array, depths: Int32Array, slots: Int32Array, rows: number, strategy: Strategy): void {
    const { words } = this.hosts
    const { queues } = this
    for (let row = 0; row < rows; row++) {
      const slot = slots[row]!
      if (slot === 0) continue
      const host = hosts[row]!
      const depth = depths[row]!
      const at = host * HOST_WORDS
      const count = words[at + COUNT]! + 1
      words[at + COUNT] = count
      if (count === 1 || depth < words[at + LOWEST]!) words[at + LOWEST] = depth
      const queue = at + SHALLOW + 2 * depth
      if (depth < DEEP_FROM && (words[queue + 1]! & IN_LINK) !== 0) {
        queues.cells[words[queue + 1]!] = slot
        words[queue + 1] = words[queue + 1]! + 1
      } else this.push(at, depth, slot)
      if (count === 1 || strategy.wantsAllGrowth) strategy.grew(host, count)
    }
  }

  private push(at: number, depth: number, slot: Slot): void {
    if (depth < DEEP_FROM) this.queues.push(this.hosts.words, at + SHALLOW + 2 * depth, slot)
    else {
      const ends = this.deepEnds(at, depth)
      this.queues.push(this.blocks.words, ends, slot)
    }
  }

  /** Takes at most `max` slots off a host's lists, in order, into `taken` from `from` on; tells how many. */
  take(host: HostId, max: number, taken: Int32Array, from: number): number {
    const { words } = this.hosts
    const at = host * HOST_WORDS
    const wanted = Math.min(max, words[at + COUNT]!)
    if (wanted === 0) return 0
    const end = from + wanted
    let to = from
    let depth = words[at + LOWEST]!
    for (; ; depth++) {
      to =
        depth < DEEP_FROM
          ? this.queues.shift(words, at + SHALLOW + 2 * depth, taken, to, end)
          : this.queues.shift(this.blocks.words, words[at + DEEP]! + 2 * (depth - DEEP_FROM), taken, to, end)
      if (to === end) break
    }
    words[at + LOWEST] = depth
    words[at + COUNT] = words[at + COUNT]! - wanted
    if (words[at + COUNT] === 0 && words[at + DEEP_BITS]! > KEPT_BITS) this.dropDeep(at)
    return wanted
  }

  /** A host's slots in order; nothing leaves. */
  *slotsOf(host: HostId): Iterable<Slot> {
    const { words } = this.hosts
    const at = host * HOST_WORDS
    let left = words[at + COUNT]!
    for (let depth = words[at + LOWEST]!; left > 0; depth++) {
      const slots =
        depth < DEEP_FROM
          ? this.queues.slotsOf(words, at + SHALLOW + 2 * depth)
          : this.queues.slotsOf(this.blocks.words, words[at + DEEP]! + 2 * (depth - DEEP_FROM))
      for (const slot of slots) {
        yield slot
        left--
      }
    }
  }

  clear(): void {
    this.queues.clear()
    this.blocks.clear()
  }

  /** Where the ends of a deep queue are; makes room for them. */
  private deepEnds(at: number, depth: number): number {
    const { words } = this.hosts
    const needed = 2 * (depth - DEEP_FROM) + 2
    if (words[at + DEEP] === 0 || needed > 1 << words[at + DEEP_BITS]!) {
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
    return words[at + DEEP]! + needed - 2
  }

  private dropDeep(at: number): void {
    const { words } = this.hosts
    this.blocks.release(words[at + DEEP]!, words[at + DEEP_BITS]!)
    words[at + DEEP] = 0
    words[at + DEEP_BITS] = 0
  }
}
