import { Worker } from 'node:worker_threads'
import { EscalonaError } from '../base/errors.ts'
import { whyOf } from '../base/system-error.ts'
import { type CrawlSettings, settingsWith } from '../settings/settings.ts'
import { ALL_SETTINGS } from '../settings/settings-table.ts'
import type { Freshness } from './changes.ts'
import { type AtShares, type CurvePoint, MEASURED_AT, type RunMeasures } from './measures.ts'
import { pageRank } from './page-rank.ts'
import type { SimulatedRun, SimulationModel } from './run-simulation.ts'
import type { FromSimulateThread, SimulateThreadData, ToSimulateThread } from './simulate-thread.ts'
import { reachableFrom, type World } from './world.ts'

/** The strategies: those of a crawl, but `depth` is depth-first (the newest link of all first), and random. `host-by-host` is what a crawl calls depth. */
export const SIMULATED_STRATEGIES = [...choicesOf('strategy'), 'random', 'host-by-host'] as readonly string[]
/** The ranks: those of a crawl, and the PageRank in the whole graph, which no crawl can know. */
export const SIMULATED_RANKS = [...choicesOf('rank'), 'pagerank'] as readonly string[]

function choicesOf(option: string): readonly string[] {
  const row = ALL_SETTINGS.find(one => one.option === option)
  return row !== undefined && 'choices' in row ? row.choices : ['depth']
}

/** One row of the table: settings that are simulated from each set of start pages. */
export interface Variant {
  readonly strategy: string
  readonly rank: string
  readonly settings: Partial<CrawlSettings>
}

export interface Simulation {
  readonly world: World
  readonly variants: readonly Variant[]
  readonly starts: readonly (readonly number[])[]
  readonly model: SimulationModel
  readonly workers: number
  /** How much of all is done, from 0 to 1. */
  onProgress?(share: number): void
}

/** A row of the result: means over the sets of start pages; see `RunMeasures`. */
export interface SimulationRow {
  readonly strategy: string
  readonly rank: string
  readonly delayMs: number
  readonly starts: number
  readonly pages: number
  readonly virtualMs: number
  readonly atMs: AtShares
  readonly pageRankShare: AtShares
  readonly tau: AtShares
  readonly hostShare: AtShares
  readonly domainShare: AtShares
  readonly freshness?: number
  readonly smallestGapMs: number | null
  readonly smallestServerGapMs: number | null
  readonly idleSlots: number
  readonly requests: number
  /** Standard deviations over the sets. */
  readonly spread: { readonly pageRankShare: AtShares; readonly tau: AtShares; readonly hostShare: AtShares }
  readonly changes?: Omit<Freshness, 'freshness'>
  readonly curve: readonly CurvePoint[]
}

/** Simulates every variant from every set of start pages, on several threads. */
export async function simulate(simulation: Simulation): Promise<readonly SimulationRow[]> {
  const { variants, starts } = simulation
  const runs = variants.flatMap(variant => starts.map(set => runOf(variant, set)))
  const measures = await inThreads(simulation, runs)
  return variants.map((variant, n) => rowOf(variant, measures.slice(n * starts.length, (n + 1) * starts.length)))
}

function runOf({ strategy, rank, settings }: Variant, starts: readonly number[]): SimulatedRun {
  const isUnusual = strategy === 'random' || strategy === 'depth'
  const real = isUnusual ? 'breadth' : strategy === 'host-by-host' ? 'depth' : strategy
  return {
    settings: {
      ...settings,
      strategy: real as CrawlSettings['strategy'],
      ...(rank !== 'pagerank' && { rank: rank as CrawlSettings['rank'] }),
    },
    order: isUnusual ? (strategy === 'random' ? 'random' : 'newest') : undefined,
    rank: rank === 'pagerank' ? 'pagerank' : undefined,
    starts,
  }
}

