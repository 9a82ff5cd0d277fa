import type { Bilingual } from '../../base/words/language.ts'
import type {
  Cursor,
  Explanation,
  FrontierCounts,
  HostView,
  LinkFilter,
  LinkView,
  Outlook,
  Page,
} from '../../frontier/frontier.ts'
import type { Action, ActionResult } from '../../settings/actions.ts'
import type { RestCause } from '../rests.ts'
import type { SessionState } from '../session-now.ts'
import type { Eta } from '../stats/eta.ts'
import type { CrawlSeries, EventBatch, HostRow } from './front-desk.ts'

/** The questions that a frontier can answer. Every answer is bounded: long lists come page by page. */
export interface Desk {
  /** Where the crawl stands now. */
  status(): Promise<DeskStatus>
  /** The known hosts, in order of discovery. A page may be short, or empty, and still have a `next`. */
  hosts(page: Cursor, filter?: HostFilter): Promise<Page<DeskHost>>
  /** Links that wait or were refused, in order of discovery. A page may be short and still have a `next`. */
  links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>>
  /** What the frontier, the current settings and robots.txt say about a canonical URL. */
  explain(url: string): Promise<DeskStory>
  /** Hosts by name, at most 200, in the order of the names; those that are not known are left out. */
  named(hosts: readonly string[]): Promise<readonly NamedHost[]>
  /** The known hosts in packed form, in order of discovery; at most 2,000. */
  rows(page: Cursor): Promise<HostRows>
}

/** The questions about a crawl. A running crawl answers them over the socket in its folder; otherwise they are answered from its files. */
export interface CrawlDesk extends Desk {
  /** Its rates over time. */
  series(): Promise<CrawlSeries>
  /**
   * What happened after event number `after`; 0: the latest few. At most 200 at a time; with `isBrief`, all at once, but of each kind
   * only the latest 20. Of a crawl that does not run: nothing.
   */
  events(after: number, isBrief?: boolean): Promise<EventBatch>
  /** Does something to the crawl. Throws `CRAWL_NOT_RUNNING` when it does not run. */
  act(action: Action): Promise<ActionResult>
}

/** A host, with everything about it that the crawl's process knows. */
export type NamedHost = Omit<HostRow, 'failed'>

/** Hosts in columns: entry i of each belongs to `names[i]`. */
export interface HostRows {
  readonly names: readonly string[]
  /** Page links that wait. */
  readonly waiting: Uint32Array
  /** Archived pages. */
  readonly pages: Uint32Array
  /** The time between two requests that holds. */
  readonly delayMs: Uint32Array
  /** When it can be asked again, in milliseconds since 1970; 0: it can be asked now. */
  readonly readyAtMs: Float64Array
  /** 1: it, or its server, is down; 0: it is not. */
  readonly isDown: Uint8Array
  /** The cursor of the next part, as `after`; undefined at the end. Hosts keep their place in the order, so a later round gives the same names. */
  readonly next: string | undefined
}

/** A host, and why it cannot be asked yet. */
export interface DeskHost extends HostView {
  /** Undefined when it can be asked now, and when the cause is not known: those in earlier runs are forgotten. */
  readonly waitsFor?: RestCause
}

/** Selects the hosts to list. */
export interface HostFilter {
  /** A pattern for the whole name, where `*` matches any text: `*.example.org`. */
  readonly host?: string
}

/** Where a crawl stands: what its frontier counts and, while it runs, what its process is doing. */
export interface DeskStatus {
  readonly frontier: FrontierCounts
  readonly outlook: Outlook
  /** This folder's links that ended by an error, also those that were put back in the queue since; undefined when that is not known. */
  readonly failed?: number
  /** How often the engine of a shared frontier had forgotten what it had acknowledged; undefined: as this folder's files say. */
  readonly losses?: number
  /** How many hosts people block; undefined when that is not known. */
  readonly blockedHosts?: number
  /** Undefined when the crawl is not running. */
  readonly running: ProcessNow | undefined
  /** When machines share the crawl: how many are at work. */
  readonly machines?: number
}

/** What the process of a running crawl is doing. */
export interface RunningNow {
  readonly pid: number
  /** When this run began, in milliseconds since 1970. */
  readonly sinceMs: number
  /** Pages archived in the life of the folder. */
  readonly pages: number
  /** Undefined: no limit. */
  readonly limit: number | undefined
  readonly requests: number
  readonly wireBytes: number
  /** How long all runs have worked so far. */
  readonly workMs: number
  /** `stopping`: the open requests are being finished. */
  readonly state: SessionState
  readonly openRequests: number
  /** How many requests may be open at once. */
  readonly slots: number
  /** Over the last few seconds. */
  readonly pagesPerSecond: number
  readonly bytesPerSecond: number
  /** Undefined while there is nothing to estimate from. */
  readonly eta: Eta | undefined
  /** One sentence about what it is doing or waiting for; never empty. */
  readonly waitingFor: string
}

/** The same, for people who read different languages. */
export interface ProcessNow extends Omit<RunningNow, 'waitingFor'> {
  readonly waitingFor: Bilingual
}

/** What the crawl itself knows about a URL. */
export interface DeskStory {
  readonly frontier: Explanation
  /** Its link, if it is waiting or was refused; otherwise undefined. */
  readonly link: LinkView | undefined
  readonly host: DeskHost | undefined
  /** Why the current settings would keep it out: `scope`, `exclude` …; undefined when they let it in. */
  readonly heldBy: string | undefined
  /** The setting behind that, as on the command line: `--exclude *.pdf`; if the rules for links decide. */
  readonly setting?: string
  readonly robots: RobotsStory
  /** The product token that robots.txt rules are matched against. */
  readonly agent: string
}

/** What the robots.txt of a URL's origin says about it. */
export type RobotsStory =
  /** The rules are not known: robots.txt was not fetched yet, or more than a day ago. */
  | { readonly kind: 'unknown' }
  /** `line`: the deciding line of robots.txt, counted from 1; undefined when none applies to the URL. */
  | {
      readonly kind: 'allowed' | 'refused'
      readonly line: number | undefined
      /** The Crawl-delay, as written. */
      readonly crawlDelaySeconds: number | undefined
    }
