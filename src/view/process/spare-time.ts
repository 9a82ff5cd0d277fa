import type { Clock } from '../../base/clock.ts'

/** The share of the process's time that answers may use while the crawl needs all of it, */
const BUSY_SHARE = 0.012
/** and its share of the time that the crawl leaves idle. */
const IDLE_SHARE = 0.3
/** Time saved up while there are no questions, so that the first pages of a list come at once. */
const MOST_SAVED_MS = 60
/** No debt is larger: a long answer waits for at most four seconds, whatever short ones, which never wait, have cost before. */
const MOST_OWED_MS = 50

/** Keeps questions from slowing the crawl down: the time that an answer took is waited out before the next one. */
export class SpareTime {
  private savedMs = MOST_SAVED_MS
  private countedAtMs: number
  private readonly stopwatch: Clock
  private readonly busy: () => number

  /** `busy`: how busy the thread was since the last call, from 0 to 1. */
  constructor(stopwatch: Clock, busy: () => number) {
    this.stopwatch = stopwatch
    this.busy = busy
    this.countedAtMs = stopwatch()
  }

  spend(ms: number): void {
    this.savedMs = Math.max(this.savedMs - ms, -MOST_OWED_MS)
  }

  /** How long the next long answer has to wait; 0 when it may be given now. */
  waitMs(): number {
    const nowMs = this.stopwatch()
    const passedMs = nowMs - this.countedAtMs
    this.countedAtMs = nowMs
    const share = Math.max(BUSY_SHARE, (1 - this.busy()) * IDLE_SHARE)
    this.savedMs = Math.min(this.savedMs + passedMs * share, MOST_SAVED_MS)
    return this.savedMs > 0 ? 0 : Math.max(1, -this.savedMs / share)
  }
}
