// Prints a page to PDF with headless Chromium, and reads from a PDF of Chromium on which page each anchor is.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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

/** How many pages a PDF of Chromium has, and on which one, from 1 up, each anchor is that a link leads to. */
export function pagesOf(pdf) {
  const objects = new Map()
  for (const [, id, body] of pdf.toString('latin1').matchAll(/\n(\d+) 0 obj\n([\s\S]*?)\nendobj/g))
    objects.set(id, body)
  const bodies = [...objects.values()]
  const catalog = bodies.find(body => /\/Type \/Catalog\b/.test(body)) ?? ''
  const leaves = leavesUnder(objects, /\/Pages (\d+) 0 R/.exec(catalog)?.[1] ?? '')
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
