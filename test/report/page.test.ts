import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Stats } from '../../src/crawl/stats/stats.ts'
import { reportPage } from '../../src/report/page.ts'
import { makeReport } from '../../src/report/report.ts'
import { findBrowser, type Seen, seenIn } from './in-browser.ts'
import { FACTS, HOSTILE_NAMES, type MadeCrawl, makeStats } from './make-stats.ts'

const CHARTS = [
  'pages-over-time',
  'bytes-over-time',
  'domains-over-time',
  'failures-over-time',
  'answers',
  'bytes',
  'tokens',
  'hops',
]
const HOSTILE_FACTS = {
  ...FACTS,
  seeds: HOSTILE_NAMES,
  settings: { [HOSTILE_NAMES[0]!]: HOSTILE_NAMES[1]!, delay: HOSTILE_NAMES[2]! },
  version: HOSTILE_NAMES[2]!,
}
const PLAIN_CRAWL: MadeCrawl = { seed: 1, pages: 3000, hosts: 200, hostile: false }
const PLAIN = pageOf(PLAIN_CRAWL, FACTS)
const HOSTILE = pageOf({ seed: 2, pages: 500, hosts: 50, hostile: true }, HOSTILE_FACTS)
const EMPTY = reportPage(makeReport(new Stats(0).toJSON(), { ...FACTS, seeds: [], settings: {} }))

function pageOf(crawl: MadeCrawl, facts: typeof FACTS): string {
  const { stats, pagesByHost } = makeStats(crawl)
  return reportPage(makeReport(stats, { ...facts, pagesByHost }))
}

/** What is read without a script: the HTML in front of the data. */
const bodyOf = (html: string) => html.slice(html.indexOf('<body>'), html.indexOf('id="data"'))

test('SPEC 5: the page can be read without scripts: all figures are in its text', () => {
  const body = bodyOf(PLAIN)
  for (const word of [
    '3,000 pages from',
    'Status codes',
    '200 OK',
    '404 Not Found',
    'timeout',
    'nofollow',
    'robots',
    'escalona/0.1.0',
  ]) {
    assert.ok(body.includes(word), word)
  }
  assert.ok(body.includes('It ended because the limit was reached.'))
  assert.ok(body.includes('The robots.txt of the host does not allow it.'))
  for (const id of CHARTS) assert.ok(body.includes(`id="${id}"`), id)
})

test('ours: no element of the page loads anything', () => {
  for (const html of [PLAIN, HOSTILE, EMPTY]) {
    assert.doesNotMatch(bodyOf(html), /<[a-z][^<>]*\s(?:src|href|srcset|action|data|poster)\s*=/i)
    assert.doesNotMatch(
      bodyOf(html),
      /<(?:img|link|iframe|object|embed|form|base|meta|script(?! type="application\/json"))\b/i,
    )
  }
})

test('ours: names from the web are text, wherever they stand', () => {
  const body = bodyOf(HOSTILE)
  assert.ok(body.includes('&lt;script&gt;document.title=&quot;owned&quot;&lt;/script&gt;'))
  assert.ok(body.includes('&amp;lt;b&amp;gt;'))
  assert.ok(body.includes('\\u{202e}gro.elpmaxe'))
  assert.ok(!HOSTILE.includes('\u202e'))
  assert.equal(HOSTILE.match(/<\/script>/g)?.length, PLAIN.match(/<\/script>/g)?.length)
})

const browser = await findBrowser()
const inBrowser = { skip: browser === undefined ? 'there is no Chromium on this machine' : false }

/** The page as the shipped bundle makes it: the script in it is the text of a function, which a bundler may change. */
async function bundledPage(): Promise<string> {
  const entry = fileURLToPath(new URL('../../src/report/page.js', import.meta.url))
  const outfile = fileURLToPath(new URL('./bundled-page.mjs', import.meta.url))
  const options = { bundle: true, format: 'esm', platform: 'node', packages: 'external', target: 'node20' } as const
  await build({ entryPoints: [entry], outfile, ...options, logLevel: 'silent' })
  const bundle = (await import(new URL('./bundled-page.mjs', import.meta.url).href)) as {
    reportPage: typeof reportPage
  }
  const { stats, pagesByHost } = makeStats(PLAIN_CRAWL)
  return bundle.reportPage(makeReport(stats, { ...FACTS, pagesByHost }))
}

test('SPEC 5: the page draws every chart, and asks nobody for anything', inBrowser, async () => {
  const seen = await seenIn(browser!, await bundledPage(), '--window-size=1280,900')
  assertDrawn(seen)
  assert.equal(seen.width, seen.place)
  assert.match(seen.title, /^Crawl: 3,000 pages from \d+ hosts$/)
})

function assertDrawn(seen: Seen): void {
  assert.deepEqual(Object.keys(seen.charts), CHARTS)
  for (const [id, pixels] of Object.entries(seen.charts)) assert.ok(pixels > 300, `${id}: ${pixels} coloured pixels`)
  assert.deepEqual(seen.errors, [])
  assert.deepEqual(seen.requests, [])
  assert.deepEqual(seen.violations, [])
}

test('ours: hostile names become no markup, and the page fits a telephone and the dark', inBrowser, async () => {
  const seen = await seenIn(browser!, HOSTILE, '--window-size=500,900', '--blink-settings=preferredColorScheme=0')
  assert.match(seen.title, /^Crawl: 500 pages from/)
  assert.equal(seen.images, 0)
  // The listener, the data, ECharts, the page's own, and the probe.
  assert.equal(seen.scripts, 5)
  assertDrawn(seen)
  assert.deepEqual([seen.width, seen.place], [390, 390])
  assert.ok(seen.text.includes('<script>document.title="owned"</script>'))
  assert.ok(seen.text.includes(`"><img src=x onerror="document.title='owned'">`))
  const [red = 255, green = 255, blue = 255] = seen.background.match(/\d+/g)!.map(Number)
  assert.ok(red + green + blue < 200, seen.background)
})

test('ours: a crawl without a page has a page', inBrowser, async () => {
  const seen = await seenIn(browser!, EMPTY)
  assert.deepEqual(Object.keys(seen.charts), CHARTS)
  assert.deepEqual(seen.errors, [])
  assert.ok(seen.text.includes('0 pages from 0 hosts'))
})
