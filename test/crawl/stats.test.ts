import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageLine } from '../../src/archive/pages-file.ts'
import { Stats } from '../../src/folder/stats/stats.ts'
import type { CrawlEvent } from '../../src/settings/events.ts'
import { hostOf } from '../../src/url/host-of.ts'
import { registrableDomain } from '../../src/url/registrable-domain.ts'
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
  change: 'new',
  dateMs: START_MS,
  file: 'x.warc.gz',
  offset: 0,
  length: 10,
}

function page(url: string, more: Partial<PageLine> = {}, atMs = 0): CrawlEvent {
  return { kind: 'page', atMs, opening: '', page: { ...PAGE, url, ...more } }
}

function statsOf(events: readonly CrawlEvent[]): Stats {
  const stats = new Stats(START_MS)
  for (const event of events) stats.record(event, event.atMs)
  return stats
}

test('rule 5.15: a domain is new when the first page of it is archived', () => {
  const urls = [
    'https://www.ufmg.br/',
    'https://dcc.ufmg.br/a',
    'https://dcc.ufmg.br/b',
    'http://ufmg.com.br/',
    'http://127.0.0.1:8080/',
  ]
  const stats = statsOf(urls.map(url => page(url)))
  assert.deepEqual(stats.toJSON().timeline.newDomains, [3])
  assert.equal(stats.domains.size, 3)
})

