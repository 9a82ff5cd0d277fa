// What a shard promises beyond the oracle: calls may be repeated, damage is an error, full memory stops only offers.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { LinkView, Page } from '../../../src/frontier/frontier.ts'
import type { Argument, Engine, LuaScript, Reply } from '../../../src/frontier/redis/engine/engine.ts'
import type { Shard } from '../../../src/frontier/redis/shard/shard.ts'
import { startRedis } from '../../redis/servers.ts'
import { ALL, offered, openEngine, page, places, shardOn } from './one-shard.ts'

const NOW = 1_700_000_000_000
const server = await startRedis({ after })
const engine = await openEngine({ after }, server)
const DONE = { outcome: { kind: 'done', isPage: true }, shown: 'answer', delayMs: 0, links: [] } as const

/** Every call is made twice; the second answer counts. As if the first had been lost on the way. */
function twice(real: Engine): Engine {
  const twin: Engine = Object.create(real)
  twin.run = async (script: LuaScript, tag: string, args: readonly Argument[]): Promise<Reply> => {
    const first = await real.run(script, tag, args)
    const second = await real.run(script, tag, args)
    if (script.isWrite) assert.deepEqual(second, first, script.name)
    return second
  }
  return twin
}

/** A life with every move; returns all that can be seen. */
async function life(shard: Shard): Promise<unknown[]> {
  const seen: unknown[] = []
  const links = Array.from({ length: 300 }, (_, n) => page(`https://h${n % 7}.com/${n}`, { note: `n${n % 3}` }))
  seen.push(await shard.offer(offered([...links, page('https://h1.com/robots.txt', { kind: 'robots' })]), NOW))
  seen.push(await shard.offer(offered([page('https://h8.com/', { refused: 'scope' })]), NOW))
  const taken = await shard.take({ ...ALL, firstId: 100 }, NOW)
  seen.push(taken)
  const [auxiliary, asked, again, gone, back, placed, ...rest] = taken.tickets
  seen.push(await shard.placeAt(placed!, '10.0.0.1', NOW), await shard.renew([...taken.tickets], NOW + 1))
  seen.push(
    await shard.settle(
      [
        { ...DONE, ticket: auxiliary! },
        { ...DONE, ticket: asked!, links: offered([page('https://h9.com/')]) },
        { ...DONE, ticket: again!, outcome: { kind: 'again' }, shown: 'trouble' },
        { ...DONE, ticket: gone!, outcome: { kind: 'refused', reason: 'dns' }, shown: 'gone' },
        { ...DONE, ticket: undefined },
      ],
      NOW + 2,
    ),
  )
  await shard.giveBack(
    [
      { ticket: back!, how: 'as it was' },
      { ticket: placed!, how: { parkedMs: 50, isServerDown: true } },
    ],
    NOW + 3,
  )
  await shard.wake([{ host: placed!.host, inMs: 5, isServerDown: false }], NOW + 3)
  seen.push(await shard.requeue([{ url: 'https://h8.com/', host: places.of('h8.com') }], NOW + 3))
  seen.push(
    await shard.block(places.of('h10.com'), 100, false, NOW + 3),
    await shard.setDelay(places.of('h1.com'), 7, NOW + 3),
  )
  await shard.note('h1.com', 'key', Buffer.from('note'), 100, NOW + 3)
  await shard.block(places.of('h1.com'), 0, true, NOW + 3)
  await shard.clearHost('h2.com', NOW + 3)
  const visit = { url: 'https://h8.com/', host: places.of('h8.com'), isPage: true, links: [] }
  seen.push(await shard.settleFormer([visit], NOW + 3), rest.length)
  const asks = ['a', 'b', 'c', 'd', 'e'].map((host, token) => ({
    server: 's',
    host,
    hostShard: 0,
    token,
    class: 'proven' as const,
  }))
  seen.push(await shard.admit(asks, NOW + 3), await shard.release([{ server: 's', token: 1, how: 'silence' }], NOW + 4))
  await shard.renewTokens([{ server: 's', token: 0 }], NOW + 4)
  seen.push(await shard.leaveQueue([{ server: 's', host: 'e', hostShard: 0 }], NOW + 4))
  seen.push(await shard.take({ ...ALL, firstId: 300 }, NOW + 100_000))
  seen.push(await shard.former('me', 2, NOW + 100_000))
  await shard.revive(NOW + 100_000)
  seen.push(await shard.counts(), await shard.hosts(0, 50, NOW), shard.takeDequeued())
  return seen
}

