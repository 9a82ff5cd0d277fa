import type { IdMap, PhaseBand, Points } from './access-map.ts'
import { idTitle, phaseTitle } from './phases.ts'

/** An ECharts option; nothing but data, so that it draws the same on the server and in a page. */
export type Picture = Readonly<Record<string, unknown>>

export const COLOURS = { read: '#2b6cb0', write: '#d9730d' } as const
const BAND_COLOURS = ['#64748b', '#16a34a', '#0891b2', '#7c3aed', '#ca8a04', '#db2777', '#dc2626', '#475569']
const BAND_STRENGTH = 0.1
/** A band has its name in it where that fits, in a picture whose axis of time is at least so wide. */
const TIME_AXIS_PIXELS = 800
const LETTER_PIXELS = 7
/** A log from elsewhere may have thousands of phases. */
const MOST_LISTED_PHASES = 12
const POINT_SIZE = 4
/** How much of the axis shows that a stretch of addresses which nobody uses is left out. */
const BREAK_HEIGHT = '6%'
/** Room above and below, as a share of what is used. */
const MARGIN_SHARE = 0.04

/** What all maps of a log have in common. */
export interface LogTime {
  readonly accesses: number
  /** All that occur, rising; a short one may have no band. */
  readonly phases: readonly number[]
  readonly bands: readonly PhaseBand[]
}

/** Address over access number of one id: reads above, writes below, the phases as bands behind them. */
export function mapPicture(map: IdMap, time: LogTime): Picture {
  const strongest = Math.max(2, mostIn(map.reads), mostIn(map.writes))
  const { from, to, breaks } = addressAxis(map)
  const left = Math.max(80, 16 + LETTER_PIXELS * count(to).length)
  const panels = [
    { name: 'reads', points: map.reads, colour: COLOURS.read, top: '19%' },
    { name: 'writes', points: map.writes, colour: COLOURS.write, top: '58%' },
  ] as const
  return {
    animation: false,
    title: {
      text: `Access map: ${idTitle(map.id)}`,
      subtext: `${caption(map)}\n${phaseList(time)}`,
      left: 8,
      top: 4,
      textStyle: { fontSize: 16, lineHeight: 20 },
      subtextStyle: { fontSize: 12, lineHeight: 16, rich: BAND_STYLES },
    },
    grid: panels.map(({ top }) => ({ left, right: 40, top, height: '32%', outerBoundsMode: 'none' })),
    xAxis: panels.map((_, i) => ({
      type: 'value',
      gridIndex: i,
      min: 0,
      max: time.accesses,
      minInterval: 1,
      name: i === 1 ? 'access number' : '',
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
      name: `${name}: address (bytes)`,
      nameGap: 8,
      nameTextStyle: { align: 'left', padding: [0, 0, 0, 16 - left], fontWeight: 'bold' },
      splitNumber: 4,
      minInterval: 1,
      axisLabel: { showMinLabel: false, showMaxLabel: false, hideOverlap: true },
      splitLine: { lineStyle: { opacity: 0.5 } },
    })),
    dataZoom: [
      { type: 'inside', xAxisIndex: [0, 1], filterMode: 'none', zoomOnMouseWheel: 'ctrl' },
      { type: 'inside', yAxisIndex: [0, 1], filterMode: 'none', zoomOnMouseWheel: 'shift' },
    ],
    tooltip: { formatter: '{a}: access number, address, accesses: {c}' },
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
  }
}

function phaseAreas({ bands, accesses }: LogTime): Picture {
  return {
    silent: true,
    label: { position: 'insideTop', fontSize: 11, color: '#64748b', textBorderWidth: 0 },
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

/** From where to where the axis of addresses goes, and what it leaves out. */
function addressAxis({ lowestAddress, highestAddress, segments }: IdMap) {
  const usedBytes = segments.reduce((sum, { from, to }) => sum + to - from, 0)
  const margin = Math.max(8, Math.ceil(usedBytes * MARGIN_SHARE))
  const breaks = segments.slice(1).map(({ from }, i) => ({ start: segments[i]!.to, end: from, gap: BREAK_HEIGHT }))
  return { from: Math.max(0, lowestAddress - margin), to: highestAddress + margin, breaks }
}

/** For a square of each band's colour in front of its phase. */
const BAND_STYLES = Object.fromEntries(BAND_COLOURS.map((color, i) => [`band${i}`, { color, fontSize: 12 }]))

function phaseList({ bands, phases }: LogTime): string {
  const banded = new Set(bands.map(({ phase }) => phase))
  const shown = phases.filter(phase => banded.has(phase))
  const short = phases.filter(phase => !banded.has(phase))
  const list = listed(shown.map(phase => `{band${phase % BAND_COLOURS.length}|■} ${phaseTitle(phase)}`))
  return `phases: ${list}${short.length === 0 ? '' : `; too short for a band: ${listed(short.map(phaseTitle))}`}`
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_LISTED_PHASES
  return `${names.slice(0, MOST_LISTED_PHASES).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`
}

function caption(map: IdMap): string {
  const reads = amount(sum(map.reads), 'read', 'reads')
  const counts = `${amount(map.accesses, 'access', 'accesses')}: ${reads}, ${amount(sum(map.writes), 'write', 'writes')}`
  if (map.cell === undefined) return `${counts}; each point is one access, at its first byte`
  const spanned = amount(map.cell.accesses, 'access number', 'access numbers')
  const cell = `${spanned} × ${amount(map.cell.bytes, 'byte', 'bytes')}`
  return `${counts}; too many to draw one by one: each point stands for a cell of ${cell}, stronger where more fall`
}

function mostIn(points: Points): number {
  return points.reduce((most, [, , n]) => Math.max(most, n), 0)
}

function sum(points: Points): number {
  return points.reduce((total, [, , n]) => total + n, 0)
}

export function count(n: number): string {
  return n.toLocaleString('en-US')
}

/** A number with its noun: 1 access, 1,200 accesses. */
export function amount(n: number, one: string, many: string): string {
  return `${count(n)} ${n === 1 ? one : many}`
}
