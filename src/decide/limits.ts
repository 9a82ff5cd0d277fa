import type { Clock } from '../base/clock.ts'
import type { CrawlSettings } from '../settings/settings.ts'

/** A request that is late by at most this much is late because timers are inexact; the next one need not wait longer for it. */
const SLACK_MS = 20

/** Limits requests per second across all hosts: a token bucket of one, stored as the time when the next token is due. */
export class RateLimit {
  private readonly gapMs: number
  private readonly clock: Clock
  private dueMs = Number.NEGATIVE_INFINITY

  constructor(perSecond: number, clock: Clock) {
    this.gapMs = 1000 / perSecond
    this.clock = clock
  }

  take(): boolean {
    if (this.gapMs === 0) return true
    const lateMs = this.clock() - this.dueMs
    if (lateMs < 0) return false
    this.dueMs = (lateMs <= SLACK_MS ? this.dueMs : this.clock()) + this.gapMs
    return true
  }

  /** How long until a request may be made, in whole milliseconds; 0 means now. */
  get waitMs(): number {
    return Math.max(0, Math.ceil(this.dueMs - this.clock()))
  }
}

/** The limits that end a run before its crawl is done. */
export class RunLimits {
  private readonly endMs: number
  private readonly maxArchiveBytes: number
  private readonly clock: Clock
  private readonly archivedBytes: () => number

  /** The run's time starts now. `archivedBytes`: the size of all WARC files in the folder. */
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

  get leftMs(): number {
    return Math.max(0, this.endMs - this.clock())
  }
}

/** All hosts that have not proven that they answer share this part of the slots, so they never crowd out the others. */
const UNPROVEN_SHARE = 0.25

export function unprovenSlots(slots: number): number {
  return Math.max(1, Math.floor(slots * UNPROVEN_SHARE))
}
