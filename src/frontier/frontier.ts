import type { CrawlerBounds, FrontierChange } from './options.ts'
import type { FrontierCounts, FrontierViews } from './views.ts'
import type { Again, FormerVisit, VisitPlans } from './visits.ts'

export { CHANGEABLE_OPTIONS, type CrawlerBounds, type FrontierChange, type FrontierOptions } from './options.ts'
export type * from './views.ts'
export * from './visits.ts'

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
 * A done link may be *planned*: it is *due* from the first take after its time on, and is then leased like a waiting one. It
 * counts as done all the while. However a visit again ends, the link stays done; it is planned anew if that is wanted.
 *
 * What every frontier promises:
 *
 * 1. A link that was seen before is never new again, no matter how it ended.
 * 2. A host has at most one open ticket.
 * 3. No ticket is leased before its host is ready: its delay has passed since the last settlement after it was asked, and
 *    no block holds; or it was released since. All of this holds for this host alone.
 * 4. A host is placed at one server or, at first, at none; it may move. At most `perServer` hosts of a server have an
 *    open ticket, and no two of their tickets are leased within `serverGapMs` of each other, except that a ticket closed
 *    unasked leaves no gap. Of a server's hosts of one class (see below) that could be leased, the first to join is next.
 * 5. A lease that expires comes back once. A ticket that was settled, given back or has expired is closed and can't be used.
 * 6. A settlement is one step: the outcome and the host's next time together, or neither; its links are offered in that
 *    step or before it, never after.
 * 7. When a promise resolves, its effect survives a crash, to the extent documented for the implementation in docs/.
 * 8. With a `limit`, there are never more open page tickets than pages still missing, over all machines. Visits again don't
 *    count.
 *
 * A frontier has one clock, its machine's or its engine's. It takes and returns durations, not times, except
 * for those of visits. Time should not go back, but nothing breaks if it does. Calls by one caller that were not awaited may take effect in any order.
 *
 * A frontier may be divided into parts, with all hosts of a registrable domain in the same one, and several crawlers may
 * work on it at once. `supports.exactOrder` is then false. The promises hold over all parts and all crawlers, but:
 *
 * - Strategies and the order of joining are exact inside a part; `take` asks the parts in turn. In a part that was not
 *   asked, because there were `max` tickets before, expired leases have not come back yet.
 * - The hosts of a class at a server come in the order in which they first asked it for room, which is about that of
 *   joining. A host that is refused room has taken its turn in the strategy all the same.
 * - `unproven` and `auxiliaries` bound the open tickets of each crawler; all other bounds hold over all of them.
 * - `waitMs` may be shorter than it would have to be, and is at most half a second while other crawlers are there: they may
 *   bring something at any time.
 * - A batch of settlements offers the links of other parts first, then settles part by part. A link that several of them
 *   found is new once, but not always for the first.
 * - Opening brings back the crawler's own tickets only, and hosts and servers that are down get one more try if no other crawler is there.
 * - A ticket that has expired leaves its server at that time, not only when `take` brings its link back.
 * - A host whose server went down, or came back, counts as down, or no longer does, when it has asked the server again.
 * - In each part that is asked, {@link DUE_AT_ONCE} planned links become due at most. Of those with the same gain and time the first
 *   planned is next, not the first known. They stay due until a crawler opens the frontier while no other is there.
 * - That enough pages are done is known to a part when it is asked. `hint` with `most` goes on part by part.
 * - `clear` of a host ends the planning of its links some at a time; a few may be leased meanwhile.
 * - `hosts` lists one part after the other; `links` has no order.
 *
 * These are the members that every implementation writes. Everything else is a part with an interface of its own, and a crawl
 * wants all of them but the optional ones: {@link CrawlFrontier}.
 */
export interface Frontier {
  /**
   * Offers links. Page links never seen before start to wait, in this order. Returns how many were new. An invalid link
   * is an error (`FRONTIER_BAD_LINK`), and then none is added. See `FrontierOptions` for the bounds on hosts: a
   * link turned away by one of them is not new, is not remembered, and is counted in `counts().turnedAway`.
   */
  offer(links: readonly Link[]): Promise<number>

