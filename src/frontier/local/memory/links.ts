import { LinkIndex } from './link-index.ts'
import { Rows } from './rows.ts'
import { TextOffsets } from './text-offsets.ts'

/** A link's number, from 1 up, in the order in which the links were first seen; 0 means "none". */
export type LinkId = number

export const WAITING = 1
export const TAKEN = 2
export const DONE = 3
export const REFUSED = 4
/** Done, and a page. */
export const PAGE = 5
/** Done, and to be visited again: waits for its time, is due, or is leased for that. See `plans.ts`. */
export const PLANNED = 7

/** Whether a link in this state is in no list, nor leased. */
export function isOver(state: number): boolean {
  return state !== WAITING && state !== TAKEN
}

/** Whether the text of a link in this state may still be read. */
export function needsText(state: number): boolean {
  return state === WAITING || state === TAKEN || state === REFUSED
}

/** 24 bits of the fingerprint, the others being in the index; in the last 8, how far after the text before it its text begins. */
const LOW_AND_STEP = 0
const STEP_BITS = 8
/** The next link of its list; for a refused link, which is in no list, the number of its reason; for a planned one, its visit. */
const NEXT = 1
const LINK_WORDS = 2
const LINK_BITS = 16

/** The bits of a link's byte that hold its state; those above hold how often it was tried, or that it was very often. */
export const STATE_BITS_OF_BYTE = 7
const ATTEMPTS_SHIFT = 3
const MANY_ATTEMPTS = 31

/** States are kept apart, one byte per link, so that a snapshot can copy them. */
const STATE_BITS = 20
const STATE_MASK = (1 << STATE_BITS) - 1

/**
 * Every link ever seen: a 64-bit fingerprint of its URL, where its text is, its state, and the next link of the list that
 * it waits in. 9.5 bytes per link, and about 9.7 for the index that finds it. Links are numbered in the order of the log, so
 * the segment of a link is found by its number.
 */
export class LinkTable {
  last: LinkId = 0
  private rows = new Rows(LINK_WORDS, LINK_BITS)
  private states: Uint8Array[] = []
  /** The chunks of `states` that a snapshot still reads: one is copied before it changes. */
  private keptStates: (Uint8Array | undefined)[] = []
  /** The attempts of links that were tried very often. */
  private manyAttempts = new Map<LinkId, number>()
  private index = this.newIndex()
  private offsets = new TextOffsets()
  /** The segments with links, in order, and the first link of each. */
  private segments: number[] = []
  private firsts: LinkId[] = []
  /** While a copy is being read: the reasons of links that were refused when it was made, and were requeued since. */
  private keptReasons: Map<LinkId, number> | undefined

  find(low: number, high: number): LinkId {
    return this.index.find(low, high)
  }

  /** See {@link FrontierState.readAhead}. */
  touch(low: number, high: number): number {
    return this.index.touch(low, high)
  }

  /**
   * Adds a link that was never seen. Its segment must not be before that of the last link. `next`: what is kept as its next
   * link at first.
   */
  add(low: number, high: number, state: number, segment: number, at: number, next = 0): LinkId {
    const { rows } = this
    const id = ++this.last
    rows.reach(id)
    const isFirst = segment !== this.segments[this.segments.length - 1]
    if (isFirst) this.beginSegment(segment, id)
    const words = rows.chunk(id)
    const row = rows.offset(id)
    words[row + LOW_AND_STEP] = (low << STEP_BITS) | this.offsets.add(id, at, isFirst)
    words[row + NEXT] = next
    this.setByte(id, state)
    this.index.add(low, high, id)
    return id
  }

  /** Whether a link has the last 24 bits of this fingerprint. */
  isOf(id: LinkId, low: number): boolean {
    return (this.rows.get(id, LOW_AND_STEP) ^ (low << STEP_BITS)) >>> STEP_BITS === 0
  }

  state(id: LinkId): number {
    return this.byte(id) & STATE_BITS_OF_BYTE
  }

  /** How many of its tickets were settled without its being done. */
  attempts(id: LinkId): number {
    const attempts = this.byte(id) >> ATTEMPTS_SHIFT
    return attempts === MANY_ATTEMPTS ? this.manyAttempts.get(id)! : attempts
  }

  setAttempts(id: LinkId, attempts: number): void {
    if (attempts >= MANY_ATTEMPTS) this.manyAttempts.set(id, attempts)
    this.setByte(id, this.state(id) | (Math.min(attempts, MANY_ATTEMPTS) << ATTEMPTS_SHIFT))
  }

