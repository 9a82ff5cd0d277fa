// The laws over several crawlers, on a frontier in memory that they share: it breaks none of them.
import type { CrawlFrontier, Taken, Ticket } from '../../src/frontier/frontier.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { severalCrawlersTest } from './several-crawlers.ts'

const crawls = new Map<string, Promise<CrawlFrontier>>()

severalCrawlersTest(
  'memory',
  async (crawl, _, options, clock) => {
    if (!crawls.has(crawl)) crawls.set(crawl, openLocal({ ...options, clock }))
    const frontier = await crawls.get(crawl)!
    const leased: Ticket[] = []
    return new Proxy(frontier, {
      get(_, name) {
        if (name === 'take') return take
        if (name === 'close') return leave
        const value = frontier[name as keyof CrawlFrontier]
        return typeof value === 'function' ? value.bind(frontier) : value
      },
    })

    async function take(max: number): Promise<Taken> {
      const taken = await frontier.take(max)
      leased.push(...taken.tickets)
      return taken
    }

    /** What is open comes back, and its host keeps its delay. */
    async function leave(): Promise<void> {
      const late = await frontier.renew(leased.map(({ id }) => id))
      const open = leased.filter(({ id }) => !late.includes(id))
      await frontier.giveBack(open.map(({ id }) => id))
      for (const { host } of open) await frontier.hold(host, { forMs: options.delayMs ?? 0 })
    }
  },
  8,
)
