import type { NamedPicture } from '../analysis-page.ts'
import type { Picture } from '../map-picture.ts'
import { PHASES } from '../phases.ts'
import type { Growth } from './growth.ts'
import type { Point, Timings } from './run-experiment.ts'
import { SCENARIOS } from './scenarios.ts'

/** One line of a picture. */
interface Line {
  readonly name: string
  readonly points: readonly Point[]
  readonly growth: Growth | undefined
}

const COLOURS = ['#2b6cb0', '#d9730d', '#16a34a', '#7c3aed', '#db2777', '#0891b2', '#ca8a04', '#475569']
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle', 'emptyDiamond']

const FIT_STEPS = 20

/** All pictures of the timings, each with the name of its file. */
export function timePictures({ originalFigure, series }: Timings): NamedPicture[] {
  const original = originalFigure.map(({ strategy, points, growth }) => ({
    name: `${strategy}-first`,
    points,
    growth,
  }))
  const pictures = [
    {
      name: 'time-original',
      picture: timePicture('ADD_URLS, LISTA_HOSTS, ESCALONA_TUDO and LIMPA_TUDO: 10 hosts', original, 'linear'),
    },
  ]
  for (const { name, title } of SCENARIOS) {
    const here = series.filter(({ scenario }) => scenario === name)
    const commands = PHASES.map(command => {
      const one = here.find(line => line.command === command && line.strategy === 'depth')!
      return { name: command, points: one.points, growth: one.growth }
    })
    pictures.push({
      name: `time-commands-${name}`,
      picture: timePicture(`Every command, depth-first: ${title}`, commands, 'log'),
    })
    const strategies = here
      .filter(({ command }) => command === 'ADD_URLS' || command === 'ESCALONA_TUDO')
      .map(({ strategy, command, points, growth }) => ({ name: `${command}, ${strategy}-first`, points, growth }))
    pictures.push({
      name: `time-strategies-${name}`,
      picture: timePicture(`The three strategies: ${title}`, strategies, 'log'),
    })
  }
  return pictures
}

function timePicture(title: string, lines: readonly Line[], scale: 'linear' | 'log'): Picture {
  const type = scale === 'log' ? 'log' : 'value'
  const fewest = lines.flatMap(({ points }) => points).reduce((least, [n]) => Math.min(least, n), Number.MAX_VALUE)
  return {
    animation: false,
    color: COLOURS,
    title: {
      text: title,
      subtext:
        scale === 'log'
          ? 'both axes logarithmic; dashed and as n^e: the growth that fits best'
          : 'dashed and as n^e: the growth that fits best',
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
    grid: { left: 84, right: 290, top: 84, bottom: 56 },
    tooltip: { trigger: 'item' },
    xAxis: {
      type,
      name: 'number of URLs, n',
      nameLocation: 'middle',
      nameGap: 30,
      min: scale === 'linear' ? 0 : fewest,
      minorTick: { show: scale === 'log' },
    },
    yAxis: {
      type,
      name: 'time (µs)',
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
        name: `fit of ${line.name}`,
        data: fittedLine(line),
        showSymbol: false,
        silent: true,
        lineStyle: { width: 1, type: 'dashed', opacity: 0.6, color: COLOURS[i % COLOURS.length] },
      })),
    ],
  }
}

function legendOf({ name, growth }: Line): string {
  return growth === undefined ? name : `${name}  n^${growth.exponent.toFixed(2)}`
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
