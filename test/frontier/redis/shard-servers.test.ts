// A server's room, time and line, as its shard keeps them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Applicant, Woken } from '../../../src/frontier/redis/shard/moves.ts'
import type { Shard } from '../../../src/frontier/redis/shard/shard.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'
import { startRedis } from '../../redis/servers.ts'
import { openEngine, shardOn } from './one-shard.ts'

const NOW = 1_700_000_000_000
const server = await startRedis({ after })
const engine = await openEngine({ after }, server)
const GRANTED = { isGranted: true } as const

function applicant(host: string, token: number, kind: Applicant['class'] = 'proven'): Applicant {
  return { server: 's', host, hostShard: 3, token, class: kind }
}

function hostsOf(wake: readonly Woken[]): string[] {
  return wake.map(({ host }) => host)
}

test('Redis: who finds no room stands in line, and is woken in the order of arrival', async () => {
  const shard = shardOn(engine, { tag: '{room}', rules: { perServer: 1 } })
  const { admissions } = await shard.admit([applicant('a', 1), applicant('b', 2), applicant('c', 3)], NOW)
  // Nobody waits for ever to be woken: who wakes it may be forgotten.
  const denied = { isGranted: false, laterMs: 30_000, isDown: false }
  assert.deepEqual(admissions, [GRANTED, denied, denied])
  const { wake } = await shard.release([{ server: 's', token: 1, how: 'answer' }], NOW)
  assert.deepEqual(wake, [{ host: 'b', hostShard: 3, inMs: 0, isServerDown: false }])
  // The room is b's: somebody new does not overtake.
  assert.equal((await shard.admit([applicant('d', 4)], NOW)).admissions[0]!.isGranted, false)
  assert.deepEqual((await shard.admit([applicant('b', 5)], NOW)).admissions, [GRANTED])
  assert.deepEqual(hostsOf((await shard.release([{ server: 's', token: 5, how: 'answer' }], NOW)).wake), ['c'])
  // c has gone away: d is woken when c leaves the line.
  assert.deepEqual(hostsOf(await shard.leaveQueue([{ server: 's', host: 'c', hostShard: 3 }], NOW)), ['d'])
})

test('Redis: one who was woken and does not come is forgotten after 10 s, at the next take in that shard', async () => {
  const shard = shardOn(engine, { tag: '{stale}', rules: { perServer: 1 } })
  await shard.admit([applicant('a', 1), applicant('b', 2), applicant('c', 3)], NOW)
  await shard.release([{ server: 's', token: 1, how: 'unasked' }], NOW)
  const nothing = { max: 0, pages: 0, unproven: 0, auxiliaries: 0, firstId: 1 }
  const early = await shard.take(nothing, NOW + 9999)
  assert.deepEqual([hostsOf(early.wake), early.waitMs], [[], 1])
  assert.deepEqual(hostsOf((await shard.take(nothing, NOW + 10_000)).wake), ['c'])
})

test('Redis: an unproven host that is kept out does not hold up the proven ones', async () => {
  const shard = shardOn(engine, { tag: '{classes}', rules: { perServer: 1 } })
  await shard.admit(
    [applicant('a', 1), applicant('u', 2, 'unproven'), applicant('p', 3), applicant('e', 4, 'auxiliary')],
    NOW,
  )
  const { wake } = await shard.release([{ server: 's', token: 1, how: 'answer' }], NOW)
  assert.deepEqual(hostsOf(wake).sort(), ['e', 'p', 'u'])
  assert.deepEqual((await shard.admit([applicant('p', 5)], NOW)).admissions, [GRANTED])
})

test('Redis: the gap begins with each lease, and a ticket closed unasked leaves none', async () => {
  const shard = shardOn(engine, { tag: '{gap}', rules: { perServer: 9, serverGapMs: 100 } })
  const ask = async (host: string, token: number, nowMs: number) => {
    const [admission] = (await shard.admit([applicant(host, token)], nowMs)).admissions
    return admission!.isGranted ? 'granted' : admission!.laterMs
  }
  assert.equal(await ask('a', 1, NOW), 'granted')
  assert.equal(await ask('b', 2, NOW), 100)
  assert.equal(await ask('c', 3, NOW), 200)
  assert.equal(await ask('b', 4, NOW + 250), 'granted')
  assert.equal(await ask('c', 5, NOW + 250), 100, 'the gap begins when b was let in, not when it was expected')
  await shard.release([{ server: 's', token: 4, how: 'unasked' }], NOW + 260)
  assert.equal(await ask('c', 6, NOW + 260), 'granted')
})

