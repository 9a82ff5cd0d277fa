import type { EndedBecause } from '../crawl/conductor/collector.ts'
import type { HostSurvey } from '../crawl/stats/host-survey.ts'
import type { StatsData } from '../crawl/stats/stats.ts'
import type { TimelineData } from '../crawl/stats/timeline.ts'
import type { FrontierCounts } from '../frontier/frontier.ts'
import { type Distribution, distribution } from './distribution.ts'
import { type Ranking, ranking, sumsOf } from '../base/structures/ranking.ts'

/** What the statistics don't know of their crawl. */
export interface ReportFacts {
  readonly seeds: readonly string[]
  /** Of pages; undefined or Infinity when there is none. */
  readonly limit: number | undefined
  /** ISO 8601: when the crawl began for the first time, and when its last run ended. */
  readonly startedAt: string
  readonly endedAt: string
  readonly endedBecause: EndedBecause
  /** As a person would write them. */
  readonly settings: Readonly<Record<string, string>>
  readonly frontier: FrontierCounts
  readonly hosts: HostSurvey
  /** Of Escalona. */
  readonly version: string
}

/** `report.json`. docs/report-page.md says what each key means. */
export interface Report {
  readonly format: 2
  readonly version: string
  readonly startedAt: string
  readonly endedAt: string
  readonly endedBecause: EndedBecause
  readonly limit?: number
  readonly seeds: { readonly count: number; readonly first: readonly string[] }
  readonly totals: ReportTotals
  readonly frontier: FrontierCounts
  readonly pagesByHost: Ranking
  readonly pagesByDomain: Ranking
  readonly hops: readonly number[]
  readonly statuses: Ranking
  readonly tokensAPage: Distribution
  readonly bytesAPage: Distribution
  readonly answerMs: Distribution
  readonly overTime: TimelineData
  readonly again: Ranking
  readonly failed: Ranking
  readonly refused: Ranking
  readonly refusedLinks: Ranking
  readonly settings: Readonly<Record<string, string>>
}

export interface ReportTotals {
  readonly pages: number
  readonly hosts: number
  readonly domains: number
  readonly requests: number
  readonly redirects: number
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
}

const MOST_SEEDS = 20
/** Pages farther away than this count with the last entry. */
const MOST_HOPS = 101

export function makeReport(stats: StatsData, facts: ReportFacts): Report {
  const { limit, seeds } = facts
  const rankings = {
    pagesByHost: facts.hosts.pagesByHost,
    pagesByDomain: facts.hosts.pagesByDomain,
    statuses: ranking(Object.entries(stats.statuses)),
    again: ranking(Object.entries(stats.again)),
    failed: ranking(Object.entries(stats.failed)),
    refused: ranking(Object.entries(stats.refused)),
    refusedLinks: ranking(Object.entries(stats.refusedLinks)),
  }
  return {
    format: 2,
    version: facts.version,
    startedAt: facts.startedAt,
    endedAt: facts.endedAt,
    endedBecause: facts.endedBecause,
    ...(limit !== undefined && Number.isFinite(limit) && { limit }),
    seeds: { count: seeds.length, first: seeds.slice(0, MOST_SEEDS) },
    totals: {
      pages: stats.pages,
      hosts: sumsOf(rankings.pagesByHost).names,
      domains: sumsOf(rankings.pagesByDomain).names,
      requests: stats.requests,
      redirects: stats.redirects,
      wireBytes: stats.wireBytes,
      pageBytes: stats.pageBytes,
      tokens: stats.tokens,
      workMs: Math.round(stats.workMs),
      pagesPerSecond: perSecond(stats.pages, stats.workMs),
      wireBytesPerSecond: Math.round(perSecond(stats.wireBytes, stats.workMs)),
      again: sumsOf(rankings.again).count,
      failed: sumsOf(rankings.failed).count,
      refused: sumsOf(rankings.refused).count,
      refusedLinks: sumsOf(rankings.refusedLinks).count,
    },
    frontier: facts.frontier,
    ...rankings,
    hops: lastOnesTogether(stats.hops, MOST_HOPS),
    tokensAPage: distribution(stats.tokensAPage),
    bytesAPage: distribution(stats.bytesAPage),
    answerMs: distribution(stats.answerMs),
    overTime: stats.timeline,
    settings: facts.settings,
  }
}

function perSecond(amount: number, ms: number): number {
  return ms > 0 ? Number(((amount / ms) * 1000).toFixed(2)) : 0
}

function lastOnesTogether(counts: readonly number[], most: number): number[] {
  if (counts.length <= most) return [...counts]
  const rest = counts.slice(most - 1).reduce((sum, count) => sum + count, 0)
  return [...counts.slice(0, most - 1), rest]
}
