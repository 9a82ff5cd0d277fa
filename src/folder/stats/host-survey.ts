import { HashIndex } from '../../base/structures/hash-index.ts'
import { type Ranking, Ranks, ranking } from '../../base/structures/ranking.ts'
import type { FrontierViews, HostView } from '../../frontier/frontier.ts'
import { registrableDomain } from '../../url/registrable-domain.ts'

/** Statistics over all hosts of a crawl. */
export interface HostSurvey {
  /** Hosts, and registrable domains, with at least one archived page. */
  readonly hosts: number
  readonly domains: number
  readonly pagesByHost: Ranking
  /** With more than 200,000 domains, the counts of small ones may be too low. */
  readonly pagesByDomain: Ranking
  readonly waitingByHost: Ranking
  /** Hosts with the longest `Crawl-delay` in their robots.txt, in milliseconds. */
  readonly crawlDelays: Ranking
  readonly down: number
  /** Links that wait at hosts that are down, by what is known of why; the most links first. */
  readonly unreachable: readonly Unreachable[]
}

export interface Unreachable {
  /** Undefined when it is not known: the server is down with other hosts, or too many hosts are down. */
  readonly why: string | undefined
  readonly hosts: number
  readonly links: number
  /** One of the hosts. */
  readonly example: string
}

type WhyDown = (host: string) => string | undefined

const MOST_DOMAINS = 200_000

/** Looks at all hosts once, page by page, so that other users of the frontier get a turn in between. */
export async function surveyHosts(frontier: Pick<FrontierViews, 'hosts'>, whyDown?: WhyDown): Promise<HostSurvey> {
  const survey = new Survey(whyDown)
  for await (const host of allHosts(frontier)) survey.add(host)
  return survey.result()
}

export class Survey {
  private hosts = 0
  private down = 0
  private readonly domains = new DomainSet()
  private readonly pagesByHost = new Ranks()
  private readonly waitingByHost = new Ranks(20)
  private readonly crawlDelays = new Ranks(20)
  private readonly unreachable = new Map<string | undefined, Unreachable>()
  private pagesByDomain = new Map<string, number>()
  private readonly whyDown: WhyDown

  constructor(whyDown: WhyDown = () => undefined) {
    this.whyDown = whyDown
  }

  add({ host, pages, waiting, delayMs, isDown }: Surveyed): void {
    if (isDown) this.down++
    if (isDown && waiting > 0) this.addUnreachable(host, waiting)
    if (waiting > 0) this.waitingByHost.add(host, waiting)
    if (delayMs > 0) this.crawlDelays.add(host, delayMs)
    if (pages === 0) return
    const domain = registrableDomain(host)
    this.hosts++
    this.domains.add(domain)
    this.pagesByHost.add(host, pages)
    this.pagesByDomain.set(domain, (this.pagesByDomain.get(domain) ?? 0) + pages)
    if (this.pagesByDomain.size > 2 * MOST_DOMAINS) this.pagesByDomain = largest(this.pagesByDomain)
  }

  result(): HostSurvey {
    const pagesByHost = this.pagesByHost.ranking()
    return {
      hosts: this.hosts,
      domains: this.domains.size,
      pagesByHost,
      pagesByDomain: withAll(ranking(this.pagesByDomain), this.domains.size, pagesByHost),
      waitingByHost: this.waitingByHost.ranking(),
      crawlDelays: this.crawlDelays.ranking(),
      down: this.down,
      unreachable: [...this.unreachable.values()].sort((a, b) => b.links - a.links),
    }
  }

  private addUnreachable(host: string, waiting: number): void {
    const why = this.whyDown(host)
    const { hosts = 0, links = 0, example = host } = this.unreachable.get(why) ?? {}
    this.unreachable.set(why, { why, hosts: hosts + 1, links: links + waiting, example })
  }
}

type Surveyed = Pick<HostView, 'host' | 'pages' | 'waiting' | 'delayMs' | 'isDown'>

function largest(counts: ReadonlyMap<string, number>): Map<string, number> {
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  return new Map(sorted.slice(0, MOST_DOMAINS))
}

/** Counts domains that were dropped along the way among the others. */
function withAll({ top }: Ranking, names: number, byHost: Ranking): Ranking {
  const shown = top.reduce((sum, { count }) => sum + count, 0)
  const all = byHost.top.reduce((sum, { count }) => sum + count, byHost.others.count)
  return { top, others: { names: names - top.length, count: all - shown } }
}

const AT_ONCE = 2000

export async function* allHosts(frontier: Pick<FrontierViews, 'hosts'>): AsyncGenerator<HostView> {
  let after: string | undefined
  do {
    const page = await frontier.hosts({ ...(after !== undefined && { after }), limit: AT_ONCE })
    yield* page.items
    after = page.next
  } while (after !== undefined)
}

/** Domains as 64-bit hashes, 12 to 23 bytes each. Two names share a hash once in 370,000 crawls of ten million domains. */
export class DomainSet {
  private readonly index = new HashIndex()

  get size(): number {
    return this.index.filled
  }

  /** Adds a domain. Returns whether it was new. */
  add(domain: string): boolean {
    let low = 0x811c9dc5
    let high = 0x9747b28c
    for (let at = 0; at < domain.length; at++) {
      const code = domain.charCodeAt(at)
      low = Math.imul(low ^ code, 0x01000193)
      high = Math.imul(high ^ code, 0x85ebca6b)
      high ^= high >>> 13
    }
    low ^= low >>> 15
    // 0 marks a free slot of the index.
    const second = high === 0 ? 1 : high
    let place = this.index.search(low)
    while (place >= 0 && this.index.id(place) !== second) place = this.index.searchOn(place, low)
    if (place >= 0) return false
    this.index.reserve(1)
    let free = this.index.search(low)
    while (free >= 0) free = this.index.searchOn(free, low)
    this.index.fill(free, low, second)
    return true
  }
}
