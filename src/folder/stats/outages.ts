import type { CrawlHappening } from '../../settings/events.ts'
import { hostOf } from '../../url/host-of.ts'

/** Why a host was last without a useful answer, and since when. */
export interface Outage {
  /** The name of a reason: `connect`, `timeout`, `robots-status-503`. */
  readonly why: string
  /** When the first request failed after the last answer, in milliseconds since 1970. */
  readonly sinceMs: number
}

export type OutagesData = readonly (readonly [host: string, outage: Outage])[]

/** More are not kept; the one that failed longest ago is forgotten first. */
const MOST_HOSTS = 1000

/** Why hosts don't answer, as long as they don't. Only for messages: what follows from it is up to the frontier. */
export class Outages {
  private readonly hosts: Map<string, Outage>

  constructor(data: OutagesData = []) {
    this.hosts = new Map(data)
  }

  /** `atMs`: Unix time. */
  hear(event: CrawlHappening, atMs: number): void {
    if (event.kind === 'answered') {
      if (event.status < 500 && event.status !== 429) this.hosts.delete(hostOf(event.url))
    } else if (event.kind === 'again' || event.kind === 'failed') this.fail(hostOf(event.url), event.why, atMs)
  }

  of(host: string): Outage | undefined {
    return this.hosts.get(host)
  }

  toJSON(): OutagesData {
    return [...this.hosts]
  }

  private fail(host: string, why: string, atMs: number): void {
    const sinceMs = this.hosts.get(host)?.sinceMs ?? atMs
    this.hosts.delete(host)
    if (this.hosts.size >= MOST_HOSTS) this.hosts.delete(this.hosts.keys().next().value!)
    this.hosts.set(host, { why, sinceMs })
  }
}
