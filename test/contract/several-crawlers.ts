// Three crawlers on one frontier, each with its own connections, playing at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../../src/base/clock.ts'
import { uniqueName } from '../../src/base/random.ts'
import type { CrawlFrontier, FrontierOptions, Link, Outcome, Settlement } from '../../src/frontier/frontier.ts'
import { FRONTIER_STRATEGIES } from '../model/frontier-oracle.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { HandClock } from './hand-clock.ts'
import { type Deeds, type HeldTicket, noDeeds, SharedBook } from './shared-book.ts'

const CRAWLERS = [0, 1, 2]
const HOSTS = Array.from({ length: 24 }, (_, n) => `h${n}.d${n % 15}.org`)
const PAGES = 8
const ROUNDS = 70

/** Opens a crawl of this name for one more crawler, or for one that was there before. */
export type OpenClient = (
  crawl: string,
  crawler: string,
  options: FrontierOptions,
  clock: Clock,
) => Promise<CrawlFrontier>

export function severalCrawlersTest(name: string, open: OpenClient, lives: number): void {
  test(`${name}: three crawlers share a frontier, and no law is broken over all of them`, async t => {
    for (const seed of seeds(t, lives, 1)) {
      const crowd = await Crowd.gather(open, seed)
      try {
        await crowd.play()
        await crowd.finish()
      } catch (error) {
        throw new Error(`ESCALONA_SEED=${seed}, ${JSON.stringify(crowd.options)}`, { cause: error })
      } finally {
        await crowd.end()
      }
      t.diagnostic(JSON.stringify(crowd.book.tight))
    }
  })
}

class Crowd {
  readonly options: FrontierOptions
  readonly book: SharedBook
  private readonly clock = new HandClock()
  private readonly name = uniqueName()
  private readonly open: OpenClient
  private readonly random: RandomSource
  private clients: CrawlFrontier[] = []

  private constructor(open: OpenClient, random: RandomSource, options: FrontierOptions) {
    this.open = open
    this.random = random
    this.options = options
    this.book = new SharedBook(options)
  }

  static async gather(open: OpenClient, seed: number): Promise<Crowd> {
    const random = new RandomSource(seed)
    const crowd = new Crowd(open, random, {
      strategy: FRONTIER_STRATEGIES[seed % FRONTIER_STRATEGIES.length]!,
      leaseMs: random.pick([200, 60_000]),
      delayMs: random.pick([0, 50]),
      serverGapMs: random.pick([0, 40]),
      perServer: random.pick([1, 2]),
      retries: 1000,
      ...(random.chance(0.4) ? { limit: 60 } : {}),
      ...(random.chance(0.4) ? { unproven: 3 } : {}),
    })
    for (const crawler of CRAWLERS) crowd.clients.push(await crowd.client(crawler))
    return crowd
  }