async function inThreads(simulation: Simulation, runs: readonly SimulatedRun[]): Promise<readonly RunMeasures[]> {
  const { world, model, onProgress } = simulation
  const data: SimulateThreadData = { world, ranks: pageRank(world.graph), model }
  const work = runs.map(({ settings, starts }) => workOf(world, settings, starts))
  const all = work.reduce((sum, one) => sum + one.amount, 0)
  const shares = new Float64Array(runs.length)
  const results: RunMeasures[] = []
  let next = 0
  const workers: Worker[] = []
  const runThread = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./simulate-thread.js', import.meta.url), { workerData: data })
      workers.push(worker)
      const send = () => {
        const number = next++
        worker.postMessage((number < runs.length ? { number, run: runs[number]! } : null) satisfies ToSimulateThread)
      }
      worker.on('message', (message: FromSimulateThread) => {
        const { number } = message
        if (message.kind === 'done') results[number] = message.measures
        shares[number] = message.kind === 'done' ? 1 : work[number]!.shareOf(message.pages, message.virtualMs)
        onProgress?.(shares.reduce((sum, share, n) => sum + share * work[n]!.amount, 0) / all)
        if (message.kind === 'done') send()
      })
      worker.on('error', reject)
      worker.on('exit', code => (code === 0 ? resolve() : reject(new Error(`exit code ${code}`))))
      send()
    })
  try {
    await Promise.all(Array.from({ length: Math.min(simulation.workers, runs.length) }, runThread))
  } catch (error) {
    if (error instanceof EscalonaError) throw error
    throw new EscalonaError('SIMULATE_THREAD_DIED', { why: whyOf(error) }, { cause: error })
  } finally {
    await Promise.all(workers.map(worker => worker.terminate()))
  }
  return results
}

/** How much a run will do, in pages or, of one that visits pages again, in time. */
function workOf(world: World, given: Partial<CrawlSettings>, starts: readonly number[]) {
  const { limit, recrawl, maxTimeMs } = settingsWith(given, 1, '')
  const pages = Math.min(limit, reachableFrom(world, starts).length)
  if (recrawl === 'no') return { amount: pages, shareOf: (done: number) => Math.min(1, done / pages) }
  return { amount: pages, shareOf: (_: number, virtualMs: number) => Math.min(1, virtualMs / maxTimeMs) }
}

function rowOf({ strategy, rank, settings }: Variant, runs: readonly RunMeasures[]): SimulationRow {
  const over = (value: (run: RunMeasures) => number) => mean(runs.map(value))
  const least = (value: (run: RunMeasures) => number | null) => {
    const known = runs.map(value).filter(one => one !== null)
    return known.length === 0 ? null : Math.min(...known)
  }
  const { delayMs } = settingsWith(settings, 1, '')
  const fresh = runs.map(({ freshness }) => freshness).filter(one => one !== undefined)
  const ofFresh = (name: keyof Freshness) => mean(fresh.map(one => one[name]))
  return {
    ...{ strategy, rank, delayMs, starts: runs.length },
    pages: over(run => run.pages),
    virtualMs: over(run => run.virtualMs),
    atMs: atShares(runs, 'atMs', mean),
    pageRankShare: atShares(runs, 'pageRankShare', mean),
    tau: atShares(runs, 'tau', mean),
    hostShare: atShares(runs, 'hostShare', mean),
    domainShare: atShares(runs, 'domainShare', mean),
    ...(fresh.length > 0 && { freshness: ofFresh('freshness') }),
    smallestGapMs: least(run => run.smallestGapMs),
    smallestServerGapMs: least(run => run.smallestServerGapMs),
    idleSlots: over(run => run.idleSlots),
    requests: over(run => run.requests),
    spread: {
      pageRankShare: atShares(runs, 'pageRankShare', deviation),
      tau: atShares(runs, 'tau', deviation),
      hostShare: atShares(runs, 'hostShare', deviation),
    },
    ...(fresh.length > 0 && {
      changes: {
        ageMs: ofFresh('ageMs'),
        visits: ofFresh('visits'),
        captured: ofFresh('captured'),
        changes: ofFresh('changes'),
        uniform: ofFresh('uniform'),
        optimum: ofFresh('optimum'),
      },
    }),
    curve: meanCurve(runs.map(({ curve }) => curve)),
  }
}

function atShares(
  runs: readonly RunMeasures[],
  name: 'atMs' | 'pageRankShare' | 'tau' | 'hostShare' | 'domainShare',
  of: (values: readonly number[]) => number,
): AtShares {
  return Object.fromEntries(
    MEASURED_AT.map(share => {
      const values = runs.map(run => run[name][share] ?? null).filter(value => value !== null)
      return [String(share), values.length < runs.length ? null : of(values)]
    }),
  )
}

/** Curves have a point at the same shares, as far as all of them go. */
function meanCurve(curves: readonly (readonly CurvePoint[])[]): CurvePoint[] {
  const points = Math.min(...curves.map(({ length }) => length))
  return Array.from({ length: points }, (_, n) => {
    const of = (name: keyof CurvePoint) => mean(curves.map(curve => curve[n]![name]))
    return {
      pages: of('pages'),
      atMs: of('atMs'),
      pageRank: of('pageRank'),
      hosts: of('hosts'),
      domains: of('domains'),
    }
  })
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map(value => (value - middle) ** 2)))
}
