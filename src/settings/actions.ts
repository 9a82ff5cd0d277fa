import type { CrawlSettings } from './settings.ts'

/** The settings that can be changed while a crawl runs. */
export const CHANGEABLE = [
  'limit',
  'delayMs',
  'serverDelayMs',
  'perServer',
  'concurrency',
  'maxRequestsPerSecond',
  'strategy',
  'exploreChance',
  'scope',
  'include',
  'exclude',
  'maxDepth',
  'maxPerHost',
] as const satisfies readonly (keyof CrawlSettings)[]

/** New values of settings of a running crawl; those that are missing stay as they are. */
export type SettingsChange = Partial<Pick<CrawlSettings, (typeof CHANGEABLE)[number]>>

/** What to change about one host; anything missing stays as it is. */
export interface HostChange {
  /** Minimum time between two requests, instead of the crawl's; null: as for every other host. */
  readonly delayMs?: number | null
  /** Asks it nothing before this time, in milliseconds since 1970; null: it may be asked at once, whatever it waits for. */
  readonly blockedUntilMs?: number | null
  /** Removes its waiting links; they end with the reason `cleared`. */
  readonly clear?: boolean
}

/** Something that a person does to a running crawl. */
export type Action =
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'add seeds'; readonly urls: readonly string[] }
  | { readonly kind: 'change settings'; readonly settings: SettingsChange }
  | { readonly kind: 'change host'; readonly host: string; readonly change: HostChange }

/** What an action did. */
export interface ActionResult {
  /** Seeds that the crawl did not have; links put back in the queue, or cleared. */
  readonly seeds?: number
  readonly requeued?: number
  readonly cleared?: number
}
