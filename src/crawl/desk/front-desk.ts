import type { PageLine } from '../../archive/pages-file.ts'
import type { Bilingual } from '../../base/words/language.ts'
import type { FrontierCounts, Link } from '../../frontier/frontier.ts'
import type { Action, ActionResult } from '../../settings/actions.ts'
import type { CrawlEvent } from '../../settings/events.ts'
import type { ActionLine } from '../actions-file.ts'
import type { FailureLine } from '../failures-file.ts'
import type { Story } from '../reading/story.ts'
import type { RestCause } from '../rests.ts'
import type { Eta } from '../stats/eta.ts'
import type { TimelineData } from '../stats/timeline.ts'
import type { DeskHost } from './desk.ts'

/**
 * Everything that can be seen of a crawl, and done to it. A running crawl is asked through its process, a finished one through its
 * files. Every answer is bounded in size and time, whatever the size of the crawl.
 */
export interface FrontDesk {
  readonly folder: string
  /** Where the crawl stands now. */
  now(): Promise<CrawlNow>
  /** Its rates over time. */
  series(): Promise<CrawlSeries>
  /** Part of the known hosts: searched, sorted. */
  hosts(query: HostQuery): Promise<HostList>
  /** One host, with the beginning of its queue, its robots.txt and its latest outcomes; undefined when it is not known. */
  host(name: string): Promise<HostStory | undefined>
  /** Part of the archived pages, newest first. */
  pages(query: PageQuery): Promise<PageList>
  /** The newest archived page of a URL; undefined when there is none. */
  page(url: string): Promise<PageStory | undefined>
  /** Everything known about one URL. */
  explain(url: string): Promise<StoryWithLines>
  /** What the crawl runs with. */
  settings(): Promise<readonly SettingView[]>
  /** What people did to the crawl, newest first; at most 200. */
  actions(): Promise<readonly ActionLine[]>
  /**
   * What happened after event number `after`; 0: the latest few. At most 200 at a time; with `isBrief`, all at once, but of each kind
   * only the latest 20.
   */
  events(after: number, isBrief?: boolean): Promise<EventBatch>
  /** Does something to the crawl. Throws `CRAWL_NOT_RUNNING` when it has ended. */
  act(action: Action): Promise<ActionResult>
  close(): Promise<void>
}

/** Where a crawl stands. Times are milliseconds since 1970. */
export interface CrawlNow {
  readonly state: 'running' | 'paused' | 'stopping' | 'ended'
  /** The name of its folder. */
  readonly name: string
  /** When its newest run began; undefined when unknown. */
  readonly startedAtMs: number | undefined
  /** How long all runs have worked. */
  readonly workMs: number
  readonly pages: number
  /** Undefined: no limit. */
  readonly limit: number | undefined
  readonly requests: number
  readonly wireBytes: number
  /** Links that ended by an error, after all retries: never fewer, also when they are put back in the queue. */
  readonly failed: number
  /** How often the engine of a shared frontier had forgotten what it had acknowledged. */
  readonly losses: number
  /** Over the last few seconds. */
  readonly pagesPerSecond: number
  readonly bytesPerSecond: number
  readonly openRequests: number
  /** How many requests may be open at once. */
  readonly slots: number
  readonly frontier: FrontierCounts
  /**
   * Hosts with something waiting: that can be asked now; whose time has not come; that are down. `blocked`: all that a person blocks,
   * whether something waits there or not.
   */
  readonly hosts: {
    readonly ready: number
    readonly resting: number
    readonly down: number
    readonly blocked: number
  }
  /** Undefined while there is nothing to estimate from, and after the end. */
  readonly eta: Eta | undefined
  /** One sentence about what the crawl is doing or waiting for; never empty. */
  readonly waitingFor: Bilingual
  /** When machines share the crawl: how many are at work. */
  readonly machines: number | undefined
}

/** Rates over time. */
export interface CrawlSeries {
  /** The last ten minutes, second by second; the last entry is that of `untilMs`. Empty when the crawl is not running. */
  readonly recent: {
    readonly untilMs: number
    readonly pages: readonly number[]
    readonly wireBytes: readonly number[]
    readonly failures: readonly number[]
    readonly openRequests: readonly number[]
  }
  /** The whole crawl, in at most 480 steps of its working time. */
  readonly whole: TimelineData
}

/**
 * By which column hosts are sorted; all but `known` (the order of discovery) and `name` begin with the largest. By `next`, hosts with
 * nothing waiting come last.
 */
export type HostOrder = 'known' | 'name' | 'waiting' | 'pages' | 'failed' | 'delay' | 'next'

/** Which hosts to list. */
export interface HostQuery {
  /** Part of the name or, with `*`, which matches any text, a pattern for the whole name. */
  readonly q?: string
  readonly sort?: HostOrder
  /** Reverses the order. */
  readonly isReversed?: boolean
  readonly offset: number
  /** At most 200. */
  readonly limit: number
}

