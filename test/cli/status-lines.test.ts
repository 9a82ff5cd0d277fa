import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setLanguage } from '../../src/base/words/language.ts'
import { statusLines } from '../../src/cli/look/status-command.ts'
import type { ReasonCounts } from '../../src/folder/stats/outcome-counts.ts'
import type { CrawlStatus } from '../../src/view/status.ts'

const none: ReasonCounts = { count: 0, reasons: [] }
const run = {
  startedAt: '2026-11-15T22:00:00.000Z',
  endedAt: '2026-11-15T22:01:00.000Z',
  seeds: ['https://a.example/'],
  seedCount: 1,
}
const STATUS = {
  state: { kind: 'running', pid: 7, host: 'here' },
  running: { openRequests: 3, pagesPerSecond: 48.7, sinceMs: 0, waitingFor: '' },
  waterfall: {
    known: 12_345,
    archived: 1,
    redirected: 1,
    refused: none,
    failed: none,
    held: none,
    waiting: 5,
    leased: 0,
  },
  frontier: { hosts: 2 },
  outlook: { ready: 1, resting: 1, down: 0 },
  totals: { pages: 100, requests: 120, wireBytes: 1000, workMs: 2000 },
  sitemaps: { read: 2, notRead: 3, reasons: [{ reason: 'status-404', count: 3 }] },
  runs: Array.from({ length: 6 }, () => run),
  settings: { scope: 'host' },
  challengedHosts: [],
  disk: { archive: 10 },
} as unknown as CrawlStatus

for (const language of ['en', 'pt'] as const) {
  test(`ours: the columns of status are aligned in ${language}`, t => {
    t.after(() => setLanguage('en'))
    setLanguage(language)
    const [, , , ...lines] = statusLines('crawl', STATUS)
    const blank = lines.indexOf('')
    const rows = lines.slice(0, blank)
    assert.equal(rows.length, 8)
    assert.equal(new Set(rows.map(row => row.length)).size, 1, rows.join('\n'))
    const facts = lines.slice(blank + 1).filter(line => /^ {2}\S/.test(line))
    const column = facts[0]!.search(/(?<=^ {2}\S+ +)\S/)
    for (const fact of facts) assert.match(fact.slice(0, column), /^ {2}\S+ +$/, fact)
  })
}

test('ours: status names its two speeds, and counts one as one', () => {
  const text = statusLines('crawl', STATUS).join('\n')
  assert.match(text, /now: 3 requests open, 48\.7 pages per second\n/)
  assert.match(text, /received in 2\.0 s of work, 50\.0 pages per second on average\n/)
  assert.match(text, /hosts +2 known: 1 ready to be asked, 1 waiting for their delay; down: 0\n/)
  assert.match(text, /sitemaps +2 read, 3 not read: status-404 3\n/)
  assert.match(text, /runs +1 earlier run\n/)
})
