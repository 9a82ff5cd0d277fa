import type { RunTotals } from '../../run/run-status.ts'
import type { CrawlSeries } from '../questions/crawl-shapes.ts'

const SECONDS = 600
const GROWING = ['pages', 'wireBytes', 'failures'] as const

/** What a crawl did in each second of the last ten minutes. */
export class RecentSamples {
  /** Entry `second % SECONDS` of each belongs to a second since 1970. */
  private readonly rows = {
    pages: new Float64Array(SECONDS),
    wireBytes: new Float64Array(SECONDS),
    failures: new Float64Array(SECONDS),
    openRequests: new Float64Array(SECONDS),
  }
  private firstSecond = 0
  private second = 0
  private last: RunTotals | undefined

  /** Call this about once per second. What grew in seconds without a call is spread over them. */
  sample(nowMs: number, totals: RunTotals): void {
    const second = Math.floor(nowMs / 1000)
    const { last } = this
    this.last = totals
    // A clock that was set back begins anew.
    if (last === undefined || second < this.second || second - this.second >= SECONDS) {
      this.firstSecond = second
      this.second = second
      this.write(second, 0, 0, 0, totals.openRequests)
      return
    }
    for (let at = this.second + 1; at <= second; at++) this.write(at, 0, 0, 0, totals.openRequests)
    const begin = Math.min(this.second + 1, second)
    for (const name of GROWING) this.spread(name, Math.max(0, totals[name] - last[name]), begin, second)
    this.second = second
    this.firstSecond = Math.max(this.firstSecond, second - SECONDS + 1)
  }

  data(): CrawlSeries['recent'] {
    const row = (name: keyof typeof this.rows) => {
      const values: number[] = []
      if (this.last === undefined) return values
      for (let at = this.firstSecond; at <= this.second; at++) values.push(this.rows[name][at % SECONDS]!)
      return values
    }
    return {
      untilMs: this.second * 1000,
      pages: row('pages'),
      wireBytes: row('wireBytes'),
      failures: row('failures'),
      openRequests: row('openRequests'),
    }
  }

  private write(second: number, pages: number, wireBytes: number, failures: number, openRequests: number): void {
    const at = second % SECONDS
    const { rows } = this
    rows.pages[at] = pages
    rows.wireBytes[at] = wireBytes
    rows.failures[at] = failures
    rows.openRequests[at] = openRequests
  }

  private spread(name: (typeof GROWING)[number], grown: number, begin: number, end: number): void {
    const row = this.rows[name]
    for (let at = begin, left = grown; at <= end; at++) {
      const share = Math.floor(left / (end - at + 1))
      row[at % SECONDS]! += share
      left -= share
    }
  }
}
