import type { Again, FrontierCounts, Link, Outcome, PlannedVisit, Shown, Ticket, TicketId } from '../../frontier.ts'
import type { FrontierSettings } from '../../options.ts'
import type { HostShard } from './host-shards.ts'

// What goes into a shard's moves and what comes out. Durations are milliseconds from now; Infinity is allowed where said.

/** What a shard has to know of the frontier's options; the same for all clients of a crawl. */
export interface ShardRules
  extends Pick<
    FrontierSettings,
    | ('strategy' | 'exploreChance' | 'seed' | 'leaseMs' | 'delayMs' | 'retries')
    | ('maxHostsPerDomain' | 'perServer' | 'serverGapMs' | 'recrawl')
  > {
  /** The seed of the fingerprints; never changes. */
  readonly fingerprintSeed: readonly [number, number]
}

/** The client that works on a shard. */
export interface ShardOwner {
  /** The crawler's id. */
  readonly id: string
  /**
   * The number of its opening, from 1, never used twice: its calls are numbered from `opening * 2 ** 32` on, so that those
   * of a former run of the same crawler are known to be older.
   */
  readonly opening: number
  /** How many times this crawl was opened by a first crawler. A server that was down gets one more try after each. */
  readonly revivals: number
}

/** The bounds on hosts that are decided outside of the shard. */
export type OuterBound = 'max-hosts' | 'page-hosts'

/** A link of this shard. */
export interface OfferedLink {
  /** `attempts`: of one that comes from elsewhere. */
  readonly link: Link & { readonly attempts?: number }
  readonly host: HostShard
  /** Which settlement, visit or call it belongs to: an index into `fresh`. Links come in the order of their groups. */
  readonly group: number
  /** Why its host may not become known, if it may not; the same for all links of a host in a group. */
  readonly bound?: OuterBound | undefined
}

export interface ShardOffered {
  /** How many links of each group were new. */
  readonly fresh: readonly number[]
  /** The hosts that became known. */
  readonly became: readonly string[]
}

/**
 * How many more tickets of each kind may be opened; Infinity is allowed. Less than 0: this many too many are open, and leases of
 * this owner that expire make up for that before anything is leased in their place.
 */
export interface Quotas {
  readonly pages: number
  readonly unproven: number
  readonly auxiliaries: number
}

/** What to lease. */
export interface ShardAsk extends Quotas {
  /** At most 128. */
  readonly max: number
  /** The tickets get this number and those that follow. */
  readonly firstId: TicketId
}

/** A ticket, and what a shard needs to find it again. */
export interface ShardTicket extends Ticket {
  /** The number of its host in the shard, as the engine has it. */
  readonly hostId: Buffer
  readonly isAuxiliary: boolean
}

/** An open ticket as a shard finds it. */
export type OpenTicket = Pick<ShardTicket, 'id' | 'hostId'>

/** What a lease is of, in the order of the numbers that the scripts give them. Visits again don't count towards the limit. */
export const LEASE_KINDS = ['page', 'auxiliary', 'again'] as const
export type LeaseKind = (typeof LEASE_KINDS)[number]

export function leaseKindOf({ isAuxiliary, again }: Pick<ShardTicket, 'isAuxiliary' | 'again'>): LeaseKind {
  if (isAuxiliary) return 'auxiliary'
  return again === undefined ? 'page' : 'again'
}

/** A lease that came back. */
export interface LostLease {
  readonly ticketId: TicketId
  readonly what: LeaseKind
  /** The server of its host, which still counts it. */
  readonly server: string | undefined
}

/** A host that may try its server again. */
export interface Woken {
  readonly host: string
  readonly hostShard: number
  readonly inMs: number
  /** Its server is down. */
  readonly isServerDown: boolean
}

export interface ShardTaken {
  readonly tickets: readonly ShardTicket[]
  /** As {@link Taken.waitMs}, of this shard. */
  readonly waitMs: number | undefined
  readonly expired: readonly LostLease[]
  /** Hosts in the queues of this shard's servers that may try now, because another one did not come. */
  readonly wake: readonly Woken[]
  readonly left: ShardLeft
  /** Links that wait do not count as waiting at this many of its hosts, all or none but in the middle of `lua/shard/weigh.lua`. */
  readonly full: number
  readonly hosts: number
  /** How many hosts have joined and were not leased, by class. */
  readonly joined: { readonly auxiliaries: number; readonly proven: number; readonly unproven: number }
  /** The shard leases nothing until this owner, and all others, have looked for losses: see `lua/parts/hold.lua`. */
  readonly isToLook: boolean
}

/** What is left in a shard. */
export interface ShardLeft
  extends Pick<
    FrontierCounts,
    'known' | 'waiting' | 'down' | 'leased' | 'auxiliaries' | 'planned' | 'due' | 'revisiting'
  > {
  /** Without those that wait at hosts that are down. */
  readonly auxiliaries: number
  /** Of the due ones, those at hosts that are down. */
  readonly downDue: number
  /** Of the planned ones that are not due, whether the time of one has come. */
  readonly hasCome: boolean
}

export interface ShardSettlement {
  /** Undefined: of a ticket that is not open; it is late. */
  readonly ticket: Pick<ShardTicket, 'id' | 'hostId' | 'url' | 'again'> | undefined
  readonly outcome: Outcome
  readonly shown: Shown | undefined
  readonly delayMs: number
  /** Those of its links that belong to this shard; their `group` counts from 0. */
  readonly links: readonly OfferedLink[]
}

export interface ShardSettled extends ShardOffered {
  /** Indexes into the list of settlements whose tickets were no longer open. */
  readonly late: readonly number[]
}

export interface ReturnedTicket {
  readonly ticket: OpenTicket
  /**
   * Parked: its host joins again after this time, or when it is woken before. `isUnseen`: no caller ever had the ticket, so its host has
   * had no turn.
   */
  readonly how: 'as it was' | { readonly parkedMs: number; readonly isServerDown: boolean; readonly isUnseen?: boolean }
}

export interface ShardVisit {
  readonly url: string
  readonly host: HostShard
  readonly isPage: boolean
  /** Undefined: now. */
  readonly dateMs?: number | undefined
  readonly again?: Again | undefined
  /** Those of its links that belong to this shard. */
  readonly links: readonly OfferedLink[]
}

export interface ShardPlan extends PlannedVisit {
  readonly host: HostShard
  readonly attempts?: number | undefined
  readonly isHinted?: boolean | undefined
}

/** A host in the queue of a server. */
export interface QueuedHost {
  readonly server: string
  readonly host: string
  readonly hostShard: number
}

/** A ticket that wants to go to a server. */
export interface Applicant extends QueuedHost {
  readonly token: TicketId
  readonly class: 'auxiliary' | 'proven' | 'unproven'
}

export type Admission =
  | { readonly isGranted: true }
  | { readonly isGranted: false; readonly laterMs: number; readonly isDown: boolean }

/** A ticket that its server still counts; `token`: its id. */
export interface OpenToken {
  readonly server: string
  readonly token: TicketId
}

export interface ReleasedToken extends OpenToken {
  /** `expired`: it came back because its time was over; its server's time and failures stay. */
  readonly how: 'unasked' | 'expired' | Shown
}
