import type { LinkChoice } from './link-choice.ts'
import { isUnlimited } from './number-kinds.ts'
import { type ChangeableName, type CrawlSettings, isSetting, SETTINGS } from './settings-table.ts'

/** Seeds per action. */
export const MOST_SEEDS = 10_000

/** The states of links that each action can change. */
export const CHANGED_STATES = { 'retry links': ['failed', 'refused'], 'let links in': ['held'] } as const

/** New values of settings of a running crawl; those that are missing stay as they are. */
export type SettingsChange = Partial<Pick<CrawlSettings, ChangeableName>>

/** New values of settings as JSON has them: null is Infinity, which JSON lacks, where a setting may have no limit. */
export function changeFromJson(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const meant = ([name, value]: [string, unknown]) => [
    name,
    value === null && isSetting(name) && isUnlimited(SETTINGS[name]) ? Infinity : value,
  ]
  return Object.fromEntries(Object.entries(given).map(meant))
}

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
  | { readonly kind: 'add seeds'; readonly urls: readonly string[]; readonly refused?: readonly RefusedSeed[] }
  | { readonly kind: 'change settings'; readonly settings: SettingsChange }
  | { readonly kind: 'change host'; readonly host: string; readonly change: HostChange }
  /** Puts links that failed or were refused back in the queue. `which.states`: some of `failed` and `refused`. */
  | { readonly kind: 'retry links'; readonly which: LinkChoice }
  /** Makes links that a rule (scope, depth, patterns) keeps out seeds. `which.states`: `held`. */
  | { readonly kind: 'let links in'; readonly which: LinkChoice }

/** A line among new seeds that is not a web address. `place`: 1 is the first. */
export interface RefusedSeed {
  readonly place: number
  readonly url: string
  readonly reason: string
}

/** What an action did. */
export interface ActionResult {
  /** Seeds that the crawl did not have; links put back in the queue, or cleared. */
  readonly seeds?: number
  readonly requeued?: number
  readonly cleared?: number
  /** Of new seeds: those that were not added. */
  readonly refused?: readonly RefusedSeed[]
}
