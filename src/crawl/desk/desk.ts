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

/**
 * What somebody who looks at a crawl can ask. A running crawl answers over the socket in its folder; of one that does not run,
 * the same questions are answered from its files. Every answer is bounded: long lists come page by page.
 */
export interface Desk {
  /** Where the crawl stands now. */
  status(): Promise<DeskStatus>
  /** The known hosts, in the order in which they became known. A page may be short, or empty, and still have a `next`. */
  hosts(page: Cursor, filter?: HostFilter): Promise<Page<HostView>>
  /** Links that wait or were refused, in the order in which they became known. A page may be short and still have a `next`. */
  links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>>
  /** What the frontier, the settings of now and robots.txt say about a canonical URL. */
  explain(url: string): Promise<DeskStory>
}

/** Which hosts are listed. */
export interface HostFilter {
  /** A pattern over the whole name, in which `*` stands for any text: `*.example.org`. */
  readonly host?: string
}

/** Where a crawl stands: what its frontier counts and, while it runs, what its process does. */
export interface DeskStatus {
  readonly frontier: FrontierCounts
  readonly outlook: Outlook
  /** Undefined when the crawl does not run. */
  readonly running: RunningNow | undefined
}

/** What the process of a running crawl does. */
export interface RunningNow {
  readonly pid: number
  /** When this run began, in milliseconds since 1970. */
  readonly sinceMs: number
  /** Over the life of the folder. */
  readonly pages: number
  readonly requests: number
  readonly wireBytes: number
  readonly openRequests: number
  /** Over the last seconds. */
  readonly pagesPerSecond: number
  /** What it waits for, as one sentence; empty while requests are the limit. */
  readonly waitingFor: string
}

/** What the crawl itself knows about a URL. */
export interface DeskStory {
  readonly frontier: Explanation
  /** Its link, while it waits or after it was refused; undefined when nothing of it is kept. */
  readonly link: LinkView | undefined
  readonly host: HostView | undefined
  /** Why the settings of now would keep it out: `scope`, `exclude` …; undefined when they let it in. */
  readonly heldBy: string | undefined
  readonly robots: RobotsStory
  /** The name that robots.txt knows the crawl by. */
  readonly agent: string
}

/** What the robots.txt of a URL's origin says about it. */
export type RobotsStory =
  /** No rules are kept: robots.txt was not asked for yet, or longer than a day ago. */
  | { readonly kind: 'unknown' }
  /** `line`: the line of robots.txt that decided, from 1 up; undefined when none has to do with the URL. */
  | {
      readonly kind: 'allowed' | 'refused'
      readonly line: number | undefined
      /** What it asks for between two requests, as written. */
      readonly crawlDelaySeconds: number | undefined
    }
