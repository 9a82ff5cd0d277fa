import { type CrawlEvent, ENDED_BECAUSE } from '../../settings/events.ts'
import {
  answer,
  choice,
  count,
  counts,
  flag,
  list,
  number,
  object,
  optional,
  type TypeOf,
  text,
  time,
  unbounded,
} from './shape.ts'

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

const Frontier = answer('FrontierCounts', 'How many links the frontier knows, by what became of them.', {
  known: count('Page links ever seen: the sum of waiting, leased, done and refused.'),
  waiting: count('Links that wait.'),
  leased: count('Links that are being fetched.'),
  done: count('Links that were fetched: pages and redirects.'),
  refused: count('Links that ended without a page.'),
  refusedFor: counts('The refused ones by reason.'),
  pages: count('Of the done ones, those that were pages.'),
  planned: count('Of the done ones, those with a next visit.'),
  due: count('Of the planned ones, those whose time has come.'),
  revisiting: count('Of the done ones, those that are being fetched again.'),
  down: count('Of the waiting ones, those at hosts that are down.'),
  auxiliaries: count('Requests for robots.txt and sitemaps that wait or are open.'),
  hosts: count('Known hosts.'),
  turnedAway: object(
    { 'max-hosts': count(''), 'domain-hosts': count(''), 'page-hosts': count('') },
    'Links that a bound on hosts turned away, by its name.',
  ),
})

const Eta = answer('Eta', 'An estimate of the remaining time.', {
  ms: unbounded('Remaining time in milliseconds.'),
  isAtLeast: flag('The known links are too few for the limit, or there is no limit: every new link adds time.'),
  slowest: list(
    object({ host: text('Name.'), waiting: count('Links.'), ms: unbounded('How long they take.') }),
    'The hosts that determine the time, slowest first; at most three.',
  ),
})

const Ended = answer('Ended', 'How the newest run ended.', {
  because: choice(
    [...ENDED_BECAUSE, 'killed', 'unknown'],
    'killed: it was killed, or ended with an error. unknown: it never ran, or its process does not answer.',
  ),
  atMs: optional(time('When.')),
  hasReport: flag('GET /report has its report.'),
})

export const CrawlNow = answer('CrawlNow', 'Where the crawl stands.', {
  state: choice(['running', 'paused', 'stopping', 'ended'], 'What the crawl is doing.'),
  name: text('The name of its folder.'),
  startedAtMs: optional(time('When its newest run began.')),
  workMs: number('How long all runs have worked, in milliseconds.'),
  pages: count('Archived pages.'),
  limit: optional(count('How many pages are wanted; missing: no limit.')),
  requests: count('Requests of all kinds.'),
  wireBytes: count('Bytes received.'),
  failed: count(
    'Links that ended by an error, after all retries, in the life of the crawl. It never falls: a link that was put back in the queue and failed again counts again. Attempts that are retried do not count.',
  ),
  losses: count('How often the engine of a frontier that machines share had forgotten what it had acknowledged.'),
  pagesPerSecond: number('Over the last few seconds.'),
  bytesPerSecond: number('Bytes received per second, over the last few seconds.'),
  openRequests: count('Open requests.'),
  slots: count('How many requests may be open at once.'),
  frontier: Frontier,
  hosts: object(
    {
      ready: count('They can be asked now.'),
      resting: count('Their time has not come.'),
      down: count('They failed too often, and are tried now and then.'),
      blocked: count(
        'All hosts that people block, whether something waits there or not; if it does, they are also resting.',
      ),
    },
    'Hosts with something waiting.',
  ),
  eta: optional(Eta),
  waitingFor: text('One sentence about what the crawl is doing or waiting for, in the language of Accept-Language.'),
  challenges: optional(
    text(
      'One sentence about hosts that answer with challenge pages, and what to do, in the language of Accept-Language.',
    ),
  ),
  machines: optional(count('When machines share the crawl: how many are at work.')),
  ended: optional(Ended),
})
export type CrawlNow = TypeOf<typeof CrawlNow>

