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
import type { RestCause } from '../rests.ts'

/**
 * The questions that can be asked about a crawl. A running crawl answers them over the socket in its folder; otherwise they are
 * answered from its files. Every answer is bounded: long lists come page by page.
 */
export interface Desk {
  /** Where the crawl stands now. */
  status(): Promise<DeskStatus>
  /** The known hosts, in order of discovery. A page may be short, or empty, and still have a `next`. */
  hosts(page: Cursor, filter?: HostFilter): Promise<Page<DeskHost>>
  /** Links that wait or were refused, in order of discovery. A page may be short and still have a `next`. */
  links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>>
  /** What the frontier, the current settings and robots.txt say about a canonical URL. */
  explain(url: string): Promise<DeskStory>
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
  /** Undefined when the crawl is not running. */
  readonly running: RunningNow | undefined
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
  readonly requests: number
  readonly wireBytes: number
  /** How long all runs have worked so far. */
  readonly workMs: number
  readonly openRequests: number
  /** Over the last few seconds. */
  readonly pagesPerSecond: number
  /** One sentence about what it is waiting for; empty while requests are the limit. */
  readonly waitingFor: string
}

/** What the crawl itself knows about a URL. */
export interface DeskStory {
  readonly frontier: Explanation
  /** Its link, if it is waiting or was refused; otherwise undefined. */
  readonly link: LinkView | undefined
  readonly host: DeskHost | undefined
  /** Why the current settings would keep it out: `scope`, `exclude` …; undefined when they let it in. */
  readonly heldBy: string | undefined
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
