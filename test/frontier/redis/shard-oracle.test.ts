// A shard alone does what the oracle does, in the same order, as long as no host has a server.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FormerVisit, FrontierOptions, Link, Outcome, Shown, TicketId } from '../../../src/frontier/frontier.ts'
import type { Engine } from '../../../src/frontier/redis/engine/engine.ts'
import type { ShardTicket } from '../../../src/frontier/redis/shard/moves.ts'
import type { Shard } from '../../../src/frontier/redis/shard/shard.ts'
import { HandClock } from '../../contract/hand-clock.ts'
import { FRONTIER_STRATEGIES, FrontierOracle, type FrontierStrategy } from '../../model/frontier-oracle.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'
import { startRedis } from '../../redis/servers.ts'
import { offered, openEngine, places, shardOn } from './one-shard.ts'

const HOSTS = ['a.com', 'b.a.com', 'c.com', 'd.c.com', 'e.org', 'f.org:81', 'g.net', 'h.net', 'i.net', 'j.net']
const STEPS = 120
/** A former visit reached the limit while a ticket was open, which then expired. */
const FOUND = [2116053425]
const { POSITIVE_INFINITY: MANY } = Number

/** The same life on both sides. */
class TwoLives {
  readonly random: RandomSource
  readonly clock = new HandClock()
  readonly oracle: FrontierOracle
  readonly shard: Shard
  private readonly options: FrontierOptions
  /** Open tickets: the shard's, and the oracle's number for it. */
  private readonly open = new Map<TicketId, ShardTicket>()
  private readonly oracleId = new Map<TicketId, TicketId>()
  private nextId = 2 ** 32
  private pages = 0
  readonly urls: string[] = []

  constructor(engine: Engine, seed: number, strategy: FrontierStrategy) {
    this.random = new RandomSource(seed)
    const { random } = this
    this.options = {
      ...{ strategy, seed, exploreChance: 0.5, leaseMs: random.pick([40, 60_000]), delayMs: random.pick([0, 10]) },
      ...{ retries: random.pick([0, 1, 3]), unproven: random.pick([1, 3, MANY]), auxiliaries: random.pick([1, MANY]) },
      ...{ maxHostsPerDomain: random.pick([1, MANY]), limit: random.pick([12, MANY]) },
    }
    this.oracle = new FrontierOracle(this.options, this.clock.read)
    const { leaseMs = 0, delayMs = 0, retries = 0, maxHostsPerDomain = MANY } = this.options
    this.shard = shardOn(engine, {
      tag: `{life.${strategy}.${seed}}`,
      rules: { strategy, seed, exploreChance: 0.5, leaseMs, delayMs, retries, maxHostsPerDomain },
    })
  }

  async step(): Promise<void> {
    const { random, clock } = this
    const dice = random.below(100)
    if (dice < 20) return this.offer()
    if (dice < 50) return this.take()
    if (dice < 70) return this.settle()
    if (dice < 75) return this.giveBack()
    if (dice < 78) return this.renew()
    if (dice < 81) return this.block()
    if (dice < 82) return this.release()
    if (dice < 84) return this.setDelay()
    if (dice < 87) return this.requeue()
    if (dice < 89) return this.clearHost()
    if (dice < 91) return this.settleFormer()
    clock.nowMs += random.pick([0, 1, 5, 20, 50, 1000, 30_000])
  }

  private async offer(): Promise<void> {
    const links = this.links(this.random.below(12))
    const { fresh } = await this.shard.offer(offered(links), this.clock.nowMs)
    assert.equal(fresh[0] ?? 0, await this.oracle.offer(links))
  }

  private async take(): Promise<void> {
    const { nowMs } = this.clock
    const max = this.random.pick([0, 1, 2, 5, 20])
    const pages = [...this.open.values()].filter(({ kind }) => kind === 'page')
    const { limit = MANY, unproven = MANY, auxiliaries = MANY } = this.options
    const taken = await this.shard.take(
      {
        ...{ max, pages: limit - this.pages - pages.length },
        ...{ unproven: unproven - pages.filter(({ isProven }) => !isProven).length },
        ...{ auxiliaries: auxiliaries - (this.open.size - pages.length), firstId: this.nextId },
      },
      nowMs,
    )
    for (const { ticketId } of taken.expired) this.open.delete(ticketId)
    const expected = await this.oracle.take(max, nowMs)
    const strip = ({ id: _, ...rest }: { id: TicketId }) => rest
    assert.deepEqual(
      taken.tickets.map(({ hostId: _, isAuxiliary: __, ...ticket }) => strip(ticket)),
      expected.tickets.map(strip),
    )
    assert.equal(taken.waitMs, expected.waitMs)
    for (const [k, ticket] of taken.tickets.entries()) {
      assert.equal(ticket.id, this.nextId + k)
      this.open.set(ticket.id, ticket)
      this.oracleId.set(ticket.id, expected.tickets[k]!.id)
    }
    this.nextId += max
    const { waiting, down, auxiliaries: openAuxiliaries } = taken.left
    const isOver = waiting - down + openAuxiliaries === 0 && this.open.size === 0
    if (this.pages < limit) assert.equal(expected.end, isOver ? 'nothing left' : undefined)
  }

