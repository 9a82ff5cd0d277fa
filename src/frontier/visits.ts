import type { Link } from './frontier.ts'

// Visits of the past and of the future.

/** The most planned links that become due in one `take`: a million whose time comes at once cause no pause. */
export const DUE_AT_ONCE = 256

/** Part of a frontier: done links are visited again. */
export interface VisitPlans {
  /**
   * Plans the next visit of done links that are not planned: for a crawl that begins to revisit. A link that is not done,
   * or is planned already, changes nothing. Returns how many were planned. An invalid visit is an error
   * (`FRONTIER_BAD_LINK`, `FRONTIER_BAD_VALUE`), and then none is planned.
   */
  plan(visits: readonly PlannedVisit[]): Promise<number>

  /**
   * Plans the next visit of planned links anew: time, gain, text and note are replaced. A link that is not planned, is leased, or was
   * not visited last at `visitedAtMs` changes nothing. Returns how many were. Errors as for `plan`.
   */
  replan(visits: readonly PlannedVisit[]): Promise<number>

  /**
   * Makes planned links due that were visited before `changedAtMs`: a sitemap says that they have changed. They are due now, or
   * `leastMs` after their last visit, whichever is later. A link that is due by then anyway, or is not planned, changes nothing.
   * Returns how many are due earlier because of it; after `most` of them the rest changes nothing.
   */
  hint(hints: readonly Hint[], most?: number): Promise<number>
}

/** When to visit a done link again. */
export interface Again {
  /** Its time comes this long after now. From 0. */
  readonly afterMs: number
  /**
   * What the visit is worth: of a host's due links, the one with the highest gain is leased first. Finite, from 0; kept
   * as a 32-bit float.
   */
  readonly gain: number
  /** Replaces the note of the link; undefined: it keeps the one that it has. At most 4,096 bytes. */
  readonly note?: string
}

/** The next visit of a done link; see `VisitPlans.plan`. Times are in milliseconds since 1970. */
export interface PlannedVisit {
  readonly url: string
  readonly rank: number
  readonly hops: number
  readonly note?: string
  /** When it was visited last. */
  readonly visitedAtMs: number
  readonly dueAtMs: number
  /** As in {@link Again}. */
  readonly gain: number
}

/** A URL, and when it changed last according to a sitemap, for example; see `VisitPlans.hint`. */
export interface Hint {
  readonly url: string
  /** Milliseconds since 1970. */
  readonly changedAtMs: number
  /** It is due this long after its last visit at the earliest; default 0. */
  readonly leastMs?: number
}

/** A visit of an earlier run; see `LinkControl.settleFormer`. */
export interface FormerVisit {
  readonly url: string
  readonly isPage: boolean
  readonly links: readonly Link[]
  /** When it was, in milliseconds since 1970; default: now. A planned link is settled only if it was visited before this. */
  readonly dateMs?: number
  /** As in `Outcome`. */
  readonly again?: Again
}
