import type { Clock } from '../../base/clock.ts'
import { unprovenSlots } from '../../decide/limits.ts'
import type { CrawlFrontier, FrontierOptions } from '../../frontier/frontier.ts'
import type { UnusualOrder } from '../../frontier/local/memory/waiting-lists.ts'
import { openLocal, openUnusual } from '../../frontier/local/open.ts'
import type { Where } from '../../frontier/redis/engine/where.ts'
import type { RedisFrontier } from '../../frontier/redis/open.ts'
import type { Loss } from '../../frontier/redis/recovering.ts'
import { HostBook } from '../../settings/host-settings.ts'
import type { CrawlSettings } from '../../settings/settings.ts'

/** Leases of open visits are renewed, so a lease only has to outlast one request and a pause of the process. */
const OWN_LEASE_MS = 10 * 60_000
/** What a machine that dies leaves open waits this long for the others. Longer when a request may last longer: it must end before its lease does. */
const SHARED_LEASE_MS = 60_000
const TIMEOUTS_PER_LEASE = 3
/** Minimum number of open auxiliary links (tickets that are not for pages). DNS lookups take no slot, so there may be more auxiliary links than requests. */
const LEAST_AUXILIARIES = 128

/** The frontier of a crawl, in its folder; and beside it, how far it was acknowledged. */
export const FRONTIER_FOLDER = 'frontier'
export const WITNESS_FILE = 'frontier.synced'

export function openOwnFrontier(
  folder: string | undefined,
  settings: CrawlSettings,
  rest: { readonly clock: Clock; readonly witness?: string; onRepair(message: string): void },
): Promise<CrawlFrontier> {
  return openLocal({
    ...(folder !== undefined && { folder }),
    ...optionsOf(settings),
    leaseMs: OWN_LEASE_MS,
    ...rest,
  })
}

/** For the simulator: see `UnusualOrder`. */
export function openUnusualFrontier(order: UnusualOrder, settings: CrawlSettings, clock: Clock): CrawlFrontier {
  return openUnusual(order, {
    ...optionsOf(settings),
    leaseMs: OWN_LEASE_MS,
    clock,
  })
}

export interface SharedFrontierHears {
  /** Called when it cannot be used for now, and again when that is over. */
  onTrouble(message: string): void
  /** Called when it has forgotten what it had acknowledged; resolves when that is offered again. */
  onLost(loss: Loss): Promise<void>
  /** Called when hosts were set aside because what it has of them can't be read. */
  onDamaged(hosts: number): void
}

/** Opens a frontier that machines share. Its time is the engine's. `hasWorked`: this machine has pages of the crawl. */
export async function openSharedFrontier(
  where: Where,
  crawler: string,
  settings: CrawlSettings,
  hears: SharedFrontierHears & { readonly hasWorked: boolean },
): Promise<RedisFrontier> {
  // Loaded on demand: most crawls have their frontier in their folder.
  const { openRedis } = await import('../../frontier/redis/open.ts')
  const leaseMs = Math.max(SHARED_LEASE_MS, TIMEOUTS_PER_LEASE * settings.timeoutMs)
  return openRedis({ where, crawler, ...optionsOf(settings), leaseMs, ...hears, onAdvice: hears.onTrouble })
}

/** Changes an open frontier to other settings: of one that machines share, what bounds this machine alone. */
export function changeFrontier(frontier: CrawlFrontier, settings: CrawlSettings): Promise<void> {
  return (frontier.rules ?? frontier).change(optionsOf(settings))
}

function optionsOf(settings: CrawlSettings) {
  const { strategy, exploreChance, seed, retries, limit, perServer, concurrency } = settings
  return {
    strategy,
    exploreChance,
    seed,
    // Longer delays come with each settlement.
    delayMs: new HostBook(settings).shortestDelayMs,
    serverGapMs: settings.serverDelayMs,
    perServer,
    recrawl: settings.recrawl !== 'no',
    retries,
    limit,
    unproven: unprovenSlots(concurrency),
    auxiliaries: Math.max(LEAST_AUXILIARIES, concurrency),
    maxHosts: settings.maxHosts,
    maxHostsPerDomain: settings.maxHostsPerDomain,
  } satisfies FrontierOptions
}
