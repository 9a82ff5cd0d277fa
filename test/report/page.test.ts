import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Language, setLanguage } from '../../src/base/words/language.ts'
import { Stats } from '../../src/folder/stats/stats.ts'
import { reportPage } from '../../src/report/page.ts'
import { makeReport, type ReportFacts } from '../../src/report/report.ts'
import { findBrowser, onPaper, type Seen, seenIn } from './in-browser.ts'
import { FACTS, HOSTILE_NAMES, type MadeCrawl, makeStats } from './make-stats.ts'

const CHARTS = [
  'pages-over-time',
  'bytes-over-time',
  'domains-over-time',
  'failures-over-time',
  'bytes',
  'tokens',
  'hops',
  'answers',
]
const HOSTILE_FACTS: ReportFacts = {
  ...FACTS,
  runs: FACTS.runs.map(run => ({
    ...run,
    seeds: HOSTILE_NAMES,
    because: HOSTILE_NAMES[0]!,
    settings: { [HOSTILE_NAMES[0]!]: HOSTILE_NAMES[1]!, delay: HOSTILE_NAMES },
    version: HOSTILE_NAMES[3]!,
  })),
  frontier: { ...FACTS.frontier, refusedFor: Object.fromEntries(HOSTILE_NAMES.map(name => [name, 500])) },
  version: HOSTILE_NAMES[2]!,
}
const PLAIN_CRAWL: MadeCrawl = { seed: 1, pages: 3000, hosts: 200, hostile: false }
const PLAIN = pageOf(PLAIN_CRAWL, FACTS)
const PORTUGUESE = inLanguage('pt', () => pageOf(PLAIN_CRAWL, FACTS))
const HOSTILE = pageOf({ seed: 2, pages: 500, hosts: 50, hostile: true }, HOSTILE_FACTS)
const NOTHING = new Stats(0).toJSON()
const NO_LINKS = { ...FACTS.frontier, known: 0, waiting: 0, leased: 0, done: 0, refused: 0, refusedFor: {}, pages: 0 }
const EMPTY = reportPage(makeReport(NOTHING, { ...FACTS, runs: [], frontier: NO_LINKS, disk: undefined }))

test('report page: no two boxes have the same heading: failures of links and of requests are named apart', () => {
  for (const page of [PLAIN, PORTUGUESE]) {
    const headings = [...page.matchAll(/<h3[^>]*>(.*?)<\/h3>/g)].map(([, heading]) => heading)
    assert.ok(headings.length > 10, `${headings.length} headings`)
    assert.deepEqual(headings.toSorted(), [...new Set(headings)].toSorted())
  }
})

function pageOf(crawl: MadeCrawl, facts: ReportFacts): string {
  const { stats, hosts } = makeStats(crawl)
  return reportPage(makeReport(stats, { ...facts, hosts }))
}

function inLanguage<Made>(language: Language, make: () => Made): Made {
  setLanguage(language)
  try {
    return make()
  } finally {
    setLanguage('en')
  }
}

/** What is read without a script: the HTML in front of the data. */
const bodyOf = (html: string) => html.slice(html.indexOf('<body>'), html.indexOf('id="data"'))

