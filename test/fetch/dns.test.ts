import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/base/clock.ts'
import { type Resolution, Resolver, type ResolverOptions } from '../../src/fetch/dns.ts'
import { parseDnsServer } from '../../src/fetch/name-servers.ts'
import { type AnswerQuestion, dnsServer } from '../web/dns-server.ts'

const FOR_EVER = Number.POSITIVE_INFINITY

/** A resolver that prefers IPv4 and knows nothing of this machine, and its DNS server. */
async function resolverWith(t: TestContext, answer: AnswerQuestion, options: Partial<ResolverOptions> = {}) {
  const server = await dnsServer(t, answer)
  const resolver = new Resolver({
    clock: () => 0,
    servers: [server.address],
    systemHostsPath: '/nowhere/hosts',
    isV6Better: async () => false,
    ...options,
  })
  return { server, resolver }
}

function ipsOf(resolution: Resolution | undefined): string[] {
  return resolution?.kind === 'found' ? resolution.addresses.map(({ ip }) => ip) : []
}

function found(ip: string, untilMs: number): Resolution {
  return { kind: 'found', addresses: [{ ip, family: ip.includes(':') ? 6 : 4, untilMs }] }
}

test('ours: an address leads to itself, in brackets or not', async () => {
  const resolver = new Resolver({ clock: () => 0 })
  assert.deepEqual(await resolver.resolve('192.0.2.1'), found('192.0.2.1', FOR_EVER))
  assert.deepEqual(await resolver.resolve('[::1]'), found('::1', FOR_EVER))
  assert.deepEqual(await resolver.resolve('::1'), found('::1', FOR_EVER))
})

test('ours: names of the map come first, then those of the system’s hosts file, without a question', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-hosts-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const systemHostsPath = join(folder, 'hosts')
  writeFileSync(systemHostsPath, 'nonsense a.example\n127.0.0.8 a.example b.example # c.example\n127.0.0.9 b.example\n')
  const hosts = new Map([['a.example', '127.0.0.7']])
  const { server, resolver } = await resolverWith(t, () => ['192.0.2.9'], { hosts, systemHostsPath })
  assert.deepEqual(await resolver.resolve('a.example'), found('127.0.0.7', FOR_EVER))
  assert.deepEqual(resolver.peek('a.example'), found('127.0.0.7', FOR_EVER))
  assert.deepEqual(await resolver.resolve('b.example'), found('127.0.0.8', FOR_EVER))
  assert.deepEqual(server.questions, [])
  assert.deepEqual(ipsOf(await resolver.resolve('c.example')), ['192.0.2.9'])
})

test('RFC 6761 6.3: localhost is loopback, and no server hears of it', async t => {
  const { server, resolver } = await resolverWith(t, () => 'NXDOMAIN')
  assert.deepEqual(await resolver.resolve('localhost'), found('127.0.0.1', FOR_EVER))
  assert.deepEqual(await resolver.resolve('x.localhost'), found('127.0.0.1', FOR_EVER))
  assert.deepEqual(server.questions, [])
})

test('ours: an answer is kept for the shortest of its times and then asked for again', async t => {
  let nowMs = 1000
  const { server, resolver } = await resolverWith(
    t,
    (_name, type) => ({ ips: ['192.0.2.1', '2001:db8::1'], ttlSeconds: type === 'A' ? 300 : 30 }),
    { clock: () => nowMs },
  )
  assert.equal(resolver.peek('a.example'), undefined)
  const first = await resolver.resolve('a.example')
  assert.ok(first.kind === 'found' && first.addresses.every(({ untilMs }) => untilMs === 31_000))
  nowMs = 30_999
  assert.deepEqual(await resolver.resolve('a.example'), first)
  assert.deepEqual(resolver.peek('a.example'), first)
  assert.equal(server.count('a.example'), 2)
  nowMs = 31_000
  assert.equal(resolver.peek('a.example'), undefined)
  await resolver.resolve('a.example')
  assert.equal(server.count('a.example'), 4)
})

test('ours: times are believed between ten seconds and an hour', async t => {
  const { resolver } = await resolverWith(t, name => ({
    ips: ['192.0.2.1'],
    ttlSeconds: name === 'short.example' ? 0 : 1e6,
  }))
  assert.deepEqual(await resolver.resolve('short.example'), found('192.0.2.1', 10_000))
  assert.deepEqual(await resolver.resolve('long.example'), found('192.0.2.1', 3_600_000))
})

