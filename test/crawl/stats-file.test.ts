import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type PageLine, PagesFile } from '../../src/archive/pages-file.ts'
import { openFailures } from '../../src/folder/failures-file.ts'
import { Stats } from '../../src/folder/stats/stats.ts'
import { keptStats, readStats, writeStats } from '../../src/folder/stats/stats-file.ts'

const NOW_MS = 1_700_000_000_000
const LINES: readonly PageLine[] = [1, 2, 3, 4].map(n => ({
  ...{ url: `http://h${n}.com/`, status: 200, title: '', bytes: n, tokens: 10 * n, hops: n - 1, linksOut: 0 },
  ...{ dateMs: NOW_MS, change: 'new', file: 'a.warc.gz', offset: n, length: 1 },
}))

const NO_FAILURES = { *lines() {} }

/** A folder with these lines, and statistics of the first `counted` of them. */
async function crawl(t: TestContext, lines: readonly PageLine[] | number, counted?: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-stats-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const pages = new PagesFile(join(folder, 'pages.jsonl'), { files: [], onRepair: assert.fail })
  pages.append(typeof lines === 'number' ? LINES.slice(0, lines) : lines)
  await pages.close()
  if (counted === undefined) return folder
  const stats = new Stats(5)
  for (const line of LINES.slice(0, counted)) stats.addPage(line, 0)
  stats.requests = 77
  stats.wireBytes = 3 * stats.pageBytes
  writeStats(folder, stats)
  return folder
}

test('ours: pages that the statistics of a killed run missed are counted, and no page twice', async t => {
  for (const counted of [0, 1, 3, 4]) {
    const { pages, pageBytes, tokens, hops, requests, startedAtMs } = readStats(
      await crawl(t, 4, counted),
      4,
      NO_FAILURES,
      NOW_MS,
    )
    assert.deepEqual({ pages, pageBytes, tokens, hops }, { pages: 4, pageBytes: 10, tokens: 100, hops: [1, 1, 1, 1] })
    assert.deepEqual([requests, startedAtMs], [77 + 4 - counted, 5], 'a page was asked for at least once')
  }
})

test('ours: domains of pages that a killed run did not save are counted once', async t => {
  for (const counted of [0, 1, 3, 4]) {
    const stats = readStats(await crawl(t, 4, counted), 4, NO_FAILURES, NOW_MS)
    for (const n of [1, 2, 3, 4]) stats.domains.add(`h${n}.com`)
    stats.countLostDomains()
    assert.equal(stats.timeline.sum('newDomains'), 4, `${counted} were saved`)
  }
})

test('ours: statistics of more pages than there are lines are counted anew', async t => {
  const { pages, pageBytes, requests } = readStats(await crawl(t, 2, 4), 2, NO_FAILURES, NOW_MS)
  assert.deepEqual({ pages, pageBytes, requests }, { pages: 2, pageBytes: 3, requests: 2 })
})

test('ours: without statistics, or with torn ones, all lines are counted', async t => {
  assert.equal(readStats(await crawl(t, 3), 3, NO_FAILURES, NOW_MS).pages, 3)
  const torn = await crawl(t, 3, 2)
  writeFileSync(join(torn, 'stats.json'), '{"pages": 2, "requ')
  const { pages, startedAtMs } = readStats(torn, 3, NO_FAILURES, NOW_MS)
  assert.deepEqual([pages, startedAtMs], [3, NOW_MS])
})

test('folder: statistics of a wrong shape are left out, which is reported, and all lines are counted', async t => {
  const folder = await crawl(t, 3, 2)
  const whole = JSON.parse(readFileSync(join(folder, 'stats.json'), 'utf8'))
  const { timeline, details } = whole
  const wrong = [
    ...[null, 1, 'x', [], {}, { ...whole, pages: '2' }, { ...whole, pages: null }, { ...whole, hops: [null] }],
    ...[
      { ...whole, statuses: { 200: 'x' } },
      { ...whole, timeline: { ...timeline, pages: 1 } },
    ],
    ...[
      { ...whole, details: 1 },
      { ...whole, details: { ...details, slowHosts: { floor: 0, entries: [['a', null]] } } },
    ],
  ]
  for (const value of wrong) {
    writeFileSync(join(folder, 'stats.json'), JSON.stringify(value))
    const repairs: string[] = []
    const stats = readStats(folder, 3, NO_FAILURES, NOW_MS, message => repairs.push(message))
    assert.deepEqual([stats.pages, stats.requests], [3, 3], JSON.stringify(value))
    assert.match(repairs.join(), /stats\.json is damaged/)
    assert.equal(keptStats(folder), undefined)
  }
})

test('stats file: what a killed run did after its last save is counted: failures with their requests, and the time of its pages', async t => {
  const pages = [0, 400, 300, 90_000].map((ms, n) => ({ ...LINES[n]!, dateMs: NOW_MS + ms }))
  const folder = await crawl(t, [LINES[0]!, ...pages], 1)
  const failures = openFailures(folder, {})
  failures.append([
    { url: 'http://f.com/', reason: 'status-500', attempts: 4, status: 500, atMs: NOW_MS },
    { url: 'http://g.com/', reason: 'robots', attempts: 0, atMs: NOW_MS },
  ])
  const stats = readStats(folder, 5, failures, NOW_MS)
  assert.deepEqual([stats.requests, stats.workMs, stats.wireBytes], [77 + 4 + 1, 60_400, 3 + 10])
  assert.deepEqual([stats.failed.get('status-500'), stats.refused.get('robots'), stats.statuses.get('500')], [1, 1, 1])
  assert.equal(stats.toJSON().details.failingHosts.entries[0]![0], 'f.com')
  stats.failuresBytes = failures.bytes
  writeStats(folder, stats)
  assert.equal(readStats(folder, 5, failures, NOW_MS).requests, 82, 'nothing is counted twice')
  await failures.close()
})
