import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stats } from '../../src/crawl/stats/stats.ts'
import { chartData } from '../../src/report/chart-data.ts'
import { explained, statusMeaning } from '../../src/report/reasons.ts'
import { makeReport } from '../../src/report/report.ts'
import { registrableDomain } from '../../src/url/registrable-domain.ts'
import { FACTS as COMMON_FACTS, makeStats } from './make-stats.ts'

const { stats: STATS, pagesByHost: PAGES_BY_HOST } = makeStats({ seed: 1, pages: 3000, hosts: 200, hostile: false })
const FACTS = { ...COMMON_FACTS, pagesByHost: PAGES_BY_HOST }
const REPORT = makeReport(STATS, FACTS)
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

test('SPEC 5: the report tells pages a host and domain, the 100 largest by name', () => {
  const { pagesByHost, pagesByDomain, totals } = REPORT
  assert.equal(pagesByHost.top.length, 100)
  assert.equal(pagesByHost.others.names, Object.keys(PAGES_BY_HOST).length - 100)
  assert.equal(sum(pagesByHost.top.map(({ count }) => count)) + pagesByHost.others.count, 3000)
  assert.equal(sum(pagesByDomain.top.map(({ count }) => count)) + pagesByDomain.others.count, 3000)
  assert.equal(totals.hosts, Object.keys(PAGES_BY_HOST).length)
  assert.equal(totals.domains, new Set(Object.keys(PAGES_BY_HOST).map(registrableDomain)).size)
  for (const { name, count } of pagesByHost.top) assert.equal(PAGES_BY_HOST[name], count)
})

test('SPEC 5: the report tells status codes, errors by kind, and what was refused', () => {
  for (const key of ['statuses', 'again', 'failed', 'refused', 'refusedLinks'] as const) {
    const told = Object.fromEntries(REPORT[key].top.map(({ name, count }) => [name, count]))
    assert.deepEqual(told, STATS[key], key)
    assert.ok(REPORT[key].top.length > 0, key)
  }
  assert.equal(REPORT.totals.failed, sum(Object.values(STATS.failed)))
  assert.equal(REPORT.totals.refusedLinks, sum(Object.values(STATS.refusedLinks)))
})

test('SPEC 5: the report tells tokens a page, sizes and latency', () => {
  const pairs = [
    [REPORT.tokensAPage, STATS.tokensAPage],
    [REPORT.bytesAPage, STATS.bytesAPage],
    [REPORT.answerMs, STATS.answerMs],
  ] as const
  for (const [told, counts] of pairs) {
    assert.equal(told.count, sum(counts))
    assert.equal(sum(told.buckets.map(({ count }) => count)), sum(counts))
    assert.ok(told.p50 > 0 && told.p50 < told.p90 && told.p90 < told.p99, JSON.stringify(told))
    for (const { from, to } of told.buckets) assert.ok(from < to)
  }
})

test('SPEC 5: the report tells distance, download rate and new domains over time', () => {
  assert.deepEqual(REPORT.hops, STATS.hops)
  assert.equal(sum(REPORT.overTime.wireBytes), REPORT.totals.wireBytes)
  assert.equal(sum(REPORT.overTime.newDomains), REPORT.totals.domains)
  assert.equal(REPORT.totals.pagesPerSecond, Number(((3000 / STATS.workMs) * 1000).toFixed(2)))
})

test('ours: a report survives JSON, and says nothing of a limit that there was not', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(REPORT)), REPORT)
  for (const limit of [undefined, Number.POSITIVE_INFINITY]) {
    assert.equal('limit' in makeReport(STATS, { ...FACTS, limit }), false)
  }
  assert.equal(REPORT.limit, 6000)
})

test('ours: of many seeds and of very distant pages, a report keeps little', () => {
  const seeds = Array.from({ length: 5000 }, (_, place) => `http://a.example/${place}`)
  const hops = Array.from({ length: 5000 }, () => 1)
  const report = makeReport({ ...STATS, hops }, { ...FACTS, seeds })
  assert.deepEqual(report.seeds, { count: 5000, first: seeds.slice(0, 20) })
  assert.equal(report.hops.length, 101)
  assert.equal(sum(report.hops), 5000)
})

test('ours: a crawl in which nothing happened has a report too', () => {
  const report = makeReport(new Stats(0).toJSON(), { ...COMMON_FACTS, seeds: [] })
  assert.equal(report.totals.pages, 0)
  assert.equal(report.totals.pagesPerSecond, 0)
  assert.deepEqual(report.answerMs, { count: 0, p50: 0, p90: 0, p99: 0, buckets: [] })
  assert.deepEqual(chartData(report).time.at, [])
})

test('ours: rates over time are the amounts, at most 60 points of them', () => {
  const stats = new Stats(0)
  for (let second = 0; second < 7200; second++) {
    stats.record({ kind: 'answered', url: 'u', status: 200, wireBytes: 5000, tookMs: 10 }, second * 1000)
  }
  stats.workMs = 7_200_000
  const { time } = chartData(makeReport(stats.toJSON(), FACTS))
  assert.ok(time.at.length <= 60, `${time.at.length}`)
  assert.equal(time.unit, 'min')
  assert.ok(time.at.at(-1)! < 120)
  for (const rate of time.bytesPerSecond) assert.ok(Math.abs(rate - 5000) < 100, `${rate}`)
})

test('ours: every reason that we give is explained', () => {
  const failures = [
    'dns',
    'connect',
    'tls',
    'timeout',
    'reset',
    'length',
    'protocol',
    'headers',
    'encoding',
    'files',
    'network',
    'stopped',
    'status-503',
  ]
  for (const why of [...failures, 'robots-timeout', 'robots-status-500'])
    assert.match(explained('failed', why), /^[A-Z].*\.$/, why)
  for (const reason of [
    'robots',
    'robots-unavailable',
    'type',
    'address',
    'noindex',
    'noarchive',
    'max-per-host',
    'worker-died',
    'dns',
    'status-404',
  ]) {
    assert.match(explained('refused', reason), /^[A-Z].*\.$/, reason)
  }
  const links = ['protocol', 'malformed', 'too-long', 'too-many-segments', 'repeated-segment', 'nofollow', 'filtered']
  for (const reason of [
    ...links,
    'scope',
    'max-depth',
    'include',
    'exclude',
    'page-hosts',
    'redirect-to-known',
    'too-many-redirects',
  ]) {
    assert.match(explained('links refused', reason), /^[A-Z].*\.$/, reason)
  }
  assert.notEqual(explained('failed', 'protocol'), explained('links refused', 'protocol'))
  assert.equal(explained('failed', 'robots-timeout'), 'Asked for robots.txt: the whole answer did not arrive in time.')
})

test('ours: what nobody knows is not explained', () => {
  for (const reason of ['constructor', '__proto__', 'toString', '', 'status-', 'status-40', '<b>']) {
    assert.equal(explained('failed', reason), '', reason)
    assert.equal(explained('refused', reason), '', reason)
  }
  assert.equal(statusMeaning('404'), '404 Not Found')
  assert.equal(statusMeaning('599'), '599 a failure of the host')
  assert.equal(statusMeaning('constructor'), 'constructor')
  assert.equal(statusMeaning(''), '')
})
