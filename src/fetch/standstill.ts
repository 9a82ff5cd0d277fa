import type { Clock } from '../base/clock.ts'

/** A thread that is merely busy is late by less than this. */
const LATE_MS = 2000

/**
 * Notices that this process stood still: it was stopped (SIGSTOP), the computer slept, or long work blocked the thread. Its
 * own clock may have stood still as well, as Linux's does during sleep, so the wall clock is checked too. Setting that one
 * forward looks the same; the only harm is that a few failures are forgiven.
 */
export class Standstill {
  private readonly wallClock: Clock
  private readonly everyMs: number
  private lastMs: number
  private lastWallMs: number

  /** `everyMs`: the longest time between two calls of `look`. */
  constructor(nowMs: number, wallClock: Clock, everyMs: number) {
    this.wallClock = wallClock
    this.everyMs = everyMs
    this.lastMs = nowMs
    this.lastWallMs = wallClock()
  }

  /**
   * Milliseconds of the clock that were lost since the last call, 0 if the clock slept too; undefined without a
   * standstill.
   */
  look(nowMs: number): number | undefined {
    const nowWallMs = this.wallClock()
    const lostMs = nowMs - this.lastMs - this.everyMs
    const lostWallMs = nowWallMs - this.lastWallMs - this.everyMs
    this.lastMs = nowMs
    this.lastWallMs = nowWallMs
    return lostMs > LATE_MS || lostWallMs > LATE_MS ? Math.max(lostMs, 0) : undefined
  }
}