  /**
   * Leases at most `max` links, one per host, of hosts that may be asked now. First, expired leases come back: each link
   * goes to the end of its list, and its host's time stays as it was. Then, with `recrawl`, planned links whose time has come
   * become due, {@link DUE_AT_ONCE} at most, the earliest first. Then, in this order:
   *
   * 1. Hosts *join*: those that are ready, have something waiting and no open ticket, and have not joined yet, ordered by
   *    the time at which they became ready, then by number (the order in which they became known). While a host has
   *    joined, it has a class: `auxiliary` when a link other than a page waits there, else `proven` when it has answered and
   *    has not failed since, else `unproven`. It leaves when a ticket is leased, when it is blocked into the future, when
   *    nothing waits there any more, when it is placed elsewhere, and when an auxiliary link is offered to it (it may then join
   *    again at the next take).
   * 2. A host that has joined *can be leased* when it has no server, or when its server has fewer than `perServer` open
   *    tickets, its server's time has come, and no host of the same class at the same server joined before it.
   * 3. Auxiliary links: of the hosts of that class that can be leased, the first to join, as long as fewer than
   *    `auxiliaries` such tickets are open.
   * 4. Pages: the strategy chooses among the hosts of the other two classes that can be leased; only among the proven ones
   *    once `unproven` page tickets of unproven hosts are open. No page when open tickets leave the limit no room.
   *
   * A host that has both waiting and due links leases them in turn, a waiting one first. Of its due links, the one with the
   * highest gain is next, then the one whose time came first, then the first known. When as many pages are done as the
   * limit says, and there is `recrawl`, links that wait no longer count as waiting here: hosts lease due ones only.
   */
  take(max: number): Promise<Taken>

  /**
   * Places a ticket's host at a server. Call it before the host is asked, when `ticket.server` is another server or
   * undefined. The host leaves its former server, which is then as if the ticket had never been leased. Returns true if
   * the ticket is still good; the server's gap begins now. Returns false if the server has no room now (too many tickets,
   * its time has not come, or a host of the same class is in line there) or the ticket is not open; then the ticket
   * is closed, its link keeps its place in its list, and its host joins the line at the next take. Returns true if this
   * already is the ticket's server.
   */
  place(ticketId: TicketId, server: string): Promise<boolean>

  /**
   * Closes tickets with the outcomes of their visits, one after the other. A ticket that is no longer open (or is named
   * twice) is reported in `late`; its links are offered all the same. An invalid settlement is an error
   * (`FRONTIER_BAD_SETTLEMENT`, `FRONTIER_BAD_LINK`), and then none of the batch takes effect.
   */
  settle(settlements: readonly Settlement[]): Promise<Settled>

  /** Closes unused tickets: each link keeps its place in its list, and host and server are as before. Ignores those that are not open. */
  giveBack(ticketIds: readonly TicketId[]): Promise<void>

  /** Restarts the full time of these leases. Returns the tickets that are no longer open. */
  renew(ticketIds: readonly TicketId[]): Promise<readonly TicketId[]>

  /** How many links are known, by what became of them. */
  counts(): Promise<FrontierCounts>

  /** Changes the bounds of this crawler; see `FrontierRules.change`. */
  change(bounds: CrawlerBounds): Promise<void>

  /** Waits until everything is safe, and releases the folder. Open tickets come back at the next opening. */
  close(): Promise<void>

  readonly supports: FrontierSupport
}

/** Part of a frontier: when a host may be asked, besides what visits show. */
export interface HostControl {
  /**
   * Leases nothing of this host for a while. Makes the host known. Its server's time and failures stay. An open ticket stays open,
   * and what its settlement says holds afterwards.
   */
  hold(host: string, hold: Hold): Promise<void>

  /** Sets the least delay of this host, from its next settlement on. Makes the host known. */
  setDelay(host: string, delayMs: number): Promise<void>
}

/** Part of a frontier: notes about hosts. */
export interface HostNotes {
  /** Keeps a note about a host for a while, for everything that works on this crawl: the rules of its robots.txt, for example. */
  note(host: string, key: string, bytes: Uint8Array, forMs: number): Promise<void>

  /** Returns a note, unless it has expired or had to make room. */
  noted(host: string, key: string): Promise<Uint8Array | undefined>
}

/** Part of a frontier: what becomes of links other than by a ticket. */
export interface LinkControl {
  /**
   * Settles waiting page links as done, by URL: visits that an earlier run archived but did not settle; and planned ones
   * that were visited before that. Any other link changes nothing. No host was asked, so no host's time changes. `late` is empty.
   */
  settleFormer(visits: readonly FormerVisit[]): Promise<Settled>

