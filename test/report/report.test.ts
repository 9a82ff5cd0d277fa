import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumsOf } from '../../src/base/structures/ranking.ts'
import { Stats } from '../../src/folder/stats/stats.ts'
import { chartData } from '../../src/report/chart-data.ts'
import { reportPage } from '../../src/report/page.ts'
import { makeReport } from '../../src/report/report.ts'
import { registrableDomain } from '../../src/url/registrable-domain.ts'
import { FACTS as COMMON_FACTS, makeStats } from './make-stats.ts'

const MADE = makeStats({ seed: 1, pages: 3000, hosts: 200, hostile: false })
const { stats: STATS, pagesByHost: PAGES_BY_HOST } = MADE
const FACTS = { ...COMMON_FACTS, hosts: MADE.hosts }
const REPORT = makeReport(STATS, FACTS)
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

test('rule 5.15: the report has pages per host and domain, the 100 largest by name', () => {
  const { pagesByHost, pagesByDomain, totals } = REPORT
  assert.equal(pagesByHost.top.length, 100)
  assert.equal(pagesByHost.others.names, Object.keys(PAGES_BY_HOST).length - 100)
  assert.equal(sumsOf(pagesByHost).count, 3000)
  assert.equal(sumsOf(pagesByDomain).count, 3000)
  assert.equal(totals.hosts, Object.keys(PAGES_BY_HOST).length)
  assert.equal(totals.domains, new Set(Object.keys(PAGES_BY_HOST).map(registrableDomain)).size)
  for (const { name, count } of pagesByHost.top) assert.equal(PAGES_BY_HOST[name], count)
})

test('rule 5.15: the report has status codes, errors by kind, and what was refused', () => {
  for (const key of ['statuses', 'again', 'failed', 'refused', 'refusedLinks'] as const) {
    const found = Object.fromEntries(REPORT[key].top.map(({ name, count }) => [name, count]))
    assert.deepEqual(found, STATS[key], key)
    assert.ok(REPORT[key].top.length > 0, key)
  }
  const { redirected, failed, refused } = REPORT.waterfall
  assert.deepEqual(
    [REPORT.totals.redirects, REPORT.totals.failed, REPORT.totals.refused],
    [redirected, failed.count, refused.count],
    'what links are now is the same everywhere, also after a kill',
  )
  assert.equal(REPORT.totals.refusedLinks, sum(Object.values(STATS.refusedLinks)))
})

test('rule 5.15: the report has tokens per page, sizes and latency', () => {
  const pairs = [
    [REPORT.tokensPerPage, STATS.tokensAPage],
    [REPORT.bytesPerPage, STATS.bytesAPage],
    [REPORT.answerMs, STATS.answerMs],
  ] as const
  for (const [found, counts] of pairs) {
    assert.equal(found.count, sum(counts))
    assert.equal(sum(found.buckets.map(({ count }) => count)), sum(counts))
    assert.ok(found.p50 > 0 && found.p50 < found.p90 && found.p90 < found.p99, JSON.stringify(found))
    for (const { from, to } of found.buckets) assert.ok(from < to)
  }
})

test('report: half of the values lie below p50, and no two ranges read the same', () => {
  const stats = new Stats(0)
  const page = { url: 'http://a.com/' }
  for (const bytes of [900, 950, 964, 970, 980]) stats.addPage({ ...page, bytes, tokens: 2, hops: 0 }, 0)
  for (const tookMs of [1.1, 1.3, 1.5]) {
    stats.record({ kind: 'answered', url: page.url, status: 200, wireBytes: 1, tookMs }, 0)
  }
  const report = makeReport(stats.toJSON(), FACTS)
  assert.deepEqual([report.bytesPerPage.p50, report.tokensPerPage.p99, report.answerMs.p90], [1024, 3, 2])
  const html = reportPage(report)
  for (const range of ['1.0 – 1.2 ms', '1.2 – 1.4 ms', '1.4 – 1.7 ms', '>2<']) assert.ok(html.includes(range), range)
})

test('rule 5.15: the report has distance, download rate and new domains over time', () => {
  assert.deepEqual(REPORT.hops, STATS.hops)
  assert.equal(sum(REPORT.overTime.wireBytes), REPORT.totals.wireBytes)
  assert.equal(sum(REPORT.overTime.newDomains), REPORT.totals.domains)
  assert.equal(REPORT.totals.pagesPerSecond, Number(((3000 / STATS.workMs) * 1000).toFixed(2)))
})

