import { shownDecimal } from '../../base/words/quantity.ts'
import { chartPage, escapeHtml, htmlTable } from '../../charts/chart-page.ts'
import { STRATEGY_NAMES } from '../../scheduler/strategy.ts'
import {
  drawPictures,
  histogramBoxes,
  histogramPictures,
  mapPictures,
  type NamedPicture,
  PICTURE_STYLE,
  totalsTable,
} from '../analysis-page.ts'
import type { Analysis } from '../analyze.ts'
import { ORIGINAL_HOSTS } from '../original-load.ts'
import { idTitle, PHASES, phaseTitle } from '../phases.ts'
import { forWidths, type Picture, titleOf, ZOOM } from '../picture.ts'
import { pictureWords } from '../picture-words.ts'
import type { Growth, Point, TimeSeries, Timings } from './run-experiment.ts'
import { SCENARIOS } from './time-commands.ts'

/** A description of the machine. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGib: number
  readonly system: string
  readonly node: string
}

export interface Experiment {
  readonly machine: Machine
  readonly timings: Timings
  /** The analysis of the original's load of 26 URLs. */
  readonly original: Analysis
}

const STYLE = `${PICTURE_STYLE}
.times .chart { height: 460px; margin: 12px 0 20px }
.order td, .order th { padding: 2px 5px; text-align: center }
.order td:first-child { text-align: left; white-space: nowrap }
.growth td { white-space: nowrap }
@media (max-width: 760px) { .times .chart { height: 600px } }
html.printing .times .chart { height: 480px }
@media print { .times .chart { height: 480px } .order td, .order th { padding: 1px 2px } }
`

/** All pictures of the experiment; those of the original's load have names that begin with `original-`. */
export function experimentPictures({ timings, original }: Experiment) {
  const renamed = <Named extends NamedPicture>(one: Named) => ({ ...one, name: `original-${one.name}` })
  return {
    times: timePictures(timings),
    maps: mapPictures(original).map(renamed),
    histograms: histogramPictures(original).map(renamed),
  }
}

/** The experiment as one page, in the current language. */
export function experimentPage(experiment: Experiment): string {
  const texts = pictureWords().experiment
  const { timings, original } = experiment
  const { processor, cores, memoryGib, system, node } = experiment.machine
  const { times, maps, histograms } = experimentPictures(experiment)
  const machine = escapeHtml(texts.machine(processor, cores, memoryGib, system, node))
  const growth = SCENARIOS.map(({ name }) =>
    growthTable(
      texts.scenarios[name],
      timings.series.filter(({ scenario }) => scenario === name),
    ),
  )
  const body = `
<h1>${texts.title}</h1>
<p>${texts.madeBy(machine)}</p>
<h2>${texts.times}</h2>
<p class="faint">${texts.timesNote}</p>
<div class="times">${boxes(times)}</div>
<h3>${texts.growth}</h3>
${growth.join('')}
<h2>${texts.locality}</h2>
<h3>${texts.order}</h3>
${orderTable()}
<h3>${texts.distances}</h3>
${totalsTable(original.stacks.map(({ total }) => total))}
<div class="maps">${boxes(maps)}</div>
${histogramBoxes(histograms, ({ phase, id }) => `${phaseTitle(phase)}: ${idTitle(id)}`)}`
  const data = [...times, ...maps, ...histograms].map(({ name, picture }) => ({ name, picture }))
  return chartPage({ title: texts.title, style: STYLE, body, data, script: drawPictures() })
}

function boxes(pictures: readonly NamedPicture[]): string {
  return pictures.map(({ name }) => `<div class="chart" id="${name}"></div>`).join('')
}

function growthTable(title: string, series: readonly TimeSeries[]): string {
  const texts = pictureWords().experiment
  const rows = PHASES.map(command => [
    command,
    ...STRATEGY_NAMES.map(strategy =>
      growthText(series.find(one => one.command === command && one.strategy === strategy)?.growth),
    ),
  ])
  const heads = [texts.command, ...STRATEGY_NAMES.map(texts.strategy)]
  return `<p>${escapeHtml(title)}</p>${htmlTable(heads, rows, 'growth')}`
}

function growthText(growth: Growth | undefined): string {
  return growth === undefined
    ? '–'
    : `${shownDecimal(growth.exponent, 2)} <span class="faint">(${shownDecimal(growth.r2, 2)})</span>`
}

function orderTable(): string {
  const lists = [...new Set(ORIGINAL_HOSTS)].sort((a, b) => a - b)
  const rows = lists.map(list => [
    pictureWords().experiment.list(list),
    ...ORIGINAL_HOSTS.map(host => (host === list ? '×' : '')),
  ])
  return htmlTable(['', ...ORIGINAL_HOSTS.map((_, i) => String(i + 1))], rows, 'order')
}

