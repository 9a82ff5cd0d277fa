import type { FrontierCounts, LinkKind } from './frontier.ts'

/**
 * A frontier as a neutral stream of records, the same for every implementation: `escalona frontier WHERE export` writes it to a
 * folder (`dump-files.ts`), and `import` reads it. The order: the head; all servers; all hosts in the order in which they became
 * known, each followed by its links and notes; done links that are planned; what is over.
 *
 * Nothing is leased in a dump: a link with an open ticket waits at the end of its list, and its host keeps its delay, as after
 * the next opening. Times are durations from the moment of the dump; one that has passed is negative.
 */
export type DumpRecord = DumpHead | DumpServer | DumpHost | DumpLink | DumpNote | DumpPlanned | DumpOver

/** The first record. */
export interface DumpHead {
  readonly kind: 'head'
  /** The seed of the fingerprints: two signed 32-bit numbers. */
  readonly fingerprintSeed: readonly [number, number]
  /** What {@link DumpOver.part} counts: 2^32 when the hosts are known, else how many parts are told apart. */
  readonly parts: number
  /** Pages that are done. May differ from the number of `over` records that say so: an early version did not mark them. */
  readonly pages: number
  /** How many tickets were ever leased: the random numbers of `explore` continue from here. */
  readonly tickets: number
  /**
   * Whose turn it is, counted from 1 in the order in which they became known: with `breadth` one host; with `explore` two
   * domains, one of those never visited and one of the others. Empty for other strategies, or when not known.
   */
  readonly turns: readonly number[]
  readonly turnedAway: FrontierCounts['turnedAway']
}

/** Something that hosts are placed at, unless it is as if it had never been asked; ordered by name. Numbers that are left out are 0, here and below. */
export interface DumpServer {
  readonly kind: 'server'
  readonly server: string
  /** Left out when it was never set. */
  readonly readyInMs?: number
  readonly failures?: number
  /** How long ago its last failure was; left out when there was none. */
  readonly failedAgoMs?: number
}

/** A known host. */
export interface DumpHost {
  readonly kind: 'host'
  readonly host: string
  /** Left out when it was never set: it was never asked, nor blocked. */
  readonly readyInMs?: number
  /** That time was set by its own rest, and by nothing else. */
  readonly isResting?: true
  readonly isProven?: true
  /** Its registrable domain was visited: a ticket of one of the domain's hosts was leased. */
  readonly isVisited?: true
  readonly delayMs?: number
  readonly server?: string
  readonly failures?: number
  readonly pages?: number
}

/**
 * A link of the last host. Errands first, then waiting page links: each by the order of its list; page links by depth, then by
 * their list. Then refused page links, ordered by fingerprint.
 */
export interface DumpLink {
  readonly kind: 'link'
  readonly url: string
  /** `robots` or `sitemap` for an errand. */
  readonly errand?: Exclude<LinkKind, 'page'>
  /** From 0 to 255. */
  readonly pathDepth: number
  readonly hops: number
  readonly note?: string
  readonly attempts?: number
  /** Why it was refused; left out for a link that waits. */
  readonly refused?: string
}

/** A note about the last host. A folder keeps no notes, so they are only found in dumps of other implementations. */
export interface DumpNote {
  readonly kind: 'note'
  readonly key: string
  readonly bytes: Uint8Array
  readonly forMs: number
}

/** A done link with a next visit. Those of a host come together, in the order in which they became known. */
export interface DumpPlanned {
  readonly kind: 'planned'
  readonly url: string
  readonly done: 'page' | 'other'
  /** From 0 to 255. */
  readonly pathDepth: number
  readonly hops: number
  readonly note?: string
  readonly attempts?: number
  /** When its time comes; negative when it has come. */
  readonly againInMs: number
  /** In milliseconds since 1970: it is compared with dates that don't move. */
  readonly visitedAtMs: number
  readonly gain: number
  readonly isHinted?: true
}

/** Page links of which only the fingerprint is left, with the same end and of the same part. Ordered by part. */
export interface DumpOver {
  readonly kind: 'over'
  /** The hash of their hosts' registrable domain (see `partOf`), or that modulo {@link DumpHead.parts}. */
  readonly part: number
  /** `page`, `done`, or why they were refused (by an early version, which did not keep their texts). */
  readonly end: { readonly done: 'page' | 'other' } | { readonly refused: string }
  /** Eight bytes each: the lower half of the fingerprint, then the higher one, little-endian. In order, at most {@link MOST_OVER}. */
  readonly fingerprints: Uint8Array
}

/** The servers of a dump: those that are down, have failed or whose time has not come, by name. */
export function sortedServers(servers: readonly DumpServer[]): DumpServer[] {
  const kept = servers.filter(({ failures = 0, readyInMs = 0 }) => failures > 0 || readyInMs > 0)
  return kept.sort((a, b) => (a.server < b.server ? -1 : 1))
}

/** How many links a record holds. */
export function linksIn(record: DumpRecord): number {
  return record.kind === 'link' || record.kind === 'planned'
    ? 1
    : record.kind === 'over'
      ? record.fingerprints.length / 8
      : 0
}

/** The most fingerprints in one record. */
export const MOST_OVER = 4096
/** {@link DumpHead.parts} when hosts are known. */
export const ALL_PARTS = 2 ** 32
