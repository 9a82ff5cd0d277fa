// Time that only passes when nothing else is left to do: hours of a crawl take milliseconds.
import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock, Timer } from '../../src/base/clock.ts'

const TURNS = 4

interface Alarm {
  readonly atMs: number
  readonly then: () => void
}

export class WoundClock {
  nowMs: number
  readonly clock: Clock = () => this.nowMs
  /** By the order in which they were set. */
  private readonly alarms = new Map<number, Alarm>()
  private lastAlarm = 0

  constructor(nowMs = 1_700_000_000_000) {
    this.nowMs = nowMs
  }

  readonly timer: Timer = (ms, then) => {
    const alarm = ++this.lastAlarm
    this.alarms.set(alarm, { atMs: this.nowMs + ms, then })
    return () => this.alarms.delete(alarm)
  }

  /** Resolves after so much of this time. */
  sleep(ms: number): Promise<void> {
    return new Promise(resolve => this.timer(ms, resolve))
  }

  /** Lets time pass until the promise is settled. `watch` is called before each step with how long it takes. */
  async until<T>(promise: Promise<T>, mostMs = 30 * 24 * 3_600_000, watch?: (ms: number) => Promise<void>): Promise<T> {
    const endMs = this.nowMs + mostMs
    let isSettled = false
    const settled = promise.finally(() => (isSettled = true))
    settled.catch(() => {})
    for (;;) {
      // Whoever waits for a turn of the event loop itself has something left to do.
      for (let n = 0; n < TURNS; n++) await turn()
      if (isSettled) return settled
      const next = this.next()
      assert.ok(next !== undefined, 'everything stands still: nobody waits for a time, and the end has not come')
      const [number, { atMs, then }] = next
      assert.ok(atMs <= endMs, `the end has not come after ${mostMs} ms`)
      if (atMs > this.nowMs) await watch?.(atMs - this.nowMs)
      this.alarms.delete(number)
      this.nowMs = Math.max(this.nowMs, atMs)
      then()
    }
  }

  private next(): [number, Alarm] | undefined {
    let first: [number, Alarm] | undefined
    for (const entry of this.alarms) if (first === undefined || entry[1].atMs < first[1].atMs) first = entry
    return first
  }
}
