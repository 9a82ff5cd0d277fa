// What the report's text may ask for: the numbers of experiment.json under names that read well in a sentence.
import { readFileSync } from 'node:fs'

const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
const FORMAT_VERSION = 1

/**
 * - `report`: `version`, `date`, and `load`, how many programs wanted to run on average in the minute before it was made
 * - `machine`: as in experiment.json
 * - `sizes`: `smallest` and `largest` number of URLs, `original.smallest` and `original.largest` likewise
 * - `growth.SCENARIO.STRATEGY.COMMAND`: `exponent`, `r2`, and `nsPerUrl.smallest`, `nsPerUrl.largest`
 * - `originalFigure.STRATEGY`: `exponent`, `r2`, `us` (the microseconds of the largest size)
 * - `original`: `urls`, `accesses`, and `phase0.id101` and so on, each with `accesses`, `reads`, `writes`, `firstTouches`, `total`, `mean`
 */
export function factsOf(experiment, { version, date, load }) {
  if (experiment.version !== FORMAT_VERSION) throw new Error(`experiment.json has format ${experiment.version}`)
  const sizes = experiment.series[0].points.map(([urls]) => urls)
  const originalSizes = experiment.originalFigure[0].points.map(([urls]) => urls)
  const growth = {}
  for (const { scenario, strategy, command, points, growth: fit } of experiment.series) {
    growth[scenario] ??= {}
    growth[scenario][strategy] ??= {}
    const perUrl = ([urls, seconds]) => (seconds / urls) * NANOSECONDS
    const nsPerUrl = { smallest: perUrl(points[0]), largest: perUrl(points.at(-1)) }
    growth[scenario][strategy][command] = { ...fit, nsPerUrl, points }
  }
  const originalFigure = {}
  for (const { strategy, points, growth: fit } of experiment.originalFigure) {
    originalFigure[strategy] = { ...fit, us: points.at(-1)[1] * MICROSECONDS, points }
  }
  const { hostOfEachUrl, accesses, totals } = experiment.original
  const original = { urls: hostOfEachUrl.length, accesses, hostOfEachUrl, totals }
  for (const total of totals) {
    original[`phase${total.phase}`] ??= {}
    original[`phase${total.phase}`][`id${total.id}`] = total
  }
  return {
    report: { version, date, load },
    machine: experiment.machine,
    sizes: {
      smallest: sizes[0],
      largest: sizes.at(-1),
      original: { smallest: originalSizes[0], largest: originalSizes.at(-1) },
    },
    growth,
    originalFigure,
    original,
  }
}

export function readFacts(experimentFile, report) {
  return factsOf(JSON.parse(readFileSync(experimentFile, 'utf8')), report)
}
