import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { analysisPage } from '../../src/analysis/analysis-page.ts'
import { type Analysis, analyze, LogFile } from '../../src/analysis/analyze.ts'
import { experimentPage } from '../../src/analysis/experiment/experiment-page.ts'
import { growthOf, type Timings } from '../../src/analysis/experiment/run-experiment.ts'
import { SCENARIOS } from '../../src/analysis/experiment/time-commands.ts'
import { ORIGINAL_LOAD } from '../../src/analysis/original-load.ts'
import { PHASES } from '../../src/analysis/phases.ts'
import { setLanguage } from '../../src/base/words/language.ts'
import { chartPage, escapeHtml } from '../../src/charts/chart-page.ts'
import { STRATEGY_NAMES } from '../../src/scheduler/strategy.ts'
import { temporaryFolder } from '../cli/run-cli.ts'
import { findBrowser, onPaper, seenIn } from '../report/in-browser.ts'
import { record } from './record.ts'

async function analysisOf(folder: string): Promise<Analysis> {
  const path = join(folder, 'access.log')
  writeFileSync(path, record(ORIGINAL_LOAD).log)
  const log = await LogFile.open(path)
  try {
    const work = analyze(log)
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
    }
  } finally {
    log.close()
  }
}

test('analysis page: a browser draws every picture of the analysis, light and dark, and asks for nothing', async t => {
  const browser = await findBrowser()
  if (browser === undefined) return t.skip('there is no Chromium on this machine')
  const page = analysisPage(await analysisOf(temporaryFolder(t)), '</title><img src=x>')
  for (const options of [[], ['--blink-settings=preferredColorScheme=0']]) {
    const seen = await seenIn(browser, page, ...options)
    assert.deepEqual([seen.requests, seen.violations, seen.errors, seen.images], [[], [], [], 0])
    assert.equal(seen.title, 'Memory accesses of </title><img src=x>')
    assert.equal(Object.keys(seen.charts).length, 38)
    for (const [name, pixels] of Object.entries(seen.charts)) {
      // A map has its bands; a histogram of first touches has grey bars, and hardly any others: texts that are added, and listing
      // and clearing, which touch nearly everything once.
      const isGrey = /^stack-distance-(?:0-10[1-5]|[57]-\d+)$/.test(name)
      assert.ok(isGrey || pixels > 50, `${name} has ${pixels} coloured pixels`)
    }
    for (const words of ['list of host 3', 'LISTA_HOSTS', 'first touches']) assert.ok(seen.text.includes(words), words)
  }
})

test('analysis page: totals come first, histograms with a single bar are folded, also in Portuguese', async t => {
  const analysis = await analysisOf(temporaryFolder(t))
  const page = analysisPage(analysis, 'access.log')
  assert.ok(page.indexOf('<h2>Totals</h2>') < page.indexOf('<h2>Access maps</h2>'))
  const [sums = ''] = /<table class="sums">.*?<\/table>/s.exec(page) ?? []
  const rows = [...sums.matchAll(/<tr><td>[^<]*<\/td><td>([\d,]+)<\/td>/g)]
  const accesses = rows.map(([, count = '']) => Number(count.replaceAll(',', '')))
  assert.equal(accesses.pop(), analysis.accesses)
  assert.equal(
    accesses.reduce((sum, count) => sum + count, 0),
    analysis.accesses,
  )
  const [fold = ''] =
    /<details><summary>5 histograms with a single bar: texts of host 1, .*?<\/details>/s.exec(page) ?? []
  assert.equal(fold.match(/class="chart"/g)?.length, 5)
  setLanguage('pt')
  t.after(() => setLanguage('en'))
  const portuguese = analysisPage(analysis, 'access.log')
  for (const words of [
    'Acessos à memória de access.log',
    '<h2>Totais</h2>',
    'primeiros toques',
    'lista: host 3',
    'pt-BR',
  ])
    assert.ok(portuguese.includes(words), words)
})

test('analysis page: the pages of analysis and experiment fit a telephone and paper', async t => {
  const browser = await findBrowser()
  if (browser === undefined) return t.skip('there is no Chromium on this machine')
  const original = await analysisOf(temporaryFolder(t))
  const pages = [
    analysisPage(original, `${'long'.repeat(40)}.log`),
    experimentPage({ machine: MACHINE, timings: TIMINGS, original }),
  ]
  for (const page of pages) {
    const narrow = await seenIn(browser, page, '--window-size=500,900')
    assert.deepEqual([narrow.width, narrow.place, narrow.errors], [390, 390, []])
  }
  const printed = await seenIn(browser, onPaper(pages[1]!), '--window-size=700,1000')
  assert.ok(printed.width <= 700, `${printed.width}`)
  assert.deepEqual(printed.errors, [])
})

const MACHINE = { processor: 'a processor', cores: 2, memoryGib: 8, system: 'Linux', node: '20' }
const POINTS = [
  [1000, 0.001],
  [10_000, 0.012],
] as const
const TIMINGS: Timings = {
  originalFigure: STRATEGY_NAMES.map(strategy => ({ strategy, points: POINTS, growth: growthOf(POINTS) })),
  series: SCENARIOS.flatMap(({ name }) =>
    STRATEGY_NAMES.flatMap(strategy =>
      PHASES.map(command => ({ scenario: name, strategy, command, points: POINTS, growth: growthOf(POINTS) })),
    ),
  ),
}

test('ours: nothing in the data of a page gets out of it', async t => {
  const browser = await findBrowser()
  if (browser === undefined) return t.skip('there is no Chromium on this machine')
  const evil = '</script><script>throw new Error("out")</script><!--<script>'
  const page = chartPage({
    title: evil,
    body: `<p>${escapeHtml(evil)}</p><p id="told"></p>`,
    data: { [evil]: evil, line: '\u2028' },
    script: "document.getElementById('told').textContent = Object.keys(data)[0] === data[Object.keys(data)[0]]",
  })
  const seen = await seenIn(browser, page)
  assert.deepEqual(seen.errors, [])
  assert.equal(seen.title, evil)
  assert.ok(seen.text.includes(evil) && seen.text.includes('true'))
})
