// Boxes with charts, each with its numbers as a table.
import { shownBytes, shownCount, shownDecimal } from '../base/words/quantity.ts'
import type { ChartData } from './chart-data.ts'
import type { Distribution } from './distribution.ts'
import { chartPanel, emptyPanel, section, table } from './page-pieces.ts'
import type { Report } from './report.ts'
import { words } from './report-words.ts'

export function overTime({ time }: ChartData): string {
  const told = words()
  const { columns } = told
  const rows = (rowsOf: readonly (readonly number[])[], shown: (value: number) => string) =>
    time.at.map((at, point) => [
      `${at < 100 ? shownDecimal(at, 1) : shownCount(at)} ${time.unit}`,
      ...rowsOf.map(row => shown(row[point]!)),
    ])
  const of = (heads: readonly string[], rowsOf: readonly (readonly number[])[], shown = shownCount) =>
    table([told.time, ...heads], rows(rowsOf, shown))
  const chart = (
    heading: string,
    id: string,
    sentence: string,
    numbers: string,
    empty: string,
    row: readonly number[],
  ) => (row.some(value => value > 0) ? chartPanel(heading, id, sentence, numbers) : emptyPanel(heading, empty))
  return section(
    told.overTime,
    [
      chart(
        told.pagesOverTime,
        'pages-over-time',
        told.pagesOverTimeNote,
        of([columns.rate], [time.pagesPerSecond], value => shownDecimal(value, 1)),
        told.noPage,
        time.pagesPerSecond,
      ),
      chart(
        told.download,
        'bytes-over-time',
        told.downloadNote,
        of([columns.received], [time.bytesPerSecond], shownBytes),
        told.noRequest,
        time.bytesPerSecond,
      ),
      chart(
        told.newDomains,
        'domains-over-time',
        told.newDomainsNote,
        of([columns.fresh, columns.soFar], [time.newDomains, time.domains]),
        told.noPage,
        time.domains,
      ),
      chart(
        told.failedOverTime,
        'failures-over-time',
        told.failedOverTimeNote,
        of([columns.failed], [time.failures]),
        told.noFailure,
        time.failures,
      ),
    ],
    'charts',
  )
}

export function histogramPanel(
  heading: string,
  id: string,
  sentence: string,
  { p50, p90, p99, buckets }: Distribution,
  shown: (value: number) => string,
  empty: string,
): string {
  if (buckets.length === 0) return emptyPanel(heading, empty)
  const { columns, spread } = words()
  const rows = buckets.map(({ from, to, count }) => [`${shown(from)} – ${shown(to)}`, shownCount(count)])
  const numbers = table([columns.fromTo, columns.count], rows)
  return chartPanel(heading, id, sentence + spread(shown(p50), shown(p90), shown(p99)), numbers)
}

export function hopsPanel({ hops }: Report): string {
  const told = words()
  if (hops.length === 0) return emptyPanel(told.distance, told.noPage)
  const rows = hops.map((count, hop) => [
    hop === 0 ? told.seedHop : hop === 100 ? told.lastHop(hop) : String(hop),
    shownCount(count),
  ])
  const { links, pages } = told.columns
  return chartPanel(told.distance, 'hops', told.distanceNote, table([links, pages], rows))
}
