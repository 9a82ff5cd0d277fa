import { catalogue } from '../base/words/language.ts'
import { type Bucket, type Distribution, emptyBucket, placeOf } from './distribution.ts'
import type { Report } from './report.ts'

/** The data that the page's script draws. */
export interface ChartData {
  readonly words: ReturnType<typeof chartWords>
  readonly time: TimeData
  readonly hops: readonly number[]
  readonly bytes: HistogramData
  readonly tokens: HistogramData
  readonly answers: HistogramData
}

interface TimeData {
  /** The times of the points, in `unit`: the middle of each step. */
  readonly at: readonly number[]
  readonly unit: string
  readonly pagesPerSecond: readonly number[]
  readonly bytesPerSecond: readonly number[]
  readonly failures: readonly number[]
  readonly newDomains: readonly number[]
  /** Domains found up to each point. */
  readonly domains: readonly number[]
}

export interface HistogramData {
  readonly unit: 'B' | 'ms' | ''
  /** The names of the value axis and of what is counted. */
  readonly name: string
  readonly noun: string
  readonly buckets: readonly Bucket[]
  readonly marks: readonly { readonly name: string; readonly value: number }[]
}

export function chartData(report: Report): ChartData {
  const words = chartWords()
  return {
    words,
    time: timeData(report),
    hops: report.hops,
    bytes: histogramData(report.bytesPerPage, 'B', words.bytes, words.pages),
    tokens: histogramData(report.tokensPerPage, '', words.tokens, words.pages),
    answers: histogramData(report.answerMs, 'ms', words.tookMs, words.answers),
  }
}

function histogramData(
  { buckets, p50, p90, p99 }: Distribution,
  unit: HistogramData['unit'],
  name: string,
  noun: string,
): HistogramData {
  const marks = [
    { name: 'p50', value: p50 },
    { name: 'p90', value: p90 },
    { name: 'p99', value: p99 },
  ]
  return { unit, name, noun, buckets: withEmpty(buckets), marks: buckets.length === 0 ? [] : marks }
}

/** All buckets from the first to one after the last: a bar is drawn as wide as the distance to its nearest neighbour. */
function withEmpty(buckets: readonly Bucket[]): Bucket[] {
  if (buckets.length === 0) return []
  const places = new Map(buckets.map(bucket => [placeOf(bucket.from), bucket]))
  const first = placeOf(buckets[0]!.from)
  const length = placeOf(buckets.at(-1)!.from) - first + 2
  return Array.from({ length }, (_, n) => places.get(first + n) ?? emptyBucket(first + n))
}

/** More points would show bursts of pages rather than the speed of the crawl. */
const MOST_POINTS = 60
const UNITS = [
  { unit: 'd', ms: 86_400_000 },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'min', ms: 60_000 },
  { unit: 's', ms: 1000 },
] as const

function timeData({ overTime, totals }: Report): TimeData {
  const steps = Math.max(1, Math.ceil(overTime.pages.length / MOST_POINTS))
  const stepMs = overTime.widthMs * steps
  const merged = (row: readonly number[]) =>
    Array.from({ length: Math.ceil(row.length / steps) }, (_, point) =>
      row.slice(point * steps, (point + 1) * steps).reduce((sum, amount) => sum + amount, 0),
    )
  const pages = merged(overTime.pages)
  // The last step is only as long as the work in it; a very short one would turn a single page into a peak.
  const lengthMs = pages.map((_, point) => Math.min(stepMs, Math.max(totals.workMs - point * stepMs, stepMs / 4)))
  const rate = (row: readonly number[]) =>
    row.map((amount, point) => Number(((amount / lengthMs[point]!) * 1000).toPrecision(4)))
  const newDomains = merged(overTime.newDomains)
  const { unit, ms } = UNITS.find(unit => pages.length * stepMs >= 3 * unit.ms) ?? UNITS[3]
  let domains = 0
  return {
    at: lengthMs.map((length, point) => Number(((point * stepMs + length / 2) / ms).toPrecision(5))),
    unit,
    pagesPerSecond: rate(pages),
    bytesPerSecond: rate(merged(overTime.wireBytes)),
    failures: merged(overTime.failures),
    newDomains,
    domains: newDomains.map(count => (domains += count)),
  }
}

// The words inside the charts; the page's script gets them as data.

const chartWords = catalogue({
  en: {
    /** For `toLocaleString`. */
    locale: 'en-US',
    time: 'working time',
    pagesPerSecond: 'pages per second',
    receivedPerSecond: 'received per second',
    found: 'found so far',
    fresh: 'new',
    failed: 'failed requests',
    pages: 'pages',
    answers: 'answers',
    hops: 'links from a seed',
    seed: 'seed',
    more: ' or more',
    bytes: 'size (logarithmic)',
    tokens: 'words (logarithmic)',
    tookMs: 'time (logarithmic)',
  },
  pt: {
    locale: 'pt-BR',
    time: 'tempo de trabalho',
    pagesPerSecond: 'páginas por segundo',
    receivedPerSecond: 'recebido por segundo',
    found: 'encontrados até aqui',
    fresh: 'novos',
    failed: 'requisições que falharam',
    pages: 'páginas',
    answers: 'respostas',
    hops: 'links desde uma semente',
    seed: 'semente',
    more: ' ou mais',
    bytes: 'tamanho (logarítmico)',
    tokens: 'palavras (logarítmico)',
    tookMs: 'tempo (logarítmico)',
  },
})
