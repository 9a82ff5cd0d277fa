// The whole way: a quick experiment, the chapters filled with it, and the PDF that Chromium prints.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checkLog } from '../analysis/check-log.ts'
import { naiveHistogram } from '../analysis/naive-stack.ts'
import { findBrowser } from '../report/in-browser.ts'
import { LANGUAGES, pagesOf, readFacts, reportPage, wellFilled } from './report-scripts.ts'

interface ExperimentFile {
  readonly version: number
  readonly originalFigure: { strategy: string; points: [number, number][]; growth: { exponent: number } }[]
  readonly series: { scenario: string; strategy: string; command: string; points: [number, number][] }[]
  readonly original: { hostOfEachUrl: number[]; histogram: number[][]; totals: object[] }
}

const ESCALONA = fileURLToPath(new URL('../../bundle/cli/main.js', import.meta.url))
const figures = mkdtempSync(join(tmpdir(), 'escalona-figures-'))
const languages = Object.keys(LANGUAGES)

function page(language: string, pageOf?: (id: string) => unknown, lineHeight = 1.45) {
  const facts = readFacts(join(figures, 'experiment.json'), { version: '1.2.3', date: 'today', load: 1 })
  return reportPage({ language, facts, figures, lineHeight, ...(pageOf && { pageOf }) })
}

before(async () => {
  const args = [ESCALONA, 'experiment', '--quick', '-q', '-o', figures, '--lang', 'en']
  await promisify(execFile)(process.execPath, args, { timeout: 120_000 })
})

after(() => rmSync(figures, { recursive: true, force: true }))

test('documentation: a quick experiment times every command, scenario and strategy, and studies the original load', () => {
  const files = readdirSync(figures)
  const found = JSON.parse(readFileSync(join(figures, 'experiment.json'), 'utf8')) as ExperimentFile
  assert.equal(found.series.length, 3 * 3 * 8)
  for (const { scenario, strategy, command, points } of found.series) {
    assert.equal(points.length, 3, `${scenario} ${strategy} ${command}`)
    assert.ok(points.every(([n, seconds]) => n >= 300 && seconds > 0))
  }
  assert.deepEqual(
    found.originalFigure.map(({ points }) => points.map(([n]) => n)),
    Array.from({ length: 3 }, () => [114, 214, 314, 414, 514]),
  )
  const log = checkLog(readFileSync(join(figures, 'original.log'), 'latin1'))
  assert.deepEqual(found.original.histogram, naiveHistogram(log))
  assert.equal(found.original.hostOfEachUrl.length, 26)
  for (const name of [
    'time-original',
    'time-commands-one-host',
    'time-strategies-many-hosts',
    'original-access-map-0',
  ]) {
    assert.ok(files.includes(`${name}.svg`), name)
    const svg = readFileSync(join(figures, `${name}.svg`), 'utf8')
    assert.ok(svg.startsWith('<svg') && !svg.includes('NaN'), name)
  }
  const page = readFileSync(join(figures, 'experiment.html'), 'utf8')
  for (const name of files.filter(file => file.endsWith('.svg'))) {
    assert.ok(page.includes(`id="${name.slice(0, -4)}"`), name)
  }
})

test('documentation: a quick experiment fills every gap, and every figure of the report is one of its pictures', () => {
  const pictures = new Set(readdirSync(figures).filter(name => name.endsWith('.svg')))
  for (const language of languages) {
    const { html, figures: shown, tables, headings } = page(language)
    assert.doesNotMatch(html, /\{\{|\}\}|undefined|NaN/)
    assert.ok(shown.length > 12 && tables.length > 10, `${shown.length} figures, ${tables.length} tables`)
    assert.equal(html.match(/<img src="data:image\/svg\+xml;base64,/g)?.length, shown.length)
    const measured = shown.filter(({ source }) => source.includes('figures/'))
    assert.ok(measured.length > 10)
    for (const { source } of measured) assert.ok(pictures.has(source.replace(/.*\//, '')), source)
    const svgs = [...html.matchAll(/data:image\/svg\+xml;base64,([^"]+)/g)].map(([, text]) =>
      Buffer.from(text!, 'base64').toString(),
    )
    const [own, other] =
      language === 'en' ? ['number of URLs, n', 'número de URLs, n'] : ['número de URLs, n', 'number of URLs, n']
    assert.ok(svgs.filter(svg => svg.includes(own)).length >= 7, `figures of ${language}`)
    assert.equal(svgs.filter(svg => svg.includes(other)).length, 0, `figures of ${language}`)
    assert.deepEqual(
      shown.map(({ number }) => number),
      shown.map((_, i) => i + 1),
    )
    assert.deepEqual(
      headings.filter(({ level }) => level === 1).map(({ number }) => number),
      ['1', '2', '3', '4', '5', '6', '7', 'A'],
    )
  }
})

test('ours: the page needs no other file, and every link inside it has its place', () => {
  for (const language of languages) {
    const { html } = page(language)
    assert.doesNotMatch(html, /<(?:img|script|link|iframe)[^>]*(?:src|href)="(?!data:)/)
    const places = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(match => match[1]))
    for (const [, target] of html.matchAll(/ href="#([^"]+)"/g)) assert.ok(places.has(target), target)
  }
})

test('documentation: the PDF has all sections in order, the instructions on a page of their own, and no page that is half empty', async t => {
  if ((await findBrowser()) === undefined) return t.skip('there is no Chromium on this machine')
  for (const language of languages) {
    const { headings } = page(language)
    const { pdf, least } = wellFilled(lineHeight => page(language, undefined, lineHeight).html)
    assert.ok(least >= 0.5, `a page is ${(least * 100).toFixed(0)} % full`)
    assert.equal(pdf.toString('latin1', 0, 5), '%PDF-')
    const { count, anchors } = pagesOf(pdf)
    assert.ok(count >= 15 && count < 60, `${count} pages`)
    const pages = headings.map(({ id }) => anchors.get(id) ?? 0)
    assert.ok(pages[0]! > 2, 'the title and the contents come first')
    assert.deepEqual(
      pages,
      [...pages].sort((a, b) => a - b),
    )
    assert.equal(pages.at(-1), count, 'the instructions are on the last page')
    assert.ok(pages.at(-2)! < count, 'nothing else begins there')
    const again = page(language, id => anchors.get(id))
    assert.match(again.html, new RegExp(`href="#section-A"[^\\n]*<span>${count}</span></a>`))
  }
})

test('ours: the pages of a PDF are read from its tree, also where branches have branches', () => {
  const pdf = `%PDF-1.4
1 0 obj
<</Type /Catalog
/Pages 2 0 R
/Dests 9 0 R>>
endobj
2 0 obj
<</Type /Pages
/Kids [3 0 R 6 0 R]>>
endobj
3 0 obj
<</Type /Pages
/Kids [4 0 R 5 0 R]>>
endobj
4 0 obj
<</Type /Page>>
endobj
5 0 obj
<</Type /Page>>
endobj
6 0 obj
<</Type /Page>>
endobj
9 0 obj
<</section-1 [5 0 R /XYZ 1 2 0]
/section-A#2e1 [6 0 R /XYZ 1 2 0]>>
endobj
`
  const { count, anchors } = pagesOf(Buffer.from(pdf))
  assert.deepEqual([count, anchors.get('section-1'), anchors.get('section-A.1')], [3, 2, 3])
})
