import assert from 'node:assert/strict'
import { test } from 'node:test'
import { originOf, type RobotsAnswer, RobotsGate, readRobotsErrand, robotsErrand } from '../../src/crawl/robots-gate.ts'

const DAY_MS = 24 * 3_600_000
const ORIGIN = 'http://a.com'

function answer(more: Partial<RobotsAnswer> = {}): RobotsAnswer {
  const nothing = { why: undefined, location: undefined, body: new Uint8Array(0) }
  return { askedUrl: `${ORIGIN}/robots.txt`, status: 200, ...nothing, ...more }
}

function file(text: string): RobotsAnswer {
  return answer({ body: Buffer.from(text) })
}

function gateThatLearnt(...answers: readonly RobotsAnswer[]): RobotsGate {
  const gate = new RobotsGate('escalona', 3)
  for (const one of answers) gate.learn(ORIGIN, one, 0)
  return gate
}

test('SPEC 5: robots.txt is asked for before anything else, once for each origin', () => {
  const gate = new RobotsGate('escalona', 3)
  assert.deepEqual(gate.ask('https://a.com:8443/x?y', 0), { kind: 'ask', url: 'https://a.com:8443/robots.txt' })
  gate.learn('https://a.com:8443', file(''), 0)
  assert.deepEqual(gate.ask('https://a.com:8443/x?y', 0), { kind: 'open' })
  assert.equal(gate.ask('http://a.com/x', 0).kind, 'ask')
})

test('SPEC 5: what it disallows is shut', () => {
  const gate = gateThatLearnt(file('User-agent: *\nDisallow: /private\n'))
  assert.deepEqual(gate.ask(`${ORIGIN}/private/x`, 0), { kind: 'shut', reason: 'robots' })
  assert.deepEqual(gate.ask(`${ORIGIN}/public`, 0), { kind: 'open' })
})

test('SPEC 5: it is kept for 24 hours', () => {
  const gate = gateThatLearnt(file('User-agent: *\nDisallow: /'))
  assert.equal(gate.ask(`${ORIGIN}/x`, DAY_MS - 1).kind, 'shut')
  assert.equal(gate.ask(`${ORIGIN}/x`, DAY_MS).kind, 'ask')
})

test('RFC 9309 2.3.1.3: with any status from 400 to 499 everything is allowed', () => {
  for (const status of [400, 401, 403, 404, 410, 429, 451, 499]) {
    assert.deepEqual(gateThatLearnt(answer({ status })).ask(`${ORIGIN}/x`, 0), { kind: 'open' }, String(status))
  }
})

test('RFC 9309 2.3.1.4: one that can not be had allows nothing, and is asked for again, then given up', () => {
  const gate = new RobotsGate('escalona', 3)
  for (const [failures, failed] of [
    answer({ status: 500 }),
    answer({ status: undefined, why: 'timeout' }),
    answer({ status: 503 }),
  ].entries()) {
    const { failure } = gate.learn(ORIGIN, failed, 0)
    assert.deepEqual([failure?.failures, failure?.isLast], [failures + 1, false])
    assert.deepEqual(gate.ask(`${ORIGIN}/x`, 0), { kind: 'ask', url: `${ORIGIN}/robots.txt` })
  }
  const last = gate.learn(ORIGIN, answer({ status: undefined, why: 'connect' }), 0)
  assert.deepEqual(last.failure, { why: 'connect', failures: 4, isLast: true })
  assert.deepEqual(gate.ask(`${ORIGIN}/x`, 0), { kind: 'shut', reason: 'robots-unavailable' })
  assert.equal(gate.ask(`${ORIGIN}/x`, DAY_MS).kind, 'ask')
})

test('ours: a success between failures begins the count anew', () => {
  const gate = gateThatLearnt(answer({ status: 500 }), answer({ status: 500 }), file(''))
  const { failure } = gate.learn(ORIGIN, answer({ status: 500 }), DAY_MS)
  assert.equal(failure?.failures, 1)
})

test('RFC 9309 2.3.1.2: redirects at the same host are followed one by one, with the delay of the host between them', () => {
  const gate = gateThatLearnt(answer({ status: 301, location: '/r/1' }))
  assert.deepEqual(gate.ask(`${ORIGIN}/x`, 0), { kind: 'ask', url: `${ORIGIN}/r/1` })
  gate.learn(ORIGIN, { ...file('User-agent: *\nDisallow: /x'), askedUrl: `${ORIGIN}/r/1` }, 0)
  assert.equal(gate.ask(`${ORIGIN}/x`, 0).kind, 'shut')
})

