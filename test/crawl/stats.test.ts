import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageLine } from '../../src/archive/pages-file.ts'
import type { CrawlEvent } from '../../src/crawl/events.ts'
import { Tally } from '../../src/crawl/tally.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

const START_MS = 1_767_225_600_000

const PAGE: PageLine = {
  url: 'https://a.example/',
  status: 200,
  title: '',
  bytes: 1000,
  tokens: 50,
  hops: 0,
  linksOut: 3,
  dateMs: START_MS,
  file: 'x.warc.gz',
  offset: 0,
  length: 10,
}

function page(url: string, more: Partial<PageLine> = {}, atMs = 0): CrawlEvent {
  return { kind: 'page', atMs, opening: '', page: { ...PAGE, url, ...more } }
}

function tallyOf(events: readonly CrawlEvent[]): Tally {
  const tally = new Tally(START_MS)
  for (const event of events) tally.record(event)
  return tally
}

test('SPEC 5: pages are counted a host and a registrable domain', () => {
  const urls = [
    'https://www.ufmg.br/',
    'https://dcc.ufmg.br/a',
    'https://dcc.ufmg.br/b',
    'http://ufmg.com.br/',
    'http://127.0.0.1:8080/',
  ]
  const { pagesByHost, pagesByDomain, timeline } = tallyOf(urls.map(url => page(url))).toJSON()
  assert.deepEqual(pagesByHost, { 'www.ufmg.br': 1, 'dcc.ufmg.br': 2, 'ufmg.com.br': 1, '127.0.0.1:8080': 1 })
  assert.deepEqual(pagesByDomain, { 'ufmg.br': 3, 'ufmg.com.br': 1, '127.0.0.1': 1 })
  assert.deepEqual(timeline.newDomains, [3])
})

