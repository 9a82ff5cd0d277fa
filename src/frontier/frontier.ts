import type {
  BacklogClass,
  Cursor,
  Explanation,
  FrontierCounts,
  HostView,
  LinkFilter,
  LinkView,
  Outlook,
  Page,
} from './views.ts'

export type * from './views.ts'

/**
 * When a URL may be fetched. A scheduler says which URL is next; a frontier also knows when a host may be asked again,
 * remembers every URL it has ever seen, leases URLs out and takes them back, and loses nothing in a crash.
 *
 * A page link's life:
 *
 *     offer ─► waiting ─► take ─► leased ─► settle ─► done or refused
 *                 ▲                 │                            │
 *                 ├── again, given back, no room at its server, or the lease ran out
 *                 └── requeue ◄──────────────────────────────────┘
 *
 * What every frontier promises:
 *
 * 1. A link that was seen before is never new again, whatever became of it.
 * 2. A host has at most one open ticket.
 * 3. No ticket is leased before its host is ready: its delay has passed since the last settlement after it was asked, and
 *    no block holds. Both hold for this host alone.
 * 4. A host is placed at one server or, yet, nowhere; it may move. Of the hosts at a server at most `perServer` have an
 *    open ticket, and no two of their tickets are leased within `serverGapMs`, except that one closed unasked leaves no
 *    gap. Of the hosts of one class (see below) that could be leased at a server, the one that joined first comes first.
 * 5. A lease that runs out comes back once. A ticket that is settled, given back or run out is closed: nobody can use it.
 * 6. A settlement is one step: the outcome and the host's next time together, or neither; its links are offered in that
 *    step or before it, never after.
 * 7. When a promise resolves, what it did survives a crash, as far as the maker's page in docs/ says.
 * 8. With a `limit`, no more page tickets are open than pages are missing, over all machines.
 *
 * A frontier has one clock, its machine's or its engine's. It is told durations, never times, and answers in durations.
 * `nowMs` is for tests: the time of this call in milliseconds since 1970, instead of the clock's. Time should not go
 * back, and nothing breaks if it does. Calls of one caller that were not awaited may take effect in any order.
 */
export interface Frontier {
  /**
   * Offers links. Page links never seen before wait from now on, in this order. Returns how many were new. A link that is
   * not valid is an error (`FRONTIER_BAD_LINK`), and then nothing has happened. See {@link FrontierOptions} for the bounds
   * on hosts: a link turned away by one of them is not new, is not remembered, and is counted in `counts().turnedAway`.
   */
  offer(links: readonly Link[]): Promise<number>

  /**
   * Leases at most `max` links, one per host, of hosts that may be asked now. First, leases that have run out by now come
   * back: each link to the end of its list, its host's time as it was. Then, in this order:
   *
   * 1. Hosts *join*: those that have something waiting, no open ticket, and are ready, and had not joined yet, in the order
   *    of the time at which they became ready, then of their number (the order in which they became known). A host has a
   *    class while it has joined: `errand` when a link of another kind than page waits there, else `proven` when it has
   *    ever answered and has not failed since, else `unproven`. It leaves when a ticket is leased, when it is blocked
   *    into the future, when nothing waits there any more, when it is placed elsewhere, and when an errand is offered to it
   *    (and may then join anew at the next take).
   * 2. A host that joined *can be leased* when it is placed nowhere, or when its server has fewer than `perServer` open
   *    tickets, its server's time has come, and no host of the same class at the same server joined before it.
   * 3. Errands: of the hosts of that class that can be leased, the one that joined first, as long as fewer than `errands`
   *    errand tickets are open.
   * 4. Pages: the strategy chooses among the hosts of the two other classes that can be leased; only among the proven ones
   *    once `unproven` page tickets of unproven hosts are open. No page when the limit leaves no room.
   */
  take(max: number, nowMs?: number): Promise<Taken>

