export { EscalonaError } from './base/errors.ts'
export { type Crawl, type CrawlOptions, crawl, type Page } from './crawl/crawl.ts'
export type { CrawlEvent } from './crawl/events.ts'
export type { CrawlEnd } from './crawl/session.ts'
export type { CrawlSettings } from './crawl/settings.ts'
export type { Stats, StatsData } from './crawl/stats/stats.ts'
export type {
  BacklogClass,
  Cursor,
  Explanation,
  FormerVisit,
  Frontier,
  FrontierCounts,
  FrontierOptions,
  FrontierSupport,
  HostView,
  Link,
  LinkKind,
  Outcome,
  Page as FrontierPage,
  Settled,
  Settlement,
  Shown,
  Taken,
  Ticket,
  TicketId,
} from './frontier/frontier.ts'
export { type LocalOptions, openLocal } from './frontier/local/open.ts'
export { type ReportedCrawl, reportFiles } from './report/report-files.ts'
export { compileRobots, parseRobots, type Robots } from './robots/robots.ts'
export { RobotsRules, type Verdict } from './robots/rules.ts'
export type { Counts } from './scheduler/counts.ts'
export { type Added, Scheduler, type SchedulerOptions } from './scheduler/scheduler.ts'
export type { StrategyName } from './scheduler/strategy.ts'
export { type ClassicUrl, type Refusal, readClassic } from './url/classic.ts'
