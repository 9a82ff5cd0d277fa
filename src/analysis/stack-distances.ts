import { EscalonaError } from '../base/errors.ts'
import type { AccessSink } from './log-parser.ts'

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

const FEWEST_PLACES = 64
const FULL_SHARE = 0.6

/**
 * The positions of words in a stack ordered by last use: the stack distance. Each touch takes O(log n) steps for n
 * different words, and memory is proportional to n, no matter how many touches there are.
 *
 * Each touch gets a number, its moment. A Fenwick tree over the moments marks those that are the last of a word, so the
 * number of words touched since a word's last touch is a sum over the tree. When the moments run out, the marked ones are
 * renumbered from 1, in order.
 */
export class LruStack {
  /** How many different words there are. */
  size = 0
  private words = new Float64Array(FEWEST_PLACES)
  /** The moment of the last touch of the word at each place; 0 where the place is free. */
  private moments = new Int32Array(FEWEST_PLACES)
  private tree = new Int32Array(2 * FEWEST_PLACES)
  private now = 0
  private last = -1

  /** Returns the word's position in the stack, from 1, before it moves to the top; 0 when it was never touched. */
  touch(word: number): number {
    if (word === this.last) return 1
    this.last = word
    if (this.now + 1 === this.tree.length) this.renumber()
    let place = this.placeOf(word)
    const before = this.moments[place]!
    this.now++
    if (before === 0) {
      if (this.size >= this.words.length * FULL_SHARE) {
        this.growTable()
        place = this.placeOf(word)
      }
      this.words[place] = word
      this.moments[place] = this.now
      this.size++
      this.mark(this.now, 1)
      return 0
    }
    const distance = this.size - this.markedUpTo(before) + 1
    this.mark(before, -1)
    this.mark(this.now, 1)
    this.moments[place] = this.now
    return distance
  }

  private mark(moment: number, by: number): void {
    const { tree } = this
    for (let at = moment; at < tree.length; at += at & -at) tree[at]! += by
  }

  private markedUpTo(moment: number): number {
    const { tree } = this
    let sum = 0
    for (let at = moment; at > 0; at &= at - 1) sum += tree[at]!
    return sum
  }

  /** Where the word is, or where it would go. */
  private placeOf(word: number): number {
    const { words, moments } = this
    const mask = words.length - 1
    let place = hashOf(word) & mask
    while (moments[place] !== 0 && words[place] !== word) place = (place + 1) & mask
    return place
  }

  private growTable(): void {
    const { words, moments } = this
    this.words = new Float64Array(words.length * 2)
    this.moments = new Int32Array(words.length * 2)
    for (let old = 0; old < words.length; old++) {
      if (moments[old] === 0) continue
      const place = this.placeOf(words[old]!)
      this.words[place] = words[old]!
      this.moments[place] = moments[old]!
    }
  }

  /** Takes time proportional to the number of moments; at least half as many touches come before the next time. */
  private renumber(): void {
    const { moments } = this
    const order = this.tree.fill(0)
    for (let place = 0; place < moments.length; place++) if (moments[place] !== 0) order[moments[place]!] = place + 1
    let next = 0
    for (let moment = 1; moment < order.length; moment++) {
      if (order[moment] !== 0) moments[order[moment]! - 1] = ++next
    }
    this.now = next
    const length = Math.max(2 * FEWEST_PLACES, 2 * next + 2)
    this.tree = length > order.length ? new Int32Array(length) : order
    for (let at = 1; at < this.tree.length; at++) {
      const first = at - (at & -at)
      this.tree[at] = Math.max(0, Math.min(at, next) - first)
    }
  }
}

function hashOf(word: number): number {
  let mixed = Math.imul(word | 0, 0x9e3779b1) ^ Math.imul(Math.floor(word / 2 ** 32), 0x85ebca6b)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x2c1b3c6d)
  return mixed ^ (mixed >>> 13)
}
