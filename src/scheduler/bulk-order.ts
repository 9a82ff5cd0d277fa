import { PIECE_BYTES, type Pieces } from './pieces.ts'
import { CELL, type StoreMemory } from './store-memory.ts'
import type { Strategy } from './strategy.ts'

/** A longest line of nothing but slashes has no more depths. */
const MOST_DEPTHS = 1 << 24

/** `at`: the address of the slots in order; `lastHost` is the host of the last one, where the hosts take turns. */
interface Ordered {
  readonly at: number
  readonly lastHost: number
}

/**
 * The order in which all arrivals leave when all leave at once: made in bulk, by counting and placing, so that no queue is
 * touched. Costs as much as there are arrivals, hosts, and slashes in the deepest URL.
 */
export class BulkOrder {
  private readonly memory: StoreMemory
  private readonly pieces: Pieces
  private scratch = { at: 0, bytes: 0 }

  constructor(pieces: Pieces) {
    this.memory = pieces.memory
    this.pieces = pieces
  }

  /** Whether there is room for it, whatever the depths are. */
  get hasRoom(): boolean {
    const { cells } = this.memory
    const arrived = cells[CELL.arrived]!
    const bytes = bytesFor(arrived, cells[CELL.hostsKnown]!, MOST_DEPTHS) + turnBytes(arrived)
    // There are two tables, and each has whole pieces.
    return this.pieces.hasRoom(bytes + PIECE_BYTES)
  }

  /** Orders the arrivals. The slots can be read until the next URL is added. */
  make(strategy: Strategy): Ordered {
    const { cells, kernel } = this.memory
    const [arrivals, count, hosts] = [cells[CELL.arrivals]!, cells[CELL.arrived]!, cells[CELL.hostsKnown]!]
    const depths = kernel.greatestDepth() + 1
    const placed = this.reserve(bytesFor(count, hosts, depths))
    const starts = placed + 8 * count
    kernel.placeByDepth(starts, depths, placed)
    const ends = starts + 4 * depths
    kernel.placeByHost(placed, count, ends, hosts, arrivals)
    if (strategy.order === 'host by host') return { at: arrivals, lastHost: 0 }

    const isBySize = strategy.order === 'largest first'
    const first = isBySize ? 1 : Math.min(strategy.turns[0]!, hosts + 1)
    const largest = kernel.largestHost(ends, hosts)
    const turns = this.pieces.table(turnBytes(largest), 'order')
    const lastHost = kernel.spread(arrivals, ends, hosts, first, turns, largest, isBySize, placed)
    this.pieces.drop(turns, turnBytes(largest))
    return { at: placed, lastHost }
  }

  /** Gives back the memory in which the last order was made. */
  drop(): void {
    if (this.scratch.bytes > 0) this.pieces.drop(this.scratch.at, this.scratch.bytes)
    this.scratch = { at: 0, bytes: 0 }
  }

  private reserve(bytes: number): number {
    this.drop()
    this.scratch = { at: this.pieces.table(bytes, 'order'), bytes }
    return this.scratch.at
  }
}

/** The arrivals by depth, and cells that count: depths and hosts. */
function bytesFor(arrivals: number, hosts: number, depths: number): number {
  return 8 * arrivals + 4 * (depths + hosts + 1)
}

/** Cells that count turns: as many as the largest host has URLs. */
function turnBytes(largest: number): number {
  return 4 * (largest + 1)
}