test('Redis: every call may be repeated', async () => {
  const once = await life(shardOn(engine, { tag: '{once}' }))
  const doubled = await life(shardOn(twice(engine), { tag: '{doubled}' }))
  assert.deepEqual(doubled, once)
  const keys = (tag: string) =>
    server.ask('KEYS', `${tag}*`).then(all => (all as string[]).map(key => key.slice(tag.length)).sort())
  assert.deepEqual(await keys('{doubled}'), await keys('{once}'))
})

test('Redis: nothing torn: known = waiting + leased + done + refused = fingerprints, waiting = texts', async () => {
  const tag = '{whole}'
  const shard = shardOn(engine, { tag })
  await life(shard)
  const { known, waiting, leased, done, refused } = await shard.counts()
  assert.equal(known, waiting + leased + done + refused)
  let fingerprints = 0
  let texts = 0
  for (const key of await server.raw('KEYS', `${tag}*`)) {
    const name = key.subarray(tag.length)
    if (name.toString().startsWith('s:')) fingerprints += Number(await server.ask('HLEN', key))
    if (name.toString().startsWith('q:') && name.length > 6) texts += Number(await server.ask('LLEN', key))
  }
  assert.deepEqual([fingerprints, texts], [known, waiting])
  await shard.clearAll()
  assert.deepEqual(await server.ask('KEYS', `${tag}*`), [`${tag}m`])
  assert.deepEqual((await shard.offer(offered([page('https://h1.com/1')]), NOW)).fresh, [1])
})

test('Redis: a shard that is cleared by somebody who went away is cleared by the next who calls', async () => {
  const tag = '{cleared}'
  const shard = shardOn(engine, { tag })
  await shard.offer(offered(Array.from({ length: 200 }, (_, n) => page(`https://h${n}.com/`))), NOW)
  const dying: Engine = Object.create(engine)
  let steps = 0
  dying.run = (script, at, args) => {
    if (++steps > 1) throw new Error('gone')
    return engine.run(script, at, args)
  }
  await assert.rejects(shardOn(dying, { tag, owner: 'other' }).clearAll(), /gone/)
  assert.deepEqual((await shard.offer(offered([page('https://h1.com/')]), NOW)).fresh, [1])
  assert.equal((await shard.counts()).known, 1)
})

test('ours: thousands of hosts of a domain move at once when it is visited, and a host may have many depths', async () => {
  const shard = shardOn(engine, { tag: '{thousands}', rules: { strategy: 'explore', exploreChance: 1 } })
  await shard.offer(offered(Array.from({ length: 8200 }, (_, n) => page(`https://h${n}.big.com/`))), NOW)
  const deep = Array.from({ length: 8200 }, (_, n) => page(`https://d${n % 41}.com/${n}`, { rank: n % 200 }))
  await shard.offer(offered(deep), NOW)
  for (let n = 0; n < 5; n++) await shard.take({ ...ALL, pages: 0, firstId: 1 }, NOW)
  const { tickets } = await shard.take({ ...ALL, max: 1, firstId: 2 }, NOW)
  assert.match(tickets[0]!.host, /big\.com$/)
  assert.match((await shard.take({ ...ALL, max: 1, firstId: 3 }, NOW)).tickets[0]!.host, /^d\d+\.com$/)
  await shard.clearAll()
  assert.deepEqual(await server.ask('KEYS', '{thousands}*'), ['{thousands}m'])
})

test('ours: a rare reason among many refused links is found in several pages, none of which looks at all of them', async () => {
  const shard = shardOn(engine, { tag: '{refused}' })
  const many = Array.from({ length: 4500 }, (_, n) => page(`https://a.com/${n}`, { refused: 'scope' }))
  await shard.offer(offered([...many, page('https://a.com/rare', { refused: 'rare' })]), NOW)
  const found: string[] = []
  let pages = 0
  for (let at: string | undefined = '1.0.0'; at !== undefined; pages++) {
    const seen: Page<LinkView> = await shard.links({ state: 'refused', reasons: ['rare'] }, { after: at, limit: 10 })
    found.push(...seen.items.map(({ url }) => url))
    at = seen.next
  }
  assert.deepEqual([found, pages], [['https://a.com/rare'], 3])
})

test('ours: what somebody began to refuse, and then went away, is waited for, and refused by the next who takes', async () => {
  const tag = '{aside}'
  const dying: Engine = Object.create(engine)
  dying.run = (script, at, args) => {
    if (script.name === 'clear') throw new Error('gone')
    return engine.run(script, at, args)
  }
  const dead = shardOn(dying, { tag, owner: 'dead' })
  await dead.offer(offered([page('https://a.com/1'), page('https://a.com/2')]), NOW)
  const [ticket] = (await dead.take({ ...ALL, firstId: 1 }, NOW)).tickets
  const refused = { kind: 'refused', reason: 'dns' } as const
  await assert.rejects(dead.settle([{ ...DONE, ticket, outcome: refused, shown: 'gone' }], NOW), /gone/)
  const shard = shardOn(engine, { tag })
  assert.equal((await shard.take({ ...ALL, firstId: 2 }, NOW + 10)).waitMs, 4990)
  assert.equal((await shard.counts()).waiting, 1)
  await shard.take({ ...ALL, firstId: 3 }, NOW + 5000)
  assert.deepEqual([(await shard.counts()).waiting, (await shard.counts()).refused], [0, 2])
})

