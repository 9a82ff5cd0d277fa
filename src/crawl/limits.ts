import type { Clock } from '../base/clock.ts'
import type { CrawlSettings } from './settings.ts'

/** Whoever comes so late is late because timers are not exact, and the next one need not wait longer for it. */
const SLACK_MS = 20

/** So many requests per second, over all hosts: a token bucket, kept as the time at which the next token is due. */
export class RateLimit {
  private readonly gapMs: number
  private readonly clock: Clock
  private dueMs = Number.NEGATIVE_INFINITY

  /** Infinity: no limit. */
  constructor(perSecond: number, clock: Clock) {
    this.gapMs = 1000 / perSecond
    this.clock = clock
  }

  /** True: a request may be made now, and counts. */
  take(): boolean {
    if (this.gapMs === 0) return true
    const lateMs = this.clock() - this.dueMs
    if (lateMs < 0) return false
    this.dueMs = (lateMs <= SLACK_MS ? this.dueMs : this.clock()) + this.gapMs
    return true
  }

  /** How long until a request may be made, in whole milliseconds; 0: now. */
  get waitMs(): number {
    return Math.max(0, Math.ceil(this.dueMs - this.clock()))
  }
}

/** What ends a run before its crawl is done. */
export class RunLimits {
  private readonly endMs: number
  private readonly maxArchiveBytes: number
  private readonly clock: Clock
  private readonly archivedBytes: () => number

  /** The run's time begins now. `archivedBytes`: of all WARC files in the folder. */
  constructor(
    { maxTimeMs, maxArchiveBytes }: Pick<CrawlSettings, 'maxTimeMs' | 'maxArchiveBytes'>,
    clock: Clock,
    archivedBytes: () => number,
  ) {
    this.endMs = clock() + maxTimeMs
    this.maxArchiveBytes = maxArchiveBytes
    this.clock = clock
    this.archivedBytes = archivedBytes
  }

  get reached(): 'time' | 'bytes' | undefined {
    if (this.leftMs === 0) return 'time'
    return this.archivedBytes() >= this.maxArchiveBytes ? 'bytes' : undefined
  }

  /** How long the run may still last. */
  get leftMs(): number {
    return Math.max(0, this.endMs - this.clock())
  }
}
