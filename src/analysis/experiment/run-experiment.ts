import type { Clock } from '../../base/clock.ts'
import { shownCount } from '../../base/words/quantity.ts'
import { STRATEGY_NAMES, type StrategyName } from '../../scheduler/strategy.ts'
import { PHASES, type PhaseName } from '../phases.ts'
import { pictureWords } from '../picture-words.ts'
import {
  type CommandTimes,
  otherCommands,
  SCENARIOS,
  type ScenarioName,
  timeCommands,
  urlsFor,
  wholeLife,
} from './time-commands.ts'

/** The sizes of the original's figure, with its hosts and depths. */
const ORIGINAL_SIZES = [114, 214, 314, 414, 514]
const ORIGINAL_SHAPE = { hosts: 10, depth: 5, depthSpread: 5 }
const SHAPE = { depth: 3, depthSpread: 1 }

export type Extent = 'quick' | 'usual' | 'full'

const SIZES: Readonly<Record<Extent, readonly number[]>> = {
  quick: [300, 1000, 3000],
  usual: [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000],
  full: [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000],
}
/** Each size is repeated until about this many URLs have been added, within bounds: short runs are noisy. */
const URLS_PER_POINT: Readonly<Record<Extent, number>> = { quick: 6000, usual: 600_000, full: 600_000 }
const FEWEST_RUNS = 5
/** Larger sizes are run once: they take long enough not to be noisy. */
const ONCE_ABOVE_URLS = 1_000_000
const MOST_RUNS = 200
const WARM_UP_RUNS = 50

/** How long a command took with n URLs: the fastest of the runs, since any disturbance makes a run slower. */
export type Point = readonly [urls: number, seconds: number]

export interface TimeSeries extends OriginalSeries {
  readonly scenario: ScenarioName
  readonly command: PhaseName
}

/** The original's figure: adding, listing, scheduling and clearing together. */
interface OriginalSeries {
  readonly strategy: StrategyName
  readonly points: readonly Point[]
  readonly growth: Growth | undefined
}

export interface Timings {
  readonly originalFigure: readonly OriginalSeries[]
  readonly series: readonly TimeSeries[]
}

/** Measures everything; pauses after every run, yielding the share that is done and what is next. */
export function* runTimings(extent: Extent, clock: Clock): Generator<{ share: number; words: string }, Timings, void> {
  const texts = pictureWords().experiment
  const sizes = SIZES[extent]
  const weights = [...ORIGINAL_SIZES, ...sizes.flatMap(size => SCENARIOS.map(() => 2 * size))]
  const work = STRATEGY_NAMES.length * weights.reduce((sum, urls) => sum + urls * runsFor(urls, extent), 0)
  let done = 0
  warmUp(clock)
  const originalFigure: OriginalSeries[] = []
  for (const strategy of STRATEGY_NAMES) {
    const points: Point[] = []
    for (const size of ORIGINAL_SIZES) {
      const script = wholeLife(urlsFor({ urls: size, ...ORIGINAL_SHAPE }))
      const runs: number[] = []
      for (let run = 0; run < runsFor(size, extent); run++) {
        const times = timeCommands(script, strategy, clock)
        runs.push(Object.values(times).reduce((sum, seconds) => sum + seconds, 0))
      }
      points.push([size, Math.min(...runs)])
      done += size * runsFor(size, extent)
      yield { share: done / work, words: texts.working.original(texts.strategy(strategy)) }
    }
    originalFigure.push({ strategy, points, growth: growthOf(points) })
  }

  const points = new Map<string, Point[]>()
  for (const { name, hosts } of SCENARIOS) {
    const title = texts.scenarios[name]
    for (const size of sizes) {
      const urls = urlsFor({ urls: size, hosts: hosts(size), ...SHAPE })
      for (const strategy of STRATEGY_NAMES) {
        for (const scriptOf of [wholeLife, otherCommands]) {
          const script = scriptOf(urls)
          const runs: CommandTimes[] = []
          for (let run = 0; run < runsFor(size, extent); run++) {
            runs.push(timeCommands(script, strategy, clock))
            done += size
            const words = texts.working.scenario(title, shownCount(size), texts.strategy(strategy))
            yield { share: done / work, words }
          }
          for (const command of Object.keys(runs[0]!) as PhaseName[]) {
            if (command === 'ADD_URLS' && scriptOf !== wholeLife) continue
            const key = seriesKey(name, strategy, command)
            const seconds = Math.min(...runs.map(times => times[command]!))
            points.set(key, [...(points.get(key) ?? []), [size, seconds]])
          }
        }
      }
    }
  }
  return { originalFigure, series: allSeries(points) }
}

/** Without it, the first sizes would be slow only because nothing is compiled yet. */
function warmUp(clock: Clock): void {
  const urls = urlsFor({ urls: ORIGINAL_SIZES.at(-1)!, ...ORIGINAL_SHAPE })
  for (let run = 0; run < WARM_UP_RUNS; run++) {
    for (const strategy of STRATEGY_NAMES) {
      for (const script of [wholeLife(urls), otherCommands(urls)]) timeCommands(script, strategy, clock)
    }
  }
}

function allSeries(points: ReadonlyMap<string, readonly Point[]>): TimeSeries[] {
  return SCENARIOS.flatMap(({ name }) =>
    STRATEGY_NAMES.flatMap(strategy =>
      PHASES.map(command => {
        const ofSeries = points.get(seriesKey(name, strategy, command)) ?? []
        return { scenario: name, strategy, command, points: ofSeries, growth: growthOf(ofSeries) }
      }),
    ),
  )
}

function seriesKey(scenario: ScenarioName, strategy: StrategyName, command: PhaseName): string {
  return `${scenario} ${strategy} ${command}`
}

function runsFor(urls: number, extent: Extent): number {
  if (urls > ONCE_ABOVE_URLS) return 1
  return Math.max(FEWEST_RUNS, Math.min(MOST_RUNS, Math.round(URLS_PER_POINT[extent] / urls)))
}

/** seconds ≈ factor · n^exponent. */
export interface Growth {
  readonly exponent: number
  readonly factor: number
  /** The share of the variation that the line explains, from 0 to 1; 1 when there is no variation. */
  readonly r2: number
}

/** The straight line through the logarithms of these points, by least squares; undefined with fewer than two. */
export function growthOf(points: readonly (readonly [n: number, seconds: number])[]): Growth | undefined {
  const logs = points
    .filter(([n, seconds]) => n > 0 && seconds > 0)
    .map(([n, s]) => [Math.log(n), Math.log(s)] as const)
  if (new Set(logs.map(([x]) => x)).size < 2) return undefined
  const meanX = mean(logs.map(([x]) => x))
  const meanY = mean(logs.map(([, y]) => y))
  const sxx = sum(logs.map(([x]) => (x - meanX) ** 2))
  const sxy = sum(logs.map(([x, y]) => (x - meanX) * (y - meanY)))
  const syy = sum(logs.map(([, y]) => (y - meanY) ** 2))
  const exponent = sxy / sxx
  const r2 = syy < 1e-12 ? 1 : sxy ** 2 / (sxx * syy)
  return { exponent, factor: Math.exp(meanY - exponent * meanX), r2 }
}

function mean(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0)
}
