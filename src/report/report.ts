import { type Ranking, ranking, sumsOf } from '../base/structures/ranking.ts'
import type { EndedBecause } from '../folder/crawl-file.ts'
import type { DetailsData, HostFailures, PageSample } from '../folder/stats/details.ts'
import type { DiskUse } from '../folder/stats/disk-use.ts'
import type { HostSurvey } from '../folder/stats/host-survey.ts'
import { type Waterfall, waterfall } from '../folder/stats/outcome-counts.ts'
import type { StatsData } from '../folder/stats/stats.ts'
import type { TimelineData } from '../folder/stats/timeline.ts'
import type { FrontierCounts } from '../frontier/frontier.ts'
import type { CrawlShare } from '../run/run-figures.ts'
import { type Distribution, distribution } from './distribution.ts'
import { type LongDelay, longestDelays } from './longest-delays.ts'
import { type ReportRun, type RunFacts, reportRuns } from './runs.ts'

/** The facts about a crawl that are not in its statistics. */
export interface ReportFacts {
  /** The oldest first, as `crawl.json` keeps them. */
  readonly runs: readonly RunFacts[]
  /** Runs after the first that `crawl.json` no longer lists. */
  readonly forgottenRuns: number
  /** The limit of pages; undefined or Infinity when there is none. */
  readonly limit: number | undefined
  /** ISO 8601: when the crawl first began, and when the report was made. */
  readonly startedAt: string
  readonly asOf: string
  /** Why it ended; undefined while it is running. */
  readonly endedBecause: EndedBecause | undefined
  readonly frontier: FrontierCounts
  readonly hosts: HostSurvey
  readonly share?: CrawlShare | undefined
  readonly disk: DiskUse | undefined
  /** The version of Escalona. */
  readonly version: string
}

/** `report.json`. docs/report-page.md says what each key means. */
export interface Report {
  readonly format: 3
  readonly version: string
  readonly startedAt: string
  readonly asOf: string
  readonly endedBecause?: EndedBecause
  readonly limit?: number
  /** This is the report of one of the machines that share a crawl: the pages and links are those of all, the rest is its own. */
  readonly share?: CrawlShare
  readonly totals: ReportTotals
  readonly waterfall: Waterfall
  readonly frontier: FrontierCounts
  readonly runs: readonly ReportRun[]
  readonly earlierRuns: number
  readonly pagesByHost: Ranking
  readonly pagesByDomain: Ranking
  readonly waitingByHost: Ranking
  readonly hostsDown: number
  readonly hops: readonly number[]
  readonly statuses: Ranking
  readonly tokensPerPage: Distribution
  readonly bytesPerPage: Distribution
  readonly answerMs: Distribution
  readonly overTime: TimelineData
  readonly again: Ranking
  readonly failed: Ranking
  readonly refused: Ranking
  readonly refusedLinks: Ranking
  /** Sitemaps by form, and those that were not read by reason. */
  readonly sitemaps: Ranking
  readonly examples: Readonly<Record<string, readonly string[]>>
  readonly failingHosts: readonly FailingHost[]
  readonly slowHosts: readonly SlowHost[]
  readonly longestDelays: { readonly top: readonly LongDelay[]; readonly others: number }
  readonly languages: Ranking
  readonly refusedTypes: Ranking
  readonly samples: readonly PageSample[]
  readonly disk?: DiskUse
}

/** `pages`, `redirects`, `failed` and `refused` are those of the waterfall; the others come from the statistics. */
export interface ReportTotals {
  readonly pages: number
  readonly hosts: number
  readonly domains: number
  readonly requests: number
  readonly redirects: number
  /** Visits again, by what they found: `changed`, `same`, `gone`, `failed`; missing if there were none. */
  readonly revisits?: Readonly<Record<string, number>>
  /** How often the engine of a shared frontier had forgotten what it had acknowledged; missing if it never had. */
  readonly losses?: number
  /** Hosts that were set aside because what the frontier had of them was damaged; missing if there were none. */
  readonly damagedHosts?: number
  readonly wireBytes: number
  readonly pageBytes: number
  readonly tokens: number
  readonly workMs: number
  readonly pagesPerSecond: number
  readonly wireBytesPerSecond: number
  readonly again: number
  readonly failed: number
  readonly refused: number
  readonly refusedLinks: number
  /** Locations that sitemaps name. */
  readonly sitemapEntries: number
}

