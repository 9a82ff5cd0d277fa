import { drawPictures } from '../../analysis/analysis-page.ts'
import { COLOURS } from '../../analysis/experiment/experiment-page.ts'
import { type Picture, titleOf, ZOOM } from '../../analysis/picture.ts'
import { shownDuration } from '../../base/words/quantity.ts'
import { chartPage, escapeHtml, htmlTable } from '../../charts/chart-page.ts'
import type { CurvePoint } from '../../simulate/measures.ts'
import type { SimulationRow } from '../../simulate/simulate.ts'
import { simulateWords } from './simulate-words.ts'
import { simulationColumns } from './simulation-columns.ts'

const MEASURES = ['pageRank', 'hosts', 'domains'] as const
const LINES = ['solid', 'dashed', 'dotted', [12, 4, 2, 4]] as const

/** The pictures of a simulation, by the name of their box: what was gathered over pages, and over time. */
export function simulationPictures(rows: readonly SimulationRow[]): { name: string; picture: Picture }[] {
  const { measures, overPages, overTime } = simulateWords().page
  const areDomains = rows.some(({ curve }) => curve.some(({ hosts, domains }) => hosts !== domains))
  const longestMs = Math.max(...rows.map(({ curve }) => curve.at(-1)?.atMs ?? 0))
  const unit = UNITS.find(({ ms }) => longestMs >= 2 * ms) ?? UNITS.at(-1)!
  return MEASURES.filter(measure => measure !== 'domains' || areDomains).flatMap(measure => [
    {
      name: `${measure}-pages`,
      picture: curves(
        rows,
        measure,
        { title: measures[measure], over: overPages, unit: '%' },
        ({ pages }) => pages * 100,
      ),
    },
    {
      name: `${measure}-time`,
      picture: curves(
        rows,
        measure,
        { title: measures[measure], over: overTime, unit: unit.name },
        ({ atMs }) => atMs / unit.ms,
      ),
    },
  ])
}

const UNITS = [
  { name: 'd', ms: 24 * 3_600_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1000 },
]

/** The simulation as one page, in the current language. */
export function simulationPage(rows: readonly SimulationRow[], command: string): string {
  const { page } = simulateWords()
  const pictures = simulationPictures(rows)
  const columns = simulationColumns(rows, true)
  const cell = (text: string) => escapeHtml(text).replace(/ (±.*)$/, ' <span class="faint">$1</span>')
  const table = htmlTable(
    columns.map(({ title }) => escapeHtml(title)),
    rows.map(row => columns.map(({ value }) => cell(String(value(row))))),
    'rows',
  )
  const body = `
<h1>${page.title}</h1>
<p><code>${escapeHtml(command)}</code></p>
${table}
<p class="faint">${page.note}</p>
${pictures.map(({ name }) => `<div class="chart" id="${name}"></div>`).join('')}`
  return chartPage({ title: page.title, style: STYLE, body, data: pictures, script: drawPictures() })
}

const STYLE = `
.chart { height: 440px; margin: 16px 0 }
.rows { white-space: nowrap }
.rows th:nth-child(2), .rows td:nth-child(2) { text-align: left }
`

/** A colour per strategy; a kind of line per rank and delay. Names have what differs between the rows. */
function curves(
  rows: readonly SimulationRow[],
  measure: (typeof MEASURES)[number],
  { title, over, unit }: { readonly title: string; readonly over: string; readonly unit: string },
  x: (point: CurvePoint) => number,
): Picture {
  const strategies = [...new Set(rows.map(({ strategy }) => strategy))]
  const others = [...new Set(rows.map(otherOf))]
  const areSeveral = (value: (row: SimulationRow) => unknown) => new Set(rows.map(value)).size > 1
  const hasRank = areSeveral(({ rank }) => rank)
  const hasDelay = areSeveral(({ delayMs }) => delayMs)
  return {
    animation: false,
    title: titleOf(title, over, 15),
    legend: { type: 'scroll', top: 56, left: 56, right: 24, itemWidth: 40, itemGap: 20 },
    grid: { left: 64, right: 40, top: 108, bottom: 48 },
    tooltip: { trigger: 'item', confine: true },
    xAxis: { type: 'value', min: 0, name: unit },
    yAxis: { type: 'value', min: 0, max: 100, name: '%', nameGap: 8 },
    dataZoom: [ZOOM],
    series: rows.map(row => ({
      type: 'line',
      name: [row.strategy, ...(hasRank ? [row.rank] : []), ...(hasDelay ? [shownDuration(row.delayMs)] : [])].join(
        ', ',
      ),
      color: COLOURS[strategies.indexOf(row.strategy) % COLOURS.length],
      lineStyle: { type: LINES[others.indexOf(otherOf(row)) % LINES.length] },
      showSymbol: false,
      data: [
        [0, 0],
        ...row.curve.map(point => [Number(x(point).toPrecision(6)), Number((point[measure] * 100).toPrecision(5))]),
      ],
    })),
  }
}

function otherOf({ rank, delayMs }: SimulationRow): string {
  return `${rank} ${delayMs}`
}
