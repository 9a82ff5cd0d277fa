// A simulated crawl of which the tests keep everything.
import type { PageLine } from '../../src/archive/pages-file.ts'
import type { FailureLine } from '../../src/folder/failures-file.ts'
import type { CrawlFrontier } from '../../src/frontier/frontier.ts'
import type { Conductor } from '../../src/run/conductor.ts'
import type { CrawlHappening, EndedBecause } from '../../src/settings/events.ts'
import type { CrawlSettings } from '../../src/settings/settings.ts'
import { SimulatedCrawl, type SimulatedCrawlOptions } from '../../src/simulate/simulated-crawl.ts'
import type { VirtualClock } from '../../src/simulate/virtual-clock.ts'
import type { MemoryWeb } from './memory-web.ts'

export { PAGE_BYTES } from '../../src/simulate/simulated-crawl.ts'

export type MemoryOptions = Partial<CrawlSettings> & Pick<SimulatedCrawlOptions, 'frontier' | 'seeds' | 'hasAnswered'>

export interface MemoryRun {
  readonly because: EndedBecause
  readonly frontier: CrawlFrontier
  readonly pages: readonly PageLine[]
  readonly events: readonly CrawlHappening[]
  readonly tookMs: number
}

/** A crawl that can be looked at while it runs. */
export class MemoryCrawl {
  readonly pages: PageLine[] = []
  readonly failures: FailureLine[] = []
  readonly events: CrawlHappening[] = []
  private readonly time: VirtualClock
  private crawl!: SimulatedCrawl

  private constructor(time: VirtualClock) {
    this.time = time
  }

  static async open(web: MemoryWeb, time: VirtualClock, options: MemoryOptions = {}): Promise<MemoryCrawl> {
    const { frontier, hasAnswered = false, seeds = [], ...settings } = options
    const it = new MemoryCrawl(time)
    it.crawl = await SimulatedCrawl.open(web, time, {
      ...{ settings, seeds, hasAnswered, ...(frontier && { frontier }) },
      onPages: lines => void it.pages.push(...lines),
      onFailures: lines => void it.failures.push(...lines),
      onEvent: event => void it.events.push(event),
    })
    return it
  }

  get frontier(): CrawlFrontier {
    return this.crawl.frontier
  }

  get conductor(): Conductor {
    return this.crawl.conductor
  }

  get settings(): CrawlSettings {
    return this.crawl.settings
  }

  /** Runs to the end. */
  async run(
    seeds: readonly string[],
    mostMs?: number,
    watch?: (ms: number, crawl: MemoryCrawl) => Promise<void>,
  ): Promise<MemoryRun> {
    const startMs = this.time.nowMs
    const because = await this.crawl.run(seeds, mostMs, watch && (ms => watch(ms, this)))
    const { frontier, pages, events } = this
    return { because, frontier, pages, events, tookMs: this.time.nowMs - startMs }
  }
}
