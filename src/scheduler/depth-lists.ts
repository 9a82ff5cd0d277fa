import type { Blocks } from '../base/blocks.ts'
import type { RecordId, Records } from '../base/records.ts'

/** A waiting URL. */
export type Slot = RecordId
/** A known host, numbered from 1 in the order in which the hosts became known. */
export type HostId = RecordId

/** The word of a slot's record that threads it into its list: the next slot, 0 for none. */
export const NEXT = 0

/** The words of a host's record that its lists need; a host's other fields come behind them. */
const COUNT = 0
const LISTS = 1
const LISTS_BITS = 2
const LOWEST = 3
export const LIST_WORDS = 4

const SMALLEST_BITS = 3

/**
 * Each host's waiting URLs by depth, then by arrival: one list a depth, threaded through the slots. A host's lists lie
 * in one block of (head, tail) pairs, at their depth.
 *
 * Adding takes a fixed number of steps. Taking looks through the pairs for the lowest list that is not empty, which costs
 * at most one step for each slash of the URL that it finds: less than writing it out. A block is never longer than twice
 * the deepest URL has slashes, and goes back when its host runs empty.
 */
export class DepthLists {
  private readonly hosts: Records
  private readonly slots: Records
  private readonly blocks: Blocks

  constructor(hosts: Records, slots: Records, blocks: Blocks) {
    this.hosts = hosts
    this.slots = slots
    this.blocks = blocks
  }

  /** How many URLs of this host are waiting. */
  count(host: HostId): number {
    return this.hosts.page(host)[this.hosts.at(host) + COUNT]!
  }

  /** Makes a new host's lists empty. */
  open(host: HostId): void {
    const page = this.hosts.page(host)
    const at = this.hosts.at(host)
    page[at + COUNT] = 0
    page[at + LISTS] = 0
    page[at + LISTS_BITS] = 0
  }

  /** Puts a slot at the end of its depth's list; tells how many URLs the host has now. */
  append(host: HostId, depth: number, slot: Slot): number {
    const page = this.hosts.page(host)
    const at = this.hosts.at(host)
    const count = ++page[at + COUNT]!
    if (2 * depth + 2 > 1 << page[at + LISTS_BITS]!) this.widen(page, at, depth)
    if (count === 1 || depth < page[at + LOWEST]!) page[at + LOWEST] = depth

    const lists = this.blocks.pageOf(page[at + LISTS]!)
    const pair = this.blocks.at(page[at + LISTS]!) + 2 * depth
    const tail = lists[pair + 1]!
    this.slots.page(slot)[this.slots.at(slot) + NEXT] = 0
    if (lists[pair] === 0) lists[pair] = slot
    else this.slots.page(tail)[this.slots.at(tail) + NEXT] = slot
    lists[pair + 1] = slot
    return count
  }

  /** Takes at most `max` slots off a host's lists, in order, into `order` from `from` on; tells how many. */
  take(host: HostId, max: number, order: Int32Array, from: number): number {
    const page = this.hosts.page(host)
    const at = this.hosts.at(host)
    const wanted = Math.min(max, page[at + COUNT]!)
    if (wanted === 0) return 0
    const lists = this.blocks.pageOf(page[at + LISTS]!)
    const first = this.blocks.at(page[at + LISTS]!)
    let depth = page[at + LOWEST]!
    for (let taken = 0; taken < wanted; ) {
      while (lists[first + 2 * depth] === 0) depth++
      let slot = lists[first + 2 * depth]!
      while (slot !== 0 && taken < wanted) {
        order[from + taken++] = slot
        slot = this.slots.page(slot)[this.slots.at(slot) + NEXT]!
      }
      lists[first + 2 * depth] = slot
    }
    page[at + LOWEST] = depth
    page[at + COUNT]! -= wanted
    if (page[at + COUNT] === 0) this.narrow(page, at)
    return wanted
  }

  /** A host's slots in order; nothing leaves. */
  *slotsOf(host: HostId): Iterable<Slot> {
    const page = this.hosts.page(host)
    const at = this.hosts.at(host)
    const count = page[at + COUNT]!
    let depth = page[at + LOWEST]!
    for (let seen = 0; seen < count; depth++) {
      const block = page[at + LISTS]!
      let slot = this.blocks.pageOf(block)[this.blocks.at(block) + 2 * depth]!
      for (; slot !== 0; slot = this.slots.page(slot)[this.slots.at(slot) + NEXT]!, seen++) yield slot
    }
  }

  /** Makes room for lists down to this depth. */
  private widen(page: Int32Array, at: number, depth: number): void {
    const bits = Math.max(SMALLEST_BITS, 32 - Math.clz32(2 * depth + 1))
    const block = this.blocks.allot(bits)
    const old = page[at + LISTS]!
    if (old !== 0) {
      const from = this.blocks.at(old)
      const words = this.blocks.pageOf(old).subarray(from, from + (1 << page[at + LISTS_BITS]!))
      this.blocks.pageOf(block).set(words, this.blocks.at(block))
      this.blocks.release(old, page[at + LISTS_BITS]!)
    }
    page[at + LISTS] = block
    page[at + LISTS_BITS] = bits
  }

  /** Gives an empty host's lists back, unless they are so small that keeping them is cheaper. */
  private narrow(page: Int32Array, at: number): void {
    if (page[at + LISTS_BITS]! <= SMALLEST_BITS + 2) return
    this.blocks.release(page[at + LISTS]!, page[at + LISTS_BITS]!)
    page[at + LISTS] = 0
    page[at + LISTS_BITS] = 0
  }
}
