export type { Clock } from './base/clock.ts'
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
export type { FrontierView } from './frontier/local/read-only.ts'
export { openLocalReadOnly, type ReadOnlyOptions } from './frontier/local/read-only.ts'
export { type CrawlBook, type CrawlerView, openCrawlBook } from './frontier/redis/crawl-book.ts'
export { parseWhere, type Where } from './frontier/redis/engine/where.ts'
export { openRedis, type RedisFrontier, type RedisOptions } from './frontier/redis/open.ts'
