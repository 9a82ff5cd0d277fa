import { shownCount } from '../base/words/quantity.ts'
import type { IdMap, PhaseBand, Points } from './access-map.ts'
import { idTitle, phaseTitle } from './phases.ts'
import { forWidths, type Picture, titleOf, ZOOM } from './picture.ts'
import { pictureWords } from './picture-words.ts'

/** Both are easy to see on a white and on a dark page. */
export const COLOURS = { read: '#3a7fd0', write: '#dd7a16' } as const
const BAND_COLOURS = ['#64748b', '#16a34a', '#0891b2', '#7c3aed', '#ca8a04', '#db2777', '#dc2626', '#475569']
const BAND_STRENGTH = 0.13
const BAND_NAME_COLOUR = '#7f8b9e'
/** A band has its name in it if that fits when the time axis is this wide. */
const TIME_AXIS_PIXELS = 800
const LETTER_PIXELS = 7
/** A log from elsewhere may have thousands of phases. */
const MOST_LISTED_PHASES = 12
const POINT_SIZE = 4
/** How much of the axis shows that an unused range of addresses is left out. */
const BREAK_HEIGHT = '6%'
/** Room above and below, as a share of the used range. */
const MARGIN_SHARE = 0.04

/** The time axis, which all maps of a log share. */
interface LogTime {
  readonly accesses: number
  /** All phases that occur, in ascending order; a short one may have no band. */
  readonly phases: readonly number[]
  readonly bands: readonly PhaseBand[]
}

/** Address against access number for one id: reads above, writes below, the phases as bands behind them. */
export function mapPicture(map: IdMap, time: LogTime): Picture {
  const texts = pictureWords().map
  const strongest = Math.max(2, mostIn(map.reads), mostIn(map.writes))
  const { from, to, breaks } = addressAxis(map)
  const left = Math.max(80, 16 + LETTER_PIXELS * shownCount(to).length)
  const panels = [
    { name: texts.reads, points: map.reads, colour: COLOURS.read, top: '19%' },
    { name: texts.writes, points: map.writes, colour: COLOURS.write, top: '58%' },
  ] as const
  return {
    animation: false,
    title: titleOf(texts.title(idTitle(map.id)), `${caption(map)}\n${phaseList(time)}`, 16, BAND_STYLES),
    grid: panels.map(({ top }) => ({ left, right: 40, top, height: '32%', outerBoundsMode: 'none' })),
    xAxis: panels.map((_, i) => ({
      type: 'value',
      gridIndex: i,
      min: 0,
      max: time.accesses,
      minInterval: 1,
      name: i === 1 ? texts.accessNumber : '',
      nameLocation: 'middle',
      nameGap: 26,
      axisLabel: { show: i === 1, showMaxLabel: true, hideOverlap: true },
      axisTick: { show: i === 1 },
      splitLine: { show: false },
    })),
    yAxis: panels.map(({ name }, i) => ({
      type: 'value',
      gridIndex: i,
      min: from,
      max: to,
      breaks,
      breakArea: { itemStyle: { color: 'transparent', borderColor: '#94a3b8', opacity: 0.7 }, zigzagAmplitude: 2 },
      name: texts.address(name),
      nameGap: 8,
      nameTextStyle: { align: 'left', padding: [0, 0, 0, 16 - left], fontWeight: 'bold' },
      splitNumber: 4,
      minInterval: 1,
      axisLabel: { showMinLabel: false, showMaxLabel: false, hideOverlap: true },
      splitLine: { lineStyle: { opacity: 0.5 } },
    })),
    dataZoom: [
      { ...ZOOM, xAxisIndex: [0, 1] },
      { ...ZOOM, yAxisIndex: [0, 1], zoomOnMouseWheel: 'shift' },
    ],
    tooltip: { formatter: texts.tip, confine: true },
    visualMap: panels.map((_, i) => ({
      show: false,
      seriesIndex: i,
      dimension: 2,
      min: 1,
      max: strongest,
      inRange: { opacity: map.cell === undefined ? [0.9, 0.9] : [0.35, 1] },
    })),
    series: panels.map(({ name, points, colour }, i) => ({
      type: 'scatter',
      name,
      xAxisIndex: i,
      yAxisIndex: i,
      data: points,
      symbol: map.cell === undefined ? 'circle' : 'rect',
      symbolSize: POINT_SIZE - (map.cell === undefined ? 0 : 1),
      itemStyle: { color: colour },
      markArea: phaseAreas(time),
    })),
    media: forWidths(
      {
        grid: [
          { right: 16, top: 150, height: 180 },
          { right: 16, top: 390, height: 180 },
        ],
      },
      { grid: panels.map(({ top }) => ({ right: 40, top, height: '32%' })) },
    ),
  }
}

function phaseAreas({ bands, accesses }: LogTime): Picture {
  return {
    silent: true,
    label: { position: 'insideTop', fontSize: 11, color: BAND_NAME_COLOUR, textBorderWidth: 0 },
    data: bands.map(({ phase, from, to }) => [
      {
        name: fits(phaseTitle(phase), (to - from) / accesses) ? phaseTitle(phase) : '',
        xAxis: from,
        itemStyle: { color: BAND_COLOURS[phase % BAND_COLOURS.length], opacity: BAND_STRENGTH },
      },
      { xAxis: to },
    ]),
  }
}

function fits(text: string, share: number): boolean {
  return text.length * LETTER_PIXELS <= share * TIME_AXIS_PIXELS
}

/** The range of the address axis, and what it leaves out. */
function addressAxis({ lowestAddress, highestAddress, segments }: IdMap) {
  const usedBytes = segments.reduce((sum, { from, to }) => sum + to - from, 0)
  const margin = Math.max(8, Math.ceil(usedBytes * MARGIN_SHARE))
  const breaks = segments.slice(1).map(({ from }, i) => ({ start: segments[i]!.to, end: from, gap: BREAK_HEIGHT }))
  return { from: Math.max(0, lowestAddress - margin), to: highestAddress + margin, breaks }
}

/** For a square in each band's colour before the name of its phase. */
const BAND_STYLES = Object.fromEntries(BAND_COLOURS.map((color, i) => [`band${i}`, { color, fontSize: 12 }]))

function phaseList({ bands, phases }: LogTime): string {
  const texts = pictureWords().map
  const banded = new Set(bands.map(({ phase }) => phase))
  const shown = phases.filter(phase => banded.has(phase))
  const short = phases.filter(phase => !banded.has(phase))
  const list = listed(shown.map(phase => `{band${phase % BAND_COLOURS.length}|■} ${phaseTitle(phase)}`))
  return `${texts.phases(list)}${short.length === 0 ? '' : texts.tooShort(listed(short.map(phaseTitle)))}`
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_LISTED_PHASES
  return `${names.slice(0, MOST_LISTED_PHASES).join(', ')}${more > 0 ? pictureWords().map.more(shownCount(more)) : ''}`
}

function caption(map: IdMap): string {
  const texts = pictureWords()
  const counts = `${texts.access(map.accesses)}: ${texts.read(sum(map.reads))}, ${texts.write(sum(map.writes))}`
  if (map.cell === undefined) return `${counts}; ${texts.map.onePoint}`
  const cell = `${texts.accessNumber(map.cell.accesses)} × ${texts.byte(map.cell.bytes)}`
  return `${counts}; ${texts.map.manyPoints(cell)}`
}

function mostIn(points: Points): number {
  return points.reduce((most, [, , n]) => Math.max(most, n), 0)
}

function sum(points: Points): number {
  return points.reduce((total, [, , n]) => total + n, 0)
}
