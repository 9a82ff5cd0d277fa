import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ticket } from '../../../src/frontier/frontier.ts'
import { Engine } from '../../../src/frontier/redis/engine/engine.ts'
import type { RedisFrontier } from '../../../src/frontier/redis/open.ts'
import { startRedis, until } from '../../redis/servers.ts'
import { Crew, done, link, links } from './crew.ts'

const server = await startRedis({ after })

/** Hosts of all shards at so many servers, all placed and settled once, with more links waiting. */
async function placed(frontier: RedisFrontier, hosts: number, servers: number, each: number): Promise<void> {
  await frontier.offer(links(hosts, each))
  for (let left = hosts; left > 0; ) {
    const { tickets } = await frontier.take(left)
    assert.ok(tickets.length > 0, 'nothing could be leased')
    for (const ticket of tickets) {
      const isPlaced = await frontier.place(ticket.id, serverOf(ticket, servers))
      if (!isPlaced) continue
      await frontier.settle([done(ticket)])
      left--
    }
  }
}

function serverOf({ host }: Ticket, servers: number): string {
  return `192.0.2.${Number(/\d+/.exec(host)![0]) % servers}`
}

test('Redis: over all shards and crawlers a server has at most perServer tickets, and everything that waits is leased', async t => {
  const shared = { perServer: 3, beatMs: 50 }
  const crew = new Crew(t, server, 16, shared)
  const crawlers = await Promise.all(['a', 'b'].map(id => crew.join(id)))
  await placed(crawlers[0]!, 60, 4, 4)
  const open = new Map<string, number>()
  const most = new Map<string, number>()
  let leased = 0
  const crawl = async (frontier: RedisFrontier) => {
    for (;;) {
      const { tickets, end, waitMs } = await frontier.take(20)
      if (end !== undefined) return
      leased += tickets.length
      for (const { server: at } of tickets) {
        open.set(at!, (open.get(at!) ?? 0) + 1)
        most.set(at!, Math.max(most.get(at!) ?? 0, open.get(at!)!))
      }
      await sleep(tickets.length > 0 ? 2 : Math.min(waitMs ?? 5, 5))
      for (const ticket of tickets) {
        open.set(ticket.server!, open.get(ticket.server!)! - 1)
        await frontier.settle([done(ticket)])
      }
    }
  }
  await Promise.all(crawlers.map(crawl))
  assert.equal(leased, 60 * 3)
  assert.deepEqual([...most.values()].sort(), [3, 3, 3, 3])
})

test('ours: a host that its server had no room for has had no turn', async t => {
  const frontier = await new Crew(t, server, 4, { perServer: 1 }).join('a')
  const turns = async () =>
    new Map((await frontier.hosts({ limit: 100 })).items.map(view => [view.host, view.turns] as const))
  await placed(frontier, 8, 1, 4)
  const expected = new Map(await turns())
  for (;;) {
    const { tickets, end, waitMs } = await frontier.take(8)
    if (end !== undefined) break
    for (const { host } of tickets) expected.set(host, expected.get(host)! + 1)
    if (tickets.length === 0) await sleep(Math.min(waitMs ?? 5, 5))
    for (const ticket of tickets) await frontier.settle([done(ticket)])
  }
  assert.deepEqual(await turns(), expected)
})

test('Redis: over all shards and crawlers no two tickets of a server are leased within its gap', async t => {
  const gapMs = 100
  let nowMs = 1e12
  const crew = new Crew(t, server, 16, { perServer: 10, serverGapMs: gapMs, beatMs: 50, clock: () => nowMs })
  const crawlers = await Promise.all(['a', 'b'].map(id => crew.join(id)))
  await until('them to know of each other', 2000, () => crawlers.every(frontier => frontier.crawlersAlive() === 2))
  await crawlers[0]!.offer(links(24, 3))
  const leasedMs = new Map<string, number[]>()
  let isOver = false
  for (let turn = 0; !isOver; turn++) {
    assert.ok(turn < 3000, 'it never ends')
    const frontier = crawlers[turn % 2]!
    const { tickets, end } = await frontier.take(1 + (turn % 20))
    const good: Ticket[] = []
    for (const ticket of tickets) {
      const at = serverOf(ticket, 2)
      if (ticket.server === undefined && !(await frontier.place(ticket.id, at))) continue
      leasedMs.set(at, [...(leasedMs.get(at) ?? []), nowMs])
      good.push(ticket)
    }
    if (good.length > 0) await frontier.settle(good.map(ticket => done(ticket)))
    isOver = end !== undefined
    nowMs += [1, 30, 7, 150][turn % 4]!
  }
  assert.deepEqual(
    [...leasedMs.values()].map(({ length }) => length),
    [36, 36],
  )
  for (const list of leasedMs.values()) {
    const gaps = list.slice(1).map((time, i) => time - list[i]!)
    assert.ok(Math.min(...gaps) >= gapMs, gaps.join(' '))
  }
})

