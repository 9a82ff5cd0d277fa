import { hostHeaders } from '../settings/host-settings.ts'
import type { LinkRuleOptions } from '../settings/link-rules.ts'
import { agentOf, type CrawlSettings } from '../settings/settings.ts'
import type { KnownPayloads } from './known-payloads.ts'
import { WorkerPool } from './worker-pool.ts'

export interface WorkersOptions {
  /** How many requests may be open at once. */
  readonly slots: number
  readonly links: LinkRuleOptions
  /** Whether links that were sent before are sent again. */
  readonly sendsRepeats: boolean
  /** The crawl's folder. */
  readonly crawl: string
  /** Whether pages are visited again: their texts are compared then. */
  readonly revisits: boolean
  /** Payloads that are in the archive. */
  readonly payloads: KnownPayloads | undefined
  onWorkerDeath(cause: unknown): void
  onFailure(error: unknown): void
}

/** Starts the worker threads of a crawl with these settings. */
export function startWorkers(settings: CrawlSettings, options: WorkersOptions): WorkerPool {
  const { hosts: _, hostSettings, ...rest } = settings
  const { slots, links, sendsRepeats, crawl, revisits, payloads, onWorkerDeath, onFailure } = options
  return new WorkerPool({
    workers: settings.workers,
    data: {
      ...rest,
      agent: agentOf(settings.userAgent),
      hostHeaders: hostHeaders(hostSettings),
      // Idle connections are kept for the next page, within the limit on open files.
      maxConnections: slots < settings.concurrency ? slots : 1000,
      links,
      sendsRepeats,
      crawl,
      revisits,
      payloadMemory: payloads?.memory,
    },
    onWorkerDeath,
    onFailure,
  })
}