  /**
   * Makes refused page links wait again, at the end of their lists, as if they had never been tried. Returns how many; a
   * link that was never seen, or was not refused, changes nothing. `hops` and `note` are those of the first offer.
   */
  requeue(links: readonly Link[]): Promise<number>

  /**
   * Forgets a host's waiting links; they count as refused, with the reason `cleared`. Its planned links are no longer
   * planned. Without a host, forgets everything,
   * including all URLs ever seen, and closes all tickets. `onCleared` gets the links of the host, some at a time, just
   * before they are forgotten; other calls may come in between, and links that they bring may stay.
   */
  clear(host?: string, onCleared?: (links: readonly Link[]) => void): Promise<void>
}

/** Optional part of a frontier: options that hold for everything that works on this crawl can be changed. */
export interface FrontierRules {
  /**
   * From now on these options hold; those that are missing stay as they are. Nothing else happens: open tickets stay open,
   * even when there are more of them than the options allow now, times stay as they are, and hosts that have joined
   * stay joined in their order. Another strategy than before begins its turns anew. The options are not kept: the caller gives them at
   * the next opening. An option that is out of range is an error (`FRONTIER_BAD_OPTION`), and then nothing is changed.
   */
  change(options: FrontierChange): Promise<void>
}

/** A frontier with all the parts that a crawl works with. Part by part, so that callers can ask for what they use. */
export interface CrawlFrontier extends Frontier, HostControl, HostNotes, LinkControl, VisitPlans, FrontierViews {
  /** Undefined: machines share these options, so that only the bounds of a crawler can be changed. */
  readonly rules?: FrontierRules
}

/** Facts about an implementation; the contract suite reads them and reports what it skips. */
export interface FrontierSupport {
  /** It is one whole: strategies, lines and lists are exact over all hosts, not only inside a part of them. */
  readonly exactOrder: boolean
  /** It can be closed and opened again. */
  readonly reopen: boolean
}

/** How long a host is held. */
export interface Hold {
  /** From 0. */
  readonly forMs: number
  /**
   * Instead of whatever the host waits for: a block, its delay and its rest end, and its failures in a row are 0 again. With
   * `forMs: 0` it may be asked at once. Default false: a longer wait stays.
   */
  readonly isAnew?: boolean
}

/** A ticket's number; a frontier never uses it again. */
export type TicketId = number

/** The kinds of links. Frontiers store a kind's position in this list. */
export const LINK_KINDS = ['page', 'robots', 'sitemap'] as const

/** What a link leads to: a page, or something that is fetched to judge pages. */
export type LinkKind = (typeof LINK_KINDS)[number]

/** A URL to fetch at some time. */
export interface Link {
  /** Canonical, `scheme://host…`, at most 65,535 bytes; used unchanged. Two page links are the same when their URLs are. */
  readonly url: string
  /**
   * Default `page`. Links of another kind are *auxiliary links*: they are leased before the pages of their host, in the order in
   * which they were offered; the same one (kind, URL and note) is new again after it was settled; and they are not counted
   * as known, waiting, done or refused.
   */
  readonly kind?: LinkKind
  /** A host's page links are ordered by this, lowest first, then by arrival. A whole number from 0; more than 255 counts as 255. */
  readonly rank: number
  /** How many links lead here from a seed; 0 for a seed. A whole number from 0 to 2^31 - 1. Kept, not used. */
  readonly hops: number
  /**
   * Page links only: if the link was never seen, it becomes known and is refused at once, for this reason. It keeps its
   * text and can be requeued. It is not counted as new, and makes no host wait.
   */
  readonly refused?: string
  /**
   * Comes back with the ticket: where the link was found, for example. At most 4,096 bytes. Links of one call that share
   * a note share its cost.
   */
  readonly note?: string
  /**
   * Page links only: the importance that the page that links here gives to the link's host. From 0; default 0. It is added to what the
   * host has received (`HostView.received`) by every offer and settlement, also when the link was known before; not when the link was turned away or
   * is offered as refused. It is not kept with the link.
   */
  readonly gives?: number
}

