import { type Ranking, Ranks, ranking } from '../../base/structures/ranking.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import { registrableDomain } from '../../url/registrable-domain.ts'
import { allHosts } from '../all-hosts.ts'
import { DomainSet } from './domain-set.ts'

/** What the hosts of a crawl look like together. */
export interface HostSurvey {
  /** Hosts, and registrable domains, of which a page was archived. */
  readonly hosts: number
  readonly domains: number
  readonly pagesByHost: Ranking
  /** With more than 200,000 domains, the counts of small ones may be too low. */
  readonly pagesByDomain: Ranking
  /** Hosts at which most links wait. */
  readonly waitingByHost: Ranking
  /** Hosts that ask for the longest time between two requests in their robots.txt (`Crawl-delay`), in milliseconds. */
  readonly crawlDelays: Ranking
  /** Hosts that don't answer. */
  readonly down: number
}

const MOST_DOMAINS = 200_000

/** Looks at all hosts once, page by page, so that whoever else needs the frontier gets his turn in between. */
export async function surveyHosts(frontier: Pick<Frontier, 'hosts'>): Promise<HostSurvey> {
  const pagesByHost = new Ranks()
  const waitingByHost = new Ranks(20)
  const crawlDelays = new Ranks(20)
  const domains = new DomainSet()
  let pagesByDomain = new Map<string, number>()
  let hosts = 0
  let down = 0
  for await (const { host, pages, waiting, delayMs, isDown } of allHosts(frontier)) {
    if (isDown) down++
    if (waiting > 0) waitingByHost.add(host, waiting)
    if (delayMs > 0) crawlDelays.add(host, delayMs)
    if (pages === 0) continue
    const domain = registrableDomain(host)
    hosts++
    domains.add(domain)
    pagesByHost.add(host, pages)
    pagesByDomain.set(domain, (pagesByDomain.get(domain) ?? 0) + pages)
    if (pagesByDomain.size > 2 * MOST_DOMAINS) pagesByDomain = largest(pagesByDomain)
  }
  return {
    hosts,
    domains: domains.size,
    pagesByHost: pagesByHost.ranking(),
    pagesByDomain: withAll(ranking(pagesByDomain), domains.size, pagesByHost.ranking()),
    waitingByHost: waitingByHost.ranking(),
    crawlDelays: crawlDelays.ranking(),
    down,
  }
}

function largest(counts: ReadonlyMap<string, number>): Map<string, number> {
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  return new Map(sorted.slice(0, MOST_DOMAINS))
}

/** Domains that were dropped on the way are among the others. */
function withAll({ top }: Ranking, names: number, byHost: Ranking): Ranking {
  const shown = top.reduce((sum, { count }) => sum + count, 0)
  const all = byHost.top.reduce((sum, { count }) => sum + count, byHost.others.count)
  return { top, others: { names: names - top.length, count: all - shown } }
}
