/**
 * When a URL may be fetched. A scheduler says which URL is next; a frontier also knows when a host may be asked again,
 * remembers every URL it has ever seen, lends URLs out and takes them back, and loses nothing in a crash.
 *
 * A link's life:
 *
 *     offer ─► waiting ─► take ─► lent ─► settle ─► done or refused
 *                 ▲                 │
 *                 └── again, given back, or its lease ran out
 *
 * What every frontier promises:
 *
 * 1. A link that was seen before is never new again, whatever became of it.
 * 2. A host has at most one open ticket at a time, and so has a group of hosts that are tied together.
 * 3. No ticket is lent before its host is ready: its delay has passed since the last settlement after it was asked, and no block holds.
 * 4. A lease that runs out comes back once. A ticket that is settled, given back or run out is closed: nobody can use it.
 * 5. A settlement is one step: outcome, new links and the host's next time hold together, or none of them.
 * 6. When a promise resolves, what it did survives a crash, also the times: a host is not asked too early after a restart.
 *
 * Time is always handed in, as milliseconds since 1970; it should not go back, and nothing breaks if it does. All calls
 * carry batches. The calls of one frontier take effect in the order in which they are made.
 */
export interface Frontier {
  /**
   * Offers links. Those never seen before wait from now on, in this order. Tells how many were new. A link without a host
   * or with a URL that is too long is an error (`FRONTIER_BAD_LINK`), and then nothing has happened.
   */
  offer(links: readonly Link[]): Promise<number>

  /**
   * Lends at most `max` links, one a host, of hosts that are ready now; the strategy chooses the hosts. First, leases that
   * have run out by now come back: each link to the end of its list, its host ready at once.
   */
  take(max: number, nowMs: number): Promise<Ticket[]>

  /**
   * Closes tickets with what became of their visits. All or nothing: an unknown or closed ticket, or one that is named
   * twice, is an error (`FRONTIER_TICKET_CLOSED`), and then nothing has happened. Tells how many links were new.
   */
  settle(settlements: readonly Settlement[], nowMs: number): Promise<number>

  /** Closes tickets that nobody visited: each link to the end of its list, its host ready at once. All or nothing. */
  giveBack(ticketIds: readonly number[]): Promise<void>

  /** Lets leases run for the full time again, from now on. All or nothing. */
  renew(ticketIds: readonly number[], nowMs: number): Promise<void>

  /**
   * The earliest time at which `take` will have something to do: a host with waiting links is ready, or a lease runs out.
   * 0 when that was so at the last `take` already. `undefined` when nothing waits and nothing is lent.
   */
  nextReadyAtMs(): number | undefined

  counts(): FrontierCounts

  /** The known hosts, in the order in which they became known. Nothing may change meanwhile. */
  hosts(): Iterable<HostView>

  /** A host's waiting links, in their order. Nothing may change meanwhile. */
  waiting(host: string): Iterable<Link>

  explain(url: string): Explanation

  /**
   * From its next settlement on, the delay of this host is at least this. Makes it known. Hosts that are tied have one delay,
   * the longest that was set for any of them: a shorter one does not take it back.
   */
  setDelay(host: string, delayMs: number): Promise<void>

  /** Nothing of this host (and of those tied to it) is lent before this time; never takes a later time back. Makes it known. */
  blockUntil(host: string, atMs: number): Promise<void>

  /**
   * These hosts share a server: from now on they count as one for leases and delays; the later time and the longer delay
   * hold for all. Ties add up. Open tickets stay open; while one of the group is open, no other is lent. Makes them known.
   */
  tie(hosts: readonly string[]): Promise<void>

  /**
   * Forgets a host's waiting links; they count as refused, with the reason `cleared`. Without a host, forgets everything,
   * also what was ever seen, and closes all tickets.
   */
  clear(host?: string): Promise<void>

  /** Waits until everything is safe, and lets go of the folder. Tickets that are open come back at the next opening. */
  close(): Promise<void>
}

/** A URL to fetch some day. */
export interface Link {
  /** Canonical, `scheme://host…`, at most 65,535 bytes; taken as it is. Two links are the same when their URLs are. */
  readonly url: string
  /** Inside its host, links come by depth, then by arrival. From 0 up; more than 255 counts as 255. */
  readonly depth: number
  /** How many links lead here from a seed; 0 for a seed. Kept, not used. */
  readonly hops: number
}

/** A link that is lent out. */
export interface Ticket extends Link {
  /** Never used again in the life of a frontier. */
  readonly id: number
  readonly host: string
  /** 1 at the first time, and one more for each `again` before. */
  readonly attempt: number
  /** When the lease runs out. */
  readonly dueMs: number
}

/** What became of a visit. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** To be tried again: the link goes to the end of its list. */
  | { readonly kind: 'again' }

export interface Settlement {
  readonly ticketId: number
  readonly outcome: Outcome
  /** Links that were found; offered in the same step. */
  readonly links: readonly Link[]
  /**
   * The host is ready again so many milliseconds from now, or after its own delay if that is longer. `undefined`: it was
   * not asked, and keeps the time that it had.
   */
  readonly delayMs: number | undefined
}

export interface FrontierCounts {
  /** Links ever seen: the sum of the next four. */
  readonly known: number
  readonly waiting: number
  readonly lent: number
  readonly done: number
  readonly refused: number
  readonly hosts: number
}

export interface HostView {
  readonly host: string
  readonly waiting: number
  /** `lent`: it, or a host tied to it, has an open ticket. */
  readonly state: 'idle' | 'waiting' | 'lent'
  /** When it may be asked again; in the past for one that may be asked now. */
  readonly readyAtMs: number
}

export type Explanation =
  | { readonly state: 'never seen' }
  /** `place`: how many links of its host come before it. */
  | { readonly state: 'waiting'; readonly host: string; readonly place: number; readonly readyAtMs: number }
  | { readonly state: 'lent'; readonly host: string; readonly ticketId: number; readonly dueMs: number }
  | { readonly state: 'done'; readonly host: string }
  | { readonly state: 'refused'; readonly host: string; readonly reason: string }

/** The host that a URL belongs to: what stands between `://` and the path, a port included; empty when there is none. */
export function hostOf(url: string): string {
  const start = url.indexOf('://') + 3
  if (start === 2) return ''
  let end = start
  while (end < url.length && url[end] !== '/' && url[end] !== '?' && url[end] !== '#') end++
  return url.slice(start, end)
}
