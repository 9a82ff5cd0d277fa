import { kendallTau } from './kendall-tau.ts'
import { pageRankAmong } from './page-rank.ts'
import type { RunTrace } from './run-simulation.ts'
import { reachableFrom, type World } from './world.ts'

/** The shares of the pages that can be reached at which a crawl is measured. */
export const MEASURED_AT = [0.01, 0.05, 0.1, 0.2, 0.5] as const
const CURVE_POINTS = 100

export type AtShares = Readonly<Record<string, number | null>>

/** One point of the curves: after this share of the reachable pages. */
export interface CurvePoint {
  readonly pages: number
  readonly atMs: number
  readonly pageRank: number
  readonly hosts: number
  readonly domains: number
}

/** What a simulated crawl is judged by. Null: it ended before that. */
export interface RunMeasures
  extends Pick<
    RunTrace,
    'virtualMs' | 'requests' | 'idleSlots' | 'smallestGapMs' | 'smallestServerGapMs' | 'freshness'
  > {
  readonly pages: number
  readonly reachable: number
  /** When so many pages were archived, from 0. */
  readonly atMs: AtShares
  /** Share of the PageRank of all pages that can be reached. */
  readonly pageRankShare: AtShares
  /** Kendall's τ between the PageRank in the graph of the pages so far and in the whole graph. */
  readonly tau: AtShares
  readonly hostShare: AtShares
  readonly domainShare: AtShares
  readonly curve: readonly CurvePoint[]
}

export function measure(world: World, ranks: Float64Array, starts: readonly number[], trace: RunTrace): RunMeasures {
  const all = reachableFrom(world, starts)
  const { hosts, domains } = world
  const rankSum = all.reduce((sum, page) => sum + ranks[page]!, 0)
  const hostCount = countOf(all, page => hosts[page]!)
  const domainCount = countOf(all, page => domains[hosts[page]!]!)
  const { pages, atMs } = trace
  const points = new Map<number, CurvePoint>()
  const wanted = new Set([
    ...Array.from({ length: CURVE_POINTS }, (_, n) => pagesAt((n + 1) / CURVE_POINTS, all.length)),
    ...MEASURED_AT.map(share => pagesAt(share, all.length)),
    pages.length,
  ])
  const seenHosts = new Set<number>()
  const seenDomains = new Set<number>()
  let sum = 0
  for (let n = 0; n < pages.length; n++) {
    const page = pages[n]!
    sum += ranks[page]!
    seenHosts.add(hosts[page]!)
    seenDomains.add(domains[hosts[page]!]!)
    if (!wanted.has(n + 1)) continue
    points.set(n + 1, {
      ...{ pages: (n + 1) / all.length, atMs: atMs[n]!, pageRank: sum / rankSum },
      ...{ hosts: seenHosts.size / hostCount, domains: seenDomains.size / domainCount },
    })
  }
  const at = (value: (point: CurvePoint, count: number) => number): AtShares =>
    Object.fromEntries(
      MEASURED_AT.map(share => {
        const count = pagesAt(share, all.length)
        const point = points.get(count)
        return [String(share), point === undefined ? null : value(point, count)]
      }),
    )
  const { virtualMs, requests, idleSlots, smallestGapMs, smallestServerGapMs, freshness } = trace
  return {
    ...{ pages: pages.length, reachable: all.length, virtualMs, requests },
    atMs: at(point => point.atMs),
    pageRankShare: at(({ pageRank }) => pageRank),
    tau: at((_, count) => tauOf(world, ranks, pages.subarray(0, count))),
    hostShare: at(point => point.hosts),
    domainShare: at(point => point.domains),
    ...{ idleSlots, smallestGapMs, smallestServerGapMs, freshness },
    curve: [...points.values()],
  }
}

function tauOf({ graph }: World, ranks: Float64Array, pages: Uint32Array): number {
  const whole = Float64Array.from(pages, page => ranks[page]!)
  return kendallTau(pageRankAmong(graph, pages), whole)
}

function pagesAt(share: number, all: number): number {
  return Math.max(1, Math.round(share * all))
}

function countOf(pages: Uint32Array, groupOf: (page: number) => number): number {
  const groups = new Set<number>()
  for (const page of pages) groups.add(groupOf(page))
  return groups.size
}
