import { shownDecimal } from '../../base/words/quantity.ts'
import type { NamedPicture } from '../analysis-page.ts'
import type { Picture } from '../map-picture.ts'
import { PHASES } from '../phases.ts'
import { forWidths } from '../picture-widths.ts'
import { pictureWords } from '../picture-words.ts'
import type { Growth } from './growth.ts'
import type { Point, Timings } from './run-experiment.ts'
import { SCENARIOS } from './scenarios.ts'

/** One line of a picture. */
interface Line {
  readonly name: string
  readonly points: readonly Point[]
  readonly growth: Growth | undefined
}

/** All of them are easy to see on a white and on a dark page. */
const COLOURS = ['#3a7fd0', '#dd7a16', '#1fa855', '#8b5cf6', '#e0479a', '#0e9fc0', '#c79a10', '#7f8b9e']
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle', 'emptyDiamond']

const FIT_STEPS = 20
const LEGEND_LINE_PIXELS = 20
/** The legend is on the right. */
const GRID = { left: 84, right: 290, top: 84, bottom: 56 }

/** All pictures of the timings, each with the name of its file. */
export function timePictures({ originalFigure, series }: Timings): NamedPicture[] {
  const texts = pictureWords().experiment
  const original = originalFigure.map(({ strategy, points, growth }) => ({
    name: texts.strategy(strategy),
    points,
    growth,
  }))
  const pictures = [
    {
      name: 'time-original',
      picture: timePicture(texts.original, original, 'linear'),
    },
  ]
  for (const { name } of SCENARIOS) {
    const title = texts.scenarios[name]
    const here = series.filter(({ scenario }) => scenario === name)
    const commands = PHASES.map(command => {
      const one = here.find(line => line.command === command && line.strategy === 'depth')!
      return { name: command, points: one.points, growth: one.growth }
    })
    pictures.push({
      name: `time-commands-${name}`,
      picture: timePicture(texts.everyCommand(title), commands, 'log'),
    })
    const strategies = here
      .filter(({ command }) => command === 'ADD_URLS' || command === 'ESCALONA_TUDO')
      .map(({ strategy, command, points, growth }) => ({
        name: `${command}, ${texts.strategy(strategy)}`,
        points,
        growth,
      }))
    pictures.push({
      name: `time-strategies-${name}`,
      picture: timePicture(texts.strategies(title), strategies, 'log'),
    })
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
    title: {
      text: title,
      subtext: scale === 'log' ? texts.logarithmic : texts.linear,
      left: 8,
      top: 4,
      textStyle: { fontSize: 15, lineHeight: 19 },
      subtextStyle: { fontSize: 12, lineHeight: 16 },
    },
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
    dataZoom: [{ type: 'inside', filterMode: 'none', zoomOnMouseWheel: 'ctrl' }],
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