  /**
   * Says at which server a ticket's host is, before it is asked; needed when `ticket.server` is another or none. The host is
   * placed there and forgets its former server, which is left as if the ticket had never been leased. True: the ticket
   * holds, and the server's gap begins now. False: there is no room there now (too many tickets, its time has not come, or
   * a host of the same class has joined in line there), or the ticket is not open; then it is closed, its link keeps its
   * place in its list, and its host joins the line at the next take. A ticket whose server this already is: true.
   */
  place(ticketId: TicketId, server: string, nowMs?: number): Promise<boolean>

  /**
   * Closes tickets with what became of their visits, one after the other. A ticket that is no longer open (also one named
   * twice) is reported in `late`; its links are offered all the same. A settlement that is not valid is an error
   * (`FRONTIER_BAD_SETTLEMENT`, `FRONTIER_BAD_LINK`), and then nothing of the batch has happened.
   */
  settle(settlements: readonly Settlement[], nowMs?: number): Promise<Settled>

  /**
   * Settles page links by their URL, as done, that wait: visits of an earlier life of this crawler, archived and not
   * settled. One that does not wait changes nothing. Nobody is asked, so no host's time changes. `late` is empty.
   */
  settleFormer(visits: readonly FormerVisit[], nowMs?: number): Promise<Settled>

  /** Closes tickets that nobody used: each link keeps its place in its list, host and server are as before. Those not open are ignored. */
  giveBack(ticketIds: readonly TicketId[]): Promise<void>

  /** Lets leases run for their full time again. Returns those that are no longer open. */
  renew(ticketIds: readonly TicketId[], nowMs?: number): Promise<readonly TicketId[]>

  /** Nothing of this host is leased for so long; never takes a later time back. Makes the host known. */
  block(host: string, forMs: number, nowMs?: number): Promise<void>

  /** From its next settlement on, the delay of this host is at least this. Makes the host known. */
  setDelay(host: string, delayMs: number): Promise<void>

  /** Keeps something about a host for a while, for whoever works on this crawl: the rules of its robots.txt, for example. */
  note(host: string, key: string, bytes: Uint8Array, forMs: number, nowMs?: number): Promise<void>

  /** What was noted, unless its time is over or it had to make room. */
  noted(host: string, key: string, nowMs?: number): Promise<Uint8Array | undefined>

  counts(): Promise<FrontierCounts>

  /** How much waits after which delay, in rough classes: what an estimate of the remaining time is made of. */
  backlog(): Promise<readonly BacklogClass[]>

  /** What became of page links, in the order of the URLs. */
  explain(urls: readonly string[], nowMs?: number): Promise<readonly Explanation[]>

  /** The known hosts, in the order in which they became known. For people: may be a little old. */
  hosts(page: Cursor, nowMs?: number): Promise<Page<HostView>>

  /** One host by its name, a port included; undefined when it is not known. For people. */
  host(host: string, nowMs?: number): Promise<HostView | undefined>

  /** One page link that waits, is leased or was refused; undefined of all others, and when its text is gone. For people. */
  link(url: string): Promise<LinkView | undefined>

  /** A host's waiting page links, in their order. For people: may be a little old. */
  waiting(host: string, page: Cursor): Promise<Page<Link>>

  /**
   * Page links in the order in which they became known: those that wait, or those that were refused, all or for some reasons,
   * of all hosts or of one. A page may hold fewer links than asked for and still have a `next`: a look takes a bounded time. May be a little old.
   */
  links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>>

  /**
   * Refused page links wait again, at the end of their lists, as if they had never been tried. Returns how many; one that was
   * never seen, or was not refused, changes nothing. `hops` and `note` are those of the first offer.
   */
  requeue(links: readonly Link[]): Promise<number>

  /** What decides when something can be leased next: for people. */
  outlook(nowMs?: number): Promise<Outlook>

  /**
   * Forgets a host's waiting links; they count as refused, with the reason `cleared`. Without a host, forgets everything,
   * also what was ever seen, and closes all tickets.
   */
  clear(host?: string): Promise<void>

