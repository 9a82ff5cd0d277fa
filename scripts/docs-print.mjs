// Prints a page to PDF with headless Chromium, and reads from a PDF of Chromium on which page each anchor is.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inflateSync } from 'node:zlib'
import { has } from './needs.mjs'

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-pdf-header-footer',
  '--generate-pdf-document-outline',
]
const MOST_PRINTING_MS = 120_000

/** The PDF of an HTML text that needs no other file. */
export function printedPdf(html) {
  const browser = BROWSERS.find(has)
  if (browser === undefined) throw new Error('there is no Chromium to print with; install it, then try again')
  const folder = mkdtempSync(join(tmpdir(), 'escalona-docs-'))
  try {
    const page = join(folder, 'report.html')
    const pdf = join(folder, 'report.pdf')
    writeFileSync(page, html)
    const profile = `--user-data-dir=${join(folder, 'profile')}`
    const args = [...FLAGS, profile, `--print-to-pdf=${pdf}`, pathToFileURL(page).href]
    execFileSync(browser, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: MOST_PRINTING_MS })
    return readFileSync(pdf)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Line heights to choose from; the first that leaves no page half empty is taken. */
const LINE_HEIGHTS = [1.45, 1.42, 1.48, 1.39, 1.5, 1.36]

/** Prints what `make` returns for a line height at which every page but the title is at least half full, or for the best there is. */
export function wellFilled(make) {
  let best = { pdf: undefined, least: -1, lineHeight: 0 }
  for (const lineHeight of LINE_HEIGHTS) {
    const pdf = printedPdf(make(lineHeight))
    const least = Math.min(...sharesOf(pdf).slice(1))
    if (least > best.least) best = { pdf, least, lineHeight }
    if (least >= 0.5) break
  }
  return best
}

/** How much of each page of a PDF of Chromium is used, from its top margin down: 0 to 1. */
function sharesOf(pdf) {
  const { objects, leaves } = treeOf(pdf)
  return leaves.map(id => {
    const [, contents = ''] = /\/Contents (\d+) 0 R/.exec(objects.get(id)) ?? []
    const heights = heightsIn(streamOf(objects.get(contents) ?? '')).filter(y => y > BOTTOM && y < TOP)
    return heights.length === 0 ? 0 : (TOP - Math.min(...heights)) / (TOP - BOTTOM)
  })
}

/** The print area of the page in points, without the page number. */
const [TOP, BOTTOM] = [774, 70]

function streamOf(body) {
  const bytes = Buffer.from(body.slice(body.indexOf('stream\n') + 7, body.lastIndexOf('\nendstream')), 'latin1')
  return (/FlateDecode/.test(body) ? inflateSync(bytes) : bytes).toString('latin1')
}

/** Where texts and pictures begin, as heights above the foot of the paper. */
function heightsIn(content) {
  const heights = []
  const saved = []
  // Nothing is turned here: a scale and an offset are all there is to know of a matrix.
  let [scale, offset] = [1, 0]
  for (const line of content.split('\n')) {
    const words = line.trim().split(/\s+/)
    const numbers = words.slice(0, -1).map(Number)
    const operator = words.at(-1)
    if (operator === 'q') saved.push([scale, offset])
    else if (operator === 'Q') [scale, offset] = saved.pop() ?? [scale, offset]
    else if (operator === 'cm') [scale, offset] = [numbers[3] * scale, numbers[5] * scale + offset]
    else if (operator === 'Tm') heights.push(numbers[5] * scale + offset)
    else if (operator === 'Do') heights.push(offset)
  }
  return heights
}

function treeOf(pdf) {
  const objects = new Map()
  for (const [, id, body] of pdf.toString('latin1').matchAll(/\n(\d+) 0 obj\n([\s\S]*?)\nendobj/g))
    objects.set(id, body)
  const catalog = [...objects.values()].find(body => /\/Type \/Catalog\b/.test(body)) ?? ''
  return { objects, catalog, leaves: leavesUnder(objects, /\/Pages (\d+) 0 R/.exec(catalog)?.[1] ?? '') }
}

/** How many pages a PDF of Chromium has, and on which one, from 1 up, each anchor is that a link leads to. */
export function pagesOf(pdf) {
  const { objects, catalog, leaves } = treeOf(pdf)
  const anchors = new Map()
  const destinations = objects.get(/\/Dests (\d+) 0 R/.exec(catalog)?.[1] ?? '') ?? ''
  for (const [, name, page] of destinations.matchAll(/\/([^\s/[\]]+) \[(\d+) 0 R \/XYZ/g)) {
    anchors.set(
      name.replace(/#([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      leaves.indexOf(page) + 1,
    )
  }
  return { count: leaves.length, anchors }
}

/** The tree of pages from a node on, as the ids of its leaves in order. */
function leavesUnder(objects, id) {
  const body = objects.get(id) ?? ''
  if (!/\/Type \/Pages\b/.test(body)) return [id]
  const kids = /\/Kids \[([^\]]*)\]/.exec(body)?.[1] ?? ''
  return [...kids.matchAll(/(\d+) 0 R/g)].flatMap(([, kid]) => leavesUnder(objects, kid))
}
