import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { language } from '../base/words/language.ts'

interface ChartPage {
  readonly title: string
  /** CSS for this page; follows {@link STYLE}, whose variables it may use. */
  readonly style?: string
  /** HTML inside `<main>`. Text from outside must have gone through {@link escapeHtml}. */
  readonly body: string
  /** Anything that JSON can hold; the script gets it as `data`. */
  readonly data: unknown
  /** JavaScript for this page; see {@link PRELUDE} for what it can call. */
  readonly script: string
}

/** A whole page with Apache ECharts in it. It loads nothing from elsewhere, and its content security policy forbids it to. */
export function chartPage({ title, style = '', body, data, script }: ChartPage): string {
  return `<!doctype html>
<html lang="${language() === 'pt' ? 'pt-BR' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeHtml(title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
<main>
${body}
</main>
<script type="application/json" id="data">${jsonInHtml(data)}</script>
<script>${echartsSource()}</script>
<script>${PRELUDE}${script}</script>
</body>
</html>
`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML, including attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character]!)
}

/** A table whose heads and cells are HTML; it scrolls inside its box when the window is narrow. */
export function htmlTable(heads: readonly string[], rows: readonly (readonly string[])[], kind = ''): string {
  const row = (cells: readonly string[], tag: string) => cells.map(cell => `<${tag}>${cell}</${tag}>`).join('')
  const head = heads.length === 0 ? '' : `<thead><tr>${row(heads, 'th')}</tr></thead>`
  const body = rows.map(cells => `<tr>${row(cells, 'td')}</tr>`).join('')
  return `<div class="scroll" tabindex="0"><table class="${kind}">${head}<tbody>${body}</tbody></table></div>`
}

/** JSON in which no tag can begin, so that no data can end the script element around it. */
function jsonInHtml(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

function echartsSource(): string {
  return readFileSync(createRequire(import.meta.url).resolve('echarts/dist/echarts.min.js'), 'utf8')
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:"

/** Colours that read well on paper and in the dark; `.chart` is a box that a chart fills. */
const STYLE = `
:root { --paper: #ffffff; --ink: #1d2330; --faint: #5d6676; --line: #dfe3ea; --raised: #f6f7f9; --accent: #2563b0 }
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #14171d; --ink: #e6e9ef; --faint: #9aa3b2; --line: #303642; --raised: #1c2028; --accent: #7db0ef }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 1280px; margin: 0 auto; padding: 24px 20px 64px }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 8px }
h2 { font-size: 19px; margin: 40px 0 8px; border-bottom: 1px solid var(--line); padding-bottom: 4px }
h3 { font-size: 15px; margin: 20px 0 4px }
p, li { max-width: 80ch }
a { color: var(--accent) }
.faint { color: var(--faint) }
.scroll { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: 3px 10px; border-bottom: 1px solid var(--line); text-align: right }
th { font-weight: 600; color: var(--faint) }
th:first-child, td:first-child { text-align: left; padding-left: 0 }
.chart { width: 100%; height: 360px }
@page { size: A4; margin: 14mm }
html.printing main { width: 182mm; max-width: none; padding: 0 }
@media print {
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
  main { max-width: none; padding: 0 }
  .scroll { overflow: visible }
  h2, h3 { break-after: avoid }
  .chart { break-inside: avoid }
}
`

/**
 * What every page's script can use: `data`, and `draw(element, option, renderer)`, which draws when the element comes into
 * view, keeps the chart as wide as its element, and follows the system from light to dark. `renderer` is `svg`, which prints
 * best, or `canvas`, for very many points. Before printing, all charts are drawn, light, and as wide as the paper (A4).
 */
const PRELUDE = `
const data = JSON.parse(document.getElementById('data').textContent)
const darkness = matchMedia('(prefers-color-scheme: dark)')
const drawn = new Map()
let isPrinting = false
function theme() { return darkness.matches && !isPrinting ? 'dark' : 'default' }
const widths = new ResizeObserver(entries => { for (const { target } of entries) drawn.get(target).resize() })
const arrivals = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) show(target)
}, { rootMargin: '600px' })
const waiting = new Map()
function draw(element, option, renderer = 'canvas') {
  if (element === null) return
  waiting.set(element, { option, renderer })
  arrivals.observe(element)
}
function show(element) {
  const one = waiting.get(element)
  arrivals.unobserve(element)
  waiting.delete(element)
  if (one === undefined) return
  const chart = echarts.init(element, theme(), { renderer: one.renderer })
  chart.setOption({ backgroundColor: 'transparent', ...one.option })
  drawn.set(element, chart)
  widths.observe(element)
}
function adapt() {
  for (const chart of drawn.values()) {
    chart.setTheme(theme())
    chart.resize()
    chart.getZr().flush()
  }
}
darkness.addEventListener('change', adapt)
addEventListener('beforeprint', () => {
  isPrinting = true
  document.documentElement.classList.add('printing')
  for (const element of [...waiting.keys()]) if (element.offsetParent !== null) show(element)
  adapt()
})
addEventListener('afterprint', () => {
  isPrinting = false
  document.documentElement.classList.remove('printing')
  adapt()
})
`
