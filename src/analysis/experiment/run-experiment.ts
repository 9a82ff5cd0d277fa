import type { Clock } from '../../base/clock.ts'
import { shownCount } from '../../base/words/quantity.ts'
import { STRATEGY_NAMES, type StrategyName } from '../../scheduler/strategy.ts'
import { PHASES, type PhaseName } from '../phases.ts'
import { pictureWords } from '../picture-words.ts'
import { type Growth, growthOf } from './growth.ts'
import { SCENARIOS, type ScenarioName, urlsFor } from './scenarios.ts'
import { type CommandTimes, otherCommands, timeCommands, wholeLife } from './time-commands.ts'

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

export interface Series {
  readonly scenario: ScenarioName
  readonly strategy: StrategyName
  readonly command: PhaseName
  readonly points: readonly Point[]
  readonly growth: Growth | undefined
}

/** The original's figure: adding, listing, scheduling and clearing together. */
export interface OriginalSeries {
  readonly strategy: StrategyName
  readonly points: readonly Point[]
  readonly growth: Growth | undefined
}

export interface Timings {
  readonly originalFigure: readonly OriginalSeries[]
  readonly series: readonly Series[]
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

function allSeries(points: ReadonlyMap<string, readonly Point[]>): Series[] {
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
