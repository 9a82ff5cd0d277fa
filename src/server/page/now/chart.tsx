import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { To } from '../parts/router.tsx'
import { nowWords } from './now-words.ts'

export interface Line {
  readonly name: string
  readonly color: string
  readonly isFilled?: boolean
  /** Lines of the right axis have a scale of their own. */
  readonly isRight?: boolean
  /** States of links to which its name leads. */
  readonly states?: string
  readonly values: readonly (number | null)[]
  readonly shown: (value: number) => string
}

const HEIGHT = 220
const [S, MIN, H, D] = [1000, 60_000, 3_600_000, 86_400_000]
/** Between two marks of the time axis: times that people would choose. */
const INCREMENTS_MS = [
  ...[S / 4, S, 2 * S, 5 * S, 10 * S, 30 * S, MIN, 2 * MIN, 5 * MIN, 10 * MIN, 30 * MIN],
  ...[H, 2 * H, 6 * H, 12 * H, D, 2 * D, 5 * D, 10 * D, 30 * D, 100 * D],
]
const FONT = '12px system-ui, sans-serif'

interface ChartProps {
  readonly xs: readonly number[]
  readonly lines: readonly Line[]
  readonly text: string
  readonly shownX: (x: number) => string
}

/**
 * Lines over time. What it shows in words is in `text`; it is a picture to those who do not see it. The legend says the values under
 * the pointer, or the last ones.
 */
export function Chart({ xs, lines, text, shownX }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const [at, setAt] = useState<number>()
  const isDark = useDark()
  const shown = useRef({ lines, shownX })
  shown.current = { lines, shownX }
  // Colours need a new chart; new data is handed to it below.
  useEffect(() => {
    const element = box.current!
    const chart = new uPlot(optionsOf(element, shown, setAt), dataOf(xs, lines), element)
    plot.current = chart
    const watch = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      chart.destroy()
    }
  }, [isDark])
  useEffect(() => plot.current?.setData(dataOf(xs, lines)), [xs, lines])
  const index = at ?? xs.length - 1
  return (
    <>
      <ul class="legend">
        {lines.map(({ name, color, values, shown: text, states }) => (
          <li key={name}>
            <i class={`key ${color.slice(2)}`} />
            {states === undefined ? (
              name
            ) : (
              <To path="/links" query={{ states }} title={nowWords().failedLinks}>
                {name}
              </To>
            )}{' '}
            <b>{values[index] == null ? '–' : text(values[index])}</b>
          </li>
        ))}
        <li class="when">{at === undefined || xs[index] === undefined ? '' : shownX(xs[index])}</li>
      </ul>
      <div ref={box} class="chart" role="img" aria-label={text} />
    </>
  )
}

function dataOf(xs: readonly number[], lines: readonly Line[]): uPlot.AlignedData {
  return [[...xs], ...lines.map(({ values }) => [...values])] as uPlot.AlignedData
}

function optionsOf(
  element: HTMLElement,
  shown: { readonly current: { readonly lines: readonly Line[]; readonly shownX: (x: number) => string } },
  setAt: (index: number | undefined) => void,
): uPlot.Options {
  const { lines } = shown.current
  const style = getComputedStyle(element)
  const color = (name: string): string => style.getPropertyValue(name).trim()
  const axis = { stroke: color('--faint'), font: FONT, ticks: { show: false } }
  const scaleOf = ({ isRight }: Line): string => (isRight === true ? 'right' : 'left')
  const valuesOf = (isRight: boolean) => (_: uPlot, splits: number[]) => {
    const line = shown.current.lines.find(one => (one.isRight === true) === isRight)
    return splits.map(value => line?.shown(value) ?? '')
  }
  const from0 =
    (least: number): uPlot.Scale.Range =>
    (_, __, most) => [0, Math.max(most * 1.1, least)]
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [10, 6, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { x: { time: false }, left: { range: from0(1) }, right: { range: from0(0.1) } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 90,
        incrs: INCREMENTS_MS,
        values: (_, splits) => splits.map(x => shown.current.shownX(x)),
      },
      {
        ...axis,
        scale: 'left',
        size: 46,
        space: 44,
        grid: { stroke: color('--line'), width: 1 },
        values: valuesOf(false),
      },
      { ...axis, scale: 'right', side: 1, size: 46, space: 44, grid: { show: false }, values: valuesOf(true) },
    ],
    series: [
      {},
      ...lines.map(line => ({
        scale: scaleOf(line),
        stroke: color(line.color),
        width: line.isFilled === true ? 2 : 1.5,
        points: { show: false },
        ...(line.isFilled === true ? { fill: `${color(line.color)}26` } : {}),
      })),
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => setAt(idx ?? undefined)] },
  }
}

const DARK = '(prefers-color-scheme: dark)'

function useDark(): boolean {
  const [isDark, setDark] = useState(() => matchMedia(DARK).matches)
  useEffect(() => {
    const media = matchMedia(DARK)
    const look = (): void => setDark(media.matches)
    media.addEventListener('change', look)
    return () => media.removeEventListener('change', look)
  }, [])
  return isDark
}
