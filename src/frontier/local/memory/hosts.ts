import type { HostId } from '../../../scheduler/hosts.ts'
import { NamedRows } from './names.ts'

export type { HostId } from '../../../scheduler/hosts.ts'

/** A host's record is one cache line of words: its name, these, and at the end those of its lists; see `waiting-lists.ts`. */
/** 16 bits of failures in a row above 16 bits of flags. */
export const FLAGS = 1
/** A double, at words 2 and 3: when it may be asked again. */
const READY = 1
const SERVER = 4
const LINE_NEXT = 5
/** A double, at words 6 and 7: its number in the line. */
const LINE_NUMBER = 3
const LINE_PREVIOUS = 8
const AUXILIARIES = 9
const PAGES = 10
const DOMAIN = 11
export const LIST_WORDS = 12
const HOST_WORDS = 16
const HOST_BITS = 12

const FAILURES_SHIFT = 16
const MOST_FAILURES = 0xffff
const FLAG_BITS = 0xffff

/** It has answered, and has not failed since. */
const PROVEN = 1
/** Its time was set by its own rest, and by nothing else. */
const RESTING = 2
/** One of its tickets was ever leased. */
const VISITED = 4
const ABLE = 8
const QUEUE_STATE_SHIFT = 4
const CLASS_SHIFT = 6
/** Eight bits of the flags: the rank of the first of its lists. */
export const RANK_SHIFT = 8
export const RANK_BITS = 0xff
/** The flags that are kept when it is closed. */
const KEPT_FLAGS = PROVEN | RESTING | VISITED

/** A host's state: nothing to do; waiting for its time (or with nothing to wait for, until that is noticed); in line; leased. */
export const IDLE = 0
export const QUEUED = 1
export const JOINED = 2
export const LEASED = 3
export type QueueState = typeof IDLE | typeof QUEUED | typeof JOINED | typeof LEASED

/** The classes of hosts that have joined. */
export const AUXILIARY = 0
export const PROVEN_PAGE = 1
export const UNPROVEN_PAGE = 2
export const CLASSES = 3
export type QueueClass = typeof AUXILIARY | typeof PROVEN_PAGE | typeof UNPROVEN_PAGE

/** The known hosts: 64 bytes each, its name, and 8 bytes or more in the index. */
export class HostTable extends NamedRows {
  /** Their own delays, in milliseconds. */
  delays = new SparseNumbers()
  /** The importance that they have received. */
  received = new SparseNumbers()
  /** How many of their page tickets were ever leased. */
  turns = new SparseNumbers(Uint32Array)

  constructor() {
    super(HOST_WORDS, HOST_BITS)
  }

  override clear(): void {
    super.clear()
    this.delays = new SparseNumbers()
    this.received = new SparseNumbers()
    this.turns = new SparseNumbers(Uint32Array)
  }

  keep(): HostTable {
    const copy = this.keepIn(new HostTable())
    copy.delays = this.delays.keep()
    copy.received = this.received.keep()
    copy.turns = this.turns.keep()
    return copy
  }

  readyAtMs(host: HostId): number {
    return this.rows.getDouble(host, READY)
  }

  /** The host may not be asked before this time, if that is later than its own; `isRest`: only because it rests. */
  holdUntil(host: HostId, atMs: number, isRest: boolean): void {
    const beforeMs = this.readyAtMs(host)
    if (atMs < beforeMs) return
    if (atMs > beforeMs) {
      this.rows.setDouble(host, READY, atMs)
      this.setFlag(host, RESTING, isRest)
    } else if (!isRest) this.setFlag(host, RESTING, false)
  }

  setReadyAtMs(host: HostId, atMs: number): void {
    this.rows.setDouble(host, READY, atMs)
  }

  /** The host may be asked at this time, if its own is later. */
  release(host: HostId, atMs: number): void {
    if (atMs < this.readyAtMs(host)) this.setReadyAtMs(host, atMs)
    this.setFlag(host, RESTING, false)
  }

  isResting(host: HostId): boolean {
    return (this.rows.get(host, FLAGS) & RESTING) !== 0
  }

  failures(host: HostId): number {
    return this.rows.get(host, FLAGS) >>> FAILURES_SHIFT
  }

  setFailures(host: HostId, failures: number): void {
    const flags = this.rows.get(host, FLAGS) & FLAG_BITS
    this.rows.set(host, FLAGS, flags | (Math.min(failures, MOST_FAILURES) << FAILURES_SHIFT))
  }

  isProven(host: HostId): boolean {
    return (this.rows.get(host, FLAGS) & PROVEN) !== 0
  }

  setProven(host: HostId, isProven: boolean): void {
    this.setFlag(host, PROVEN, isProven)
  }

  isVisited(host: HostId): boolean {
    return (this.rows.get(host, FLAGS) & VISITED) !== 0
  }

  setVisited(host: HostId): void {
    this.setFlag(host, VISITED, true)
  }

  /** Whether it is a candidate: it can be leased as soon as it is chosen. */
  isAble(host: HostId): boolean {
    return (this.rows.get(host, FLAGS) & ABLE) !== 0
  }

  setAble(host: HostId, isAble: boolean): void {
    this.setFlag(host, ABLE, isAble)
  }

