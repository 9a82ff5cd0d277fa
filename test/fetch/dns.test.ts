import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { Resolver } from '../../src/fetch/dns.ts'

const FOR_EVER = Number.POSITIVE_INFINITY

interface Zone {
  readonly a?: readonly string[]
  readonly aaaa?: readonly string[]
  readonly ttl?: number
  /** Never answers. */
  readonly isSilent?: boolean
}

/** A DNS server on loopback that knows a few names. `asked` lists its questions as `name type`. */
async function nameServer(t: TestContext, zones: Readonly<Record<string, Zone>>) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const question = query.subarray(12, at + 5)
    const isV4 = query.readUInt16BE(at + 1) === 1
    const name = labels.join('.').toLowerCase()
    asked.push(`${name} ${isV4 ? 'A' : 'AAAA'}`)
    const zone = zones[name]
    if (zone?.isSilent) return
    const ips = (isV4 ? zone?.a : zone?.aaaa) ?? []
    const header = Buffer.from([
      query[0]!,
      query[1]!,
      0x81,
      zone === undefined ? 0x83 : 0x80,
      0,
      1,
      0,
      ips.length,
      0,
      0,
      0,
      0,
    ])
    const records = ips.map(ip => {
      const data = isV4 ? Buffer.from(ip.split('.').map(Number)) : Buffer.concat([Buffer.alloc(15), Buffer.from([1])])
      const fixed = Buffer.from([0xc0, 12, 0, isV4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length])
      fixed.writeUInt32BE(zone?.ttl ?? 60, 6)
      return Buffer.concat([fixed, data])
    })
    socket.send(Buffer.concat([header, question, ...records]), peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return { asked, servers: [`127.0.0.1:${socket.address().port}`] }
}

test('ours: an address leads to itself, in brackets or not', async () => {
  const resolver = new Resolver({ clock: () => 0 })
  assert.deepEqual(await resolver.resolve('192.0.2.1'), { ip: '192.0.2.1', family: 4, untilMs: FOR_EVER })
  assert.deepEqual(await resolver.resolve('[::1]'), { ip: '::1', family: 6, untilMs: FOR_EVER })
  assert.deepEqual(await resolver.resolve('::1'), { ip: '::1', family: 6, untilMs: FOR_EVER })
})

test('ours: names of the map are answered from it, without a question', async t => {
  const { asked, servers } = await nameServer(t, { 'a.example': { a: ['192.0.2.9'] } })
  const hosts = new Map([['a.example', '127.0.0.7']])
  const resolver = new Resolver({ clock: () => 0, hosts, servers })
  assert.deepEqual(await resolver.resolve('a.example'), { ip: '127.0.0.7', family: 4, untilMs: FOR_EVER })
  assert.deepEqual(resolver.peek('a.example'), { ip: '127.0.0.7', family: 4, untilMs: FOR_EVER })
  assert.deepEqual(asked, [])
})

test('RFC 6761 6.3: localhost is loopback, and no server hears of it', async t => {
  const { asked, servers } = await nameServer(t, {})
  const resolver = new Resolver({ clock: () => 5, servers })
  assert.deepEqual(await resolver.resolve('localhost'), { ip: '127.0.0.1', family: 4, untilMs: 60_005 })
  assert.deepEqual(await resolver.resolve('x.localhost'), { ip: '127.0.0.1', family: 4, untilMs: 60_005 })
  assert.deepEqual(asked, [])
})

test('ours: an answer is kept for its time and then asked for again; the first address stays', async t => {
  const zones = { 'a.example': { a: ['192.0.2.1', '192.0.2.2'], ttl: 30 } }
  const { asked, servers } = await nameServer(t, zones)
  let nowMs = 1000
  const resolver = new Resolver({ clock: () => nowMs, servers })
  assert.equal(resolver.peek('a.example'), undefined)
  const first = await resolver.resolve('a.example')
  assert.ok(first !== 'dns' && ['192.0.2.1', '192.0.2.2'].includes(first.ip))
  assert.equal(first.untilMs, 31_000)
  nowMs = 30_999
  assert.deepEqual(await resolver.resolve('a.example'), first)
  assert.deepEqual(resolver.peek('a.example'), first)
  assert.equal(asked.length, 1)
  nowMs = 31_000
  assert.equal(resolver.peek('a.example'), undefined)
  await resolver.resolve('a.example')
  assert.equal(asked.length, 2)
})

test('ours: times are believed between ten seconds and an hour', async t => {
  const { servers } = await nameServer(t, {
    'short.example': { a: ['192.0.2.1'], ttl: 0 },
    'long.example': { a: ['192.0.2.1'], ttl: 1e6 },
  })
  const resolver = new Resolver({ clock: () => 0, servers })
  assert.deepEqual(await resolver.resolve('short.example'), { ip: '192.0.2.1', family: 4, untilMs: 10_000 })
  assert.deepEqual(await resolver.resolve('long.example'), { ip: '192.0.2.1', family: 4, untilMs: 3_600_000 })
})

test('ours: IPv4 is preferred, IPv6 is used where there is nothing else', async t => {
  const { servers } = await nameServer(t, {
    'both.example': { a: ['192.0.2.1'], aaaa: ['::1'] },
    'six.example': { aaaa: ['::1'] },
  })
  const resolver = new Resolver({ clock: () => 0, servers })
  assert.deepEqual(await resolver.resolve('both.example'), { ip: '192.0.2.1', family: 4, untilMs: 60_000 })
  assert.deepEqual(await resolver.resolve('six.example'), { ip: '::1', family: 6, untilMs: 60_000 })
})

test('ours: a hundred questions for a name at once are one', async t => {
  const { asked, servers } = await nameServer(t, { 'a.example': { a: ['192.0.2.1'] } })
  const resolver = new Resolver({ clock: () => 0, servers })
  const answers = await Promise.all(Array.from({ length: 100 }, () => resolver.resolve('a.example')))
  assert.equal(new Set(answers).size, 1)
  assert.equal(asked.length, 1)
})

test('ours: a name that leads nowhere is known for ten seconds', async t => {
  const { asked, servers } = await nameServer(t, {})
  let nowMs = 0
  const resolver = new Resolver({ clock: () => nowMs, servers, timeoutMs: 500 })
  assert.equal(await resolver.resolve('none.invalid'), 'dns')
  const questions = asked.length
  nowMs = 9_999
  assert.equal(resolver.peek('none.invalid'), 'dns')
  assert.equal(await resolver.resolve('none.invalid'), 'dns')
  assert.equal(asked.length, questions)
  nowMs = 10_000
  assert.equal(resolver.peek('none.invalid'), undefined)
})

test('ours: a server that never answers costs the time allowed, not more', async t => {
  const { servers } = await nameServer(t, { 'slow.invalid': { isSilent: true } })
  const resolver = new Resolver({ clock: () => 0, servers, timeoutMs: 300 })
  const started = process.hrtime.bigint()
  assert.equal(await resolver.resolve('slow.invalid'), 'dns')
  assert.ok(process.hrtime.bigint() - started < 2_000_000_000n)
})

test('ours: names that can be none are not asked for', async t => {
  const { asked, servers } = await nameServer(t, {})
  const resolver = new Resolver({ clock: () => 0, servers })
  assert.equal(await resolver.resolve(''), 'dns')
  assert.equal(await resolver.resolve('a'.repeat(254)), 'dns')
  assert.deepEqual(asked, [])
})
