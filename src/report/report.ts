import type { EndedBecause } from '../crawl/collector.ts'
import type { TallyData } from '../crawl/tally.ts'
import type { TimelineData } from '../crawl/timeline.ts'
import type { FrontierCounts } from '../frontier/frontier.ts'
import { type Distribution, distribution } from './distribution.ts'
import { type Ranking, ranking, sumsOf } from './ranking.ts'

/** What a tally doesn't know of its crawl. */
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
  /** Of Escalona. */
  readonly version: string
}

/** `report.json`. docs/report-page.md says what each key means. */
export interface Report {
  readonly format: 1
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
  readonly depths: readonly number[]
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
/** Deeper pages than this count with the last entry. */
const MOST_DEPTHS = 101

export function makeReport(tally: TallyData, facts: ReportFacts): Report {
  const { limit, seeds } = facts
  const rankings = {
    pagesByHost: ranking(tally.pagesByHost),
    pagesByDomain: ranking(tally.pagesByDomain),
    statuses: ranking(tally.statuses),
    again: ranking(tally.again),
    failed: ranking(tally.failed),
    refused: ranking(tally.refused),
    refusedLinks: ranking(tally.refusedLinks),
  }
  return {
    format: 1,
    version: facts.version,
    startedAt: facts.startedAt,
    endedAt: facts.endedAt,
    endedBecause: facts.endedBecause,
    ...(limit !== undefined && Number.isFinite(limit) && { limit }),
    seeds: { count: seeds.length, first: seeds.slice(0, MOST_SEEDS) },
    totals: {
      pages: tally.pages,
      hosts: sumsOf(rankings.pagesByHost).names,
      domains: sumsOf(rankings.pagesByDomain).names,
      requests: tally.requests,
      redirects: tally.redirects,
      wireBytes: tally.wireBytes,
      pageBytes: tally.pageBytes,
      tokens: tally.tokens,
      workMs: Math.round(tally.workMs),
      pagesPerSecond: perSecond(tally.pages, tally.workMs),
      wireBytesPerSecond: Math.round(perSecond(tally.wireBytes, tally.workMs)),
      again: sumsOf(rankings.again).count,
      failed: sumsOf(rankings.failed).count,
      refused: sumsOf(rankings.refused).count,
      refusedLinks: sumsOf(rankings.refusedLinks).count,
    },
    frontier: facts.frontier,
    ...rankings,
    depths: lastOnesTogether(tally.depths, MOST_DEPTHS),
    tokensAPage: distribution(tally.tokensAPage),
    bytesAPage: distribution(tally.bytesAPage),
    answerMs: distribution(tally.answerMs),
    overTime: tally.timeline,
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