test('SPEC 5: a page counts with its size, words and depth', () => {
  const tally = tallyOf([
    page('http://a.example/', { bytes: 100, tokens: 0 }),
    page('http://a.example/x', { bytes: 300, tokens: 8, hops: 2 }, 600),
  ]).toJSON()
  assert.equal(tally.pages, 2)
  assert.equal(tally.pageBytes, 400)
  assert.equal(tally.tokens, 8)
  assert.deepEqual(tally.depths, [1, 0, 1])
  assert.deepEqual(tally.tokensAPage, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  assert.deepEqual(tally.timeline.pages, [1, 0, 1])
})

test('SPEC 5: answers, failures and refusals are counted by kind', () => {
  const tally = tallyOf([
    { kind: 'answered', atMs: 0, status: 200, wireBytes: 70, tookMs: 4 },
    { kind: 'answered', atMs: 300, status: 404, wireBytes: 30, tookMs: 1 },
    { kind: 'again', atMs: 0, host: 'a', why: 'timeout' },
    { kind: 'failed', atMs: 0, host: 'a', why: 'timeout' },
    { kind: 'failed', atMs: 0, host: 'a', why: 'dns' },
    { kind: 'refused', atMs: 0, host: 'a', reason: 'robots' },
    { kind: 'redirected', atMs: 0, host: 'a' },
    { kind: 'links refused', atMs: 0, counts: { nofollow: 2, scope: 1 } },
    { kind: 'links refused', atMs: 0, counts: { nofollow: 3 } },
  ]).toJSON()
  assert.equal(tally.requests, 2)
  assert.equal(tally.wireBytes, 100)
  assert.deepEqual(tally.statuses, { 200: 1, 404: 1 })
  assert.deepEqual(tally.answerMs, [1, 0, 0, 0, 0, 0, 0, 0, 1])
  assert.deepEqual(tally.again, { timeout: 1 })
  assert.deepEqual(tally.failed, { timeout: 1, dns: 1 })
  assert.deepEqual(tally.refused, { robots: 1 })
  assert.equal(tally.redirects, 1)
  assert.deepEqual(tally.refusedLinks, { nofollow: 5, scope: 1 })
  assert.deepEqual(tally.timeline.wireBytes, [70, 30])
  assert.deepEqual(tally.timeline.failures, [3, 0])
  assert.equal(tally.pages, 0)
})

const HOSTS = ['__proto__', 'constructor', 'a.example', 'b.a.example', '12', '[::1]', 'x.co.uk', 'hasOwnProperty']

function randomEvent(random: RandomSource, atMs: number): CrawlEvent {
  const host = random.pick(HOSTS)
  switch (random.below(6)) {
    case 0:
      return {
        kind: 'answered',
        atMs,
        status: 200 + random.below(300),
        wireBytes: random.below(1e5),
        tookMs: random.below(1e4),
      }
    case 1:
      return {
        kind: random.chance(0.5) ? 'again' : 'failed',
        atMs,
        host,
        why: random.pick(['dns', 'timeout', '__proto__']),
      }
    case 2:
      return { kind: 'refused', atMs, host, reason: random.pick(['robots', 'status-404', '__proto__']) }
    case 3:
      return { kind: 'links refused', atMs, counts: { scope: random.below(9), nofollow: random.below(9) } }
    case 4:
      return { kind: 'redirected', atMs, host }
    default:
      return page(
        `http://${host}/${random.below(100)}`,
        { bytes: random.below(1e6), tokens: random.below(1e4), hops: random.below(9) },
        atMs,
      )
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

test('ours: all sums agree with each other', t => {
  for (const seed of seeds(t, 50, 20)) {
    const random = new RandomSource(seed)
    const events = Array.from({ length: random.below(500) }, () =>
      randomEvent(random, random.below(2 ** random.below(30))),
    )
    const tally = tallyOf(events).toJSON()
    const message = `ESCALONA_SEED=${seed}`
    const of = (kind: CrawlEvent['kind']) => events.filter(event => event.kind === kind).length
    for (const counts of [tally.pagesByHost, tally.pagesByDomain])
      assert.equal(sum(Object.values(counts)), of('page'), message)
    for (const counts of [tally.depths, tally.tokensAPage, tally.bytesAPage, tally.timeline.pages]) {
      assert.equal(sum(counts), tally.pages, message)
    }
    assert.equal(tally.pages, of('page'), message)
    assert.equal(sum(tally.answerMs), of('answered'), message)
    assert.equal(sum(Object.values(tally.statuses)), tally.requests, message)
    assert.equal(sum(tally.timeline.wireBytes), tally.wireBytes, message)
    assert.equal(sum(tally.timeline.newDomains), Object.keys(tally.pagesByDomain).length, message)
    assert.equal(sum(tally.timeline.failures), of('again') + of('failed'), message)
    assert.equal(sum(Object.values(tally.refused)), of('refused'), message)
  }
})

test('ours: a crawl in several runs has the tally of one run', t => {
  for (const seed of seeds(t, 50, 20)) {
    const random = new RandomSource(seed)
    const events = Array.from({ length: random.below(300) }, (_, place) => randomEvent(random, place * 997))
    const whole = tallyOf(events)
    let tally = new Tally(START_MS)
    for (const event of events) {
      if (random.chance(0.05)) tally = new Tally(0, JSON.parse(JSON.stringify(tally)))
      tally.record(event)
    }
    assert.deepEqual(JSON.parse(JSON.stringify(tally)), JSON.parse(JSON.stringify(whole)), `ESCALONA_SEED=${seed}`)
  }
})

test('ours: what a tally told stays as it was', () => {
  const tally = tallyOf([page('http://a.example/')])
  const told = tally.toJSON()
  const text = JSON.stringify(told)
  tally.record(page('http://b.example/', {}, 5000))
  tally.record({ kind: 'answered', atMs: 0, status: 200, wireBytes: 1, tookMs: 1 })
  assert.equal(JSON.stringify(told), text)
})

test('ours: the time of work is kept from run to run', () => {
  const tally = new Tally(START_MS)
  tally.workMs = 1234
  assert.equal(new Tally(0, JSON.parse(JSON.stringify(tally))).workMs, 1234)
})