/** A leased link: the holder of its ticket may fetch it, until it is settled, given back or expires. */
export interface Ticket extends Link {
  readonly id: TicketId
  readonly kind: LinkKind
  readonly host: string
  /** 1 at first, and one more after each `again`. */
  readonly attempt: number
  /** How long the lease runs from now on. */
  readonly leaseMs: number
  /** The server of its host; undefined: none yet. */
  readonly server: string | undefined
  /** Pages of its host that are done. */
  readonly hostPages: number
  /** Its host has answered, and has not failed since. */
  readonly isProven: boolean
  /** Only on a visit again. */
  readonly again?: {
    /** When it was visited last, in milliseconds since 1970. */
    readonly visitedAtMs: number
    /** It is due because of a `hint`, not because its time has come. */
    readonly isHinted: boolean
  }
}

/** Tickets that may be fetched now, and when to ask again. */
export interface Taken {
  readonly tickets: readonly Ticket[]
  /**
   * How long until another `take` may have something to do, even without any other call: 0 when `max` (1 or more) tickets
   * were leased; otherwise the shortest of: until a host is ready that has something waiting and no open ticket and has not
   * joined; until the time of a server comes that has room and a host in line; until a lease expires. Undefined when there
   * is no such time. With `recrawl` also: until the time of a planned link comes; 0 when more have come than can become
   * due at once.
   */
  readonly waitMs: number | undefined
  /**
   * `limit`: the wanted number of pages is done. `nothing left`: no ticket is open, and only links at hosts that are down
   * still wait. With `recrawl`, both only when no ticket is open and nothing is planned.
   */
  readonly end?: 'limit' | 'nothing left'
  /**
   * Only with `recrawl`: what `end` would be if nothing were planned. Nothing is due but at hosts that are down, and nothing new
   * is left or wanted.
   */
  readonly pause?: 'limit' | 'nothing left'
}

/** What became of a visit. */
export type Outcome =
  /**
   * `isPage`: counts towards the limit; ignored on a visit again. `again`: the next visit is planned; ignored for
   * auxiliary links.
   */
  | { readonly kind: 'done'; readonly isPage: boolean; readonly again?: Again }
  /** On a visit again: it is no longer planned. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Try it again: the link goes to the end of its list; on a visit again, it is planned with the time that it had. */
  | { readonly kind: 'again' }

/**
 * What a visit showed about its host.
 *
 * - `answer`: it answered. It counts as proven, and the counts of its failures in a row and its server's are reset.
 * - `trouble`: it answered, but can't serve: one more failure in a row for the host; its server's count is reset.
 * - `silence`: nothing came back. One more failure in a row for the host, and for its server, unless the ticket was leased
 *   before the server's last failure (visits that hang at the same time count once).
 * - `gone`: the host does not exist. All page links that wait there are refused with the outcome's reason, and auxiliary links are
 *   dropped. The outcome must be `refused`. Planned links stay planned: the host may come back. If it has any, this is one more
 *   failure in a row for the host, and none for its server.
 *
 * After n failures in a row a host rests for 1, 5, 25 … s, at most an hour: `restMs(n)`. A server rests for
 * `restMs(n - 1)`, from its second failure on. With more failures than `retries`, a host or server is *down*: its links
 * keep waiting and are tried when the rest is over, but no crawl stays open for them. When a frontier is opened, those
 * that were down get one more try: they have `retries` failures again, and their own rest is over.
 */
export type Shown = 'answer' | 'trouble' | 'silence' | 'gone'

export function restMs(failures: number): number {
  return failures <= 0 ? 0 : Math.min(1000 * 5 ** (failures - 1), 3_600_000)
}

/** The outcome of a ticket and the links that were found, settled in one step. */
export interface Settlement {
  readonly ticketId: TicketId
  readonly outcome: Outcome
  /** The links that were found; offered in the same step. */
  readonly links: readonly Link[]
  /** Undefined: the host was not asked; host and server keep the times that they had before the lease. */
  readonly shown: Shown | undefined
  /** If the host was asked, it is ready again after this, its own delay, the frontier's or its rest, whichever is longest. From 0. */
  readonly delayMs: number
}

/** The result of settling: how many links were new, and which tickets were no longer open. */
export interface Settled {
  /** How many links of each settlement or visit were new. */
  readonly fresh: readonly number[]
  /** The tickets that were no longer open. */
  readonly late: readonly TicketId[]
}
