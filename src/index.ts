export { EscalonaError } from './base/errors.ts'
export type {
  Explanation,
  Frontier,
  FrontierCounts,
  HostView,
  Link,
  Outcome,
  Settlement,
  Ticket,
} from './frontier/frontier.ts'
export { type LocalOptions, openLocal } from './frontier/local/open.ts'
export type { Counts } from './scheduler/counts.ts'
export { type Added, Scheduler, type SchedulerOptions } from './scheduler/scheduler.ts'
export type { StrategyName } from './scheduler/strategy.ts'
export { type ClassicUrl, type Refusal, readClassic } from './url/classic.ts'