test('report: the waterfall adds up to all known links', () => {
  const { waterfall } = REPORT
  const { refused, failed, held } = waterfall
  assert.deepEqual([refused.count, failed.count, held.count], [1400, 141, 6600])
  const parts = (report: typeof REPORT) => {
    const { archived, redirected, refused, failed, held, waiting, leased } = report.waterfall
    return archived + redirected + refused.count + failed.count + held.count + waiting + leased
  }
  assert.equal(parts(REPORT), waterfall.known)
})

test('report: after a kill, what became of the links comes from the frontier, whatever the statistics lost', () => {
  const lost = new Stats(0)
  const report = makeReport(lost.toJSON(), { ...FACTS, endedBecause: undefined })
  const { pages, redirects, refused, failed } = report.totals
  assert.deepEqual({ pages, redirects, refused, failed }, { pages: 3000, redirects: 361, refused: 1400, failed: 141 })
  assert.ok(!reportPage(report).includes('No link failed.'))
  assert.equal('endedBecause' in report, false)
})

test('report: the report has every run with its seeds and settings, bounded', () => {
  assert.deepEqual(
    REPORT.runs.map(({ seeds }) => seeds.count),
    [2, 1],
  )
  assert.equal(REPORT.runs[1]!.settings.exclude, '*/tags/*, */login*')
  assert.equal(REPORT.earlierRuns, 0)
  const exclude = Array.from({ length: 300 }, (_, place) => `*${place}*`)
  const long = makeReport(STATS, { ...FACTS, runs: [{ ...FACTS.runs[0]!, settings: { exclude } }] })
  assert.match(long.runs[0]!.settings.exclude!, /^\*0\*, .*, \*9\*, … \(300\)$/)
  const seeds = Array.from({ length: 5000 }, (_, place) => `http://a.example/${place}`)
  const runs = Array.from({ length: 300 }, (_, run) => ({
    ...FACTS.runs[0]!,
    version: `0.${run}`,
    seeds,
    seedCount: 5000,
  }))
  const many = makeReport(STATS, { ...FACTS, runs, forgottenRuns: 7 })
  assert.deepEqual([many.runs.length, many.earlierRuns], [50, 257])
  assert.deepEqual([many.runs[0]!.version, many.runs[1]!.version, many.runs.at(-1)!.version], ['0.0', '0.251', '0.299'])
  assert.deepEqual(many.runs[0]!.seeds, { count: 5000, first: seeds.slice(0, 20) })
})

test('report: the report has failing and slow hosts, delays, languages, types and samples', () => {
  const { failingHosts, slowHosts, longestDelays, languages, refusedTypes, samples, examples } = REPORT
  assert.equal(sum(failingHosts.map(({ links }) => links)), sum(Object.values(STATS.failed)))
  for (const { host, url, reason } of failingHosts) assert.ok(url.includes(host) && reason in STATS.failed, url)
  const means = slowHosts.map(({ answers, meanMs }) => (answers * meanMs) / (answers + 2))
  assert.deepEqual(
    means,
    [...means].sort((a, b) => b - a),
  )
  assert.equal(longestDelays.top.length, 20)
  assert.deepEqual(new Set(longestDelays.top.map(({ askedBy }) => askedBy)), new Set(['crawl-delay', 'retry-after']))
  assert.ok(longestDelays.others > 0)
  assert.ok(sumsOf(languages).count > 2000 && sumsOf(languages).count < 3000)
  assert.equal(refusedTypes.top[0]!.name, 'application/pdf')
  assert.equal(sumsOf(refusedTypes).count, STATS.refused.type)
  assert.equal(samples.length, 12)
  assert.ok(samples.every(({ title, opening }) => title !== '' && opening !== ''))
  assert.equal(examples['status-404']!.length, 3)
})

test('ours: a report survives JSON, and says nothing of a limit that there was not', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(REPORT)), REPORT)
  for (const limit of [undefined, Number.POSITIVE_INFINITY]) {
    assert.equal('limit' in makeReport(STATS, { ...FACTS, limit }), false)
  }
  assert.equal(REPORT.limit, 6000)
})

test('ours: of very distant pages, a report keeps little', () => {
  const hops = Array.from({ length: 5000 }, () => 1)
  const report = makeReport({ ...STATS, hops }, FACTS)
  assert.equal(report.hops.length, 101)
  assert.equal(sum(report.hops), 5000)
})

test('ours: a crawl in which nothing happened has a report too', () => {
  const report = makeReport(new Stats(0).toJSON(), { ...COMMON_FACTS, runs: [], disk: undefined })
  assert.equal(report.totals.requests, 0)
  assert.equal(report.totals.pagesPerSecond, 0)
  assert.deepEqual(report.answerMs, { count: 0, p50: 0, p90: 0, p99: 0, buckets: [] })
  assert.deepEqual(chartData(report).time.at, [])
  assert.equal('disk' in report, false)
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
