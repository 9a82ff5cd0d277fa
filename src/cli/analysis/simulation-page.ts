import { drawPictures } from '../../analysis/analysis-page.ts'
import { COLOURS } from '../../analysis/experiment/experiment-page.ts'
import { type Picture, titleOf, ZOOM } from '../../analysis/picture.ts'
import { shownCount, shownDecimal, shownDuration } from '../../base/words/quantity.ts'
import { chartPage, escapeHtml, htmlTable } from '../../charts/chart-page.ts'
import { MEASURED_AT } from '../../simulate/measures.ts'
import type { SimulationRow } from '../../simulate/simulate.ts'
import { simulateWords } from './simulate-words.ts'

type Measure = 'pageRank' | 'hosts' | 'domains'

/** The pictures of a simulation, by the name of their box: what was gathered over pages, and over time. */
export function simulationPictures(rows: readonly SimulationRow[]): { name: string; picture: Picture }[] {
  const { measures, overPages, overTime } = simulateWords().page
  return (['pageRank', 'hosts', 'domains'] as const).flatMap(measure => [
    { name: `${measure}-pages`, picture: curves(rows, measure, 'pages', measures[measure], overPages) },
    { name: `${measure}-time`, picture: curves(rows, measure, 'atMs', measures[measure], overTime) },
  ])
}

/** The simulation as one page, in the current language. */
export function simulationPage(rows: readonly SimulationRow[], command: string): string {
  const { page, heads } = simulateWords()
  const pictures = simulationPictures(rows)
  const percent = (value: number | null | undefined, by?: number | null) =>
    value === null || value === undefined
      ? '–'
      : shownDecimal(value * 100, 1) + (by ? ` <span class="faint">±${shownDecimal(by * 100, 1)}</span>` : '')
  const table = htmlTable(
    [
      ...[heads.strategy, heads.rank, heads.delay, heads.pages, heads.time],
      ...MEASURED_AT.map(share => heads.rankAt(share * 100)),
      ...MEASURED_AT.map(share => heads.tauAt(share * 100)),
      ...[heads.idle, heads.gap],
    ],
    rows.map(row => [
      ...[escapeHtml(row.strategy), escapeHtml(row.rank), shownDuration(row.delayMs)],
      ...[shownCount(row.pages), shownDuration(row.virtualMs)],
      ...MEASURED_AT.map(share => percent(row.pageRankShare[share], row.spread.pageRankShare[share])),
      ...MEASURED_AT.map(share => (row.tau[share] === null ? '–' : shownDecimal(row.tau[share]!, 3))),
      ...[`${percent(row.idleSlots)} %`, row.smallestGapMs === null ? '–' : shownDuration(row.smallestGapMs)],
    ]),
  )
  const body = `
<h1>${page.title}</h1>
<p><code>${escapeHtml(command)}</code></p>
${table}
<p class="faint">${page.note}</p>
${pictures.map(({ name }) => `<div class="chart" id="${name}"></div>`).join('')}`
  return chartPage({ title: page.title, style: STYLE, body, data: pictures, script: drawPictures() })
}

const STYLE = '.chart { height: 440px; margin: 16px 0 }'

function curves(
  rows: readonly SimulationRow[],
  measure: Measure,
  x: 'pages' | 'atMs',
  title: string,
  over: string,
): Picture {
  const isTime = x === 'atMs'
  return {
    animation: false,
    color: COLOURS,
    title: titleOf(title, over, 15),
    legend: { type: 'scroll', top: 56 },
    grid: { left: 64, right: 24, top: 96, bottom: 48 },
    tooltip: { trigger: 'item', confine: true },
    xAxis: { type: 'value', min: 0, name: isTime ? 'h' : '%' },
    yAxis: { type: 'value', min: 0, max: 100, name: '%' },
    dataZoom: [ZOOM],
    series: rows.map(row => ({
      type: 'line',
      name: `${row.strategy}, ${row.rank}, ${shownDuration(row.delayMs)}`,
      showSymbol: false,
      data: [
        [0, 0],
        ...row.curve.map(point => [
          Number((isTime ? point.atMs / 3_600_000 : point.pages * 100).toPrecision(6)),
          Number((point[measure] * 100).toPrecision(5)),
        ]),
      ],
    })),
  }
}
