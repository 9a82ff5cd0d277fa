import type { Clock } from '../../src/base/clock.ts'

/** The time at which the tests begin. */
export const START_MS = 1_700_000_000_000

/** A clock that is wound by hand. */
export class HandClock {
  nowMs: number
  readonly read: Clock = () => this.nowMs

  constructor(nowMs = START_MS) {
    this.nowMs = nowMs
  }
}
