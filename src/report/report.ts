import { type Ranking, ranking, sumsOf } from '../base/structures/ranking.ts'
import type { TableData } from '../folder/stats/bounded-table.ts'
import {
  type ChallengedHost,
  Details,
  type DetailsData,
  type HostFailures,
  type PageSample,
} from '../folder/stats/details.ts'
import type { DiskUse } from '../folder/stats/disk-use.ts'
import type { HostSurvey } from '../folder/stats/host-survey.ts'
import { type Waterfall, waterfall } from '../folder/stats/outcome-counts.ts'
import type { StatsData } from '../folder/stats/stats.ts'
import type { TimelineData } from '../folder/stats/timeline.ts'
import type { FrontierCounts } from '../frontier/frontier.ts'
import type { CrawlShare } from '../run/run-figures.ts'
import type { EndedBecause } from '../settings/events.ts'
import { type Distribution, distribution } from './distribution.ts'

/** One run of a crawl, as `crawl.json` keeps it. */
interface RunFacts {
  /** ISO 8601. */
  readonly startedAt: string
  /** Missing while the run lasts, and after it was killed. */
  readonly endedAt?: string | undefined
  readonly because?: string | undefined
  /** Seeds added in this run: the first of them, and how many there are. */
  readonly seeds: readonly string[]
  readonly seedCount: number
  /** All settings given in this run or an earlier one, by name; the others have their defaults. */
  readonly settings: Readonly<Record<string, string | readonly string[]>>
  /** The version of Escalona. */
  readonly version: string
}

/** A run as a report lists it. */
export interface ReportRun {
  readonly startedAt: string
  readonly endedAt?: string
  readonly because?: string
  readonly version: string
  readonly seeds: { readonly count: number; readonly first: readonly string[] }
  readonly settings: Readonly<Record<string, string>>
}

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
  /** When machines share the crawl: the share of the one that this report is about. */
  readonly share?: CrawlShare | undefined
  /** Undefined when it was not measured. */
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
  /** Hosts that answer with challenge pages: docs/challenges.md. */
  readonly challengedHosts?: readonly ChallengedHost[]
  readonly failingHosts: readonly (HostFailures & { readonly host: string })[]
  readonly slowHosts: readonly SlowReportHost[]
  readonly longestDelays: { readonly top: readonly LongDelay[]; readonly others: number }
  readonly languages: Ranking
  readonly refusedTypes: Ranking
  readonly samples: readonly PageSample[]
  readonly disk?: DiskUse
}

/** `pages`, `redirects`, `failed` and `refused` are those of the waterfall; the others come from the statistics. */
interface ReportTotals {
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

interface SlowReportHost {
  readonly host: string
  readonly answers: number
  readonly meanMs: number
  readonly longestMs: number
}

/** The most runs listed: the first and the newest ones. */
const MOST_RUNS = 50
const MOST_SEEDS = 20
const MOST_VALUES = 10
/** Pages farther away than this are counted in the last entry. */
const MOST_HOPS = 101
const MOST_SLOW_HOSTS = 20

export function makeReport(stats: StatsData, facts: ReportFacts): Report {
  const { limit, hosts, share, disk, endedBecause } = facts
  const { details } = stats
  const { challengedHosts } = new Details(details)
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
    ...(challengedHosts.length > 0 && { challengedHosts }),
    slowHosts: slowest(details),
    longestDelays: longestDelays(hosts.crawlDelays, details.retryAfter),
    samples: details.samples,
    ...(disk !== undefined && { disk }),
  }
}

function ranked(counts: Readonly<Record<string, number>>): Ranking {
  return ranking(Object.entries(counts))
}

function slowest({ slowHosts }: DetailsData): SlowReportHost[] {
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

/** A host that asked for a longer delay, and how. */
interface LongDelay {
  readonly host: string
  readonly ms: number
  /** `crawl-delay`: between two requests, by its robots.txt. `retry-after`: once, when it was busy. */
  readonly askedBy: 'crawl-delay' | 'retry-after'
}

const MOST_DELAYS = 20

/** The longest delays that hosts asked for, longest first, and how many other hosts asked for one. */
function longestDelays(
  crawlDelays: Ranking,
  retryAfter: TableData<number>,
): { readonly top: readonly LongDelay[]; readonly others: number } {
  const all: LongDelay[] = [
    ...crawlDelays.top.map(({ name, count }) => ({ host: name, ms: count, askedBy: 'crawl-delay' as const })),
    ...retryAfter.entries.map(([host, ms]) => ({ host, ms: Math.round(ms), askedBy: 'retry-after' as const })),
  ]
  const top = all.sort((a, b) => b.ms - a.ms || (a.host < b.host ? -1 : 1)).slice(0, MOST_DELAYS)
  return { top, others: all.length - top.length + crawlDelays.others.names }
}

/** What a report says about the runs, the oldest first. `earlierRuns`: how many after the first one are left out. */
function reportRuns(all: readonly RunFacts[], forgotten: number): Pick<Report, 'runs' | 'earlierRuns'> {
  const kept = all.length <= MOST_RUNS ? all : [all[0]!, ...all.slice(1 - MOST_RUNS)]
  return { runs: kept.map(reportRun), earlierRuns: all.length - kept.length + forgotten }
}

function reportRun({ startedAt, endedAt, because, seeds, seedCount, settings, version }: RunFacts): ReportRun {
  return {
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(because !== undefined && { because }),
    version,
    seeds: { count: seedCount, first: seeds.slice(0, MOST_SEEDS) },
    settings: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, shownValues([value].flat())])),
  }
}

/** The first values of a long list, such as the addresses of a hosts file, and how many there are in all. */
function shownValues(values: readonly string[]): string {
  if (values.length <= MOST_VALUES) return values.join(', ')
  return `${values.slice(0, MOST_VALUES).join(', ')}, … (${values.length})`
}