test('RFC 6724: IPv6 comes first where this machine has it, else last', async t => {
  const answer: AnswerQuestion = name =>
    name === 'six.example' ? ['2001:db8::1'] : ['192.0.2.1', '2001:db8::1', '2001:db8::2', '192.0.2.2']
  const four = (await resolverWith(t, answer)).resolver
  const six = (await resolverWith(t, answer, { isV6Better: async () => true })).resolver
  const families = async (resolver: Resolver) =>
    ipsOf(await resolver.resolve('both.example')).map(ip => (ip.includes(':') ? 6 : 4))
  assert.deepEqual(await families(four), [4, 4, 6, 6])
  assert.deepEqual(await families(six), [6, 6, 4, 4])
  assert.deepEqual(await four.resolve('six.example'), found('2001:db8::1', 60_000))
})

test('ours: servers in turn lead to the same address, and names spread over them', async t => {
  const ips = Array.from({ length: 8 }, (_, i) => `192.0.2.${i + 1}`)
  let nowMs = 0
  const { server, resolver } = await resolverWith(
    t,
    (_name, _type, n) => [...ips.slice(n % 8), ...ips.slice(0, n % 8)],
    {
      clock: () => nowMs,
    },
  )
  const firsts = new Set<string>()
  for (let round = 0; round < 8; round++) {
    firsts.add(ipsOf(await resolver.resolve('a.example'))[0]!)
    nowMs += 60_000
  }
  assert.equal(server.count('a.example', 'A'), 8)
  assert.equal(firsts.size, 1)
  const names = Array.from({ length: 64 }, (_, i) => `h${i}.example`)
  const spread = new Set(await Promise.all(names.map(async name => ipsOf(await resolver.resolve(name))[0])))
  assert.ok(spread.size >= 6, `${spread.size} of 8 servers are used by 64 names`)
})

test('ours: an address that could not be reached comes last for ten minutes, for every name', async t => {
  let nowMs = 0
  const { resolver } = await resolverWith(
    t,
    () => ({ ips: ['192.0.2.1', '192.0.2.2', '192.0.2.3'], ttlSeconds: 3600 }),
    {
      clock: () => nowMs,
    },
  )
  const before = ipsOf(await resolver.resolve('a.example'))
  const [first = ''] = before
  resolver.demote(first)
  assert.deepEqual(ipsOf(resolver.peek('a.example')), [...before.slice(1), first])
  assert.deepEqual(ipsOf(await resolver.resolve('a.example')), [...before.slice(1), first])
  assert.equal(ipsOf(await resolver.resolve('b.example')).at(-1), first)
  for (const ip of before.slice(1)) resolver.demote(ip)
  assert.deepEqual(ipsOf(resolver.peek('a.example')), before)
  nowMs = 599_999
  resolver.demote(before[1]!)
  nowMs = 600_000
  assert.deepEqual(ipsOf(resolver.peek('a.example')), [before[0], before[2], before[1]])
})

test('ours: a hundred questions for a name at once are one', async t => {
  const { server, resolver } = await resolverWith(t, () => ['192.0.2.1'])
  const answers = await Promise.all(Array.from({ length: 100 }, () => resolver.resolve('a.example')))
  assert.equal(new Set(answers).size, 1)
  assert.deepEqual([server.count('a.example', 'A'), server.count('a.example', 'AAAA')], [1, 1])
})

test('ours: a name that is gone is final, and asked for once an hour', async t => {
  let nowMs = 0
  const { server, resolver } = await resolverWith(t, name => (name === 'empty.example' ? [] : 'NXDOMAIN'), {
    clock: () => nowMs,
  })
  for (const name of ['none.invalid', 'empty.example']) {
    nowMs = 0
    assert.deepEqual(await resolver.resolve(name), { kind: 'gone' })
    nowMs = 3_599_999
    assert.deepEqual(resolver.peek(name), { kind: 'gone' })
    assert.deepEqual(await resolver.resolve(name), { kind: 'gone' })
    assert.deepEqual([server.count(name, 'A'), server.count(name, 'AAAA')], [1, 1], name)
    nowMs = 3_600_000
    assert.equal(resolver.peek(name), undefined)
  }
})

test('RFC 4074 4.2: a server that denies the name for its lack of IPv6 does not hide its IPv4 address', async t => {
  const { resolver } = await resolverWith(t, (_name, type) => (type === 'A' ? ['192.0.2.1'] : 'NXDOMAIN'))
  assert.deepEqual(await resolver.resolve('a.example'), found('192.0.2.1', 60_000))
})

test('ours: a server that never speaks about IPv6 costs a second, and no address', async t => {
  const { resolver } = await resolverWith(t, (_name, type) => (type === 'A' ? ['192.0.2.1'] : 'silence'))
  const startedMs = systemClock()
  assert.deepEqual(await resolver.resolve('a.example'), found('192.0.2.1', 60_000))
  const tookMs = systemClock() - startedMs
  assert.ok(tookMs < 4000, `${tookMs} ms`)
})

