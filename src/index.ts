export type { Change, PageLine } from './archive/pages-file.ts'
export { readWarc } from './archive/read.ts'
export type { Place } from './archive/scan.ts'
export { type HttpMessage, httpOf, type WarcRecord } from './archive/warc-record.ts'
export type { Clock } from './base/clock.ts'
export { EscalonaError } from './base/errors.ts'
export { version } from './base/version.ts'
export type { FilterLink } from './decide/filtered-links.ts'
export { type ExportOptions, type ExportSummary, exportTable } from './export/export-table.ts'
export type { FormatName, TableName } from './export/tables.ts'
export { packWacz, type WaczOptions, type WaczSummary } from './export/wacz/pack-wacz.ts'
export { type Extracted, extract, type FetchedPage } from './extract/extract.ts'
export type { LinkRefusal } from './extract/links.ts'
export type { ProxySettings } from './fetch/proxies.ts'
export type { CrawlRun, EndedBecause, NamedHostSettings } from './folder/crawl-file.ts'
export type { FailureLine } from './folder/failures-file.ts'
export type { SettingChange } from './folder/run-plan.ts'
export type { DiskUse } from './folder/stats/disk-use.ts'
export type { HostSurvey } from './folder/stats/host-survey.ts'
export type { Stats, StatsData } from './folder/stats/stats.ts'
export { type ReasonCounts, type Waterfall, waterfall } from './folder/waterfall.ts'
export type {
  Again,
  BacklogClass,
  CrawlerBounds,
  CrawlFrontier,
  Cursor,
  Explanation,
  FormerVisit,
  Frontier,
  FrontierChange,
  FrontierCounts,
  FrontierOptions,
  FrontierRules,
  FrontierSupport,
  FrontierViews,
  Hint,
  Hold,
  HostControl,
  HostNotes,
  HostView,
  Link,
  LinkControl,
  LinkFilter,
  LinkKind,
  LinkView,
  Outcome,
  Outlook,
  Page as FrontierPage,
  PlannedVisit,
  Settled,
  Settlement,
  Shown,
  Taken,
  Ticket,
  TicketId,
  VisitPlans,
} from './frontier/frontier.ts'
export { type LocalOptions, openLocal } from './frontier/local/open.ts'
export { openLocalReadOnly, type ReadOnlyOptions } from './frontier/local/read-only.ts'
export type { FrontierView } from './frontier/local/views/readable.ts'
export { type CrawlBook, type CrawlerView, openCrawlBook } from './frontier/redis/crawl-book.ts'
export { parseWhere, type Where } from './frontier/redis/engine/where.ts'
export { openRedis, type RedisFrontier, type RedisOptions } from './frontier/redis/open.ts'
export { type Crawl, type CrawlOptions, crawl } from './library/crawl.ts'
export { type ReportedCrawl, reportFiles } from './report/report-files.ts'
export { compileRobots, parseRobots, type Robots } from './robots/robots.ts'
export { RobotsRules, type Verdict } from './robots/rules.ts'
export type { Opening, SharedOpening } from './run/opening/opening.ts'
export type { RestCause } from './run/rests.ts'
export type { RunActivity, SessionState } from './run/run-status.ts'
export type { CrawlEnd, CrawlShare } from './run/session.ts'
export type { Counts } from './scheduler/counts.ts'
export { type Added, Scheduler, type SchedulerOptions } from './scheduler/scheduler.ts'
export type { StrategyName } from './scheduler/strategy.ts'
export type { Action, ActionResult, HostChange, SettingsChange } from './settings/actions.ts'
export type { CrawlEvent, CrawlHappening } from './settings/events.ts'
export type { HostSettings } from './settings/host-settings.ts'
export { aboutReason, type ReasonClass, type ReasonText } from './settings/reasons.ts'
export type { NamedSettings } from './settings/setting-texts.ts'
export type { CrawlSettings } from './settings/settings.ts'
export type { SitemapEntry, SitemapKind } from './sitemap/sitemap-entry.ts'
export { type SitemapLimits, SitemapReader } from './sitemap/sitemap-reader.ts'
export { type ClassicUrl, type Refusal, readClassic } from './url/classic.ts'
export { type BaseUrl, prepareBase, type WebRefusal, type WebUrl, webUrl } from './url/web.ts'
export { ArchivedPage as Page } from './view/files/archived-page.ts'
export type { LinkState, ListedLink, ListFilter } from './view/listed-links.ts'
export { type CrawlReader, openCrawl, type ReaderOptions } from './view/open-crawl.ts'
export type { RobotsVerdict } from './view/questions/explained-shapes.ts'
export type { HostFilter, ListedHost } from './view/questions/host-shapes.ts'
export type { CrawlState, CrawlStatus, CrawlTotals, SharedStatus } from './view/status.ts'
export type { UrlHistory } from './view/url-history.ts'