test('rule 5.15: a page counts with its size, words and distance from a seed', () => {
  const stats = statsOf([
    page('http://a.example/', { bytes: 100, tokens: 0 }),
    page('http://a.example/x', { bytes: 300, tokens: 8, hops: 2 }, 600),
  ]).toJSON()
  assert.equal(stats.pages, 2)
  assert.equal(stats.pageBytes, 400)
  assert.equal(stats.tokens, 8)
  assert.deepEqual(stats.hops, [1, 0, 1])
  assert.deepEqual(stats.tokensAPage, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  assert.deepEqual(stats.timeline.pages, [1, 0, 1])
})

test('rule 5.15: answers, failures and refusals are counted by kind', () => {
  const stats = statsOf([
    { kind: 'answered', url: 'u', atMs: 0, status: 200, wireBytes: 70, tookMs: 4 },
    { kind: 'answered', url: 'u', atMs: 300, status: 404, wireBytes: 30, tookMs: 1 },
    { kind: 'again', atMs: 0, url: 'u', why: 'timeout' },
    { kind: 'failed', atMs: 0, url: 'u', why: 'timeout' },
    { kind: 'failed', atMs: 0, url: 'u', why: 'dns' },
    { kind: 'refused', atMs: 0, url: 'u', reason: 'robots' },
    { kind: 'redirected', url: 'u', atMs: 0 },
    { kind: 'links refused', url: 'u', atMs: 0, counts: { nofollow: 2, scope: 1 } },
    { kind: 'links refused', url: 'u', atMs: 0, counts: { nofollow: 3 } },
  ]).toJSON()
  assert.equal(stats.requests, 2)
  assert.equal(stats.wireBytes, 100)
  assert.deepEqual(stats.statuses, { 200: 1, 404: 1 })
  assert.deepEqual(stats.answerMs, [1, 0, 0, 0, 0, 0, 0, 0, 1])
  assert.deepEqual(stats.again, { timeout: 1 })
  assert.deepEqual(stats.failed, { timeout: 1, dns: 1 })
  assert.deepEqual(stats.refused, { robots: 1 })
  assert.equal(stats.redirects, 1)
  assert.deepEqual(stats.refusedLinks, { nofollow: 5, scope: 1 })
  assert.deepEqual(stats.timeline.wireBytes, [70, 30])
  assert.deepEqual(stats.timeline.failures, [3, 0])
  assert.equal(stats.pages, 0)
})

const HOSTS = ['__proto__', 'constructor', 'a.example', 'b.a.example', '12', '[::1]', 'x.co.uk', 'hasOwnProperty']

function randomEvent(random: RandomSource, atMs: number): CrawlEvent {
  const host = random.pick(HOSTS)
  switch (random.below(6)) {
    case 0:
      return {
        kind: 'answered',
        url: 'u',
        atMs,
        status: 200 + random.below(300),
        wireBytes: random.below(1e5),
        tookMs: random.below(1e4),
      }
    case 1:
      return {
        kind: random.chance(0.5) ? 'again' : 'failed',
        atMs,
        url: host,
        why: random.pick(['dns', 'timeout', '__proto__']),
      }
    case 2:
      return { kind: 'refused', atMs, url: host, reason: random.pick(['robots', 'status-404', '__proto__']) }
    case 3:
      return { kind: 'links refused', url: 'u', atMs, counts: { scope: random.below(9), nofollow: random.below(9) } }
    case 4:
      return { kind: 'redirected', atMs, url: host }
    default:
      return page(
        `http://${host}/${random.below(100)}`,
        { bytes: random.below(1e6), tokens: random.below(1e4), hops: random.below(9) },
        atMs,
      )
  }
}

function domainsOf(events: readonly CrawlEvent[]): number {
  const hosts = events.flatMap(event => (event.kind === 'page' ? [hostOf(event.page.url)] : []))
  return new Set(hosts.map(registrableDomain)).size
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

test('ours: all sums agree with each other', t => {
  for (const seed of seeds(t, 50, 20)) {
    const random = new RandomSource(seed)
    const events = Array.from({ length: random.below(500) }, () =>
      randomEvent(random, random.below(2 ** random.below(30))),
    )
    const stats = statsOf(events).toJSON()
    const message = `ESCALONA_SEED=${seed}`
    const of = (kind: CrawlEvent['kind']) => events.filter(event => event.kind === kind).length
    for (const counts of [stats.hops, stats.tokensAPage, stats.bytesAPage, stats.timeline.pages]) {
      assert.equal(sum(counts), stats.pages, message)
    }
    assert.equal(stats.pages, of('page'), message)
    assert.equal(sum(stats.answerMs), of('answered'), message)
    assert.equal(sum(Object.values(stats.statuses)), stats.requests, message)
    assert.equal(sum(stats.timeline.wireBytes), stats.wireBytes, message)
    assert.equal(sum(stats.timeline.newDomains), domainsOf(events), message)
    assert.equal(sum(stats.timeline.failures), of('again') + of('failed'), message)
    assert.equal(sum(Object.values(stats.refused)), of('refused'), message)
  }
})

/** What a restart does: reads the file, and learns from the frontier which domains had pages. */
function goneOn(stats: Stats, events: readonly CrawlEvent[]): Stats {
  const next = new Stats(0, JSON.parse(JSON.stringify(stats)))
  const done = events.filter(event => event.kind === 'page').slice(0, stats.pages)
  for (const event of done) if (event.kind === 'page') next.domains.add(registrableDomain(hostOf(event.page.url)))
  return next
}

test('ours: a crawl in several runs has the statistics of one run', t => {
  for (const seed of seeds(t, 50, 20)) {
    const random = new RandomSource(seed)
    const events = Array.from({ length: random.below(300) }, (_, place) => randomEvent(random, place * 997))
    const whole = statsOf(events)
    let stats = new Stats(START_MS)
    for (const event of events) {
      if (random.chance(0.05)) stats = goneOn(stats, events)
      stats.record(event, event.atMs)
    }
    assert.deepEqual(JSON.parse(JSON.stringify(stats)), JSON.parse(JSON.stringify(whole)), `ESCALONA_SEED=${seed}`)
  }
})

test('ours: statistics that were handed out stay as they were', () => {
  const stats = statsOf([page('http://a.example/')])
  const told = stats.toJSON()
  const text = JSON.stringify(told)
  stats.record(page('http://b.example/'), 5000)
  stats.record({ kind: 'answered', url: 'u', status: 200, wireBytes: 1, tookMs: 1 }, 0)
  assert.equal(JSON.stringify(told), text)
})

test('ours: the time of work is kept from run to run', () => {
  const stats = new Stats(START_MS)
  stats.workMs = 1234
  assert.equal(new Stats(0, JSON.parse(JSON.stringify(stats))).workMs, 1234)
})

test('ours: domains are told apart, a hundred thousand of them', () => {
  const { domains } = new Stats(0)
  for (let n = 0; n < 100_000; n++) assert.equal(domains.add(`domain-${n}.example`), true)
  for (let n = 0; n < 100_000; n += 7) assert.equal(domains.add(`domain-${n}.example`), false)
  assert.equal(domains.size, 100_000)
})

test('stats: links that fail without a request count as failed, and in no chart of requests', () => {
  const stats = new Stats(START_MS)
  stats.record({ kind: 'refused', url: 'https://a.example/', reason: 'tls-expired', line: undefined }, 0)
  stats.record({ kind: 'refused', url: 'https://a.example/', reason: 'robots', line: 1 }, 0)
  stats.record({ kind: 'again', url: 'https://b.example/', why: 'reset' }, 0)
  assert.deepEqual([[...stats.failed], [...stats.refused]], [[['tls-expired', 1]], [['robots', 1]]])
  assert.equal(stats.timeline.toJSON().failures.at(0), 1)
})
