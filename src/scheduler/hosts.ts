import type { Batch } from './batch.ts'
import { PIECE_BYTES, type Pieces, SPARE_BYTES, type Stretch } from './pieces.ts'
import { CELL, type StoreMemory } from './store-memory.ts'
import { StoreIndex, StoreTable } from './store-tables.ts'

/** A known host's number, counted from 1 in the order in which the hosts became known; 0 means "none". */
export type HostId = number

/**
 * A host's record is two cache lines. The first belongs to the kernel (`kernel/hosts.ts`), but for its first four words; those
 * and the second line belong to the host's lists. So finding a host brings all of it into the cache.
 */
export const HOST_WORDS = 32
/** Less than most crawls have. */
const URLS_PER_HOST = 32

/** The known hosts, found by name. A host stays until all are forgotten. */
export class Hosts {
  private readonly memory: StoreMemory
  private readonly pieces: Pieces
  private readonly records: StoreTable
  private readonly index: StoreIndex
  /** Names that are too long for a record go here, from the kernel's cell on; all of these are given back together. */
  private longNames: Stretch[] = []

  /** Each URL may have a host of its own, and records that are not used cost nothing: so these seldom move. */
  constructor(pieces: Pieces, expectedUrls: number) {
    this.memory = pieces.memory
    this.pieces = pieces
    this.records = new StoreTable(pieces, 'host records', (64 + expectedUrls) * HOST_WORDS)
    this.index = new StoreIndex(pieces, 'host index', expectedUrls / URLS_PER_HOST)
  }

  /** How many hosts are known; their ids run from 1 to this. */
  get known(): HostId {
    return this.memory.cells[CELL.hostsKnown]!
  }

  /** The hosts' records, at their id. */
  get words(): Int32Array {
    return this.records.words
  }

  /** Finds the host of each row of a batch; hosts that are new become known. */
  know(batch: Batch): void {
    this.records.reserve((this.known + batch.rows + 1) * HOST_WORDS)
    this.index.reserve(this.known, batch.rows)
    const { kernel } = this.memory
    const longNameBytes = kernel.longNameBytes(batch.at, batch.rows)
    if (longNameBytes > 0) this.reserveNames(longNameBytes)
    kernel.know(batch.at, batch.rows)
  }

  /** The host with the name at an address of the memory, or 0. */
  find(hash: number, nameAt: number, length: number): HostId {
    return this.memory.kernel.findHost(hash, nameAt, length)
  }

  name(host: HostId): string {
    return this.nameBytes(host).toString('utf8')
  }

  /** A view of a host's name. */
  nameBytes(host: HostId): Buffer {
    const at = this.memory.kernel.nameAt(host) >>> 0
    return this.memory.bytes.subarray(at, at + this.memory.kernel.nameLength(host))
  }

  clear(): void {
    this.index.clear(this.known)
    this.memory.cells[CELL.hostsKnown] = 0
    for (const { start, end } of this.longNames) this.pieces.drop(start, end - start)
    this.longNames = []
  }

  private reserveNames(bytes: number): void {
    const end = this.longNames.at(-1)?.end ?? 0
    if (this.longNames.length > 0 && this.memory.cells[CELL.namesEnd]! + bytes + SPARE_BYTES <= end) return
    const roomBytes = Math.max(bytes + SPARE_BYTES, PIECE_BYTES)
    const start = this.pieces.table(roomBytes, 'long names')
    this.longNames.push({ start, end: start + roomBytes })
    this.memory.cells[CELL.namesEnd] = start
  }
}