test('contract: silence counts once for visits that hang at the same time; a server that is down gets one more try', async () => {
  const rules = { perServer: 9, retries: 1 }
  const shard = shardOn(engine, { tag: '{down}', rules })
  await shard.admit(
    ['a', 'b', 'c'].map((host, n) => applicant(host, n)),
    NOW,
  )
  const silent = (token: number) => ({ server: 's', token, how: 'silence' as const })
  const first = await shard.release([silent(0), silent(1)], NOW + 10)
  assert.deepEqual(first.isDown, [false, false])
  await shard.admit([applicant('d', 5)], NOW + 20)
  assert.deepEqual((await shard.release([silent(5)], NOW + 30)).isDown, [true])
  const [admission] = (await shard.admit([applicant('e', 6)], NOW + 40)).admissions
  assert.deepEqual(admission, { isGranted: false, laterMs: 990, isDown: true })
  const later = shardOn(engine, { tag: '{down}', rules, owner: 'next', revivals: 2 })
  assert.deepEqual((await later.admit([applicant('e', 7)], NOW + 50)).admissions, [GRANTED])
  const { isDown } = await later.release([{ server: 's', token: 7, how: 'answer' }], NOW + 60)
  assert.deepEqual(isDown, [false])
})

test('ours: a first crawler leaves alone the tickets and the line of one that was only not heard of', async () => {
  const rules = { perServer: 1 }
  const shard = shardOn(engine, { tag: '{unheard}', rules })
  await shard.admit([applicant('a', 1), applicant('b', 2)], NOW)
  const next = shardOn(engine, { tag: '{unheard}', rules, owner: 'next', revivals: 2 })
  assert.equal((await next.admit([applicant('c', 3)], NOW + 1)).admissions[0]!.isGranted, false)
  assert.deepEqual(hostsOf((await shard.release([{ server: 's', token: 1, how: 'answer' }], NOW + 2)).wake), ['b'])
})

test('Redis: tokens that expire leave room, unless they were renewed', async () => {
  const shard = shardOn(engine, { tag: '{tokens}', rules: { perServer: 1, leaseMs: 100 } })
  await shard.admit([applicant('a', 1)], NOW)
  await shard.renewTokens([{ server: 's', token: 1 }], NOW + 60)
  assert.equal((await shard.admit([applicant('b', 2)], NOW + 110)).admissions[0]!.isGranted, false)
  assert.deepEqual((await shard.admit([applicant('b', 3)], NOW + 160)).admissions, [GRANTED])
})

/** Hosts that go to one server again and again, as the client makes them do it. */
async function crowd(shard: Shard, random: RandomSource, perServer: number, gapMs: number): Promise<void> {
  const hosts = Array.from({ length: 12 }, (_, n) => ({
    name: `h${n}`,
    at: NOW,
    token: 0,
    visits: 0,
    kind: random.pick(['proven', 'unproven'] as const),
  }))
  let token = 0
  let lastMs = Number.NEGATIVE_INFINITY
  for (let nowMs = NOW; nowMs < NOW + 3000; nowMs += random.below(30)) {
    const wakeUp = (wake: readonly Woken[]) => {
      for (const { host, inMs } of wake) {
        const found = hosts.find(({ name }) => name === host)!
        if (found.token === 0) found.at = nowMs + inMs
      }
    }
    for (const host of hosts.filter(({ token: open }) => open > 0 && random.chance(0.3))) {
      const how = random.pick(['answer', 'unasked', 'trouble'] as const)
      const open = host.token
      Object.assign(host, { token: 0, at: nowMs })
      if (how === 'unasked') lastMs = Number.NEGATIVE_INFINITY
      wakeUp((await shard.release([{ server: 's', token: open, how }], nowMs)).wake)
    }
    for (const host of hosts.filter(({ token: open, at }) => open === 0 && at <= nowMs && random.chance(0.8))) {
      const { admissions, wake } = await shard.admit([applicant(host.name, ++token, host.kind)], nowMs)
      const admission = admissions[0]!
      if (admission.isGranted) {
        assert.ok(nowMs - lastMs >= gapMs, `two leases within ${nowMs - lastMs} ms`)
        lastMs = nowMs
        Object.assign(host, { token, visits: host.visits + 1 })
        assert.ok(hosts.filter(one => one.token > 0).length <= perServer)
      } else host.at = nowMs + admission.laterMs
      wakeUp(wake)
    }
  }
  const visits = hosts.map(host => host.visits)
  assert.ok(Math.min(...visits) >= 1, `somebody starved: ${visits}`)
}

test('Redis: never more than perServer at a server, never two within its gap, and nobody starves', async t => {
  for (const seed of seeds(t, 4, 2)) {
    const random = new RandomSource(seed)
    const perServer = random.pick([1, 2, 5])
    const serverGapMs = random.pick([0, 20])
    const shard = shardOn(engine, { tag: `{crowd${seed}}`, rules: { perServer, serverGapMs } })
    await crowd(shard, random, perServer, serverGapMs).catch(error => {
      throw new Error(`seed ${seed}`, { cause: error })
    })
  }
})
