// A crawl that offers and visits without pause while something happens to its engine, and knows afterwards what was lost,
// what was doubled, and how long it stood.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Link, Settlement, Ticket } from '../../src/frontier/frontier.ts'
import type { RedisFrontier } from '../../src/frontier/redis/open.ts'

const HOSTS = 150
const BATCH = 60
const OFFER_PAUSE_MS = 40

/** What a storm did to a crawl. */
export interface Damage {
  /** Links that were acknowledged and never leased again. */
  readonly lost: number
  /** Links that were leased again while their ticket was open, or after they were done. */
  readonly doubled: readonly string[]
  readonly late: number
  /** Links that were offered or found, each of them acknowledged. */
  readonly links: number
  readonly visits: number
}

/** One crawler's offers and visits. */
export class Storm {
  readonly frontier: RedisFrontier
  /** Links that are acknowledged; true once they were leased. */
  private readonly acknowledged = new Map<string, boolean>()
  private readonly leased = new Set<string>()
  private readonly doubled: string[] = []
  private readonly failures: unknown[] = []
  private readonly lanes: Promise<void>[]
  private readonly salt: string
  private isOver = false
  private isOffering = true
  private made = 0
  private late = 0
  private visits = 0
  private longestMs = { offer: 0, visit: 0 }

  constructor(frontier: RedisFrontier, salt = 'a', lanes = { offers: 2, visits: 2 }) {
    this.frontier = frontier
    this.salt = salt
    const all = [
      ...Array.from({ length: lanes.offers }, () => this.offers()),
      ...Array.from({ length: lanes.visits }, () => this.visit()),
    ]
    this.lanes = all.map(lane => lane.catch(error => void this.failures.push(error)))
  }

  /** The longest time that a call has taken since this was asked last, of offers and of takes and settlements. */
  longest(): { readonly offer: number; readonly visit: number } {
    const { offer, visit } = this.longestMs
    this.longestMs = { offer: 0, visit: 0 }
    return { offer: Math.round(offer), visit: Math.round(visit) }
  }

  get visited(): number {
    return this.visits
  }

  /** Offers nothing any more, and visits what is left. */
  async end(): Promise<Damage> {
    this.isOffering = false
    await Promise.all(this.lanes)
    if (this.failures.length > 0) throw this.failures[0]
    return {
      lost: [...this.acknowledged.values()].filter(wasLeased => !wasLeased).length,
      doubled: this.doubled,
      late: this.late,
      links: this.acknowledged.size,
      visits: this.visits,
    }
  }

  /** Stops at once. */
  async stop(): Promise<void> {
    this.isOver = true
    this.isOffering = false
    await Promise.all(this.lanes)
  }

  private async offers(): Promise<void> {
    while (this.isOffering) {
      const links = Array.from({ length: BATCH }, () => this.link(0))
      await this.timed('offer', () => this.frontier.offer(links))
      this.acknowledge(links)
      await sleep(OFFER_PAUSE_MS)
    }
  }

  private async visit(): Promise<void> {
    while (!this.isOver) {
      const { tickets, waitMs, end } = await this.timed('visit', () => this.frontier.take(32))
      if (end !== undefined && !this.isOffering) return
      for (const ticket of tickets) this.lease(ticket)
      const settlements = tickets.map(ticket => this.settlement(ticket))
      if (settlements.length === 0) {
        await sleep(Math.min(waitMs ?? 20, 20))
        continue
      }
      await sleep(2)
      const { late } = await this.timed('visit', () => this.frontier.settle(settlements))
      const missed = new Set(late)
      this.late += late.length
      this.visits += settlements.length - late.length
      for (const { links } of settlements) this.acknowledge(links)
      for (const { id, url } of tickets) {
        if (missed.has(id)) this.leased.delete(url)
      }
    }
  }

  private lease({ url }: Ticket): void {
    if (this.leased.has(url)) this.doubled.push(url)
    this.leased.add(url)
    if (this.acknowledged.has(url)) this.acknowledged.set(url, true)
  }

  private acknowledge(links: readonly Link[]): void {
    for (const { url } of links) this.acknowledged.set(url, this.leased.has(url))
  }

  /** Every fourth page has a link. */
  private settlement(ticket: Ticket): Settlement {
    const links = this.isOffering && ticket.id % 4 === 0 ? [this.link(ticket.hops + 1)] : []
    return { ticketId: ticket.id, outcome: { kind: 'done', isPage: true }, links, shown: 'answer', delayMs: 0 }
  }

  private link(hops: number): Link {
    const n = this.made++
    const host = (n * 7919) % HOSTS
    return { url: `https://www.site${host}.com/${this.salt}/${n}`, pathDepth: 1 + (n % 3), hops }
  }

  private async timed<T>(what: 'offer' | 'visit', call: () => Promise<T>): Promise<T> {
    const startMs = performance.now()
    try {
      return await call()
    } finally {
      this.longestMs[what] = Math.max(this.longestMs[what], performance.now() - startMs)
    }
  }
}