test('ours: three hundred dead names at once take about as long as one', async t => {
  const { server, resolver } = await resolverWith(t, () => sleep(200, 'NXDOMAIN'))
  const startedMs = systemClock()
  const names = Array.from({ length: 300 }, (_, i) => `h${i}.invalid`)
  const all = await Promise.all(names.map(name => resolver.resolve(name)))
  const tookMs = systemClock() - startedMs
  assert.ok(all.every(({ kind }) => kind === 'gone'))
  assert.equal(server.questions.length, 600)
  assert.ok(tookMs < 8000, `${tookMs} ms`)
})

test('ours: 256 names are asked for at once, and the others have their turn', async t => {
  let open = 0
  let most = 0
  const { resolver } = await resolverWith(t, async (_name, type) => {
    if (type === 'AAAA') return []
    most = Math.max(most, ++open)
    await sleep(50)
    open--
    return ['192.0.2.1']
  })
  const names = Array.from({ length: 600 }, (_, i) => `h${i}.example`)
  const all = await Promise.all(names.map(name => resolver.resolve(name)))
  assert.ok(all.every(({ kind }) => kind === 'found'))
  assert.ok(most <= 256 && most > 64, `${most} at once`)
})

test('ours: a server that can’t say makes a name unavailable for ten seconds, and it is not our network', async t => {
  let nowMs = 0
  const { server, resolver } = await resolverWith(t, name => (name === 'a.example' ? 'SERVFAIL' : 'REFUSED'), {
    clock: () => nowMs,
  })
  for (const name of ['a.example', 'b.example']) {
    nowMs = 0
    assert.deepEqual(await resolver.resolve(name), { kind: 'unavailable', isOurs: false })
    const questions = server.count(name)
    nowMs = 9_999
    assert.deepEqual(await resolver.resolve(name), { kind: 'unavailable', isOurs: false })
    assert.equal(server.count(name), questions)
    nowMs = 10_000
    assert.equal(resolver.peek(name), undefined)
  }
})

test('ours: a name that has one family denied and the other unknown is not gone', async t => {
  const { resolver } = await resolverWith(t, (_name, type) => (type === 'A' ? [] : 'SERVFAIL'))
  assert.deepEqual(await resolver.resolve('a.example'), { kind: 'unavailable', isOurs: false })
})

test('ours: without a DNS server it is our network', async t => {
  const { server, resolver } = await resolverWith(t, () => ['192.0.2.1'], { timeoutMs: 1000 })
  await server.close()
  assert.deepEqual(await resolver.resolve('a.example'), { kind: 'unavailable', isOurs: true })
})

test('ours: a server that never answers costs the time allowed; it is our network if it answers nobody', async t => {
  const { resolver } = await resolverWith(t, name => (name === 'slow.invalid' ? 'silence' : ['192.0.2.1']), {
    timeoutMs: 500,
    clock: systemClock,
  })
  const startedMs = systemClock()
  assert.deepEqual(await resolver.resolve('slow.invalid'), { kind: 'unavailable', isOurs: true })
  assert.ok(systemClock() - startedMs < 4000)
  const other = (
    await resolverWith(t, name => (name === 'slow.invalid' ? 'silence' : ['192.0.2.1']), { timeoutMs: 500 })
  ).resolver
  const [slow] = await Promise.all([other.resolve('slow.invalid'), other.resolve('a.example')])
  assert.deepEqual(slow, { kind: 'unavailable', isOurs: false })
})

test('ours: names that can be none are not asked for', async t => {
  const { server, resolver } = await resolverWith(t, () => ['192.0.2.1'])
  for (const name of ['', 'a'.repeat(254), `${'a'.repeat(64)}.example`]) {
    assert.deepEqual(await resolver.resolve(name), { kind: 'gone' }, name)
  }
  assert.deepEqual(server.questions, [])
})

test('ours: a DNS server that is none is the user’s mistake', () => {
  for (const text of ['9.9.9.9', ' 127.0.0.1:5353 ', '::1', '[::1]:53']) assert.equal(parseDnsServer(text), text.trim())
  for (const text of ['', 'dns.example', '9.9.9', '9.9.9.9:x', '9.9.9.9:99999', '\x1b[2J']) {
    const isExplained = (error: { code?: string; message: string }) =>
      error.code === 'FETCH_BAD_DNS' && !error.message.includes('\x1b')
    assert.throws(() => parseDnsServer(text), isExplained, text)
    assert.throws(() => new Resolver({ clock: () => 0, servers: [text] }), isExplained, text)
  }
})
