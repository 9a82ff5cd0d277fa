import { EscalonaError } from '../base/errors.ts'
import type { AccessSink } from './log-parser.ts'
import { LruStack } from './lru-stack.ts'

const WORD_BYTES = 8
/** The most pairs of phase and id: more than any program has, and each costs memory and a picture. */
const MOST_TRACKS = 20_000

export interface StackTotal {
  readonly phase: number
  readonly id: number
  readonly accesses: number
  readonly reads: number
  readonly writes: number
  /** Words touched for the first time; each counts as distance 0. */
  readonly firstTouches: number
  /** All distances added up. */
  readonly total: number
  /** The total per touch. */
  readonly mean: number
}

export interface StackResult {
  readonly total: StackTotal
  /** `counts[d]` is how often distance d occurred. */
  readonly counts: Float64Array
}

/** Rows of [phase, id, distance, count], in ascending order; there may be millions. */
export function* histogramRows(
  results: readonly StackResult[],
): Generator<readonly [phase: number, id: number, distance: number, count: number], void, void> {
  for (const { total, counts } of results) {
    for (const [distance, count] of counts.entries()) if (count > 0) yield [total.phase, total.id, distance, count]
  }
}

/** A phase and an id: its stack, and how often each distance occurred. */
class Track {
  readonly phase: number
  readonly id: number
  readonly stack = new LruStack()
  counts = new Float64Array(64)
  reads = 0

  constructor(phase: number, id: number) {
    this.phase = phase
    this.id = id
  }

  touch(word: number): void {
    const distance = this.stack.touch(word)
    if (distance >= this.counts.length) {
      const larger = new Float64Array(Math.max(distance + 1, this.counts.length * 2))
      larger.set(this.counts)
      this.counts = larger
    }
    this.counts[distance]!++
  }

  get total(): StackTotal {
    const { phase, id, counts, reads } = this
    const accesses = counts.reduce((sum, count) => sum + count, 0)
    const total = counts.reduce((sum, count, distance) => sum + count * distance, 0)
    return {
      phase,
      id,
      accesses,
      reads,
      writes: accesses - reads,
      firstTouches: counts[0]!,
      total,
      mean: total / accesses,
    }
  }
}

/**
 * The stack distances of a log (docs/rules.md, 4.4): one stack per phase and id, of 8-byte words numbered from the lowest address of the
 * log. An access touches only the word that it begins in, even if it is longer, as in the course's tool.
 */
export class StackDistances implements AccessSink {
  private readonly lowest: number
  private readonly tracks: Track[][] = []
  private last: Track | undefined
  private trackCount = 0

  constructor(lowestAddress: number) {
    this.lowest = lowestAddress
  }

  access(kind: 'read' | 'write', phase: number, id: number, address: number): void {
    let track = this.last
    if (track === undefined || track.id !== id || track.phase !== phase) {
      const ofPhase = (this.tracks[phase] ??= [])
      track = this.last = ofPhase[id] ??= this.newTrack(phase, id)
    }
    track.touch(Math.floor((address - this.lowest) / WORD_BYTES))
    if (kind === 'read') track.reads++
  }

  private newTrack(phase: number, id: number): Track {
    if (++this.trackCount <= MOST_TRACKS) return new Track(phase, id)
    throw new EscalonaError('ANALYSIS_TOO_MANY_STACKS', { most: MOST_TRACKS })
  }

  /** One result per phase and id that occurs, in ascending order. */
  results(): StackResult[] {
    return this.inOrder().map(({ total, counts }) => ({ total, counts }))
  }

  private inOrder(): Track[] {
    return this.tracks.flatMap(ofPhase => ofPhase?.filter(track => track !== undefined) ?? [])
  }
}