test('rule 5.15: the page can be read without scripts: all figures are in its text', () => {
  const body = bodyOf(PLAIN)
  for (const word of [
    '3,000 pages from',
    'application/pdf',
    'pt-br',
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
  assert.ok(body.includes('robots.txt does not allow it.'))
  for (const id of CHARTS) assert.ok(body.includes(`id="${id}"`), id)
})

test('report: the waterfall is in the page as a table that adds up, with reasons, advice and examples', () => {
  const body = bodyOf(PLAIN)
  const [table = ''] = /<table class="bars waterfall">.*?<\/table>/s.exec(body) ?? []
  const rows = [...table.matchAll(/<td>(?:<b>)?([\d,]+)(?:<\/b>)?<\/td><td>[\d.]+ %<\/td>/g)]
  const links = rows.map(([, text = '']) => Number(text.replaceAll(',', '')))
  assert.deepEqual(links, [3000, 361, 1400, 141, 6600, 36_702, 7, 48_211])
  assert.equal(
    links.slice(0, -1).reduce((sum, count) => sum + count, 0),
    links.at(-1),
  )
  for (const words of [
    'The link is outside the scope.',
    'Use a wider <span class="option">--scope',
    '120 of them at hosts that do not answer',
  ])
    assert.ok(body.includes(words), words)
})

test('report: settings and seeds of every run are in the page, the later ones as a difference', () => {
  const body = bodyOf(PLAIN)
  for (const words of ['Run 1', '2 seeds', 'Run 2', '1 seed', '*/tags/*, */login*', 'ended unexpectedly'])
    assert.ok(body.includes(words), words)
  assert.equal(body.match(/<td>timeout<\/td><td>10s<\/td>/g)?.length, 1, 'what has not changed is shown once')
})

test('report: a report in mid-crawl says so, and no row is left out without a word', () => {
  const { stats, hosts } = makeStats(PLAIN_CRAWL)
  const running = bodyOf(reportPage(makeReport(stats, { ...FACTS, hosts, endedBecause: undefined })))
  assert.ok(running.includes('Still running; as of 2026-03-01, 10:09 UTC.'))
  const names = Object.keys(makeStats(PLAIN_CRAWL).pagesByHost).length
  assert.ok(running.includes('<summary>88 more hosts</summary>'), 'a fold says how many it holds')
  assert.ok(running.includes(`<p>${names - 100} more hosts: together`), 'and so do those that are not named')
})

test('report: the page is in Portuguese with its numbers and dates where that is the language', () => {
  const body = bodyOf(PORTUGUESE)
  for (const words of [
    '3.000 páginas de',
    '01/03/2026, 10:00 – 10:09 UTC',
    'O que aconteceu com cada link',
    'O robots.txt do host não permite.',
    'Execução 2',
    '48.211',
  ])
    assert.ok(body.includes(words), words)
  assert.match(PORTUGUESE, /<html lang="pt-BR">/)
  const shown = body.replace(/<code>.*?<\/code>/g, '').replace(/<[^>]*>/g, ' ')
  const english = / (?:pages|Waiting|failed|seeds|the|of) /.exec(shown)
  assert.equal(english?.[0], undefined)
})

test('ours: what there is nothing of is said in words, not drawn empty', () => {
  const body = bodyOf(EMPTY)
  assert.ok(!body.includes('class="chart"'))
  for (const words of [
    'No page has been archived.',
    'No link is known yet.',
    'No host asked for a longer delay.',
    'Not measured.',
  ])
    assert.ok(body.includes(words), words)
})

test('ours: no element of the page loads anything', () => {
  for (const html of [PLAIN, HOSTILE, EMPTY, PORTUGUESE]) {
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
  const { stats, hosts } = makeStats(PLAIN_CRAWL)
  return bundle.reportPage(makeReport(stats, { ...FACTS, hosts }))
}

test('rule 5.15: the page draws every chart, and asks nobody for anything', inBrowser, async () => {
  const seen = await seenIn(browser!, await bundledPage(), '--window-size=1280,900')
  assertDrawn(seen)
  assert.equal(seen.width, seen.place)
  assert.match(seen.title, /^Crawl: 3,000 pages from \d+ hosts$/)
})

function assertDrawn(seen: Seen): void {
  assert.deepEqual(Object.keys(seen.charts), CHARTS)
  for (const [id, pixels] of Object.entries(seen.charts)) assert.ok(pixels > 0, `${id}: nothing is coloured`)
  assert.deepEqual(seen.errors, [])
  assert.deepEqual(seen.requests, [])
  assert.deepEqual(seen.violations, [])
}

test('ours: hostile names become no markup, and the page fits a telephone and the dark', inBrowser, async () => {
  const seen = await seenIn(browser!, HOSTILE, '--window-size=500,900', '--blink-settings=preferredColorScheme=0')
  assert.match(seen.title, /^Crawl: 3,000 pages from/)
  assert.equal(seen.images, 0)
  // The listener, the data, ECharts, the page's own, and the probe.
  assert.equal(seen.scripts, 5)
  assertDrawn(seen)
  assert.deepEqual([seen.width, seen.place], [390, 390])
  assert.deepEqual(seen.cut, [])
  assert.ok(seen.text.includes('<script>document.title="owned"</script>'))
  assert.ok(seen.text.includes(`"><img src=x onerror="document.title='owned'">`))
  const [red = 255, green = 255, blue = 255] = seen.background.match(/\d+/g)!.map(Number)
  assert.ok(red + green + blue < 200, seen.background)
})

test('ours: a crawl without a page has a page', inBrowser, async () => {
  const seen = await seenIn(browser!, EMPTY)
  assert.deepEqual([seen.charts, seen.errors], [{}, []])
  assert.ok(seen.text.includes('0 pages from 0 hosts'))
})

test('report: on paper (A4) nothing is cut, and the dark stays on the screen', inBrowser, async () => {
  const options = ['--window-size=700,1000', '--blink-settings=preferredColorScheme=0']
  const [plain, hostile] = await Promise.all(
    [PORTUGUESE, HOSTILE].map(page => seenIn(browser!, onPaper(page), ...options)),
  )
  for (const seen of [plain!, hostile!]) {
    assert.deepEqual([seen.cut, seen.errors], [[], []])
    assert.ok(seen.width <= seen.place, `${seen.width} of ${seen.place}`)
    assert.doesNotMatch(seen.background, /rgb\((?:\d|[1-9]\d), /)
  }
  assertDrawn(plain!)
})
