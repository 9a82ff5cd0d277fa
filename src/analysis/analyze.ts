import { AccessMaps, type IdMap, type PhaseBand } from './access-map.ts'
import type { LogFile } from './log-file.ts'
import type { AccessSink } from './log-parser.ts'
import { LogRanges } from './log-ranges.ts'
import { StackDistances, type StackResult } from './stack-distances.ts'

export interface Analysis {
  readonly accesses: number
  /** Whether the log has its last line. */
  readonly isWhole: boolean
  /** Words are numbered from this address. */
  readonly lowestAddress: number
  readonly highestAddress: number
  /** The stack distances of each phase and id that occurs, in ascending order. */
  readonly stacks: readonly StackResult[]
  /** One map per id that occurs, in ascending order. */
  readonly maps: readonly IdMap[]
  readonly bands: readonly PhaseBand[]
}

/**
 * Analyses a log. It is read twice: first for the lowest address and the ranges of the charts, then for everything else.
 * Pauses now and then, yielding the share that is done.
 */
export function* analyze(log: LogFile): Generator<number, Analysis, void> {
  const ranges = new LogRanges()
  const { accesses, isWhole } = yield* part(log, ranges, 0)
  const distances = new StackDistances(ranges.lowest)
  const maps = new AccessMaps(accesses, ranges)
  yield* part(log, both(distances, maps), 0.5)
  return {
    accesses,
    isWhole,
    lowestAddress: ranges.lowest,
    highestAddress: ranges.highest,
    stacks: distances.results(),
    maps: maps.maps(),
    bands: maps.bands(),
  }
}

/** One of the two passes. */
function* part(log: LogFile, sink: AccessSink, from: number) {
  const reading = log.read(sink)
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
    yield from + value / log.bytes / 2
  }
}

function both(one: AccessSink, other: AccessSink): AccessSink {
  return {
    access(kind, phase, id, address, bytes) {
      one.access(kind, phase, id, address, bytes)
      other.access(kind, phase, id, address, bytes)
    },
  }
}