  /** Waits until everything is safe, and lets go. Tickets that are open come back at the next opening. */
  close(): Promise<void>

  /** What this maker can do; the contract suite reads it and says in words what it skips. */
  readonly supports: FrontierSupport
}

/** What a kind of frontier can do. */
export interface FrontierSupport {
  /** Strategies, lines and places are exact over all hosts, not only inside a part of them. */
  readonly exactOrder: boolean
  /** It can be closed and opened again. */
  readonly reopen: boolean
  /** `done` may carry `againMs`. */
  readonly recrawl: boolean
}

/** What every maker can be told when it is opened. Durations are milliseconds. */
export interface FrontierOptions {
  /** Which host is next, of those that can be leased; `breadth` when nothing is said. */
  readonly strategy?: 'depth' | 'breadth' | 'best' | 'explore'
  /** With `explore`: the probability of a domain that was never visited; 0.7 when nothing is said. */
  readonly exploreChance?: number
  /** Chance, handed in: with the same seed, the same calls give the same tickets. */
  readonly seed?: number
  /** How long a ticket is leased; a minute when nothing is said. */
  readonly leaseMs?: number
  /** The least delay of every host; 0 when nothing is said. */
  readonly delayMs?: number
  /** The least time between two leases at one server; 0 when nothing is said. */
  readonly serverGapMs?: number
  /** The most open tickets at one server; 4 when nothing is said. */
  readonly perServer?: number
  /** After more failures in a row than this a host, or a server, is down; 3 when nothing is said. */
  readonly retries?: number
  /** Pages after which the crawl ends; without it, when nothing is left. */
  readonly limit?: number
  /** The most open page tickets of unproven hosts; Infinity when nothing is said. */
  readonly unproven?: number
  /** The most open tickets that are not for pages; Infinity when nothing is said. */
  readonly errands?: number
  /** The most known hosts (`max-hosts`), of one registrable domain (`domain-hosts`), and the most that one call of `offer`, or one settlement, makes known (`page-hosts`); each Infinity when nothing is said. */
  readonly maxHosts?: number
  readonly maxHostsPerDomain?: number
  readonly maxNewHosts?: number
}

/** A ticket's number: never used again in the life of a frontier. */
export type TicketId = number

/** What a link leads to: a page, or something that is fetched to judge pages. */
export type LinkKind = 'page' | 'robots' | 'sitemap'

/** A URL to fetch some day. */
export interface Link {
  /** Canonical, `scheme://host…`, at most 65,535 bytes; taken as it is. Two page links are the same when their URLs are. */
  readonly url: string
  /**
   * `page` when nothing is said. Links of another kind are *errands*: they are leased before the pages of their host, in
   * the order in which they were offered; the same one (kind, URL and note) is new again once it was settled; and they are
   * not counted as known, waiting, done or refused.
   */
  readonly kind?: LinkKind
  /** Slashes in the path: inside its host, page links come by this, then by arrival. A whole number from 0; more than 255 counts as 255. */
  readonly pathDepth: number
  /** How many links lead here from a seed; 0 for a seed. A whole number from 0 to 2^31 - 1. Kept, not used. */
  readonly hops: number
  /**
   * Page links only: it becomes known and is refused at once, for this reason, if it was never seen. It keeps its text and can
   * be requeued. It is not counted as new, and makes no host wait.
   */
  readonly refused?: string
  /** Comes back with the ticket: where the link was found, for example. At most 4,096 bytes. Links of one call that share a note share its cost. */
  readonly note?: string
}

/** A link that is leased. */
export interface Ticket extends Link {
  readonly id: TicketId
  readonly kind: LinkKind
  readonly host: string
  /** 1 at the first time, and one more for each `again` before. */
  readonly attempt: number
  /** How long the lease runs from now on. */
  readonly leaseMs: number
  /** Where its host is placed; undefined: nowhere yet. */
  readonly server: string | undefined
  /** Pages of its host that are done. */
  readonly hostPages: number
  /** Its host has answered, and has not failed since. */
  readonly isProven: boolean
}

