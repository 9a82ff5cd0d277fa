import { RANKED_BY } from '../../decide/link-note.ts'
import type { Explanation, LinkView } from '../../frontier/frontier.ts'
import { Failure, type ListedHost, listedHost } from './host-shapes.ts'
import { PageLine, place } from './page-shapes.ts'
import { answer, choice, count, flag, list, number, object, optional, type TypeOf, text } from './shape.ts'

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
  /** The pattern that decides its rank now, as on the command line: `--prefer *\/news/*`. */
  readonly preference?: string | undefined
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

const LINES = [
  ...(['state', 'why', 'advice', 'target', 'queue', 'rank', 'again', 'lastVisit', 'attempts', 'ended'] as const),
  ...(['from', 'repeats', 'page', 'title', 'archive', 'settings', 'robots', 'host'] as const),
] as const

const UrlHistory = answer('UrlHistory', 'Everything known about one URL.', {
  url: text('The canonical form.'),
  state: choice(
    ['unknown', 'waiting', 'leased', 'done', 'redirected', 'refused', 'failed', 'held'],
    'unknown: no page has linked to it so far. leased: it is being fetched now. held: a setting keeps it out.',
  ),
  reason: optional(text('Why there is no page: the name of the reason.')),
  sentence: optional(text('What the reason means, in the language of Accept-Language.')),
  advice: optional(text('What to do about it.')),
  place: optional(count('While it waits: how many links of its host come before it.')),
  isExact: optional(flag('Whether the place is exact; otherwise there are at least as many.')),
  rank: optional(
    object(
      {
        value: count(
          'The links of a host are taken by it, the lowest first, then in the order in which they were found.',
        ),
        by: choice(
          ['prefer', 'defer', 'depth', ...RANKED_BY],
          'prefer, defer: a pattern. depth: the depth of its path. program: the rankLink function. language: that of the page it was found on. score: that of the page it was found on. importance: that of this page.',
        ),
        levels: optional(count('Unless it is by depth or by a pattern: how many values there are, from 1.')),
        setting: optional(text('The pattern that says so now, as on the command line: --prefer */news/*.')),
        importance: optional(number('The importance of the page it was found on; seeds have 1.')),
        links: optional(count('How many links that page has: each gets an equal share of its importance.')),
        score: optional(number('The score of that page.')),
      },
      'While it waits: its rank among the links of its host, and why.',
    ),
  ),
  readyInMs: optional(number('How long until it can be fetched at the earliest.')),
  againInMs: optional(number('Of a page that is visited again: how long until then; 0: it is due.')),
  failedVisit: optional(
    object(
      { atMs: number('When, in milliseconds since 1970.'), reason: text('The name of the reason.') },
      'Of a page that is visited again: the last visit, if it brought no page.',
    ),
  ),
  redirectsTo: optional(text('Where its newest answer redirects to.')),
  heldBy: optional(text('Why the current settings keep it out: scope, exclude …')),
  setting: optional(text('The setting behind that, as on the command line: --exclude *.pdf.')),
  robots: object(
    {
      kind: choice(
        ['unknown', 'allowed', 'refused'],
        'unknown: robots.txt has not been fetched, or more than a day ago.',
      ),
      status: optional(count('While it is unknown: the HTTP status of its latest answer, which was an error.')),
      line: optional(count('The deciding line, counted from 1; missing when none applies.')),
      crawlDelaySeconds: optional(number('As written.')),
      text: optional(text('The deciding line.')),
    },
    'What robots.txt says about it.',
  ),
  host: optional(answer('ListedHost', 'The host of a URL.', listedHost)),
  from: optional(text('The page on which it was first found; missing for a seed, and when unknown.')),
  repeats: optional(
    text('The earlier page that this page nearly repeats, or, of a link held for that, the page it was found on.'),
  ),
  hops: optional(count('Links from a seed.')),
  attempts: optional(count('How often it was tried.')),
  page: optional(PageLine),
  answer: optional(answer('Place', 'Where an answer is in the archive.', place)),
  failure: optional(Failure),
})

/** Everything known about one URL of a crawl: its state, why, and where it was found. */
export type UrlHistory = TypeOf<typeof UrlHistory>

export const ExplainedUrl = answer('Explained', 'The history of a URL, as data and as text.', {
  history: UrlHistory,
  lines: list(
    answer('HistoryLine', 'A line of the history.', {
      about: choice(LINES, 'What it is about, in any language.'),
      title: text('What it is about.'),
      text: text('What there is to say.'),
    }),
    'What escalona explain prints, in the language of Accept-Language.',
  ),
})
export type ExplainedUrl = TypeOf<typeof ExplainedUrl>
export type HistoryLine = ExplainedUrl['lines'][number]
