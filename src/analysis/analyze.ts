import { AccessMaps, type IdMap, type PhaseBand } from './access-map.ts'
import type { LogFile } from './log-file.ts'
import type { AccessSink } from './log-parser.ts'
import { LogRanges } from './log-ranges.ts'
import { StackDistances, type StackResult } from './stack-distances.ts'

export interface Analysis {
  readonly accesses: number
  /** Whether the log has its last line. */
  readonly isWhole: boolean
  /** Words are counted from here. */
  readonly lowestAddress: number
  readonly highestAddress: number
  /** The stack distances of each phase and id that occurs, rising. */
  readonly stacks: readonly StackResult[]
  /** One for each id that occurs, rising. */
  readonly maps: readonly IdMap[]
  readonly bands: readonly PhaseBand[]
}

/**
 * Everything that is to be known of a log. It is read twice: first for the lowest address and the ranges of the pictures,
 * then for all the rest. Pauses now and then, telling the share that is done.
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

/** One of the two readings. */
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