  private async settle(): Promise<void> {
    const { random } = this
    const tickets = this.some()
    const settlements = tickets.map(ticket => {
      const shown = random.pick<Shown | undefined>(['answer', 'answer', 'trouble', 'silence', 'gone', undefined])
      const outcome: Outcome =
        shown === 'gone' || random.chance(0.2)
          ? { kind: 'refused', reason: random.pick(['x', 'y', 'cleared']) }
          : random.pick<Outcome>([{ kind: 'again' }, { kind: 'done', isPage: true }, { kind: 'done', isPage: false }])
      return { ticket, outcome, shown, delayMs: random.pick([0, 5, 100]), links: this.links(random.below(4)) }
    })
    const settled = await this.shard.settle(
      settlements.map(one => ({ ...one, links: offered(one.links) })),
      this.clock.nowMs,
    )
    const expected = await this.oracle.settle(
      settlements.map(({ ticket, ...rest }) => ({ ticketId: this.oracleId.get(ticket.id)!, ...rest })),
      this.clock.nowMs,
    )
    assert.deepEqual(settled.fresh, expected.fresh)
    assert.deepEqual(
      settled.late.map(place => this.oracleId.get(settlements[place]!.ticket.id)),
      expected.late,
    )
    for (const [place, { ticket, outcome }] of settlements.entries()) {
      if (settled.late.includes(place)) continue
      if (ticket.kind === 'page' && outcome.kind === 'done' && outcome.isPage) this.pages++
      this.open.delete(ticket.id)
    }
  }

  private async giveBack(): Promise<void> {
    const tickets = this.some()
    await this.shard.giveBack(
      tickets.map(ticket => ({ ticket, how: 'as it was' as const })),
      this.clock.nowMs,
    )
    await this.oracle.giveBack(tickets.map(({ id }) => this.oracleId.get(id)!))
    for (const { id } of tickets) this.open.delete(id)
  }

  private async renew(): Promise<void> {
    const tickets = this.some()
    const closed = await this.shard.renew(tickets, this.clock.nowMs)
    const expected = await this.oracle.renew(
      tickets.map(({ id }) => this.oracleId.get(id)!),
      this.clock.nowMs,
    )
    assert.deepEqual(
      closed.map(place => this.oracleId.get(tickets[place]!.id)),
      expected,
    )
  }

  private async block(): Promise<void> {
    const host = this.random.pick(HOSTS)
    const forMs = this.random.pick([0, 10, 100])
    await this.shard.block(places.of(host), forMs, false, this.clock.nowMs)
    await this.oracle.hold(host, { forMs })
  }

  private async release(): Promise<void> {
    const host = this.random.pick(HOSTS)
    await this.shard.block(places.of(host), 0, true, this.clock.nowMs)
    await this.oracle.hold(host, { forMs: 0, isAnew: true })
  }

  private async setDelay(): Promise<void> {
    const host = this.random.pick(HOSTS)
    const delayMs = this.random.pick([0, 20, 500.5])
    await this.shard.setDelay(places.of(host), delayMs, this.clock.nowMs)
    await this.oracle.setDelay(host, delayMs)
  }

  private async requeue(): Promise<void> {
    const links = this.links(4)
    const pages = offered(links.filter(({ kind }) => kind === undefined))
    const requeued = await this.shard.requeue(
      pages.map(({ link, host }) => ({ url: link.url, host })),
      this.clock.nowMs,
    )
    assert.equal(requeued, await this.oracle.requeue(links))
  }

  private async clearHost(): Promise<void> {
    const host = this.random.pick(HOSTS)
    await this.shard.clearHost(host, this.clock.nowMs)
    await this.oracle.clear(host)
  }

