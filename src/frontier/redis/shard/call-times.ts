import { systemClock } from '../../../base/clock.ts'

/** How often a call's time is kept, and of how many calls. */
const EVERY_MS = 1000
const MOST = 64

/** When the last calls were made, about once a second: what an engine still knows after a loss is as old as the last call that it knows. */
export class CallTimes {
  lastMs = Number.NEGATIVE_INFINITY
  private kept: { readonly number: number; readonly atMs: number }[] = []

  note(number: number): void {
    this.lastMs = systemClock()
    const newest = this.kept.at(-1)
    if (newest !== undefined && this.lastMs - newest.atMs < EVERY_MS) return
    this.kept.push({ number, atMs: this.lastMs })
    if (this.kept.length > MOST) this.kept.shift()
  }

  /** How long ago the last call was made that is not later than this one; undefined when that is not known. */
  since(number: number): number | undefined {
    const last = this.kept.findLast(one => one.number <= number)
    return last && systemClock() - last.atMs
  }

  /** Calls after this one are gone. */
  forgetAfter(number: number): void {
    this.kept = this.kept.filter(one => one.number <= number)
  }
}