test('Redis: calls of a run that was fenced do nothing', async () => {
  const tag = '{fenced}'
  const old = shardOn(engine, { tag, owner: 'dead' })
  await old.offer(offered([page('https://a.com/'), page('https://b.com/')]), NOW)
  await old.take({ ...ALL, max: 1, firstId: 2 ** 32 + 1 }, NOW)
  const { released } = await shardOn(engine, { tag, owner: 'other', opening: 2 }).former('dead', 2, NOW)
  assert.deepEqual(
    released.map(({ ticketId }) => ticketId),
    [2 ** 32 + 1],
  )
  await assert.rejects(old.take({ ...ALL, firstId: 2 ** 32 + 2 }, NOW), { code: 'FRONTIER_FENCED' })
  assert.equal((await old.left()).leased, 0)
  const next = shardOn(engine, { tag, owner: 'dead', opening: 3 })
  assert.equal((await next.take({ ...ALL, firstId: 3 * 2 ** 32 }, NOW + 1)).tickets.length, 2)
})

for (const strategy of ['breadth', 'best', 'explore'] as const) {
  test(`shared frontier, ${strategy}: a host whose record can't be read is set aside and counted; the others go on, and the crawl can end`, async () => {
    const tag = `{torn.${strategy}}`
    const torn = shardOn(engine, { tag, rules: { strategy } })
    let damaged = 0
    torn.onDamaged = hosts => {
      damaged += hosts
    }
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const links = (path: number) => offered(names.map(name => page(`https://${name}.com/${path}`)))
    await torn.offer(links(1), NOW)
    await torn.offer(links(2), NOW)
    const first = await torn.take({ ...ALL, max: 1, firstId: 1 }, NOW)
    const idOf = (number: number) => Buffer.from([0, 0, 0, number])
    const record = (await server.raw('HMGET', `${tag}i`, idOf(2)))[0]!
    const leased = first.tickets[0]!.hostId[3]!
    const [one, two, three, four] = [1, 2, 3, 4, 5, 6].filter(number => number !== leased)
    await server.ask('HSET', `${tag}i`, idOf(one!), record.subarray(0, 10))
    await server.ask('HSET', `${tag}i`, idOf(two!), Buffer.alloc(80, 255))
    await server.ask('HDEL', `${tag}i`, idOf(three!))
    // Of a whole record the texts can be gone, and a lease its record.
    await server.ask('DEL', Buffer.concat([Buffer.from(`${tag}q:`), idOf(four!), Buffer.from(':\x01')]))
    await server.ask('DEL', Buffer.concat([Buffer.from(`${tag}q:`), idOf(four!), Buffer.from(':\x00')]))
    await server.ask('HDEL', `${tag}i`, idOf(leased))
    const { tickets } = await torn.take({ ...ALL, firstId: 10 }, NOW)
    assert.equal(tickets.length, 1)
    await torn.offer(links(3), NOW)
    const settled = { outcome: { kind: 'done', isPage: true }, shown: 'answer', delayMs: 0, links: [] } as const
    assert.deepEqual((await torn.settle([{ ...settled, ticket: first.tickets[0]! }], NOW)).late, [0])
    let last = tickets[0]
    for (let id = 20; last !== undefined; id++) {
      await torn.settle([{ ...settled, ticket: last }], NOW)
      const more = (await torn.take({ ...ALL, firstId: id * 10 }, NOW + id)).tickets
      assert.ok(more.length <= 2)
      last = more[0]
      if (more[1] !== undefined) await torn.settle([{ ...settled, ticket: more[1] }], NOW)
    }
    // The lease of the host without a record runs out.
    await torn.take({ ...ALL, firstId: 9000 }, NOW + 100_000)
    assert.equal(damaged, 5)
    const {
      waiting,
      down,
      leased: open,
      auxiliaries,
      done,
    } = await torn.left().then(async left => ({ ...left, done: (await torn.counts()).done }))
    assert.deepEqual([waiting - down + open + auxiliaries, done], [0, 4])
  })
}

