import type { PageLine } from '../archive/pages-file.ts'
import type { Records } from '../archive/records.ts'
import type { RecordLocation } from '../archive/scan.ts'
import { type FailureLine, hasLine } from '../folder/failures-file.ts'
import type { SeedLine } from '../folder/seeds-file.ts'
import type { Again, Link, Outcome, Settlement, Shown, Ticket, TicketId } from '../frontier/frontier.ts'
import type { CrawlHappening } from '../settings/events.ts'
import type { Answer } from './job.ts'
import { foundOn } from './link-note.ts'
import type { LearnedRobots } from './robots-gate.ts'

/** What becomes of a ticket, and the events to emit. Nothing has changed before it is committed. */
export interface Decision {
  readonly entry: Commit
  readonly events: readonly CrawlHappening[]
}

/** What is kept of a ticket, in one step: what to archive, what the frontier learns, and how the ticket is closed. */
export interface Commit {
  readonly records?: Records | undefined
  /** For a page, besides its records: its line without its place in the archive, and its first words. */
  readonly page?: Omit<PageLine, keyof RecordLocation> | undefined
  readonly opening?: string | undefined
  /** Of a page that was archived before. */
  readonly line?: PageLine | undefined
  /** For a page that is to be visited again: its next visit, once it is known where its records are. */
  readonly again?: ((place: RecordLocation) => Again) | undefined
  /** Links to offer, in batches that are produced on demand: then they count against the bounds on links and sitemaps. */
  readonly links?: Iterable<readonly Link[]> | undefined
  /** Approximate size of the links that have not been produced yet. */
  readonly linksBytes?: number | undefined
  /** What the frontier learns about a host before the ticket is closed. */
  readonly delay?: { readonly host: string; readonly ms: number }
  readonly block?: { readonly host: string; readonly ms: number }
  /** Learned before the ticket is closed: from then on, pages of the host are judged by it. */
  readonly robots?: LearnedRobots
  /** The sitemap of a seed (`sitemap:URL`) that was read. */
  readonly sitemapRead?: { readonly name: string; readonly atMs: number }
  readonly note?: { readonly host: string; readonly key: string; readonly bytes: Uint8Array; readonly forMs: number }
  /** For a link that ends without a page: its line in `failures.jsonl`. */
  readonly failure?: FailureLine
  /** The host does not exist, or may never be contacted: everything waiting there ends for this reason. */
  readonly gone?: { readonly host: string; readonly reason: string; readonly atMs: number }
  /** For a redirected seed: the URL it redirected to. */
  readonly seed?: SeedLine
  /** How the ticket is closed: settled, with the last batch of links, or given back. */
  readonly settlement: Omit<Settlement, 'links'> | { readonly giveBack: TicketId }
}

/** What is archived while the ticket stays open. */
export type OpenCommit = Omit<Commit, 'settlement'> & { readonly settlement?: undefined }

export const AGAIN: Outcome = { kind: 'again' }
/** The outcome of a successful visit that is not a page: a redirect, a robots.txt. */
export const DONE: Outcome = { kind: 'done', isPage: false }

export function refused(reason: string): Outcome {
  return { kind: 'refused', reason }
}

/** `shown`: undefined when no request was made. */
export function settled(
  ticket: Ticket,
  outcome: Outcome,
  shown: Shown | undefined,
  delayMs: number,
): Omit<Settlement, 'links'> {
  return { ticketId: ticket.id, outcome, shown, delayMs }
}

/** The line in `failures.jsonl` of a link that ends without a page, if it gets one. */
export function failure(
  { url, note, attempt }: Ticket,
  reason: string,
  atMs: number,
  { isAsked, status }: { readonly isAsked: boolean; readonly status?: number },
): Pick<Commit, 'failure'> {
  if (!hasLine(reason)) return {}
  const from = foundOn(note)
  const attempts = isAsked ? attempt : attempt - 1
  return {
    failure: {
      url,
      ...(from !== undefined && { from }),
      reason,
      attempts,
      ...(status !== undefined && { status }),
      atMs,
    },
  }
}

/** An answer that takes longer than this is slow. */
export const SLOW_MS = 1000

/** Statuses by which a host says that it cannot serve now, or wants to be left alone. Any other status counts as an answer. */
export const TROUBLE: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** How long to leave a host alone after an answer: at least as long as a slow answer took. */
export function pauseAfterAnswer(delayMs: number, answer: Answer): number {
  return Math.max(delayMs, answer.retryAfterMs ?? 0, answer.tookMs > SLOW_MS ? answer.tookMs : 0)
}
