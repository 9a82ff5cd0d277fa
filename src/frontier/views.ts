import type { Link, TicketId } from './frontier.ts'

// What a frontier shows to people.

/** Part of a frontier: what can be seen of it besides its counts. */
export interface FrontierViews {
  /** What became of these page links, in the order of the URLs. */
  explain(urls: readonly string[]): Promise<readonly Explanation[]>

  /** One host by its name, with its port if it has one; undefined when it is not known. For people. */
  host(host: string): Promise<HostView | undefined>

  /** The known hosts, in the order in which they became known (part by part). For people: may be a little old. */
  hosts(page: Cursor): Promise<Page<HostView>>

  /**
   * One page link that waits, is leased, was refused or whose next visit is planned; undefined for all others, and when its
   * text is gone. For people, and for a start that finds visits that were not settled.
   */
  link(url: string): Promise<LinkView | undefined>

  /**
   * Page links in the order in which they became known (where `exactOrder`): those that wait, are leased, or were refused
   * (for any reason or for some), of all hosts or of one. Each call takes a bounded time, so a page may hold fewer links than asked for and still
   * have a `next`. May be a little old.
   */
  links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>>

  /** A host's waiting page links, in their order. For people: may be a little old. */
  waiting(host: string, page: Cursor): Promise<Page<Link>>

  /** What decides when something can be leased next. For people. */
  outlook(): Promise<Outlook>

  /** How many links wait at hosts of which delay, in rough classes: the basis for an estimate of the remaining time. */
  backlog(): Promise<readonly BacklogClass[]>
}

/** How many links a frontier knows, by what became of them. */
export interface FrontierCounts {
  /** Page links ever seen: the sum of the next four. */
  readonly known: number
  readonly waiting: number
  readonly leased: number
  readonly done: number
  readonly refused: number
  /** The refused ones by reason. */
  readonly refusedFor: Readonly<Record<string, number>>
  /** Of the done ones, those that were pages. */
  readonly pages: number
  /** Of the done ones, those with a next visit. */
  readonly planned: number
  /** Of the planned ones, those that are due. */
  readonly due: number
  /** Of the done ones, those that are leased for a visit again. */
  readonly revisiting: number
  /** Of the waiting ones, those at hosts that are down, or whose server is. */
  readonly down: number
  /** Auxiliary links (links that are not pages) that wait or are leased. */
  readonly auxiliaries: number
  readonly hosts: number
  /** Links that a bound on hosts turned away, by its name. */
  readonly turnedAway: { readonly 'max-hosts': number; readonly 'domain-hosts': number; readonly 'page-hosts': number }
}

/** Hosts with about the same number of waiting links and about the same delay. */
export interface BacklogClass {
  readonly hosts: number
  /** About how many page links wait at each of them. */
  readonly waiting: number
  /** About their own delay or the frontier's, whichever is longer. */
  readonly delayMs: number
  /** One of them, if one is known. */
  readonly example: string | undefined
}

/** What a frontier knows about a host: what waits, and when it may be asked again. */
export interface HostView {
  readonly host: string
  /** Page links that wait. */
  readonly waiting: number
  /** Done links that are due. */
  readonly due: number
  readonly state: 'idle' | 'waiting' | 'leased'
  /** How long until it may be asked again; 0: now. Its server may take longer. */
  readonly readyInMs: number
  /** Its own delay, as set by `setDelay`; 0 when none was set. */
  readonly delayMs: number
  /** Where it is placed; undefined: nowhere yet. */
  readonly server: string | undefined
  /** Its pages that are done. */
  readonly pages: number
  /** The importance that links have given to it; see `Link.gives`. */
  readonly received: number
  /** How many of its page tickets were ever leased, also for visits again. */
  readonly turns: number
  /** Failures in a row, up to now. */
  readonly failures: number
  /** The host or its server is down. */
  readonly isDown: boolean
}

/** Which links to list. */
export interface LinkFilter {
  /** `leased`: for their first visit; a done link that is visited again stays done. */
  readonly state: 'waiting' | 'leased' | 'refused'
  /** For refused links, only these reasons; default: all. */
  readonly reasons?: readonly string[]
  readonly host?: string
}

/** A link as a frontier lists it. */
export interface LinkView extends Link {
  readonly host: string
  /** Why it was refused; only for a refused link. */
  readonly reason?: string
  /** How many of its tickets were settled since it began to wait. */
  readonly attempts: number
  /** Only for a done link whose next visit is planned: when it was visited last, in milliseconds since 1970. */
  readonly again?: { readonly visitedAtMs: number }
}

/** Why nothing, or nothing more, is leased now. */
export interface Outlook {
  /** Hosts with something waiting and no open ticket that can be leased now, or only wait for their turn at their server. */
  readonly ready: number
  /** Hosts with something waiting and no open ticket whose own time has not come. */
  readonly resting: number
  /** Hosts with waiting page links that are down, or whose server is; most of them rest. */
  readonly down: number
  /** Of the resting hosts, the one whose time comes first. */
  readonly next: HostView | undefined
  /** How long until the first planned visit is due; 0: one is. Missing when none is planned. */
  readonly againInMs?: number
}

/** What a frontier knows about one URL: its state, its place in the queue, or why it was refused. */
export type Explanation =
  | { readonly state: 'unknown' }
  | {
      readonly state: 'waiting'
      readonly host: string
      /** How many links of its host come before it; at least this many when not exact. */
      readonly place: number
      readonly isExact: boolean
      readonly readyInMs: number
      readonly isDown: boolean
    }
  | { readonly state: 'leased'; readonly host: string; readonly ticketId: TicketId; readonly leaseMs: number }
  | {
      readonly state: 'done'
      readonly host: string
      readonly isPage: boolean
      /** Only when it is planned: how long until its time comes; 0: it is due. */
      readonly againInMs?: number
    }
  | { readonly state: 'refused'; readonly host: string; readonly reason: string }

/** Where a page of a long list begins: at the start, or at `Page.next` of the page before. */
export interface Cursor {
  readonly after?: string
  readonly limit: number
}

/** A part of a long list; `next` is the cursor of the next part. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** Undefined at the end. */
  readonly next: string | undefined
}
