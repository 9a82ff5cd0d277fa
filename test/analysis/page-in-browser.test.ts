import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { analysisPage } from '../../src/analysis/analysis-page.ts'
import { type Analysis, analyze } from '../../src/analysis/analyze.ts'
import { LogFile } from '../../src/analysis/log-file.ts'
import { ORIGINAL_LOAD } from '../../src/analysis/original-load.ts'
import { chartPage, escapeHtml } from '../../src/charts/chart-page.ts'
import { temporaryFolder } from '../cli/run-cli.ts'
import { findBrowser, seenIn } from '../report/in-browser.ts'
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

test('issue 5: a browser draws every picture of the analysis, light and dark, and asks for nothing', async t => {
  const browser = await findBrowser()
  if (browser === undefined) return t.skip('there is no Chromium on this machine')
  const page = analysisPage(await analysisOf(temporaryFolder(t)), '</title><img src=x>')
  for (const options of [[], ['--blink-settings=preferredColorScheme=0']]) {
    const seen = await seenIn(browser, page, ...options)
    assert.deepEqual([seen.requests, seen.violations, seen.errors, seen.images], [[], [], [], 0])
    assert.equal(seen.title, 'Memory accesses of </title><img src=x>')
    assert.equal(Object.keys(seen.charts).length, 38)
    for (const [name, pixels] of Object.entries(seen.charts)) {
      // A map has its bands, a histogram of first touches only has grey bars.
      const isAllGrey = /^stack-distance-0-10[1-5]$/.test(name)
      assert.ok(isAllGrey || pixels > 50, `${name} has ${pixels} coloured pixels`)
    }
    for (const words of ['list of host 3', 'LISTA_HOSTS', 'first touches']) assert.ok(seen.text.includes(words), words)
  }
})

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
