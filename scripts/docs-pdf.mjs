// Makes the report: runs the experiment, puts its numbers and figures into the chapters, and prints one PDF per language.
//   node scripts/docs-pdf.mjs [--quick | --full] [--reuse] [--html]
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { LANGUAGES, REPORT } from './docs-chapters.mjs'
import { readFacts } from './docs-facts.mjs'
import { reportPage } from './docs-page.mjs'
import { pagesOf, printedPdf, wellFilled } from './docs-print.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const figures = join(REPORT, 'figures')
const experimentFile = join(figures, 'experiment.json')
/** How busy the machine was: a reader of times wants to know. */
const loadFile = join(figures, 'load.json')
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    full: { type: 'boolean' },
    /** Takes the figures of the last run. */
    reuse: { type: 'boolean' },
    /** Also keeps the page that is printed. */
    html: { type: 'boolean' },
  },
})

if (!values.reuse || !existsSync(loadFile)) {
  const extent = values.full ? ['--full'] : values.quick ? ['--quick'] : []
  const args = [join(root, 'dist', 'cli', 'main.js'), 'experiment', '-o', figures, '--lang', 'en', ...extent]
  console.error('escalona: measuring for the report …')
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(loadFile, JSON.stringify(loadavg()))
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const [load] = JSON.parse(readFileSync(loadFile, 'utf8'))
const reports = Object.entries(LANGUAGES)
for (const [place, [language, { pdf: name }]] of reports.entries()) {
  console.error(`escalona: printing ${name}, ${place + 1} of ${reports.length} …`)
  const date = new Date().toLocaleDateString(language, { dateStyle: 'long' })
  const facts = readFacts(experimentFile, { version, date, load })
  // Only a printed document knows its pages: the first print is for the numbers in the contents.
  const first = wellFilled(lineHeight => reportPage({ language, facts, figures, lineHeight }).html)
  const { anchors } = pagesOf(first.pdf)
  const { lineHeight } = first
  const { html } = reportPage({ language, facts, figures, lineHeight, pageOf: id => anchors.get(id) ?? '' })
  const pdf = printedPdf(html)
  writeFileSync(join(REPORT, name), pdf)
  if (values.html) writeFileSync(join(REPORT, name.replace(/pdf$/, 'html')), html)
  console.log(`${relative(process.cwd(), join(REPORT, name))}: ${pagesOf(pdf).count} pages`)
}
