// A crawl that offers and visits without pause while something happens to its engine, and knows afterwards what was lost,
// what was doubled, and how long it stood.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Link, Settlement, Ticket } from '../../src/frontier/frontier.ts'
import type { RedisFrontier } from '../../src/frontier/redis/open.ts'

const HOSTS = 150
const BATCH = 60
/** Of offers, and of visits. */
const LANES = 2
const OFFER_PAUSE_MS = 40

/** What became of a crawl in a storm. */
export interface Damage {
  /** Links that were offered or found, each of them acknowledged. */
  readonly links: number
  readonly visits: number
  /** Acknowledged links that were never leased. */
  readonly lost: number
  /** Links that were leased more than once. */
  readonly doubled: readonly string[]
  /** Links whose ticket was no longer open when it was settled. */
  readonly late: readonly string[]
}

/** Offers nothing any more, visits what is left, and takes stock of what all crawlers of a crawl have seen. */
export async function damageOf(storms: readonly Storm[]): Promise<Damage> {
  await Promise.all(storms.map(storm => storm.end()))
  const acknowledged = new Set(storms.flatMap(storm => storm.acknowledged))
  const times = new Map<string, number>()
  for (const url of storms.flatMap(storm => storm.leased)) times.set(url, (times.get(url) ?? 0) + 1)
  return {
    links: acknowledged.size,
    visits: storms.reduce((sum, storm) => sum + storm.visited, 0),
    lost: [...acknowledged].filter(url => !times.has(url)).length,
    doubled: [...times].filter(([, count]) => count > 1).map(([url]) => url),
    late: storms.flatMap(storm => storm.late),
  }
}

/** One crawler's offers and visits. */
export class Storm {
  private readonly frontier: RedisFrontier
  /** URLs of offers and settlements that were answered. */
  readonly acknowledged: string[] = []
  /** URLs of all tickets. */
  readonly leased: string[] = []
  /** URLs of tickets that were no longer open when they were settled. */
  readonly late: string[] = []
  private readonly failures: unknown[] = []
  private readonly lanes: Promise<void>[]
  private readonly salt: string
  private readonly visitMs: number
  /** The links that are found from now on are links to the same host. */
  staysHome = false
  private isOffering = true
  private made = 0
  private visits = 0
  private longestMs = { offers: 0, visits: 0 }
  private readonly lastMs = { offers: performance.now(), visits: performance.now() }

  /** `salt`: part of every URL. `visitMs`: how long a visit takes while links are offered. */
  constructor(frontier: RedisFrontier, salt = 'a', visitMs = 2) {
    this.frontier = frontier
    this.salt = salt
    this.visitMs = visitMs
    const all = Array.from({ length: LANES }, () => [this.offers(), this.visit()]).flat()
    this.lanes = all.map(lane => lane.catch(error => void this.failures.push(error)))
  }

  /** The longest time since this was asked last without an offer, and without a take or settlement, that was answered. */
  stood(): { readonly offers: number; readonly visits: number } {
    this.answered('offers')
    this.answered('visits')
    const { offers, visits } = this.longestMs
    this.longestMs = { offers: 0, visits: 0 }
    return { offers: Math.round(offers), visits: Math.round(visits) }
  }

  get visited(): number {
    return this.visits
  }

  /** Offers so many links at once. */
  async offer(count: number): Promise<void> {
    const links = Array.from({ length: count }, () => this.link(0))
    await this.frontier.offer(links)
    this.acknowledged.push(...links.map(({ url }) => url))
  }

  /** Offers nothing any more, and visits what is left. */
  async end(): Promise<void> {
    this.isOffering = false
    await Promise.all(this.lanes)
    if (this.failures.length > 0) throw this.failures[0]
  }

  private async offers(): Promise<void> {
    while (this.isOffering) {
      await this.offer(BATCH)
      this.answered('offers')
      await sleep(OFFER_PAUSE_MS)
    }
  }

  private async visit(): Promise<void> {
    for (;;) {
      const { tickets, waitMs, end } = await this.frontier.take(32)
      this.answered('visits')
      if (end !== undefined && !this.isOffering) return
      this.leased.push(...tickets.map(({ url }) => url))
      const settlements = tickets.map(ticket => this.settlement(ticket))
      await sleep(tickets.length === 0 ? Math.min(waitMs ?? 20, 20) : this.isOffering ? this.visitMs : 1)
      if (tickets.length === 0) continue
      const late = new Set((await this.frontier.settle(settlements)).late)
      this.answered('visits')
      this.late.push(...tickets.filter(({ id }) => late.has(id)).map(({ url }) => url))
      this.visits += settlements.length - late.size
      this.acknowledged.push(...settlements.flatMap(({ links }) => links.map(({ url }) => url)))
    }
  }

  /** Every fourth page has a link, to another host or its own. */
  private settlement(ticket: Ticket): Settlement {
    const host = this.staysHome ? ticket.host : undefined
    const links = this.isOffering && ticket.id % 4 === 0 ? [this.link(ticket.hops + 1, host)] : []
    return { ticketId: ticket.id, outcome: { kind: 'done', isPage: true }, links, shown: 'answer', delayMs: 0 }
  }

  private link(hops: number, host?: string): Link {
    const n = this.made++
    return {
      url: `https://${host ?? `www.site${(n * 7919) % HOSTS}.com`}/${this.salt}/${n}`,
      rank: 1 + (n % 3),
      hops,
    }
  }

  private answered(what: 'offers' | 'visits'): void {
    const nowMs = performance.now()
    this.longestMs[what] = Math.max(this.longestMs[what], nowMs - this.lastMs[what])
    this.lastMs[what] = nowMs
  }
}
