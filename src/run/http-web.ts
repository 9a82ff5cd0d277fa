import { readFileSync } from 'node:fs'
import type { Clock } from '../base/clock.ts'
import { said } from '../base/messages/message.ts'
import { whyOf } from '../base/system-error.ts'
import type { FilterLink } from '../decide/filtered-links.ts'
import type { RankLink } from '../decide/link-rank.ts'
import { Resolver } from '../fetch/dns.ts'
import { hostHeaders } from '../settings/host-settings.ts'
import { agentOf, type CrawlSettings } from '../settings/settings.ts'
import { archivedPayloads } from '../visit/known-payloads.ts'
import { WorkerPool } from '../visit/worker-pool.ts'
import type { Web } from './conductor.ts'

export interface HttpWebOptions {
  readonly clock: Clock
  readonly crawl: string
  readonly filterLink: FilterLink | undefined
  readonly rankLink: RankLink | undefined
}

/** File descriptors needed besides connections: the program itself, the crawl's files, DNS. */
const RESERVED = 40
const PER_WORKER = 8
/** Idle connections that each worker thread keeps for the next page, within the limit on open files. */
const MOST_CONNECTIONS = 1000

/** The real web: names come from DNS servers, and worker threads visit pages by HTTP. */
export function httpWeb(
  { dnsServers, hosts, dedup }: CrawlSettings,
  { clock, crawl, filterLink, rankLink }: HttpWebOptions,
): Web {
  const payloads = dedup > 0 ? archivedPayloads(crawl, dedup) : undefined
  return {
    payloads,
    names: new Resolver({ clock, hosts, ...(dnsServers.length > 0 && { servers: dnsServers }) }),
    requestsAllowed: ({ concurrency, workers }) =>
      Math.max(1, Math.min(concurrency, openFilesLimit() - RESERVED - PER_WORKER * workers)),
    newVisitor({ settings, ruleOptions, revisits }, { slots, onTrouble, onFailure }) {
      const { hosts: _, hostSettings, ...rest } = settings
      return new WorkerPool({
        workers: settings.workers,
        data: {
          ...rest,
          agent: agentOf(settings.userAgent),
          hostHeaders: hostHeaders(hostSettings),
          maxConnections: slots < settings.concurrency ? slots : MOST_CONNECTIONS,
          links: ruleOptions,
          // It must see every link each time, since it may depend on the page that the link is on.
          sendsRepeats: filterLink !== undefined,
          wantsTexts: rankLink !== undefined,
          crawl,
          revisits,
          payloadMemory: payloads?.memory,
        },
        onWorkerDeath: cause => onTrouble(said('run/worker-died', { why: whyOf(cause) })),
        onFailure,
      })
    },
  }
}

/** The soft limit of this process; Infinity where the system does not report one. */
function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return soft === undefined || soft === 'unlimited' ? Infinity : Number(soft)
  } catch {
    return Infinity
  }
}
