// Boxes with charts, each with its numbers as a table.
import { shownBytes, shownCount, shownDecimal, shownDuration } from '../base/words/quantity.ts'
import type { ChartData } from './chart-data.ts'
import type { Bucket, Distribution } from './distribution.ts'
import { chartPanel, emptyPanel, section, table } from './page-pieces.ts'
import type { Report } from './report.ts'
import { words } from './report-words.ts'

export function overTime({ time }: ChartData): string {
  const texts = words()
  const { columns } = texts
  const of = (heads: readonly string[], rowsOf: readonly (readonly number[])[], shown = shownCount) => {
    const rows = time.at.map((at, point) => [
      `${at < 100 ? shownDecimal(at, 1) : shownCount(at)} ${time.unit}`,
      ...rowsOf.map(row => shown(row[point]!)),
    ])
    return table([texts.time, ...heads], rows)
  }
  const rates = of([columns.rate], [time.pagesPerSecond], value => shownDecimal(value, 1))
  const received = of([columns.received], [time.bytesPerSecond], shownBytes)
  const domains = of([columns.fresh, columns.soFar], [time.newDomains, time.domains])
  const failures = of([columns.failed], [time.failures])
  const charts = [
    [texts.pagesOverTime, 'pages-over-time', texts.pagesOverTimeNote, rates, texts.noPage, time.pagesPerSecond],
    [texts.download, 'bytes-over-time', texts.downloadNote, received, texts.noRequest, time.bytesPerSecond],
    [texts.newDomains, 'domains-over-time', texts.newDomainsNote, domains, texts.noPage, time.domains],
    [texts.failedOverTime, 'failures-over-time', texts.failedOverTimeNote, failures, texts.noFailure, time.failures],
  ] as const
  const panels = charts.map(([heading, id, sentence, numbers, empty, row]) =>
    row.some(value => value > 0) ? chartPanel(heading, id, sentence, numbers) : emptyPanel(heading, empty),
  )
  return section(texts.overTime, panels, 'charts')
}

/** How a distribution's values are shown. A time may be between two whole numbers. */
interface Measure {
  readonly shown: (value: number) => string
  readonly isWhole: boolean
}

export const SIZES: Measure = { shown: shownBytes, isWhole: true }
export const COUNTS: Measure = { shown: shownCount, isWhole: true }
export const TIMES: Measure = { shown: shownDuration, isWhole: false }

export function histogramPanel(
  heading: string,
  id: string,
  sentence: string,
  { p50, p90, p99, buckets }: Distribution,
  measure: Measure,
  empty: string,
): string {
  if (buckets.length === 0) return emptyPanel(heading, empty)
  const { shown } = measure
  const { columns, spread, mostBelow } = words()
  const rows = buckets.map(bucket => [shownRange(bucket, measure), shownCount(bucket.count)])
  const numbers = table([columns.fromTo, columns.count], rows)
  const below = p50 === p99 ? mostBelow(shown(p99)) : spread(shown(p50), shown(p90), shown(p99))
  return chartPanel(heading, id, sentence + below, numbers)
}

function shownRange({ from, to }: Bucket, { shown, isWhole }: Measure): string {
  if (!isWhole)
    return to < 10 ? `${shownDecimal(from, 1)} – ${shownDecimal(to, 1)} ms` : `${shown(from)} – ${shown(to)}`
  const [first, last] = [Math.ceil(from), Math.ceil(to) - 1]
  return first >= last ? shown(first) : `${shown(first)} – ${shown(last)}`
}

export function hopsPanel({ hops }: Report): string {
  const texts = words()
  if (hops.length === 0) return emptyPanel(texts.distance, texts.noPage)
  const rows = hops.map((count, hop) => [
    hop === 0 ? texts.seedHop : hop === 100 ? texts.lastHop(hop) : String(hop),
    shownCount(count),
  ])
  const { links, pages } = texts.columns
  return chartPanel(texts.distance, 'hops', texts.distanceNote, table([links, pages], rows))
}
