export type { Counts } from './scheduler/core.ts'
export { type Added, Scheduler, type SchedulerOptions } from './scheduler/scheduler.ts'
export type { StrategyName } from './scheduler/strategy.ts'
export { type ClassicUrl, type Refusal, readClassic } from './url/classic.ts'