  segment(id: LinkId): number {
    const { firsts } = this
    let low = 0
    let high = firsts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (firsts[middle]! <= id) low = middle
      else high = middle - 1
    }
    return this.segments[low]!
  }

  /** The offset of its text in its segment. */
  at(id: LinkId): number {
    return this.offsets.of(id, this.rows)
  }

  next(id: LinkId): LinkId {
    return this.rows.get(id, NEXT)
  }

  setNext(id: LinkId, next: LinkId): void {
    this.rows.set(id, NEXT, next)
  }

  /** The link waits from now on, or is leased. */
  setState(id: LinkId, state: typeof WAITING | typeof TAKEN): void {
    this.setByte(id, (this.byte(id) & ~STATE_BITS_OF_BYTE) | state)
  }

  finish(id: LinkId, state: typeof DONE | typeof PAGE | typeof PLANNED): void {
    if (this.manyAttempts.size > 0) this.manyAttempts.delete(id)
    this.setByte(id, state)
  }

  /** Refuses a link that is in no list. It keeps its text and its attempts. */
  refuse(id: LinkId, reason: number): void {
    this.setByte(id, (this.byte(id) & ~STATE_BITS_OF_BYTE) | REFUSED)
    this.setReason(id, reason)
  }

  /** A refused link waits again, as if it had never been tried. */
  requeue(id: LinkId): void {
    if (this.keptReasons !== undefined && !this.keptReasons.has(id)) this.keptReasons.set(id, this.reason(id))
    if (this.manyAttempts.size > 0) this.manyAttempts.delete(id)
    this.setByte(id, WAITING)
  }

  /** The number of a refused link's reason. */
  reason(id: LinkId): number {
    return this.rows.get(id, NEXT)
  }

  /**
   * What a snapshot needs, as it is now; call `letGo` when it is written. The reason of a link that stays refused doesn't
   * change, so only the reasons of links that are requeued meanwhile are copied.
   */
  copy(): LinksCopy {
    const { last, rows } = this
    const copies = [...this.states]
    this.keptStates = copies
    const kept = new Map<LinkId, number>()
    this.keptReasons = kept
    return {
      last,
      // Starts at the first link, which is not the first byte.
      bytes: copies.map((chunk, n) => chunk.subarray(n === 0 ? 1 : 0, last + 1 - n * (STATE_MASK + 1))),
      state: id => copies[id >>> STATE_BITS]![id & STATE_MASK]! & STATE_BITS_OF_BYTE,
      reason: id => kept.get(id) ?? rows.get(id, NEXT),
      manyAttempts: [...this.manyAttempts],
      letGo: () => {
        if (this.keptReasons === kept) this.keptReasons = undefined
        if (this.keptStates === copies) this.keptStates = []
      },
    }
  }

  /** This many links are added now, to none, and none is looked up until {@link finishLoading}. */
  beginLoading(count: number): void {
    this.index = this.newIndex(count)
  }

  finishLoading(): void {
    this.index.finishLoading()
  }

  /** The reason of a link that was added as refused. */
  setReason(id: LinkId, reason: number): void {
    this.rows.set(id, NEXT, reason)
  }

  clear(): void {
    this.last = 0
    this.rows = new Rows(LINK_WORDS, LINK_BITS)
    this.states = []
    this.keptStates = []
    this.manyAttempts = new Map()
    this.index = this.newIndex()
    this.offsets = new TextOffsets()
    this.segments = []
    this.firsts = []
    // Numbers start over: they have nothing to do with those of a copy.
    this.keptReasons = undefined
  }

  private beginSegment(segment: number, first: LinkId): void {
    this.segments.push(segment)
    this.firsts.push(first)
  }

  private newIndex(expected = 0): LinkIndex {
    return new LinkIndex((id, low) => this.isOf(id, low), expected)
  }

  private byte(id: LinkId): number {
    return this.states[id >>> STATE_BITS]![id & STATE_MASK]!
  }

  private setByte(id: LinkId, byte: number): void {
    const n = id >>> STATE_BITS
    const states = this.states[n]
    if (states === undefined || (id & STATE_MASK) >= states.length) this.growStates(n, id & STATE_MASK)
    else if (states === this.keptStates[n]) this.states[n] = states.slice()
    this.states[n]![id & STATE_MASK] = byte
  }

  private growStates(chunk: number, last: number): void {
    const before = this.states[chunk] ?? new Uint8Array(0)
    const larger = new Uint8Array(Math.min(Math.max(last + 1, before.length * 2, 1024), STATE_MASK + 1))
    larger.set(before)
    this.states[chunk] = larger
  }
}

/** The states of the links at one moment, to be written to a snapshot while they change. */
export interface LinksCopy {
  readonly last: LinkId
  /** State and attempts of all links, in order. */
  readonly bytes: readonly Uint8Array[]
  state(id: LinkId): number
  readonly manyAttempts: readonly (readonly [LinkId, number])[]
  reason(id: LinkId): number
  /** Ends the reading of this copy. */
  letGo(): void
}

/** A reason's number, from 0 up, in the order in which the reasons were first given. */
export type ReasonNumber = number

/** Why links are refused: each reason once, with how many links are refused for it now. */
export class Refusals {
  /** How many links are refused, for any reason. */
  count = 0
  readonly reasons: string[] = []
  private readonly numbers = new Map<string, ReasonNumber>()
  private readonly counts: number[] = []

  /** The number of a reason; a new reason gets the next one. */
  numberOf(reason: string): ReasonNumber {
    const known = this.numbers.get(reason)
    if (known !== undefined) return known
    this.numbers.set(reason, this.reasons.length)
    this.counts.push(0)
    return this.reasons.push(reason) - 1
  }

  /** The number of a reason, if it was ever given. */
  find(reason: string): ReasonNumber | undefined {
    return this.numbers.get(reason)
  }

  /** One link more, or one fewer, is refused for this reason. */
  change(reason: ReasonNumber, by: 1 | -1): void {
    this.counts[reason]! += by
    this.count += by
  }

  countFor(reason: ReasonNumber): number {
    return this.counts[reason]!
  }

  /** How many links are refused for each reason; without reasons that have none. */
  byReason(): Record<string, number> {
    const pairs = this.reasons.map((reason, number) => [reason, this.counts[number]!] as const)
    return Object.fromEntries(pairs.filter(([, count]) => count > 0))
  }

  /** No link is refused; the numbers stay. */
  clear(): void {
    this.count = 0
    this.counts.fill(0)
  }
}