  async play(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      this.clock.nowMs += this.random.pick([0, 0, 10, 39, 40, 60, 200, 1000, 5000])
      if (round % 20 === 19) await this.leaveAndReturn(this.random.pick(CRAWLERS))
      const plans = CRAWLERS.map(crawler => this.plan(crawler))
      this.book.round(await Promise.all(plans.map(plan => plan())), this.clock.nowMs)
      if (round % 5 === 0) await this.addsUp()
    }
  }

  /** Everything that is left is visited, and then all of them know that nothing is. */
  async finish(): Promise<void> {
    for (let round = 0; round < 2000; round++) {
      const ends: (string | undefined)[] = []
      const finishing = CRAWLERS.map(async crawler => {
        const deeds = noDeeds(crawler)
        await this.lostBy(crawler)()
        const held = this.book.heldBy(crawler)
        await this.settle(deeds, held.map(visited))
        const { tickets, end } = await this.clients[crawler]!.take(20)
        deeds.leased.push(...tickets)
        ends.push(end)
        return deeds
      })
      const all = await Promise.all(finishing)
      this.book.round(all, this.clock.nowMs)
      const isIdle = all.every(({ settled, leased }) => settled.length + leased.length === 0)
      if (isIdle && ends.every(end => end !== undefined)) return this.isComplete(ends)
      this.clock.nowMs += isIdle ? 500 : 40
    }
    assert.fail('it did not end')
  }

  async end(): Promise<void> {
    await Promise.all(this.clients.map(client => client.close()))
  }

  private client(crawler: number): Promise<CrawlFrontier> {
    return this.open(this.name, `crawler-${crawler}`, this.options, this.clock.read)
  }

  private async leaveAndReturn(crawler: number): Promise<void> {
    await this.clients[crawler]!.close()
    this.clients[crawler] = await this.client(crawler)
    this.book.returned(crawler, this.clock.nowMs)
  }

  /** What a crawler will do in a round: what it does depends on nothing that the others do meanwhile. */
  private plan(crawler: number): () => Promise<Deeds> {
    const { random } = this
    const frontier = this.clients[crawler]!
    const links = this.links()
    const settlements: Settlement[] = []
    const [givenBack, renewed]: [number[], number[]] = [[], []]
    for (const ticket of this.book.heldBy(crawler)) {
      const dice = random.below(10)
      if (dice < 6) settlements.push(this.settlement(ticket))
      else if (dice < 7) givenBack.push(ticket.id)
      else if (dice < 8) renewed.push(ticket.id)
    }
    const max = random.pick([0, 1, 3, 10, 30])
    const servers = random.pick([['s1', 's2', 's3'], ['s1'], ['s1', 's2', 's3', 's4', 's5', 's6']])
    const serverOf = new Map(HOSTS.map(host => [host, random.pick(servers)]))
    const settleLost = this.lostBy(crawler)
    return async () => {
      const deeds = noDeeds(crawler)
      const { nowMs } = this.clock
      await settleLost()
      await frontier.offer(links)
      deeds.offered.push(...links)
      await this.settle(deeds, settlements)
      await frontier.giveBack(givenBack)
      deeds.givenBack.push(...givenBack)
      const lost = await frontier.renew(renewed)
      for (const id of lost) {
        const ticket = this.book.open.get(id)!
        assert.ok(this.book.isStale(ticket, nowMs), `${ticket.url} could not be renewed, and its lease had not run out`)
      }
      deeds.renewed.push(...renewed.filter(id => !lost.includes(id)))
      deeds.leased.push(...(await frontier.take(max)).tickets)
      for (const { id, host, server } of deeds.leased) {
        if (server !== undefined) continue
        const place = serverOf.get(host)!
        deeds.placed.push({ id, server: place, holds: await frontier.place(id, place) })
      }
      return deeds
    }
  }

  /** Settles the tickets whose hosts were leased to others meanwhile: all of them are late. */
  private lostBy(crawler: number): () => Promise<void> {
    const lost = this.book.lost.get(crawler) ?? []
    this.book.lost.delete(crawler)
    return async () => {
      const { late } = await this.clients[crawler]!.settle(lost.map(visited))
      assert.deepEqual(
        late,
        lost.map(({ id }) => id),
      )
    }
  }

  private async settle(deeds: Deeds, settlements: readonly Settlement[]): Promise<void> {
    const { late } = await this.clients[deeds.crawler]!.settle(settlements)
    deeds.settled.push(...settlements)
    deeds.late.push(...late)
  }

  private links(): Link[] {
    const { random } = this
    return Array.from({ length: random.below(8) }, () => {
      const url = `http://${random.pick(HOSTS)}/${random.below(PAGES)}`
      return { url, rank: random.below(3), hops: 1 }
    })
  }

  private settlement({ id: ticketId }: HeldTicket): Settlement {
    const { random } = this
    const outcome: Outcome = random.pick([
      { kind: 'done', isPage: true },
      { kind: 'done', isPage: true },
      { kind: 'done', isPage: false },
      { kind: 'again' },
      { kind: 'refused', reason: 'robots' },
    ])
    const shown = random.pick(['answer', 'answer', 'answer', 'trouble', 'silence', undefined] as const)
    return { ticketId, outcome, shown, links: this.links(), delayMs: random.pick([0, 30, 300]) }
  }

  private async addsUp(): Promise<void> {
    const { known, waiting, leased, done, refused, pages } = await this.clients[0]!.counts()
    const states = [...this.book.urls.values()]
    const count = (state: string) => states.filter(one => one === state).length
    assert.equal(known, states.length)
    assert.equal(known, waiting + leased + done + refused)
    assert.deepEqual(
      { done, refused, pages },
      { done: count('done'), refused: count('refused'), pages: this.book.pages },
    )
    const open = [...this.book.open.values()]
    const stale = open.filter(ticket => this.book.isStale(ticket, this.clock.nowMs)).length
    assert.ok(
      leased <= open.length && leased >= open.length - stale,
      `${leased} are leased, and ${open.length} are open`,
    )
  }

  private async isComplete(ends: readonly (string | undefined)[]): Promise<void> {
    await this.addsUp()
    const { limit } = this.options
    const { waiting, leased, pages } = await this.clients[0]!.counts()
    assert.equal(leased, 0)
    if (limit === undefined || pages < limit) assert.equal(waiting, 0)
    else assert.equal(pages, limit)
    assert.equal(new Set(ends).size, 1)
    const { tight } = this.book
    assert.ok(tight.server > 0 && tight.delay > 0 && tight.again > 0, JSON.stringify(tight))
  }
}

function visited({ id: ticketId }: HeldTicket): Settlement {
  return { ticketId, outcome: { kind: 'done', isPage: true }, links: [], shown: 'answer', delayMs: 0 }
}
