import { join } from 'node:path'
import { EscalonaError } from '../base/errors.ts'
import { CrawlList, crawlsIn, isCrawlName } from '../view/crawl-list.ts'
import { CrawlView, type ViewOptions } from '../view/crawl-view.ts'
import type { ListedCrawls } from '../view/questions/crawl-shapes.ts'
import { type ShownCrawl, type ShownCrawls, shown } from './shown-crawls.ts'

/** How many crawls are open at a time: each may hold a frontier and indexes in memory. */
const MOST_OPEN = 8

/** The crawls in the folders of a folder. Each is opened when somebody looks at it. */
export class CrawlsIn implements ShownCrawls {
  readonly areSeveral = true
  private readonly parent: string
  private readonly options: ViewOptions
  private readonly ids = new Map<string, number>()
  /** Those that were used last come last. */
  private readonly open = new Map<string, ShownCrawl & { readonly view: CrawlView }>()
  private readonly listed: CrawlList

  constructor(parent: string, options: ViewOptions) {
    this.parent = parent
    this.options = { ...options, isLive: true }
    this.listed = new CrawlList(() => crawlsIn(parent).map(name => join(parent, name)))
  }

  named(name: string | undefined): ShownCrawl {
    if (name === undefined) throw new EscalonaError('UI_SEVERAL_CRAWLS')
    const open = this.open.get(name) ?? this.opened(name)
    this.open.delete(name)
    this.open.set(name, open)
    return open
  }

  withId(id: number): ShownCrawl {
    for (const [name, one] of this.ids) if (one === id) return this.named(name)
    throw new EscalonaError('UI_NO_SUCH_CRAWL')
  }

  list(): Promise<ListedCrawls> {
    return this.listed.get()
  }

  async end(): Promise<void> {}

  async close(): Promise<void> {
    await Promise.all([...this.open.values()].map(closed))
  }

  private opened(name: string): ShownCrawl & { readonly view: CrawlView } {
    if (!isCrawlName(this.parent, name)) throw new EscalonaError('UI_NO_SUCH_CRAWL')
    const view = new CrawlView(join(this.parent, name), this.options)
    const id = this.ids.get(name) ?? this.ids.size + 1
    this.ids.set(name, id)
    const spare = [...this.open].find(([, { streams }]) => streams.size === 0)
    if (this.open.size >= MOST_OPEN && spare !== undefined) {
      this.open.delete(spare[0])
      void closed(spare[1])
    }
    return { ...shown(id, view), view }
  }
}

async function closed({ streams, view }: ShownCrawl & { readonly view: CrawlView }): Promise<void> {
  streams.close()
  await view.close()
}