/** One line of a picture. */
interface Line {
  readonly name: string
  readonly points: readonly Point[]
  readonly growth: Growth | undefined
}

/** All of them are easy to see on a white and on a dark page. */
export const COLOURS = ['#3a7fd0', '#dd7a16', '#1fa855', '#8b5cf6', '#e0479a', '#0e9fc0', '#c79a10', '#7f8b9e']
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle', 'emptyDiamond']

const FIT_STEPS = 20
const LEGEND_LINE_PIXELS = 20
/** The legend is on the right. */
const GRID = { left: 84, right: 290, top: 84, bottom: 56 }

/** All pictures of the timings, each with the name of its file. */
function timePictures({ originalFigure, series }: Timings): NamedPicture[] {
  const texts = pictureWords().experiment
  const original = originalFigure.map(({ strategy, ...line }) => ({ name: texts.strategy(strategy), ...line }))
  const pictures = [{ name: 'time-original', picture: timePicture(texts.original, original, 'linear') }]
  for (const { name } of SCENARIOS) {
    const title = texts.scenarios[name]
    const here = series.filter(({ scenario }) => scenario === name)
    const commands = PHASES.map(command => {
      const one = here.find(line => line.command === command && line.strategy === 'depth')!
      return { name: command, points: one.points, growth: one.growth }
    })
    const strategies = here
      .filter(({ command }) => command === 'ADD_URLS' || command === 'ESCALONA_TUDO')
      .map(({ strategy, command, points, growth }) => ({
        name: `${command}, ${texts.strategy(strategy)}`,
        points,
        growth,
      }))
    pictures.push(
      { name: `time-commands-${name}`, picture: timePicture(texts.everyCommand(title), commands, 'log') },
      { name: `time-strategies-${name}`, picture: timePicture(texts.strategies(title), strategies, 'log') },
    )
  }
  return pictures
}

function timePicture(title: string, lines: readonly Line[], scale: 'linear' | 'log'): Picture {
  const texts = pictureWords().experiment
  const type = scale === 'log' ? 'log' : 'value'
  const fewest = lines.flatMap(({ points }) => points).reduce((least, [n]) => Math.min(least, n), Number.MAX_VALUE)
  return {
    animation: false,
    color: COLOURS,
    title: titleOf(title, scale === 'log' ? texts.logarithmic : texts.linear, 15),
    legend: {
      data: lines.map(legendOf),
      orient: 'vertical',
      right: 8,
      top: 64,
      itemGap: 8,
      textStyle: { fontSize: 12 },
    },
    grid: GRID,
    tooltip: { trigger: 'item', confine: true },
    xAxis: {
      type,
      name: texts.urls,
      nameLocation: 'middle',
      nameGap: 30,
      min: scale === 'linear' ? 0 : fewest,
      minorTick: { show: scale === 'log' },
    },
    yAxis: {
      type,
      name: texts.time,
      nameTextStyle: { align: 'right' },
      minorTick: { show: scale === 'log' },
    },
    dataZoom: [ZOOM],
    series: [
      ...lines.map((line, i) => ({
        type: 'line',
        name: legendOf(line),
        data: line.points.map(([n, seconds]) => microseconds(n, seconds)),
        symbol: SYMBOLS[i % SYMBOLS.length],
        symbolSize: 7,
        lineStyle: { width: 1.8 },
      })),
      ...lines.map((line, i) => ({
        type: 'line',
        name: texts.fitOf(line.name),
        data: fittedLine(line),
        showSymbol: false,
        silent: true,
        lineStyle: { width: 1, type: 'dashed', opacity: 0.6, color: COLOURS[i % COLOURS.length] },
      })),
    ],
    // In a narrow picture the legend is below, one line per entry.
    media: forWidths(
      {
        legend: { left: 8, right: 'auto', top: 'auto', bottom: 4, itemGap: 4 },
        grid: { left: 64, right: 20, top: 140, bottom: 60 + LEGEND_LINE_PIXELS * lines.length },
      },
      { legend: { left: 'auto', right: 8, top: 64, bottom: 'auto', itemGap: 8 }, grid: GRID },
    ),
  }
}

function legendOf({ name, growth }: Line): string {
  return growth === undefined ? name : `${name}  n^${shownDecimal(growth.exponent, 2)}`
}

/** The growth as a curve from the first to the last point. */
function fittedLine({ points, growth }: Line): [number, number][] {
  const [first, last] = [points[0]?.[0], points.at(-1)?.[0]]
  if (growth === undefined || first === undefined || last === undefined) return []
  return Array.from({ length: FIT_STEPS + 1 }, (_, i) => {
    const n = first * (last / first) ** (i / FIT_STEPS)
    return microseconds(n, growth.factor * n ** growth.exponent)
  })
}

function microseconds(n: number, seconds: number): [number, number] {
  return [Number(n.toPrecision(6)), Number((seconds * 1e6).toPrecision(4))]
}