test('ours: hosts that wait for a server are woken when its ticket is settled, given back, or expires', async t => {
  let nowMs = 1e12
  const crew = new Crew(t, server, 8, { perServer: 1, leaseMs: 1000, clock: () => nowMs })
  const frontier = await crew.join('a')
  await placed(frontier, 6, 1, 4)
  const take = async () => (await frontier.take(10)).tickets
  const one = async () => {
    const tickets = await take()
    assert.equal(tickets.length, 1)
    return tickets[0]!
  }
  const first = await one()
  assert.equal((await take()).length, 0)
  await frontier.settle([done(first)])
  const second = await one()
  assert.notEqual(second.host, first.host)
  await frontier.giveBack([second.id])
  const third = await one()
  nowMs += 1000
  const fourth = await one()
  assert.notEqual(fourth.id, third.id)
  assert.equal((await frontier.settle([done(third), done(fourth)])).late.length, 1)
  const hosts = new Set<string>()
  for (let i = 0; i < 6; i++) {
    const ticket = await one()
    hosts.add(ticket.host)
    await frontier.settle([done(ticket, { delayMs: 100_000 })])
  }
  assert.equal(hosts.size, 6, 'each had its turn')
})

test('ours: a host that was first in line and is blocked or cleared holds nobody up', async t => {
  let nowMs = 1e12
  const crew = new Crew(t, server, 8, { perServer: 1, clock: () => nowMs })
  const frontier = await crew.join('a')
  await placed(frontier, 4, 1, 3)
  const [open] = (await frontier.take(10)).tickets
  assert.ok(open)
  const others = (await frontier.hosts({ limit: 10 })).items.map(({ host }) => host).filter(host => host !== open.host)
  assert.equal(others.length, 3)
  await frontier.hold(others[0]!, { forMs: 60_000 })
  await frontier.clear(others[1]!)
  await frontier.settle([done(open, { delayMs: 60_000 })])
  const { tickets } = await frontier.take(10)
  assert.deepEqual(
    tickets.map(({ host }) => host),
    [others[2]],
  )
  nowMs += 60_000
  await frontier.settle([done(tickets[0]!)])
  assert.equal((await frontier.take(10)).tickets.length, 1)
})

for (const doing of ['settle', 'giveBack', 'place'] as const) {
  test(`ours: a crawler that dies anywhere in ${doing} leaves no place at a server taken when it is back`, async t => {
    for (let calls = 1, isOver = false; !isOver; calls++) {
      // No lease runs out: this clock does not move.
      const crew = new Crew(t, server, 8, { perServer: 1, clock: () => 1e12 })
      const mortal = await crew.join('a', { beatMs: 600_000 })
      await placed(mortal, 3, 1, 3)
      await mortal.offer([link('elsewhere.example'), link('elsewhere.example', 1)])
      const open = (await mortal.take(10)).tickets
      const own = open.find(({ server: at }) => (at === undefined) === (doing === 'place'))!
      if (doing === 'place') await mortal.settle(open.filter(ticket => ticket !== own).map(ticket => done(ticket)))
      const act = {
        settle: () => mortal.settle([done(own)]),
        giveBack: () => mortal.giveBack([own.id]),
        place: () => mortal.place(own.id, '192.0.2.0'),
      }[doing]
      isOver = await dies(t, calls, act)
      const again = await crew.join('a')
      const { tickets } = await again.take(10)
      assert.equal(tickets.filter(({ server: at }) => at !== undefined).length, 1, `after ${calls} calls`)
    }
  })
}

/** The engine answers this many calls, and then says nothing any more; whether that was enough. */
async function dies(t: TestContext, calls: number, act: () => Promise<unknown>): Promise<boolean> {
  const run = Engine.prototype.run
  const silence = new Promise<never>(() => {})
  let [made, died] = [0, () => {}]
  const dead = new Promise<'dead'>(resolve => (died = () => resolve('dead')))
  const mocked = t.mock.method(Engine.prototype, 'run', function (this: Engine, ...given: Parameters<Engine['run']>) {
    if (made++ < calls) return run.apply(this, given)
    died()
    return silence
  })
  const how = await Promise.race([act(), dead])
  mocked.mock.restore()
  return how !== 'dead'
}
