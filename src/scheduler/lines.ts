import type { HostId } from './hosts.ts'
import type { Pieces } from './pieces.ts'
import { CELL, type StoreMemory } from './store-memory.ts'

const BUFFER_BYTES = 1 << 19

/** Two buffers in the store's memory, in which the kernel writes URLs and hosts, one per line: in one, while the other is being used. */
export class Lines {
  private readonly memory: StoreMemory
  private start: number
  private other: number
  private end: number

  constructor(pieces: Pieces) {
    this.memory = pieces.memory
    this.other = pieces.table(BUFFER_BYTES, 'lines')
    this.start = this.end = pieces.table(BUFFER_BYTES, 'lines')
  }

  get isEmpty(): boolean {
    return this.end === this.start
  }

  /** Adds as many as fit of the URLs whose slots are at an address. Returns how many. */
  addUrls(slotsAt: number, count: number): number {
    return this.added(this.memory.kernel.writeLines(slotsAt, count, this.end, this.start + BUFFER_BYTES))
  }

  /** Adds the names of as many hosts as fit, from this one on. Returns how many. */
  addHosts(first: HostId, count: number): number {
    return this.added(this.memory.kernel.writeNames(first, count, this.end, this.start + BUFFER_BYTES))
  }

  /** All lines, which may be used until they are taken again. */
  take(): Buffer {
    const lines = this.memory.bytes.subarray(this.start, this.end)
    const used = this.start
    this.start = this.end = this.other
    this.other = used
    return lines
  }

  private added(count: number): number {
    this.end = this.memory.cells[CELL.linesEnd]!
    return count
  }
}
