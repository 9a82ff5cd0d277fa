import type { CrawlEvent } from '../../crawl/events.ts'
import type { SettingGap } from '../../crawl/host-settings.ts'
import type { RestCause } from '../../crawl/rests.ts'
import type { Explanation, HostView, LinkView } from '../../frontier/frontier.ts'

/** A host, and why it cannot be asked yet. */
export interface ListedHost extends HostView {
  /** Undefined when it can be asked now, and when the cause is not known: those in earlier runs are forgotten. */
  readonly waitsFor?: RestCause
}

/** Selects the hosts to list. */
export interface HostFilter {
  /** A pattern for the whole name, where `*` matches any text: `*.example.org`. */
  readonly host?: string | undefined
}

/** A host, with everything about it that the crawl's process knows. */
export interface HostFacts extends ListedHost {
  /** The time between two requests that holds, and who asked for it. */
  readonly gap: SettingGap | { readonly ms: number; readonly by: 'robots.txt' }
  /** Set while a person blocks it, in milliseconds since 1970. */
  readonly blockedUntilMs: number | undefined
  readonly robots: RobotsState
}

/** What is known of a host's robots.txt: `none`: there is none, or it has no rules for us. */
export type RobotsState = 'unknown' | 'none' | 'rules' | 'forbids all'

/** What the crawl itself knows about a URL. */
export interface UrlFacts {
  readonly frontier: Explanation
  /** Its link, if it is waiting or was refused; otherwise undefined. */
  readonly link: LinkView | undefined
  readonly host: ListedHost | undefined
  /** Why the current settings would keep it out: `scope`, `exclude` …; undefined when they let it in. */
  readonly heldBy: string | undefined
  /** The setting behind that, as on the command line: `--exclude *.pdf`; if the rules for links decide. */
  readonly setting?: string
  readonly robots: RobotsVerdict
  /** The product token that robots.txt rules are matched against. */
  readonly agent: string
}

/** What the robots.txt of a URL's origin says about it. */
export type RobotsVerdict =
  /** The rules are not known: robots.txt was not fetched yet, or more than a day ago. */
  | { readonly kind: 'unknown' }
  /** `line`: the deciding line of robots.txt, counted from 1; undefined when none applies to the URL. */
  | {
      readonly kind: 'allowed' | 'refused'
      readonly line: number | undefined
      /** The Crawl-delay, as written. */
      readonly crawlDelaySeconds: number | undefined
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
