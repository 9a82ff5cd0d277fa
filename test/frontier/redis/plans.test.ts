// What the moves of a shard must not do to visits again, and to the sets of the strategy `important`.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SHARD_SCRIPTS } from '../../../src/frontier/redis/engine/scripts.ts'
import { parseWhere } from '../../../src/frontier/redis/engine/where.ts'
import { shardTags } from '../../../src/frontier/redis/shard/host-shards.ts'
import type { ShardTicket } from '../../../src/frontier/redis/shard/moves.ts'
import { Packer } from '../../../src/frontier/redis/shard/pack.ts'
import { Shard } from '../../../src/frontier/redis/shard/shard.ts'
import { startRedis } from '../../redis/servers.ts'
import { Crew, done, links } from './crew.ts'
import { ALL, offered, openEngine, page, RULES, type ShardOptions, shardOn } from './one-shard.ts'

const NOW = 1_700_000_000_000
const server = await startRedis({ after })
const engine = await openEngine({ after }, server)
const DONE = { shown: 'answer', delayMs: 0, links: [] } as const
const AGAIN = { kind: 'done', isPage: true, again: { afterMs: 0, gain: 1 } } as const

/** A shard whose moves of many steps can be stopped after one. */
class StepwiseShard extends Shard {
  static on({ tag = '{test.a}', owner = 'me', rules = {} }: ShardOptions): StepwiseShard {
    return new StepwiseShard(engine, tag, 0, { id: owner, opening: 1, revivals: 1 }, { ...RULES, ...rules })
  }

  async reviveOnce(most: number, nowMs: number): Promise<void> {
    await this.write(SHARD_SCRIPTS.revive, new Packer(16).list(2).text('all').number(most).done(), nowMs)
  }

  async weighOnce(): Promise<void> {
    await this.write(SHARD_SCRIPTS.weigh, new Packer(8).list(1).number(1).done(), undefined)
  }
}

/** Visits these pages of one host one after the other, each to be visited again. */
async function visitAll(shard: Shard, urls: readonly string[], nowMs: number): Promise<void> {
  await shard.offer(offered(urls.map(url => page(url))), nowMs)
  for (const n of urls.keys()) {
    const { tickets } = await shard.take({ ...ALL, firstId: 1 + n }, nowMs)
    await shard.settle([{ ...DONE, ticket: tickets[0]!, outcome: AGAIN }], nowMs)
  }
}

test('ours: a visit again that waits for its server stays due, and its host keeps its place in the queue', async () => {
  const shard = shardOn(engine, { tag: '{queue.a}', rules: { recrawl: true } })
  const plain = shardOn(engine, { tag: '{queue.a}', owner: 'other', rules: { recrawl: true } })
  await visitAll(shard, ['https://a.com/1'], NOW)
  const { tickets } = await shard.take({ ...ALL, firstId: 10 }, NOW + 1)
  assert.equal(tickets[0]?.again?.visitedAtMs, NOW)
  await shard.giveBack([{ ticket: tickets[0]!, how: { parkedMs: 5000, isServerDown: false } }], NOW + 2)
  assert.deepEqual(shard.takeDequeued(), [])
  const { due, revisiting, planned } = await shard.counts()
  assert.deepEqual({ due, revisiting, planned }, { due: 1, revisiting: 0, planned: 1 })
  assert.deepEqual((await plain.take({ ...ALL, firstId: 20 }, NOW + 3)).tickets, [])
  await shard.wake([{ host: 'a.com', inMs: 10, isServerDown: false }], NOW + 4)
  assert.equal((await plain.take({ ...ALL, firstId: 30 }, NOW + 14)).tickets[0]?.again?.visitedAtMs, NOW)
})

test('ours: new links and visits again of a host take turns, however often its server has no room', async () => {
  const shard = shardOn(engine, { tag: '{turns.a}', rules: { recrawl: true } })
  await visitAll(shard, ['https://a.com/1'], NOW)
  await shard.offer(offered([2, 3, 4].map(n => page(`https://a.com/${n}`))), NOW)
  const leased: boolean[] = []
  for (let n = 0; n < 4; n++) {
    const refused = (await shard.take({ ...ALL, firstId: 10 + 2 * n }, NOW + n)).tickets[0]!
    await shard.giveBack([{ ticket: refused, how: { parkedMs: 0, isServerDown: false } }], NOW + n)
    const ticket = (await shard.take({ ...ALL, firstId: 11 + 2 * n }, NOW + n)).tickets[0]!
    leased.push(ticket.again !== undefined)
    await shard.settle([{ ...DONE, ticket, outcome: AGAIN }], NOW + n)
  }
  assert.deepEqual(leased, [false, true, false, true])
})

