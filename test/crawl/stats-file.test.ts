import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { FailureLine } from '../../src/crawl/failures-file.ts'
import { JsonLinesFile } from '../../src/crawl/json-lines-file.ts'
import { Stats } from '../../src/crawl/stats/stats.ts'
import { readStats, writeStats } from '../../src/crawl/stats/stats-file.ts'

const NOW_MS = 1_700_000_000_000
const LINES = [1, 2, 3, 4].map(n => ({ url: `http://h${n}.com/`, bytes: n, tokens: 10 * n, hops: n - 1 }))

const NO_FAILURES = { *lines() {} }

/** A folder with these lines, and statistics of the first `counted` of them. */
function crawl(t: TestContext, lines: number, counted?: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-stats-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const texts = LINES.slice(0, lines).map(line => `${JSON.stringify(line)}\n`)
  writeFileSync(join(folder, 'pages.jsonl'), texts.join(''))
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
    const { pages, pageBytes, tokens, hops, requests, startedAtMs } = await readStats(
      crawl(t, 4, counted),
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
    const stats = await readStats(crawl(t, 4, counted), 4, NO_FAILURES, NOW_MS)
    for (const n of [1, 2, 3, 4]) stats.domains.add(`h${n}.com`)
    stats.countLostDomains()
    assert.equal(stats.timeline.sum('newDomains'), 4, `${counted} were saved`)
  }
})

test('ours: statistics of more pages than there are lines are counted anew', async t => {
  const { pages, pageBytes, requests } = await readStats(crawl(t, 2, 4), 2, NO_FAILURES, NOW_MS)
  assert.deepEqual({ pages, pageBytes, requests }, { pages: 2, pageBytes: 3, requests: 2 })
})

test('ours: without statistics, or with torn ones, all lines are counted', async t => {
  assert.equal((await readStats(crawl(t, 3), 3, NO_FAILURES, NOW_MS)).pages, 3)
  const torn = crawl(t, 3, 2)
  writeFileSync(join(torn, 'stats.json'), '{"pages": 2, "requ')
  const { pages, startedAtMs } = await readStats(torn, 3, NO_FAILURES, NOW_MS)
  assert.deepEqual([pages, startedAtMs], [3, NOW_MS])
})

test('issue 10.3: what a killed run did after its last save is counted: failures with their requests, and the time of its pages', async t => {
  const folder = crawl(t, 1, 1)
  const pages = [0, 400, 300, 90_000].map((ms, n) => ({ ...LINES[n]!, status: 200, dateMs: NOW_MS + ms }))
  writeFileSync(join(folder, 'pages.jsonl'), [LINES[0]!, ...pages].map(line => `${JSON.stringify(line)}\n`).join(''))
  const failures = new JsonLinesFile<FailureLine>(join(folder, 'failures.jsonl'))
  failures.append([
    { url: 'http://f.com/', reason: 'status-500', attempts: 4, status: 500, atMs: NOW_MS },
    { url: 'http://g.com/', reason: 'robots', attempts: 0, atMs: NOW_MS },
  ])
  const stats = await readStats(folder, 5, failures, NOW_MS)
  assert.deepEqual([stats.requests, stats.workMs, stats.wireBytes], [77 + 4 + 1, 60_400, 3 + 10])
  assert.deepEqual([stats.failed.get('status-500'), stats.refused.get('robots'), stats.statuses.get('500')], [1, 1, 1])
  assert.equal(stats.toJSON().details.failingHosts.entries[0]![0], 'f.com')
  stats.failuresBytes = failures.bytes
  writeStats(folder, stats)
  assert.equal((await readStats(folder, 5, failures, NOW_MS)).requests, 82, 'nothing is counted twice')
  await failures.close()
})