export const CrawlSummary = answer('CrawlSummary', 'One crawl of a folder of crawls.', {
  name: text('The name of its folder.'),
  state: choice(
    ['running', 'paused', 'stopping', 'ended', 'killed', 'new', 'unseen', 'unreadable'],
    'unseen: a process that cannot be seen from here has it. unreadable: crawl.json is damaged, or of another version.',
  ),
  pages: count('Archived pages.'),
  limit: optional(count('How many pages are wanted, while it runs; missing: no limit.')),
  pagesPerSecond: number('Over the last few seconds.'),
  failed: count('Links that ended by an error, after all retries.'),
  diskBytes: optional(count('Size of its folder; missing until it has been added up.')),
  activeAtMs: optional(time('When something happened last.')),
})
export type CrawlSummary = TypeOf<typeof CrawlSummary>

export const ListedCrawls = answer('Crawls', 'The crawls that this server shows.', {
  items: list(CrawlSummary, 'At most 1,000.'),
  isCut: flag('There are more.'),
})
export type ListedCrawls = TypeOf<typeof ListedCrawls>

/** The page of charts that a crawl writes into its folder. */
export const REPORT = 'report.html'

export const CrawlTotals = answer(
  'CrawlTotals',
  'What this folder counted in the life of the crawl, as of its last save.',
  {
    statuses: counts('Answers by HTTP status.'),
    retried: counts('Requests that failed and were made again, by reason.'),
    failed: counts('Links that ended by an error, by reason.'),
    answers: object(
      {
        upToMs: list(number(''), 'The upper bounds of the counts, in milliseconds.'),
        counts: list(
          count(''),
          'Answers that took up to each bound and longer than the one before; the last count has no bound.',
        ),
        totalMs: number('The sum of all times, accurate to a tenth.'),
      },
      'How long answers took.',
    ),
    disk: optional(
      object(
        { freeBytes: count('What this process may still write.'), sizeBytes: count('All of it.') },
        'Of the disk of the folder.',
      ),
    ),
  },
)
export type CrawlTotals = TypeOf<typeof CrawlTotals>

const sums = (description: string) => list(number(''), description)

export const CrawlSeries = answer('CrawlSeries', 'Rates over time.', {
  recent: object(
    {
      untilMs: time('The second of the last entry.'),
      pages: sums('Pages archived in each second.'),
      wireBytes: sums('Bytes received in each second.'),
      failures: sums('Requests that failed in each second, also those that are made again.'),
      openRequests: sums('Open requests at the end of each second.'),
    },
    'The last ten minutes, one entry per second; empty when the crawl is not running.',
  ),
  whole: object(
    {
      widthMs: number('Width of a step in milliseconds.'),
      pages: sums('Pages archived in each step.'),
      wireBytes: sums('Bytes received in each step.'),
      newDomains: sums('Registrable domains first visited in each step.'),
      failures: sums('Requests that failed in each step, also those that are made again.'),
    },
    'The whole crawl, in at most 480 steps of its working time.',
  ),
})
export type CrawlSeries = TypeOf<typeof CrawlSeries>

export const ListedSettings = answer('Settings', 'What the crawl runs with.', {
  items: list(
    answer('Setting', 'A setting, as it is written on the command line.', {
      setting: text('Its name in the API and the library: delayMs.'),
      option: text('Its name on the command line: --delay.'),
      value: list(text(''), 'As it is written on the command line; of a list, the first 1,000 values.'),
      valueCount: count('How many values it has. More than value holds: only the first ones are shown.'),
      isDefault: flag('It has its default value.'),
      canChange: flag('PATCH /api/settings can change it now.'),
      choices: optional(list(text(''), 'The accepted values, if there are few.')),
    }),
    'All settings that can be shown; secrets are left out.',
  ),
})
export type ListedSettings = TypeOf<typeof ListedSettings>
export type SettingView = ListedSettings['items'][number]