test('RFC 9309 2.3.1.2: five redirects are followed; after that it counts as not there', () => {
  const gate = new RobotsGate('escalona', 3)
  for (let n = 1; n <= 5; n++) {
    gate.learn(ORIGIN, answer({ status: 302, location: `/r/${n}` }), 0)
    assert.deepEqual(gate.ask(`${ORIGIN}/x`, 0), { kind: 'ask', url: `${ORIGIN}/r/${n}` })
  }
  gate.learn(ORIGIN, answer({ status: 302, location: '/r/6' }), 0)
  assert.deepEqual(gate.ask(`${ORIGIN}/x`, 0), { kind: 'open' })
})

test('ours: a robots.txt at another host is asked for in that host’s own time, and everybody waits for it', () => {
  const gate = new RobotsGate('escalona', 3)
  const lesson = gate.learn(ORIGIN, answer({ status: 301, location: 'https://www.a.com/robots.txt' }), 0)
  assert.equal(lesson.elsewhere, 'https://www.a.com/robots.txt')
  assert.equal(gate.ask(`${ORIGIN}/x`, 0).kind, 'wait')
  gate.learn(ORIGIN, { ...file('User-agent: *\nDisallow: /x'), askedUrl: 'https://www.a.com/robots.txt' }, 0)
  assert.equal(gate.ask(`${ORIGIN}/x`, 0).kind, 'shut')
})

test('ours: when the other host fails, it begins with the own robots.txt again', () => {
  const gate = gateThatLearnt(answer({ status: 301, location: 'https://www.a.com/robots.txt' }))
  gate.learn(ORIGIN, answer({ status: undefined, why: 'dns' }), 0)
  assert.deepEqual(gate.ask(`${ORIGIN}/x`, 0), { kind: 'ask', url: `${ORIGIN}/robots.txt` })
})

test('ours: a redirect to something that is no web address counts as not there', () => {
  const gate = gateThatLearnt(answer({ status: 301, location: 'ftp://a.com/robots.txt' }))
  assert.deepEqual(gate.ask(`${ORIGIN}/x`, 0), { kind: 'open' })
})

test('SPEC 5: Crawl-delay is learnt in milliseconds, and a hostile one is bounded', () => {
  const gate = new RobotsGate('escalona', 3)
  assert.equal(gate.learn(ORIGIN, file('User-agent: *\nCrawl-delay: 1.5'), 0).crawlDelayMs, 1500)
  assert.equal(gate.learn(ORIGIN, file('User-agent: *\nCrawl-delay: 1e12'), 0).crawlDelayMs <= DAY_MS, true)
  assert.equal(gate.learn(ORIGIN, file('User-agent: *\nCrawl-delay: 999999999'), 0).crawlDelayMs, DAY_MS)
  assert.equal(gate.learn(ORIGIN, answer({ status: 404 }), 0).crawlDelayMs, 0)
})

test('ours: an errand for robots.txt is a link that no page has, and can be read back', () => {
  const url = robotsErrand('https://b.com/r.txt?x=#1'.replace('#1', ''), 'http://a.com:81', '12-3')
  assert.deepEqual(readRobotsErrand(url), { url: 'https://b.com/r.txt?x=', origin: 'http://a.com:81' })
  assert.equal(readRobotsErrand('https://b.com/robots-of=x'), undefined)
})

test('ours: the origin of a URL', () => {
  assert.equal(originOf('https://a.com:8443/x/y'), 'https://a.com:8443')
  assert.equal(originOf('http://[::1]:80/'), 'http://[::1]:80')
})

test('ours: files without end are forgotten from the oldest on, and then asked for again', () => {
  const gate = new RobotsGate('escalona', 3)
  const body = Buffer.from(`User-agent: *\nDisallow: /x\n${'#'.repeat(500_000)}`)
  for (let n = 0; n < 300; n++) gate.learn(`http://h${n}.com`, answer({ body }), 0)
  assert.equal(gate.ask('http://h0.com/x', 0).kind, 'ask')
  assert.equal(gate.ask('http://h299.com/x', 0).kind, 'shut')
  assert.equal(gate.ask('http://h60.com/x', 0).kind, 'shut')
  assert.equal(gate.ask('http://h60.com/y', 0).kind, 'open')
})

test('ours: http and https of a host have two files and one delay, the longer one', () => {
  const gate = new RobotsGate('escalona', 3)
  gate.learn('https://a.com', file('User-agent: *\nCrawl-delay: 3'), 0)
  assert.equal(gate.learn('http://a.com', file('User-agent: *\nCrawl-delay: 1'), 0).crawlDelayMs, 3000)
})

test('ours: what is known to be shut is told, and what is not known is not', () => {
  const gate = gateThatLearnt(file('User-agent: *\nDisallow: /x'))
  assert.equal(gate.isShut(`${ORIGIN}/x/1`, 0), true)
  assert.equal(gate.isShut(`${ORIGIN}/y`, 0), false)
  assert.equal(gate.isShut('http://b.com/x', 0), false)
})
