import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock, unixClock } from '../../base/clock.ts'
import type { HostColumns } from '../questions/host-columns.ts'
import { type HostQuery, HostTable } from './host-table.ts'

/** How many hosts are asked for at a time, and how many are taken before the event loop gets a turn. */
const ROWS_AT_ONCE = 5000
const ROWS_PER_TURN = 500
/** Hosts are read as long as there was a question in this time, with pauses at least this long, and as long as a round takes. */
const ASKED_MS = 60_000
const PAUSE_MS = 1000
/** An answer waits this long for the first hosts, and for fresh ones if those are older than `FRESH_MS` and a round takes no longer. */
const PATIENCE_MS = 25
const FRESH_MS = 2000
/** A frontier never forgets a host. If this many rounds miss some, it is another frontier, and all are read again. */
const MOST_MISSING = 2

export type ReadColumns = (page: { readonly after: string | undefined; readonly limit: number }) => Promise<HostColumns>

export interface FoundHosts {
  readonly names: readonly string[]
  readonly total: number
  /** How old the order may be. */
  readonly ageMs: number
  readonly isComplete: boolean
}

/**
 * Searches and sorts all known hosts. It reads them page by page in the background, round after round while there are questions: so
 * the crawl itself neither searches nor sorts.
 */
export class HostIndex {
  private readonly columns: ReadColumns
  private readonly failedOf: (host: string) => number
  private readonly stopwatch: Clock
  private table = new HostTable(unixClock())
  /** When the last round that reached the end began; undefined before. */
  private freshAtMs: number | undefined
  private roundMs = Infinity
  private askedAtMs = -Infinity
  /** How many rounds in a row found fewer hosts than are known. */
  private missing = 0
  private rounds: Promise<void> | undefined
  private isClosed = false
  private wake: () => void = () => {}
  /** Resolved at the end of the round. */
  private roundEnd = signal()

  /** `failedOf`: how many links of a host failed. */
  constructor(columns: ReadColumns, failedOf: (host: string) => number, stopwatch: Clock = systemClock) {
    this.columns = columns
    this.failedOf = failedOf
    this.stopwatch = stopwatch
  }

  async find(query: HostQuery): Promise<FoundHosts> {
    this.askedAtMs = this.stopwatch()
    if (!this.isClosed) this.rounds ??= this.goRound()
    const isQuick = this.roundMs <= PATIENCE_MS && this.ageMs > FRESH_MS
    if (!this.isClosed && (isQuick || this.table.count === 0))
      await Promise.race([this.roundEnd.promise, waited(PATIENCE_MS)])
    const isComplete = this.freshAtMs !== undefined
    return { ...this.table.find(query), ageMs: isComplete ? this.ageMs : 0, isComplete }
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.wake()
    await this.rounds
  }

  private get ageMs(): number {
    return this.stopwatch() - (this.freshAtMs ?? -Infinity)
  }

  private async goRound(): Promise<void> {
    while (!this.isClosed && this.stopwatch() - this.askedAtMs < ASKED_MS) {
      const startMs = this.stopwatch()
      // A crawl that ends, or begins again, does not answer for a moment; then the round begins anew.
      if (await this.round().catch(() => false)) {
        this.freshAtMs = startMs
        this.roundMs = this.stopwatch() - startMs
      }
      this.roundEnd.resolve()
      this.roundEnd = signal()
      if (!this.isClosed) await this.pause()
    }
    this.rounds = undefined
  }

  /** Reads all hosts; false when it was closed before the end. */
  private async round(): Promise<boolean> {
    let seen = 0
    for (let after: string | undefined; !this.isClosed; ) {
      const rows = await this.columns({ after, limit: ROWS_AT_ONCE })
      const { length } = rows.names
      for (let start = 0; start < length; start += ROWS_PER_TURN) {
        const end = Math.min(length, start + ROWS_PER_TURN)
        this.table.take(rows, start, end, seen + start, this.failedOf)
        await turn()
      }
      seen += length
      after = rows.next
      if (after !== undefined) continue
      this.missing = seen < this.table.count ? this.missing + 1 : 0
      if (this.missing >= MOST_MISSING) this.forget()
      return this.missing === 0
    }
    return false
  }

  private forget(): void {
    this.table = new HostTable(unixClock())
    this.freshAtMs = undefined
    this.missing = 0
  }

  private pause(): Promise<void> {
    return new Promise(resolve => {
      const pauseMs = this.freshAtMs === undefined ? PAUSE_MS : Math.max(PAUSE_MS, this.roundMs)
      const timer = setTimeout(resolve, pauseMs).unref()
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function signal(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}

function waited(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
