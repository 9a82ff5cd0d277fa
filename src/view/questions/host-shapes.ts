import type { Outage } from '../../folder/stats/outages.ts'
import type { HostView } from '../../frontier/frontier.ts'
import type { RulesKind } from '../../robots/rules.ts'
import type { RestCause } from '../../run/rests.ts'
import type { SettingGap } from '../../settings/host-settings.ts'
import { PageLine } from './page-shapes.ts'
import {
  answer,
  choice,
  count,
  flag,
  list,
  literal,
  number,
  object,
  oneOf,
  optional,
  type TypeOf,
  text,
  time,
} from './shape.ts'

/** A host, and why it cannot be asked yet. */
export interface ListedHost extends HostView {
  /** The time between two requests, while its pages bring little that is new. */
  readonly slowedMs?: number
  /** Undefined when it can be asked now, and when the cause is not known: those in earlier runs are forgotten. */
  readonly waitsFor?: RestCause
  /** With the strategy `important`: `received` and `turns` decide when its next turn comes. */
  readonly isByShare?: boolean | undefined
  /** Of a host that is down: why it does not answer. Undefined when that is not known. */
  readonly outage?: Outage | undefined
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

export const HOST_ORDERS = ['known', 'name', 'waiting', 'pages', 'failed', 'delay', 'next'] as const

/** What a row of hosts and the host of a URL have in common. */
export const listedHost = {
  host: text('Its name, with the port unless it is the default one.'),
  waiting: count('Links that wait.'),
  due: count('Pages that are due for a visit again.'),
  state: choice(['idle', 'waiting', 'leased'], 'leased: it is being asked now.'),
  readyInMs: number('How long until it may be asked again; 0: now. Its server may take longer.'),
  delayMs: number('Its own delay; 0 when none was set.'),
  server: optional(text('The IP address it was found at.')),
  pages: count('Archived pages.'),
  received: number('The importance that links of other domains have given to it, with the strategy important.'),
  turns: count('How many of its pages were ever handed out to be fetched, also to be visited again.'),
  isByShare: optional(
    flag(
      'With the strategy important: the host with the most importance received per turn is next, and one turn in eight goes to all in turn.',
    ),
  ),
  failures: count('Failures in a row, up to now.'),
  isDown: flag('It or its server failed too often, and is tried now and then.'),
  slowedMs: optional(number('Its pages bring little that is new, so it is asked at most once in this time.')),
  waitsFor: optional(
    text<RestCause>(
      'Why it cannot be asked yet: retry-after, error, slow, challenge, failures, crawl-delay, little-new, delay or blocked.',
    ),
  ),
  outage: optional(
    object(
      {
        why: text('The name of a reason: connect, timeout, robots-status-503.'),
        sinceMs: time('When the first request failed after the last answer.'),
      },
      'Of a host that is down: why it does not answer, if that is known.',
    ),
  ),
}

const hostRow = {
  ...listedHost,
  failed: count('Its links that ended by an error or by its refusal.'),
  gap: object(
    {
      ms: number('Milliseconds.'),
      by: choice(
        ['setting', 'host setting', 'little new', 'robots.txt'],
        'Who asked for it; little new: its pages bring little that is new.',
      ),
    },
    'The time between two requests that holds.',
  ),
  blockedUntilMs: optional(time('Set while a person blocks it.')),
  robots: choice(
    ['unknown', 'none', 'rules', 'forbids all'],
    'none: there is no robots.txt, or it has no rules for us.',
  ),
}

export const HostRow = answer('HostRow', 'A host in a list.', hostRow)
export type HostRow = TypeOf<typeof HostRow>

export const HostList = answer('HostList', 'Part of the hosts that were found.', {
  items: list(HostRow, 'In the order that was asked for.'),
  total: count('How many were found.'),
  ageMs: number('The order may be as old as this, in milliseconds; the rows are current.'),
  isComplete: flag('All known hosts have been read; otherwise more may be found in a moment.'),
})
export type HostList = TypeOf<typeof HostList>

export const RobotsFile = answer('RobotsFile', 'A robots.txt as it was archived, and how it was understood.', {
  url: text('Its address.'),
  status: optional(count('HTTP status of the answer.')),
  fetchedAtMs: optional(time('When it was fetched.')),
  lines: list(
    object({
      number: count('Counted from 1.'),
      text: text('As it came.'),
      means: optional(
        choice(
          ['allow', 'disallow', 'crawl-delay', 'agent', 'sitemap'],
          'What it means for this crawl; missing: nothing.',
        ),
      ),
    }),
    'At most 2,000 lines of 500 characters.',
  ),
  isCut: flag('There is more than is shown.'),
  crawlDelaySeconds: optional(number('The Crawl-delay that holds for this crawl.')),
  sitemaps: list(text(''), 'As written.'),
})

export type RobotsFile = TypeOf<typeof RobotsFile>

export const Failure = answer('Failure', 'A link that ended without a page.', {
  url: text('Canonical.'),
  from: optional(text('The page it was found on; missing for a seed.')),
  reason: text('The name of the reason: timeout, status-404.'),
  attempts: optional(count('How many requests were made for it.')),
  status: optional(count('HTTP status of the last answer, if there was one.')),
  atMs: time('When it ended.'),
})

export const HostDetails = answer('HostDetails', 'A host, with more about it.', {
  ...hostRow,
  turn: optional(text('With the strategy important: when its next turn comes, in the language of Accept-Language.')),
  queue: list(
    answer('QueuedLink', 'A link that waits.', {
      url: text('Canonical.'),
      kind: optional(choice(['page', 'robots', 'sitemap'], 'Missing: page.')),
      rank: count('Its place among the links of its host: from 0, which is first, to 255.'),
      hops: count('Links from a seed.'),
      refused: optional(text('')),
      note: optional(text('')),
    }),
    'The beginning of its queue, in order; at most 100.',
  ),
  robotsFiles: list(RobotsFile, 'By scheme.'),
  outcomes: list(
    oneOf(
      answer('PageOutcome', 'A link that became a page.', { kind: literal('page'), page: PageLine }),
      answer('EndedOutcome', 'A link that ended without a page.', {
        kind: literal('ended'),
        failure: Failure,
        sentence: text('What the reason means, in the language of Accept-Language.'),
      }),
    ),
    'How its links ended, newest first; at most 100.',
  ),
})
export type HostDetails = TypeOf<typeof HostDetails>

/** What a host's robots.txt files, one per scheme, come to: it forbids all only if both do. */
export function robotsStateOf(kinds: readonly RulesKind[]): RobotsState {
  const [first] = kinds
  if (first === undefined) return 'unknown'
  return kinds.every(kind => kind === first) ? first : 'rules'
}