/** Tickets that may be fetched now, and when to ask again. */
export interface Taken {
  readonly tickets: readonly Ticket[]
  /**
   * How long until `take` may have something to do without any other call: 0 when `max` (of 1 or more) tickets were leased;
   * otherwise the shortest of: the time until a host that has something waiting and no open ticket and has not joined is
   * ready; until the time of a server comes at which somebody who joined waits, and which has room; until a lease runs
   * out. Undefined when there is no such time.
   */
  readonly waitMs: number | undefined
  /**
   * `limit`: as many pages are done as were wanted. `nothing left`: no ticket is open, and nothing waits but links at hosts
   * that are down.
   */
  readonly end?: 'limit' | 'nothing left'
}

/** What became of a visit. */
export type Outcome =
  /** `isPage`: counts for the limit. `againMs`: to be visited again after this time (only where `supports.recrawl`, otherwise `FRONTIER_UNSUPPORTED`). */
  | { readonly kind: 'done'; readonly isPage: boolean; readonly againMs?: number }
  | { readonly kind: 'refused'; readonly reason: string }
  /** To be tried again: the link goes to the end of its list. */
  | { readonly kind: 'again' }

/**
 * What a visit showed of its host.
 *
 * - `answer`: it answered. It counts as proven, and its failures in a row and those of its server are forgotten.
 * - `trouble`: it answered, but can't serve: one more failure in a row of the host; those of its server are forgotten.
 * - `silence`: nothing came back. One more failure in a row of the host; and of its server, unless the ticket was leased
 *   before the server's last failure (visits that hang at the same time count once).
 * - `gone`: the host does not exist. All page links that wait there are refused with the outcome's reason, and errands
 *   are dropped. The outcome must be `refused`.
 *
 * After n failures in a row a host rests for 1, 5, 25 … s, at most an hour: `restMs(n)`. A server rests for
 * `restMs(n - 1)` from its second failure on. With more failures than `retries` host or server is *down*: what waits there
 * keeps waiting and is tried when the rest is over, but no crawl stays open for it. When a frontier is opened, those that
 * were down are given one more try: they have `retries` failures again, and their own rest is over.
 */
export type Shown = 'answer' | 'trouble' | 'silence' | 'gone'

export function restMs(failures: number): number {
  return failures <= 0 ? 0 : Math.min(1000 * 5 ** (failures - 1), 3_600_000)
}

/** What became of a ticket, with the links that were found, in one step. */
export interface Settlement {
  readonly ticketId: TicketId
  readonly outcome: Outcome
  /** Links that were found; offered in the same step. */
  readonly links: readonly Link[]
  /** Undefined: nobody was asked; host and server keep the times that they had before the lease. */
  readonly shown: Shown | undefined
  /** If somebody was asked: the host is ready again after this, its own delay, the frontier's, or its rest, whichever is longest. From 0. */
  readonly delayMs: number
}

/** The result of settling: how many links were new, and which tickets were no longer open. */
export interface Settled {
  /** How many links of each settlement or visit were new. */
  readonly fresh: readonly number[]
  /** The tickets that were no longer open. */
  readonly late: readonly TicketId[]
}

/** A visit of an earlier life; see {@link Frontier.settleFormer}. */
export interface FormerVisit {
  readonly url: string
  readonly isPage: boolean
  readonly links: readonly Link[]
}

/** The host that a URL belongs to: what stands between `://` and the path, a port included; empty when there is none. */
export function hostOf(url: string): string {
  const start = url.indexOf('://') + 3
  if (start === 2) return ''
  let end = start
  while (end < url.length && url[end] !== '/' && url[end] !== '?' && url[end] !== '#') end++
  return url.slice(start, end)
}
