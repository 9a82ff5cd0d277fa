import { useMemo } from 'preact/hooks'
import { shownDecimal } from '../../../base/words/quantity.ts'
import type { CrawlSeries } from '../../../view/questions/crawl-shapes.ts'
import { shownCount, shownDuration, shownMoment, shownRate } from '../parts/formats.ts'
import { Panel, TableHead } from '../parts/panel.tsx'
import { Chart, type Line } from './chart.tsx'
import { nowWords } from './now-words.ts'

const MEAN_OVER = 10
/** Up to this many seconds, times are shown with seconds. */
const SHORT = 180
/** Shorter steps are drawn together: they show how answers come, not how fast the crawl is. */
const LEAST_STEP_MS = 1000
const MOST_STEPS = 160
const MOST_ROWS = 12

/** Rates at equal steps; `x` is in milliseconds. */
interface Rates {
  readonly xs: readonly number[]
  readonly pages: readonly number[]
  readonly megabytes: readonly number[]
  readonly failures: readonly number[]
}

export function RecentRates({ series }: { series: CrawlSeries | undefined }) {
  const rates = useMemo(() => recentOf(series?.recent), [series])
  const isShort = rates !== undefined && rates.xs.length < SHORT
  const shownX = (x: number): string => shownMoment(x, isShort)
  return <RatesPanel title={nowWords().recent} note={nowWords().mean} rates={rates} shownX={shownX} />
}

export function WholeRates({ series, isRunning }: { series: CrawlSeries | undefined; isRunning: boolean }) {
  const rates = useMemo(() => wholeOf(series?.whole, isRunning), [series, isRunning])
  const note = series === undefined ? undefined : nowWords().step(shownDuration(mergedWidthMs(series.whole)))
  return <RatesPanel title={nowWords().whole} note={note} rates={rates} shownX={shownWork} />
}

interface RatesPanelProps {
  readonly title: string
  readonly note: string | undefined
  readonly rates: Rates | undefined
  readonly shownX: (x: number) => string
}

function RatesPanel({ title, note, rates, shownX }: RatesPanelProps) {
  const lines = useMemo(() => (rates === undefined ? [] : linesOf(rates)), [rates])
  return (
    <Panel title={title} note={rates === undefined || rates.xs.length < 2 ? undefined : note} class="rates">
      {rates === undefined || rates.xs.length < 2 ? (
        <p class="empty">{nowWords().noSeries}</p>
      ) : (
        <>
          <Chart
            xs={rates.xs}
            lines={lines}
            shownX={shownX}
            text={nowWords().chartText(title, shownRate(rates.pages.at(-1)!), shownRate(Math.max(...rates.pages)))}
          />
          <Numbers rates={rates} shownX={shownX} title={title} />
        </>
      )}
    </Panel>
  )
}

function linesOf({ pages, megabytes, failures }: Rates): Line[] {
  const names = nowWords().series
  return [
    { name: names.pages, color: '--blue', isFilled: true, values: pages, shown: shownShort },
    { name: names.failures, color: '--bad', states: 'failed', values: failures, shown: shownShort },
    { name: names.bytes, color: '--violet', isRight: true, values: megabytes, shown: shownShort },
  ]
}

function shownWork(ms: number): string {
  return ms === 0 ? '0' : shownDuration(ms)
}

/** As short as an axis needs it. */
function shownShort(value: number): string {
  if (value >= 10 || Number.isInteger(value)) return shownCount(value)
  return shownDecimal(value, value < 1 ? 2 : 1)
}

/** The same as numbers: a row for each twelfth of the time. */
function Numbers({ rates, shownX, title }: { rates: Rates; shownX: (x: number) => string; title: string }) {
  const { series, numbers, time } = nowWords()
  const step = Math.ceil(rates.xs.length / MOST_ROWS)
  const rows = rates.xs.map((_, at) => at).filter(at => at % step === 0)
  const mean = (values: readonly number[], at: number): string => {
    const part = values.slice(at, at + step)
    return shownRate(part.reduce((sum, value) => sum + value, 0) / part.length)
  }
  return (
    <details class="numbers">
      <summary>
        {numbers}
        <span class="hidden">: {title}</span>
      </summary>
      <table>
        <TableHead columns={[time, series.pages, series.failures, series.bytes]} />
        <tbody>
          {rows.map(at => (
            <tr key={at}>
              <td>{shownX(rates.xs[at]!)}</td>
              <td>{mean(rates.pages, at)}</td>
              <td>{mean(rates.failures, at)}</td>
              <td>{mean(rates.megabytes, at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function recentOf(recent: CrawlSeries['recent'] | undefined): Rates | undefined {
  if (recent === undefined) return undefined
  const { length } = recent.pages
  return {
    xs: recent.pages.map((_, at) => recent.untilMs - (length - 1 - at) * 1000),
    pages: means(recent.pages),
    megabytes: means(recent.wireBytes).map(bytes => bytes / 1e6),
    failures: means(recent.failures),
  }
}

/** The last step of a crawl that runs has only begun, and is left out. */
function wholeOf(whole: CrawlSeries['whole'] | undefined, isRunning: boolean): Rates | undefined {
  if (whole === undefined) return undefined
  const widthMs = mergedWidthMs(whole)
  const [pages, wireBytes, failures] = [whole.pages, whole.wireBytes, whole.failures].map(sums => {
    const wide = merged(sums, widthMs / whole.widthMs)
    return isRunning ? wide.slice(0, -1) : wide
  }) as [number[], number[], number[]]
  const rate = (sum: number): number => sum / (widthMs / 1000)
  return {
    xs: pages.map((_, at) => at * widthMs),
    pages: pages.map(rate),
    megabytes: wireBytes.map(bytes => rate(bytes) / 1e6),
    failures: failures.map(rate),
  }
}

/** The smallest multiple of a step that is long enough to be drawn, and gives few enough of them. */
function mergedWidthMs({ widthMs, pages }: CrawlSeries['whole']): number {
  return widthMs * Math.max(1, Math.ceil(LEAST_STEP_MS / widthMs), Math.ceil(pages.length / MOST_STEPS))
}

/** Sums of this many neighbours each. */
function merged(sums: readonly number[], count: number): number[] {
  const wide: number[] = new Array(Math.ceil(sums.length / count)).fill(0)
  for (const [at, sum] of sums.entries()) wide[Math.floor(at / count)]! += sum
  return wide
}

function means(values: readonly number[]): number[] {
  return values.map((_, at) => {
    const part = values.slice(Math.max(0, at - MEAN_OVER + 1), at + 1)
    return part.reduce((sum, value) => sum + value, 0) / part.length
  })
}
