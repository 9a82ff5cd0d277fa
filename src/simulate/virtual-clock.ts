import { setImmediate as turn } from 'node:timers/promises'
import type { Clock, Timer } from '../base/clock.ts'
import { Heap } from '../base/structures/heap.ts'

/** Cancelled alarms stay in the heap until there are this many more of them than of others. */
const MOST_CANCELLED = 10_000
const MONTH_MS = 31 * 24 * 3_600_000

/**
 * Time that only passes when nothing else is left to do: hours of a crawl take milliseconds. All alarms of one instant ring
 * in the order in which they were set; then everything that follows from them without waiting is done, in one turn of the
 * event loop; then the next instant comes. So whatever runs on it must wait for promises and for its timer only, not for the
 * event loop itself: `timer(0, …)` rings in the same instant, after the alarms that were set before.
 */
export class VirtualClock {
  nowMs: number
  readonly clock: Clock = () => this.nowMs
  /** By time, then by the order in which they were set. */
  private queue = new Heap()
  private readonly alarms = new Map<number, () => void>()
  private lastAlarm = 0

  constructor(nowMs = 1_700_000_000_000) {
    this.nowMs = nowMs
  }

  readonly timer: Timer = (ms, then) => {
    const alarm = ++this.lastAlarm
    this.alarms.set(alarm, then)
    this.queue.push(this.nowMs + ms, alarm)
    return () => this.alarms.delete(alarm)
  }

  /** Resolves after this much of this time. */
  sleep(ms: number): Promise<void> {
    return new Promise(resolve => this.timer(ms, resolve))
  }

  /** Lets time pass until the promise is settled. `watch` is called before each step with how long it takes. */
  async until<T>(promise: Promise<T>, mostMs = MONTH_MS, watch?: (ms: number) => Promise<void> | void): Promise<T> {
    const endMs = this.nowMs + mostMs
    let isSettled = false
    const settled = promise.finally(() => (isSettled = true))
    settled.catch(() => {})
    for (;;) {
      await turn()
      if (isSettled) return settled
      const atMs = this.nextMs()
      if (atMs === undefined) throw new Error('nothing waits for a time, and the end has not come')
      if (atMs > endMs) throw new Error(`the end has not come after ${mostMs} ms`)
      if (atMs > this.nowMs) {
        await watch?.(atMs - this.nowMs)
        this.nowMs = atMs
      }
      this.ring()
    }
  }

  /** Does everything that needs no time. */
  async settle(): Promise<void> {
    for (;;) {
      await turn()
      if (this.nextMs() !== this.nowMs) return
      this.ring()
    }
  }

  /** The alarms of this instant that are set now; not those that they set. */
  private ring(): void {
    const { queue, lastAlarm } = this
    while (queue.length > 0 && queue.topKey <= this.nowMs && queue.topId <= lastAlarm) {
      const alarm = queue.topId
      queue.pop()
      const then = this.alarms.get(alarm)
      if (then === undefined) continue
      this.alarms.delete(alarm)
      then()
    }
  }

  private nextMs(): number | undefined {
    if (this.queue.length > 2 * this.alarms.size + MOST_CANCELLED) this.dropCancelled()
    while (this.queue.length > 0 && !this.alarms.has(this.queue.topId)) this.queue.pop()
    return this.queue.length > 0 ? Math.max(this.queue.topKey, this.nowMs) : undefined
  }

  private dropCancelled(): void {
    const kept = new Heap()
    this.queue.walk((atMs, alarm) => {
      if (this.alarms.has(alarm)) kept.push(atMs, alarm)
      return true
    })
    this.queue = kept
  }
}