/** Part of the hosts that a query found. */
export interface HostList {
  readonly items: readonly HostRow[]
  /** How many were found. */
  readonly total: number
  /** The order may be as old as this, in milliseconds; what the rows say is current. */
  readonly ageMs: number
  /** Whether all known hosts have been read; otherwise more may be found in a moment. */
  readonly isComplete: boolean
}

/** A host in a list. */
export interface HostRow extends DeskHost {
  /** Its links that ended by an error or by its refusal. */
  readonly failed: number
  /** The time between two requests that holds, and who asked for it. */
  readonly gap: { readonly ms: number; readonly by: 'setting' | 'host setting' | 'robots.txt' }
  /** Set while a person blocks it, in milliseconds since 1970. */
  readonly blockedUntilMs: number | undefined
  readonly robots: RobotsState
}

/** What is known of a host's robots.txt: `none`: there is none, or it has no rules for us. */
export type RobotsState = 'unknown' | 'none' | 'rules' | 'forbids all'

/** A host, with more about it. */
export interface HostStory extends HostRow {
  /** The beginning of its queue, in order; at most 100. */
  readonly queue: readonly Link[]
  /** By scheme. */
  readonly robotsFiles: readonly RobotsFile[]
  /** How its links ended, newest first; at most 100. */
  readonly outcomes: readonly HostOutcome[]
}

/** A robots.txt as it was archived, and how it was understood. */
export interface RobotsFile {
  readonly url: string
  readonly status: number | undefined
  readonly fetchedAtMs: number | undefined
  /** Its lines, at most 2,000; a rule that holds for this crawl says so. */
  readonly lines: readonly RobotsLine[]
  readonly isCut: boolean
  readonly crawlDelaySeconds: number | undefined
  readonly sitemaps: readonly string[]
}

/** A line of robots.txt. */
export interface RobotsLine {
  readonly number: number
  readonly text: string
  /** What it means for this crawl; undefined: nothing. */
  readonly means: 'allow' | 'disallow' | 'crawl-delay' | 'agent' | 'sitemap' | undefined
}

/** How a link of a host ended. */
export type HostOutcome =
  | { readonly kind: 'page'; readonly page: PageLine }
  | { readonly kind: 'ended'; readonly failure: FailureLine; readonly sentence: Bilingual }

/** Which pages to list. */
export interface PageQuery {
  /** Part of the URL or the title, in any case. */
  readonly q?: string
  /** How many pages to skip, from the newest. */
  readonly offset: number
  /** At most 200. */
  readonly limit: number
}

/** Part of the pages that a query found, newest first. */
export interface PageList {
  readonly items: readonly PageLine[]
  /** All archived pages. */
  readonly total: number
  /** How many of them were searched, and where to continue; undefined: all. A search stops after a short time. */
  readonly nextOffset: number | undefined
}

/** An archived page with everything in its record. Texts are as they came, at most 1 MiB; nothing of it is safe to run. */
export interface PageStory {
  readonly page: PageLine
  /** Fields of the WARC record and of the HTTP answer, in their order. */
  readonly warc: readonly (readonly [string, string])[]
  readonly statusLine: string
  readonly headers: readonly (readonly [string, string])[]
  /** At most 1,000. */
  readonly links: readonly string[]
  readonly html: string
  readonly isCut: boolean
}

/** The story of a URL, and the same as lines of text. */
export interface StoryWithLines {
  readonly story: Bilingual<Story>
  /** What `escalona explain` prints. */
  readonly lines: Bilingual<readonly StoryLine[]>
}

/** A line of a story: what it is about, and what there is to say. */
export interface StoryLine {
  /** What it is about, in any language. */
  readonly about:
    | ('state' | 'why' | 'advice' | 'target' | 'queue' | 'again' | 'attempts' | 'ended')
    | ('from' | 'page' | 'title' | 'archive' | 'settings' | 'robots' | 'host')
  readonly title: string
  readonly text: string
}

/** A setting, as it is written on the command line. */
export interface SettingView {
  /** `delayMs` */
  readonly setting: string
  /** `--delay` */
  readonly option: string
  /** The first 1,000 values of a list. */
  readonly value: readonly string[]
  /** How many values it has. */
  readonly valueCount: number
  readonly isDefault: boolean
  /** Whether it can be changed now. */
  readonly canChange: boolean
  /** The accepted values, if there are few. */
  readonly choices: readonly string[] | undefined
}

/** An event and its number. Numbers grow, also from one run of a crawl to the next. */
export type NumberedEvent = CrawlEvent & { readonly number: number }

/** Events of a crawl, oldest first. */
export interface EventBatch {
  readonly items: readonly NumberedEvent[]
  /** Give this as `after` the next time. */
  readonly last: number
  /** Events that happened in between and are no longer kept. */
  readonly skipped: number
}

export type { Action, ActionResult, HostChange, SettingsChange } from '../../settings/actions.ts'
export { isReason } from '../../settings/reasons.ts'
export type {
  ActionLine,
  CrawlEvent,
  DeskHost,
  Eta,
  FailureLine,
  FrontierCounts,
  Link,
  PageLine,
  RestCause,
  Story,
  TimelineData,
}
