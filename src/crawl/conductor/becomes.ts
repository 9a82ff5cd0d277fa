import type { PageLine } from '../../archive/pages-file.ts'
import type { Records } from '../../archive/records.ts'
import type { Place } from '../../archive/scan.ts'
import type { Link, Outcome, Settlement, Shown, Ticket, TicketId } from '../../frontier/frontier.ts'
import type { CrawlHappening } from '../events.ts'
import type { FailureLine } from '../failures-file.ts'
import { isHeld } from '../reasons.ts'
import type { SeedLine } from '../seeds-file.ts'
import { readNote } from './link-note.ts'

/** What becomes of a ticket, and what happened. */
export interface Becomes {
  readonly entry: Entry
  readonly happened: readonly CrawlHappening[]
}

/** What is kept of a ticket, in one step: what is archived, what the frontier learns, and how the ticket is closed. */
export interface Entry {
  readonly records?: Records
  /** Of a page, besides its records: its line, but for the place; and its first words. */
  readonly page?: Omit<PageLine, keyof Place>
  readonly opening?: string
  /** Links to offer, in batches that are made when they are asked for. */
  readonly links?: Iterable<readonly Link[]>
  /** Of the links that are not made yet, about. */
  readonly linksBytes?: number
  /** What the frontier learns about a host before the ticket is closed. */
  readonly delay?: { readonly host: string; readonly ms: number }
  readonly block?: { readonly host: string; readonly ms: number }
  readonly note?: { readonly host: string; readonly key: string; readonly bytes: Uint8Array; readonly forMs: number }
  /** Of a link that ends without a page: its line in `failures.jsonl`. */
  readonly failure?: FailureLine
  /** The host does not exist, or may never be asked: all that waits there ends for this reason. */
  readonly gone?: { readonly host: string; readonly reason: string; readonly atMs: number }
  /** What a seed redirected to. */
  readonly seed?: SeedLine
  /** How the ticket is closed: settled, with the last batch of links, or given back. */
  readonly closing: Omit<Settlement, 'links'> | { readonly giveBack: TicketId }
}

export const AGAIN: Outcome = { kind: 'again' }
/** A visit that was worth it and brought no page: a redirect, a robots.txt. */
export const DONE: Outcome = { kind: 'done', isPage: false }

export function refused(reason: string): Outcome {
  return { kind: 'refused', reason }
}

/** `shown`: undefined when nobody was asked. */
export function settled(
  ticket: Ticket,
  outcome: Outcome,
  shown: Shown | undefined,
  delayMs: number,
): Omit<Settlement, 'links'> {
  return { ticketId: ticket.id, outcome, shown, delayMs }
}

/** What a link that ends without a page leaves in the file; nothing for one that a setting holds back, unless its name had to be looked up. */
export function failure(
  { url, note, attempt }: Ticket,
  reason: string,
  atMs: number,
  { isAsked, status }: { readonly isAsked: boolean; readonly status?: number },
): Pick<Entry, 'failure'> {
  if (isHeld(reason) && reason !== 'address') return {}
  const { from } = readNote(note)
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
