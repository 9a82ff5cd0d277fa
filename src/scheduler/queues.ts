import { grown } from '../base/structures/grow.ts'
import type { UrlSlot } from './url-store.ts'

/** A link is a power of two of cells: the first names the next link, the others are slots. */
const LINK = 8
/** The bits of a cell's number that are its place in its link; 0 after the last one, where a new link is needed. */
export const IN_LINK = LINK - 1

/**
 * Any number of queues of slots, in one array. A queue is a chain of short links, so that walking it waits for memory
 * only once in a while. Its two ends are words of the caller's array: the cell of the first slot and the cell after
 * the last one, both 0 when it is empty. Links that run empty wait in a list and are used again.
 */
export class Queues {
  /** See {@link HashIndex.pairs}. */
  cells: Int32Array = new Int32Array(1024)
  private last = 0
  private free = 0

  /** Puts a slot at the end of the queue whose ends are at `ends[queue]`. */
  push(ends: Int32Array, queue: number, slot: UrlSlot): void {
    let tail = ends[queue + 1]!
    if ((tail & IN_LINK) === 0) {
      const link = this.newLink()
      if (tail === 0) ends[queue] = link + 1
      else this.cells[tail - LINK] = link
      tail = link + 1
    }
    this.cells[tail] = slot
    ends[queue + 1] = tail + 1
  }

  /** Takes slots off the front of a queue into `taken`, from `from` to `end` at most; returns where it stopped. */
  shift(ends: Int32Array, queue: number, taken: Int32Array, from: number, end: number): number {
    const { cells } = this
    const tail = ends[queue + 1]!
    if (tail === 0) return from
    let head = ends[queue]!
    let to = from
    while (to < end && head !== tail) {
      taken[to++] = cells[head++]!
      if ((head & IN_LINK) !== 0 || head === tail) continue
      const link = head - LINK
      head = cells[link]! + 1
      this.release(link)
    }
    ends[queue] = head
    if (head === tail) {
      this.release((tail - 1) & ~IN_LINK)
      ends[queue] = 0
      ends[queue + 1] = 0
    }
    return to
  }

  /** A queue's slots in order; nothing leaves. */
  *slotsOf(ends: Int32Array, queue: number): Iterable<UrlSlot> {
    const tail = ends[queue + 1]!
    for (let head = ends[queue]!; head !== tail; ) {
      yield this.cells[head++]!
      if ((head & IN_LINK) === 0 && head !== tail) head = this.cells[head - LINK]! + 1
    }
  }

  clear(): void {
    if (this.last * 8 < this.cells.length) this.cells = new Int32Array(Math.max(1024, this.last))
    this.last = 0
    this.free = 0
  }

  private newLink(): number {
    const link = this.free
    if (link !== 0) {
      this.free = this.cells[link]!
      return link
    }
    this.last += LINK
    if (this.last + LINK > this.cells.length) this.cells = grown(this.cells, this.last + LINK)
    return this.last
  }

  private release(link: number): void {
    this.cells[link] = this.free
    this.free = link
  }
}
