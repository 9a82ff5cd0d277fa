import type { AccessSink } from './log-parser.ts'
import type { IdRange, LogRanges, Segment } from './log-ranges.ts'

/** Up to this many accesses per id, each is a point of its own. */
const MOST_POINTS = 5000
/** More are counted in a grid of cells; with fewer cells when there are many ids. */
const GRID = { columns: 600, rows: 150 } as const
const SMALL_GRID = { columns: 240, rows: 80 } as const
const MANY_IDS = 16
const MOST_BANDS = 1000
/** More rows than a grid has, so that the rows of different segments stay apart. */
const ROWS_PER_SEGMENT = 1024

/** Accesses at [access number, address, how many]. */
export type Points = readonly (readonly [number, number, number])[]

/** When and where an id's memory was touched. */
export interface IdMap {
  readonly id: number
  readonly accesses: number
  readonly lowestAddress: number
  readonly highestAddress: number
  /** The ranges of addresses that are used. */
  readonly segments: readonly Segment[]
  readonly reads: Points
  readonly writes: Points
  /** Undefined when every access is a point; otherwise what a cell spans: accesses, and bytes. */
  readonly cell: { readonly accesses: number; readonly bytes: number } | undefined
}

/** A range of access numbers during which the program was mostly in one phase. */
export interface PhaseBand {
  readonly phase: number
  readonly from: number
  readonly to: number
}

/**
 * The access maps of a log: for each id, address against access number, separately for reads and writes. An access is
 * drawn at its first byte. Ten million points can't be drawn, so those of a busy id are counted in cells.
 */
export class AccessMaps implements AccessSink {
  private readonly accesses: number
  private readonly drawings: Drawing[] = []
  private readonly phases: Int32Array[] = []
  private readonly accessesABand: number
  private n = 0

  constructor(accesses: number, ranges: LogRanges) {
    this.accesses = accesses
    this.accessesABand = Math.max(1, Math.ceil(accesses / MOST_BANDS))
    const all = ranges.all()
    const grid = all.length > MANY_IDS ? SMALL_GRID : GRID
    for (const range of all) this.drawings[range.id] = new Drawing(range, accesses, grid)
  }

  access(kind: 'read' | 'write', phase: number, id: number, address: number): void {
    const n = this.n++
    this.drawings[id]!.add(kind, n, address)
    const inPhase = (this.phases[phase] ??= new Int32Array(MOST_BANDS + 1))
    inPhase[Math.floor(n / this.accessesABand)]!++
  }

  maps(): IdMap[] {
    return this.drawings.filter(drawing => drawing !== undefined).map(drawing => drawing.map)
  }

  bands(): PhaseBand[] {
    const bands: { phase: number; from: number; to: number }[] = []
    for (let from = 0, i = 0; from < this.accesses; from += this.accessesABand, i++) {
      let phase = 0
      let most = 0
      for (const [candidate, counts] of this.phases.entries()) {
        if (counts === undefined || counts[i]! <= most) continue
        most = counts[i]!
        phase = candidate
      }
      const to = Math.min(from + this.accessesABand, this.accesses)
      const last = bands.at(-1)
      if (last?.phase === phase) last.to = to
      else bands.push({ phase, from, to })
    }
    return bands
  }
}

/** One id's map while it grows. */
class Drawing {
  private readonly range: IdRange
  private readonly cell: { readonly accesses: number; readonly bytes: number } | undefined
  private readonly columns: number
  private readonly segments: readonly Segment[]
  /** How many accesses, by the number of the cell or one after the other; and where they are. */
  private readonly counts = { read: new Map<number, number>(), write: new Map<number, number>() }
  private readonly points = { read: [] as [number, number, number][], write: [] as [number, number, number][] }

  constructor(range: IdRange, accesses: number, grid: { readonly columns: number; readonly rows: number }) {
    this.range = range
    this.columns = grid.columns
    this.segments = range.used.segments()
    if (range.accesses <= MOST_POINTS) return
    const usedBytes = this.segments.reduce((sum, { from, to }) => sum + to - from, 0)
    this.cell = { accesses: Math.ceil(accesses / grid.columns), bytes: Math.ceil(usedBytes / grid.rows) }
  }

  add(kind: 'read' | 'write', n: number, address: number): void {
    if (this.cell === undefined) {
      this.points[kind].push([n, address, 1])
      return
    }
    const column = Math.floor(n / this.cell.accesses)
    let segment = 0
    while (address >= this.segments[segment]!.to) segment++
    const row = segment * ROWS_PER_SEGMENT + Math.floor((address - this.segments[segment]!.from) / this.cell.bytes)
    const key = row * this.columns + column
    const counts = this.counts[kind]
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }

  get map(): IdMap {
    const { id, accesses, lowest, highest } = this.range
    const [reads, writes] = (['read', 'write'] as const).map(kind => this.pointsOf(kind)) as [Points, Points]
    const { segments, cell } = this
    return { id, accesses, lowestAddress: lowest, highestAddress: highest, segments, reads, writes, cell }
  }

  /** A cell's point is its middle. */
  private pointsOf(kind: 'read' | 'write'): Points {
    const { cell, columns, segments } = this
    if (cell === undefined) return this.points[kind]
    return [...this.counts[kind]].map(([key, count]) => {
      const n = ((key % columns) + 0.5) * cell.accesses
      const row = Math.floor(key / columns)
      const { from } = segments[Math.floor(row / ROWS_PER_SEGMENT)]!
      const address = from + ((row % ROWS_PER_SEGMENT) + 0.5) * cell.bytes
      return [Math.round(n), Math.round(address), count] as const
    })
  }
}