export interface FailingHost extends HostFailures {
  readonly host: string
}

export interface SlowHost {
  readonly host: string
  readonly answers: number
  readonly meanMs: number
  readonly longestMs: number
}

/** Pages farther away than this are counted in the last entry. */
const MOST_HOPS = 101
const MOST_SLOW_HOSTS = 20

export function makeReport(stats: StatsData, facts: ReportFacts): Report {
  const { limit, hosts, share, disk, endedBecause } = facts
  const { details } = stats
  const links = waterfall(facts.frontier)
  const rankings = {
    statuses: ranked(stats.statuses),
    again: ranked(stats.again),
    failed: ranked(stats.failed),
    refused: ranked(stats.refused),
    refusedLinks: ranked(stats.refusedLinks),
    sitemaps: ranked(stats.sitemaps),
    languages: ranked(details.languages),
    refusedTypes: ranked(details.refusedTypes),
  }
  return {
    format: 3,
    version: facts.version,
    startedAt: facts.startedAt,
    asOf: facts.asOf,
    ...(endedBecause !== undefined && { endedBecause }),
    ...(limit !== undefined && Number.isFinite(limit) && { limit }),
    ...(share !== undefined && { share }),
    totals: {
      pages: links.archived,
      hosts: hosts.hosts,
      domains: hosts.domains,
      requests: stats.requests,
      redirects: links.redirected,
      ...(Object.keys(stats.revisits).length > 0 && { revisits: stats.revisits }),
      ...(stats.losses > 0 && { losses: stats.losses }),
      ...(stats.damagedHosts > 0 && { damagedHosts: stats.damagedHosts }),
      wireBytes: stats.wireBytes,
      pageBytes: stats.pageBytes,
      tokens: stats.tokens,
      workMs: Math.round(stats.workMs),
      pagesPerSecond: perSecond(stats.pages, stats.workMs),
      wireBytesPerSecond: Math.round(perSecond(stats.wireBytes, stats.workMs)),
      again: sumsOf(rankings.again).count,
      failed: links.failed.count,
      refused: links.refused.count,
      refusedLinks: sumsOf(rankings.refusedLinks).count,
      sitemapEntries: stats.sitemapEntries,
    },
    waterfall: links,
    frontier: facts.frontier,
    ...reportRuns(facts.runs, facts.forgottenRuns),
    pagesByHost: hosts.pagesByHost,
    pagesByDomain: hosts.pagesByDomain,
    waitingByHost: hosts.waitingByHost,
    hostsDown: hosts.down,
    ...rankings,
    hops: lastOnesTogether(stats.hops, MOST_HOPS),
    tokensPerPage: distribution(stats.tokensAPage),
    bytesPerPage: distribution(stats.bytesAPage),
    answerMs: distribution(stats.answerMs),
    overTime: stats.timeline,
    examples: details.examples,
    failingHosts: details.failingHosts.entries.map(([host, failures]) => ({ host, ...failures })),
    slowHosts: slowest(details),
    longestDelays: longestDelays(hosts.crawlDelays, details.retryAfter),
    samples: details.samples,
    ...(disk !== undefined && { disk }),
  }
}

function ranked(counts: Readonly<Record<string, number>>): Ranking {
  return ranking(Object.entries(counts))
}

function slowest({ slowHosts }: DetailsData): SlowHost[] {
  return slowHosts.entries
    .map(([host, { answers, totalMs, longestMs }]) => ({
      host,
      answers,
      meanMs: Math.round(totalMs / answers),
      longestMs: Math.round(longestMs),
    }))
    .slice(0, MOST_SLOW_HOSTS)
}

function perSecond(amount: number, ms: number): number {
  return ms > 0 ? Number(((amount / ms) * 1000).toFixed(2)) : 0
}

function lastOnesTogether(counts: readonly number[], most: number): number[] {
  if (counts.length <= most) return [...counts]
  const rest = counts.slice(most - 1).reduce((sum, count) => sum + count, 0)
  return [...counts.slice(0, most - 1), rest]
}