test('ours: what is not a shard is an error and not a hang', async () => {
  const link = offered([page('https://a.com/')])
  await server.ask('SET', '{strange}m', 'not ours')
  await assert.rejects(shardOn(engine, { tag: '{strange}' }).offer(link, NOW), { code: 'FRONTIER_DAMAGED' })
  await assert.rejects(shardOn(engine, { tag: '{strange}' }).counts())
  const counters = shardOn(engine, { tag: '{counters}' })
  for (const damage of [Buffer.from([0x93, 0x61]), Buffer.from([0xc2]), Buffer.from('x')]) {
    await server.ask('HSET', '{counters}m', 'c', damage)
    await assert.rejects(counters.offer(link, NOW), { code: 'FRONTIER_DAMAGED' })
  }
})

test('Redis: memory full: offers fail whole, taking, settling and renewing go on', async t => {
  const small = await startRedis(t, { flags: ['--maxmemory-policy', 'noeviction'] })
  const shard = shardOn(await openEngine(t, small))
  const links = Array.from({ length: 50 }, (_, n) => page(`https://h${n % 5}.com/${n}`))
  await shard.offer(offered(links), NOW)
  await small.ask('CONFIG', 'SET', 'maxmemory', '1')
  const before = await shard.counts()
  let isOffered = false
  const offer = shardOn(await openEngine(t, small), { owner: 'other' })
    .offer(offered([page('https://new.com/1'), page('https://new.com/2')]), NOW)
    .then(result => {
      isOffered = true
      return result
    })
  const { tickets } = await shard.take({ ...ALL, max: 4, firstId: 1 }, NOW)
  assert.equal(tickets.length, 4)
  assert.deepEqual(await shard.renew(tickets, NOW), [])
  assert.deepEqual(
    (
      await shard.settle(
        tickets.map(ticket => ({ ...DONE, ticket })),
        NOW,
      )
    ).late,
    [],
  )
  assert.deepEqual([(await shard.counts()).known, isOffered], [before.known, false])
  await small.ask('CONFIG', 'SET', 'maxmemory', '0')
  assert.deepEqual((await offer).fresh, [2])
})

test('Redis: more links than fit in a call are offered in several, and settled with the last', async () => {
  const shard = shardOn(engine, { tag: '{many}' })
  await shard.offer(offered([page('https://a.com/')]), NOW)
  const { tickets } = await shard.take({ ...ALL, firstId: 1 }, NOW)
  const links = Array.from({ length: 700 }, (_, n) => page(`https://b.com/${n}`))
  const settled = await shard.settle([{ ...DONE, ticket: tickets[0], links: offered(links) }], NOW)
  assert.deepEqual([settled.fresh, settled.late, settled.became], [[700], [], ['b.com']])
  assert.deepEqual(
    (await shard.waiting('b.com', { limit: 1000 })).items.map(({ url }) => url),
    links.map(({ url }) => url),
  )
})

test('Redis: a note is kept once for all links of a call, and goes with the last of them', async () => {
  const shard = shardOn(engine, { tag: '{notes}' })
  await shard.offer(offered([page('https://a.com/1', { note: 'x' }), page('https://b.com/1', { note: 'x' })]), NOW)
  assert.equal(await server.ask('HLEN', '{notes}b'), 1)
  for (const left of [1, 0]) {
    const { tickets } = await shard.take({ ...ALL, max: 1, firstId: 10 + left }, NOW)
    assert.equal(tickets[0]!.note, 'x')
    await shard.settle([{ ...DONE, ticket: tickets[0] }], NOW)
    assert.equal(await server.ask('HLEN', '{notes}b'), left)
  }
})

test('ours: one of each host of a domain, and the bounds from outside, in the order of the contract', async () => {
  const shard = shardOn(engine, { tag: '{bounds}', rules: { maxHostsPerDomain: 1 } })
  const links = offered(['a.com', 'b.a.com', 'c.org', 'd.org', 'e.net'].map(host => page(`https://${host}/`)))
  const bounds = [undefined, 'page-hosts', 'max-hosts', 'page-hosts', undefined] as const
  const { fresh, became } = await shard.offer(
    links.map((link, k) => ({ ...link, bound: bounds[k] })),
    NOW,
  )
  assert.deepEqual([fresh, became], [[2], ['a.com', 'e.net']])
  assert.deepEqual((await shard.counts()).turnedAway, { 'max-hosts': 1, 'domain-hosts': 1, 'page-hosts': 1 })
  assert.deepEqual(await shard.unknownHosts(['a.com', 'b.a.com', 'c.org'].map(host => places.of(host))), [
    { name: 'b.a.com', domainHosts: 1 },
    { name: 'c.org', domainHosts: 0 },
  ])
})