test('ours: what is due is leased by a crawler that makes nothing due', async () => {
  const tag = '{due.a}'
  const shard = shardOn(engine, { tag, rules: { recrawl: true } })
  await visitAll(shard, ['https://a.com/1', 'https://a.com/2'], NOW)
  const { tickets } = await shard.take({ ...ALL, firstId: 10 }, NOW + 1)
  const outcome = { kind: 'refused', reason: 'gone' } as const
  await shard.settle([{ ...DONE, ticket: tickets[0]!, outcome, delayMs: 1000 }], NOW + 1)
  const other = shardOn(engine, { tag, owner: 'other' })
  assert.equal((await other.take({ ...ALL, firstId: 20 }, NOW + 2)).tickets.length, 0)
  assert.equal((await other.take({ ...ALL, firstId: 30 }, NOW + 2000)).tickets.length, 1)
})

test('ours: while a first crawler revives a shard, another one leases no host twice', async () => {
  const tag = '{revive.a}'
  const rules = { strategy: 'important' } as const
  const first = StepwiseShard.on({ tag, rules })
  const second = shardOn(engine, { tag, owner: 'second', rules })
  const all = Array.from({ length: 300 }, (_, n) =>
    [1, 2, 3].map(path => page(`https://h${n}.com/${path}`, { gives: n })),
  )
  await first.offer(offered(all.flat()), NOW)
  for (const firstId of [1, 1001, 2001]) {
    const { tickets } = await first.take({ ...ALL, firstId }, NOW)
    const outcome = { kind: 'done', isPage: true } as const
    await first.settle(
      tickets.map(ticket => ({ ...DONE, ticket, outcome, delayMs: 1000 })),
      NOW,
    )
  }
  await first.take({ ...ALL, max: 0, firstId: 3001 }, NOW + 1000)
  await first.reviveOnce(260, NOW + 1000)
  const leased: ShardTicket[] = []
  // The clock of the second is behind: what was revived is not ready for it.
  for (const nowMs of [NOW + 999, NOW + 1000, NOW + 1000, NOW + 1000])
    leased.push(...(await second.take({ ...ALL, firstId: 1000 * (1 + leased.length) }, nowMs)).tickets)
  assert.equal(new Set(leased.map(({ host }) => host)).size, leased.length)
  assert.equal(leased.length, 300)
})

test('ours: a crawler that stopped while it turned from new links to visits again keeps no host from later ones', async t => {
  const crew = new Crew(t, server, 1, { recrawl: true })
  const frontier = await crew.join('a')
  await frontier.offer(links(600))
  await StepwiseShard.on({ tag: shardTags(parseWhere(crew.url).name, 1)[0]!, owner: 'b' }).weighOnce()
  const { tickets } = await frontier.take(600)
  assert.equal(tickets.length, 600)
})

test('ours: when enough pages are done, shards without hosts are not asked over and over', async t => {
  const crew = new Crew(t, server, 64, { recrawl: true, limit: 1, beatMs: 60_000 })
  const frontier = await crew.join('a')
  await frontier.offer(links(3))
  const { tickets } = await frontier.take(1)
  await frontier.settle([
    done(tickets[0]!, { outcome: { kind: 'done', isPage: true, again: { afterMs: 60_000, gain: 1 } } }),
  ])
  await frontier.take(10)
  await server.ask('CONFIG', 'RESETSTAT')
  await frontier.take(10)
  const stats = String(await server.ask('INFO', 'commandstats'))
  const calls = [...stats.matchAll(/cmdstat_(?:evalsha|eval|fcall)[^:]*:calls=(\d+)/g)].reduce(
    (n, [, c]) => n + Number(c),
    0,
  )
  assert.ok(calls <= 10, `${calls} scripts were run`)
})