  queueState(host: HostId): QueueState {
    return ((this.rows.get(host, FLAGS) >> QUEUE_STATE_SHIFT) & 3) as QueueState
  }

  setQueueState(host: HostId, queueState: QueueState): void {
    this.rows.set(
      host,
      FLAGS,
      (this.rows.get(host, FLAGS) & ~(3 << QUEUE_STATE_SHIFT)) | (queueState << QUEUE_STATE_SHIFT),
    )
  }

  classOf(host: HostId): QueueClass {
    return ((this.rows.get(host, FLAGS) >> CLASS_SHIFT) & 3) as QueueClass
  }

  setClass(host: HostId, hostClass: QueueClass): void {
    this.rows.set(host, FLAGS, (this.rows.get(host, FLAGS) & ~(3 << CLASS_SHIFT)) | (hostClass << CLASS_SHIFT))
  }

  server(host: HostId): number {
    return this.rows.get(host, SERVER)
  }

  setServer(host: HostId, server: number): void {
    this.rows.set(host, SERVER, server)
  }

  lineNumber(host: HostId): number {
    return this.rows.getDouble(host, LINE_NUMBER)
  }

  setLineNumber(host: HostId, number: number): void {
    this.rows.setDouble(host, LINE_NUMBER, number)
  }

  /** Whether host `a` joined before host `b`. With equal numbers, the one known first did. */
  isBefore(a: HostId, b: HostId): boolean {
    const [first, second] = [this.lineNumber(a), this.lineNumber(b)]
    return first < second || (first === second && a < b)
  }

  next(host: HostId): HostId {
    return this.rows.get(host, LINE_NEXT)
  }

  setNext(host: HostId, next: HostId): void {
    this.rows.set(host, LINE_NEXT, next)
  }

  previous(host: HostId): HostId {
    return this.rows.get(host, LINE_PREVIOUS)
  }

  setPrevious(host: HostId, previous: HostId): void {
    this.rows.set(host, LINE_PREVIOUS, previous)
  }

  /** How many auxiliary links wait. */
  auxiliaries(host: HostId): number {
    return this.rows.get(host, AUXILIARIES)
  }

  setAuxiliaries(host: HostId, auxiliaries: number): void {
    this.rows.set(host, AUXILIARIES, auxiliaries)
  }

  pages(host: HostId): number {
    return this.rows.get(host, PAGES)
  }

  setPages(host: HostId, pages: number): void {
    this.rows.set(host, PAGES, pages)
  }

  domain(host: HostId): number {
    return this.rows.get(host, DOMAIN)
  }

  setDomain(host: HostId, domain: number): void {
    this.rows.set(host, DOMAIN, domain)
  }

  /** The rank of its first list, from 0 to 255; see `waiting-lists.ts`. */
  firstRank(host: HostId): number {
    return (this.rows.get(host, FLAGS) >> RANK_SHIFT) & RANK_BITS
  }

  setFirstRank(host: HostId, rank: number): void {
    this.rows.set(host, FLAGS, (this.rows.get(host, FLAGS) & ~(RANK_BITS << RANK_SHIFT)) | (rank << RANK_SHIFT))
  }

  keptFlags(host: HostId): number {
    return this.rows.get(host, FLAGS) & KEPT_FLAGS
  }

  setKeptFlags(host: HostId, flags: number): void {
    this.rows.set(host, FLAGS, flags & KEPT_FLAGS)
  }

  private setFlag(host: HostId, flag: number, isSet: boolean): void {
    this.setBits(host, FLAGS, flag, isSet)
  }
}

const CHUNK_BITS = 12
const IN_CHUNK = (1 << CHUNK_BITS) - 1

type Numbers = Float64Array | Uint32Array

/** Numbers at indices from 0 up, many of them 0: stretches of zeros take no memory. */
export class SparseNumbers {
  private readonly kind: new (
    length: number,
  ) => Numbers
  private readonly chunks: (Numbers | undefined)[] = []
  /** The chunks that a copy has, too: they are copied when they are first written to after that. */
  private readonly kept = new Set<number>()

  constructor(kind: new (length: number) => Numbers = Float64Array) {
    this.kind = kind
  }

  get(index: number): number {
    const chunk = this.chunks[index >>> CHUNK_BITS]
    return chunk === undefined ? 0 : chunk[index & IN_CHUNK]!
  }

  set(index: number, value: number): void {
    const n = index >>> CHUNK_BITS
    let chunk = this.chunks[n]
    if (chunk === undefined) {
      if (value === 0) return
      while (this.chunks.length < n) this.chunks.push(undefined)
      chunk = new this.kind(1 << CHUNK_BITS)
      this.chunks[n] = chunk
    } else if (this.kept.delete(n)) {
      chunk = chunk.slice()
      this.chunks[n] = chunk
    }
    chunk[index & IN_CHUNK] = value
  }

  /** These numbers as they are now, to be read only. */
  keep(): SparseNumbers {
    const twin = new SparseNumbers(this.kind)
    for (const [n, chunk] of this.chunks.entries()) {
      twin.chunks.push(chunk)
      if (chunk !== undefined) this.kept.add(n)
    }
    return twin
  }
}