  private async settleFormer(): Promise<void> {
    const visits: FormerVisit[] = this.urls
      .filter(() => this.random.chance(0.05))
      .map(url => ({ url, isPage: this.random.chance(0.5), links: this.links(2) }))
    const settled = await this.shard.settleFormer(
      visits.map(visit => ({
        ...visit,
        host: offered([{ url: visit.url } as Link])[0]!.host,
        links: offered(visit.links),
      })),
      this.clock.nowMs,
    )
    const expected = await this.oracle.settleFormer(visits)
    assert.deepEqual(settled.fresh, expected.fresh)
    this.pages += settled.pages
  }

  /** Some open tickets, and now and then one that was closed. */
  private some(): ShardTicket[] {
    return [...this.open.values()].filter(() => this.random.chance(0.5))
  }

  private links(count: number): Link[] {
    return Array.from({ length: count }, () => {
      const { random } = this
      const host = random.pick(HOSTS)
      const depth = random.below(4)
      const scheme = random.pick(['http', 'https', 'ftp'])
      const url = `${scheme}://${host}/${'d/'.repeat(depth)}${random.below(40)}`
      const note = random.pick([undefined, undefined, 'one', 'another'])
      const link = { url, rank: depth, hops: random.pick([0, 3, 14, 15, 400]), ...(note ? { note } : {}) }
      const dice = random.below(20)
      if (dice === 0) return { ...link, kind: random.pick(['robots', 'sitemap'] as const) }
      this.urls.push(url)
      if (dice === 1) return { ...link, refused: random.pick(['x', 'z']) }
      return link
    })
  }

  /** Everything that can be seen is the same. */
  async compare(): Promise<void> {
    const { shard, oracle } = this
    const { nowMs } = this.clock
    const counts = await shard.counts()
    assert.deepEqual(counts, await oracle.counts())
    assert.equal(Number(await server.ask('HGET', `${shard.tag}m`, 'p:me')), counts.pages)
    const views = await shard.hosts(0, 100, nowMs)
    assert.deepEqual(
      views.map(({ number: _, ...view }) => view),
      (await oracle.hosts({ limit: 100 }, nowMs)).items,
    )
    const outlook = await shard.outlook(nowMs)
    const expected = await oracle.outlook(nowMs)
    assert.deepEqual(
      [outlook.ready, outlook.resting, outlook.down, outlook.next?.host],
      [expected.ready, expected.resting, expected.down, expected.next?.host],
    )
    const classes = await shard.backlog()
    assert.equal(
      classes.reduce((sum, { hosts }) => sum + hosts, 0),
      views.filter(({ waiting }) => waiting > 0).length,
    )
    for (const host of HOSTS) {
      assert.deepEqual(await shard.waiting(host, { limit: 1000 }), await oracle.waiting(host, { limit: 1000 }))
    }
    const urls = [...new Set(this.urls)]
    const stripped = (all: object[]) => all.map(one => ({ ...one, ticketId: 0 }))
    assert.deepEqual(stripped(await shard.explain(urls, nowMs)), stripped(await oracle.explain(urls, nowMs)))
    for (const state of ['waiting', 'refused'] as const) {
      const key = ({ url }: { url: string }) => url
      const inOrder = (all: readonly { url: string }[]) => all.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
      const all = []
      for (let after: string | undefined = '1.0.0'; after !== undefined; ) {
        const listed = await shard.links({ state }, { after, limit: 7 })
        assert.ok(listed.items.length <= 7)
        all.push(...listed.items)
        after = listed.next
      }
      assert.deepEqual(inOrder(all), inOrder((await oracle.links({ state }, { limit: 10_000 })).items))
    }
  }

  /** Opened again by a first crawler. */
  async reopen(): Promise<void> {
    await this.shard.former('me', 2, this.clock.nowMs)
    await this.shard.revive(this.clock.nowMs)
    this.oracle.reopen()
    this.open.clear()
  }
}

let engine: Engine
const server = await startRedis({ after })
engine = await openEngine({ after }, server)

for (const strategy of FRONTIER_STRATEGIES) {
  test(`Redis: ${strategy}: a shard does what the oracle does`, async t => {
    for (const seed of seeds(t, 3, 2, FOUND)) {
      const lives = new TwoLives(engine, seed, strategy)
      try {
        for (let step = 0; step < STEPS; step++) {
          await lives.step()
          if (step % 10 === 9) await lives.compare()
          if (step === STEPS / 2) await lives.reopen()
        }
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error })
      }
    }
  })
}
