import { chanceAt } from '../base/random.ts'
import type { UnusualOrder } from '../frontier/local/memory/waiting-lists.ts'
import type { CrawlSettings } from '../settings/settings.ts'
import { type ChangeModel, ChangingPages, type Freshness } from './changes.ts'
import { GraphWeb, type ServerModel, type WorldUrls } from './graph-web.ts'
import { SimulatedCrawl } from './simulated-crawl.ts'
import { VirtualClock } from './virtual-clock.ts'

/** One crawl to simulate: the settings of a real one, and orders that only the simulator has. */
export interface SimulatedRun {
  readonly settings: Partial<CrawlSettings>
  readonly order?: UnusualOrder | undefined
  /** What links are ordered by instead of their depth: their PageRank in the whole graph. */
  readonly rank?: 'pagerank' | undefined
  readonly starts: readonly number[]
}

export interface SimulationModel {
  readonly servers: ServerModel
  readonly changes?: ChangeModel | undefined
}

/** What came of it: the pages in the order in which they were archived, and when, from 0. */
export interface RunTrace {
  readonly pages: Uint32Array
  readonly atMs: Float64Array
  readonly virtualMs: number
  readonly requests: number
  /** The share of slots that had no open request, averaged over time. */
  readonly idleSlots: number
  /** Null: no host, or no server, was asked twice. */
  readonly smallestGapMs: number | null
  readonly smallestServerGapMs: number | null
  readonly freshness?: Freshness | undefined
}

const START_MS = 1_700_000_000_000
const LONGEST_MS = 1000 * 366 * 24 * 3_600_000
/** The depth of a path makes this many ranks. */
const LEVELS = 254

/** Simulates a crawl. `onPage` is called for each page with how many there are, and how much of its time is over. */
export async function simulateCrawl(
  urls: WorldUrls,
  run: SimulatedRun,
  { servers, changes }: SimulationModel,
  ranks: Float64Array,
  onPage: (pages: number, virtualMs: number) => void = () => {},
): Promise<RunTrace> {
  const { graph } = urls.world
  const time = new VirtualClock(START_MS)
  const changing = changes && new ChangingPages(graph.pages, changes)
  const levels =
    run.rank === 'pagerank'
      ? rankLevels(ranks)
      : run.order === 'random'
        ? Uint8Array.from({ length: graph.pages }, (_, page) => chanceAt(servers.seed ^ 0x2545f491, page) * LEVELS)
        : run.order === 'newest'
          ? new Uint8Array(graph.pages)
          : undefined
  const web = new GraphWeb(urls, time, { servers, changing, ranks: levels })
  const pages = new Uint32Array(graph.pages)
  const atMs = new Float64Array(graph.pages)
  let count = 0
  const crawl = await SimulatedCrawl.open(web, time, {
    settings: run.settings,
    order: run.order,
    onPages(lines) {
      for (const { url, change } of lines) {
        if (change === 'new') {
          pages[count] = urls.page(url)!
          atMs[count++] = time.nowMs - START_MS
        }
        onPage(count, time.nowMs - START_MS)
      }
    },
  })
  await crawl.run(
    run.starts.map(page => urls.url(page)),
    LONGEST_MS,
  )
  const virtualMs = time.nowMs - START_MS
  const { smallestGapMs, smallestServerGapMs, requests } = web
  return {
    ...{ pages: pages.subarray(0, count), atMs: atMs.subarray(0, count), virtualMs, requests },
    idleSlots: 1 - web.meanOpen(START_MS) / crawl.conductor.slots.size,
    smallestGapMs: smallestGapMs < Infinity ? smallestGapMs : null,
    smallestServerGapMs: smallestServerGapMs < Infinity ? smallestServerGapMs : null,
    freshness: changing?.measured(START_MS, time.nowMs),
  }
}

/** Levels with as many pages each; the pages with the highest PageRank have level 0. */
function rankLevels(ranks: Float64Array): Uint8Array {
  const order = Uint32Array.from({ length: ranks.length }, (_, page) => page).sort((a, b) => ranks[b]! - ranks[a]!)
  const levels = new Uint8Array(ranks.length)
  for (const [n, page] of order.entries()) levels[page] = Math.floor((n * LEVELS) / ranks.length)
  return levels
}
