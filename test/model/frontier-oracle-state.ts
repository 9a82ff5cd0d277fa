// What the oracle knows.
import { getDomain } from 'tldts'
import type { FrontierCounts, FrontierOptions, Link, LinkKind } from '../../src/frontier/frontier.ts'

export type HostClass = 'auxiliary' | 'proven' | 'unproven'

/** A page link that was ever seen, or an auxiliary link that waits or is leased. */
export interface KnownLink extends Omit<Link, 'note'> {
  note: string | undefined
  /** Its place in the order in which links became known. */
  readonly number: number
  readonly kind: LinkKind
  readonly host: KnownHost
  attempt: number
  state: 'waiting' | 'leased' | 'done' | 'refused'
  reason: string
  isPage: boolean
  /** Of a done link that is visited again: when, and what it is worth. It is `leased` while it is visited. */
  plan: Plan | undefined
}

export interface Plan {
  /** Its place in the order in which links were planned; kept as long as the link is. */
  readonly number: number
  visitedAtMs: number
  dueAtMs: number
  gain: number
  isHinted: boolean
  /** It is in the list of its host. */
  isDue: boolean
}

export interface KnownHost {
  readonly name: string
  /** Its place in the order in which hosts became known. */
  readonly number: number
  readonly domain: string
  readyAtMs: number
  /** `readyAtMs` was set by its own rest, and by nothing else. */
  isResting: boolean
  delayMs: number
  failures: number
  isProven: boolean
  server: KnownServer | undefined
  pages: number
  received: number
  /** Page tickets that were ever leased. */
  turns: number
  /** Page links in the order in which they will be leased. */
  list: KnownLink[]
  /** The same for auxiliary links. */
  auxiliaries: KnownLink[]
  /** Done links that are due, in no order. */
  due: KnownLink[]
  /** It leased a new link last, while it had a due one. */
  isDueNext: boolean
  /** Its class while it has joined. */
  joinedAs: HostClass | undefined
}

export interface KnownServer {
  readonly name: string
  open: number
  readyAtMs: number
  failures: number
  lastFailureMs: number
}

export interface OpenTicket {
  readonly id: number
  readonly link: KnownLink
  takenMs: number
  dueMs: number
  /** Where it counts as open. */
  server: KnownServer | undefined
  /** What the lease made of that server's time, and what it was before. */
  serverMs: { set: number; before: number }
}

export interface OracleState {
  /** How many links were ever planned. */
  plansEver: number
  /** In the order in which they became known. */
  hosts: KnownHost[]
  byName: Map<string, KnownHost>
  servers: Map<string, KnownServer>
  /** Page links. */
  links: Map<string, KnownLink>
  /** The open ones, in the order in which they were leased. */
  tickets: OpenTicket[]
  leasedEver: number
  /** The hosts that have joined, in this order. */
  line: KnownHost[]
  /** Registrable domains of which a ticket was leased. */
  visited: Set<string>
  /** The place after the host served last, and after the domains served last by `explore`. */
  turns: { hosts: number; fresh: number; visited: number }
  notes: Map<string, { bytes: Uint8Array; untilMs: number }>
  turnedAway: { -readonly [Bound in keyof FrontierCounts['turnedAway']]: number }
  latestMs: number
}

export function emptyState(): OracleState {
  return {
    hosts: [],
    byName: new Map(),
    servers: new Map(),
    links: new Map(),
    tickets: [],
    leasedEver: 0,
    plansEver: 0,
    line: [],
    visited: new Set(),
    turns: { hosts: 0, fresh: 0, visited: 0 },
    notes: new Map(),
    turnedAway: { 'max-hosts': 0, 'domain-hosts': 0, 'page-hosts': 0 },
    latestMs: 0,
  }
}

export function isDown(host: KnownHost, { retries = 3 }: FrontierOptions): boolean {
  return host.failures > retries || (host.server?.failures ?? 0) > retries
}

/** The registrable domain of a host, or the host itself where there is none; a port does not count. */
export function domainOf(host: string): string {
  const name = host.replace(/:[0-9]*$/, '')
  return getDomain(name) ?? name
}

export function classByProof(host: KnownHost): HostClass {
  return host.isProven ? 'proven' : 'unproven'
}
