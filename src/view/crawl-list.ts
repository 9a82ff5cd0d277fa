import { systemClock } from '../base/clock.ts'
import { SummedCrawl } from './crawl-summary.ts'
import type { CrawlSummary, ListedCrawls } from './questions/crawl-shapes.ts'
import { KeptAnswer } from './shown-answers.ts'

export { crawlsIn, isCrawlName } from '../folder/crawl-file.ts'

const LIST_KEPT_MS = 1000
/** Folders beyond this many are not listed. */
const MOST_CRAWLS = 1000
/** Crawls that are asked at the same time. */
const AT_ONCE = 16

/** A list of crawls that is made again when it is asked for, at most once a second. */
export class CrawlList extends KeptAnswer<ListedCrawls> {
  private readonly folders: () => readonly string[]
  private readonly summed = new Map<string, SummedCrawl>()
  private isMeasuring = false

  constructor(folders: () => readonly string[]) {
    super(() => this.look(), LIST_KEPT_MS, systemClock)
    this.folders = folders
  }

  /** Running ones first, then those in which something happened last. */
  private async look(): Promise<ListedCrawls> {
    const all = this.folders()
    const folders = new Set(all.slice(0, MOST_CRAWLS))
    for (const folder of this.summed.keys()) if (!folders.has(folder)) this.summed.delete(folder)
    for (const folder of folders) if (!this.summed.has(folder)) this.summed.set(folder, new SummedCrawl(folder))
    const crawls = [...this.summed.values()]
    const items: CrawlSummary[] = []
    for (let at = 0; at < crawls.length; at += AT_ONCE)
      items.push(...(await Promise.all(crawls.slice(at, at + AT_ONCE).map(one => one.summary()))))
    void this.measure(crawls)
    const rank = ({ state }: CrawlSummary) => (['running', 'paused', 'stopping'].includes(state) ? 0 : 1)
    items.sort((a, b) => rank(a) - rank(b) || (b.activeAtMs ?? 0) - (a.activeAtMs ?? 0) || (a.name < b.name ? -1 : 1))
    return { items, isCut: all.length > folders.size }
  }

  /** In the background, one folder at a time: a folder may have many files. */
  private async measure(crawls: readonly SummedCrawl[]): Promise<void> {
    if (this.isMeasuring) return
    this.isMeasuring = true
    for (const crawl of crawls) await crawl.measure(systemClock()).catch(() => {})
    this.isMeasuring = false
  }
}
