import type { Bilingual, Language } from '../../base/words/language.ts'
import type { LinkView, Page } from '../../frontier/frontier.ts'
import type { RunStatus } from '../../run/run-status.ts'
import { type Action, type ActionResult, changeFromJson } from '../../settings/actions.ts'
import type { LinkChoice } from '../../settings/link-choice.ts'
import { ActionDone, Actions, HostRequest, Seeds, SettingsRequest, SettingsRequestTypes } from './action-shapes.ts'
import type { EventBatch } from './crawl-shapes.ts'
import { CrawlNow, CrawlSeries, CrawlTotals, ListedSettings } from './crawl-shapes.ts'
import type { UrlFacts } from './explained-shapes.ts'
import { ExplainedUrl } from './explained-shapes.ts'
import { type HostColumns, type PackedColumns, packed, unpacked } from './host-columns.ts'
import type { HostFacts, ListedHost } from './host-shapes.ts'
import { HOST_ORDERS, HostDetails, HostList } from './host-shapes.ts'
import { LINK_ORDERS, LinkChoiceRequest, LinkList, linkChoice } from './link-shapes.ts'
import { FoundPages, ListedPages, PageDetails } from './page-shapes.ts'
import {
  anyFields,
  choice,
  count,
  flag,
  type JsonShape,
  list,
  number,
  type ObjectShape,
  object,
  optional,
  request,
  type TypeOf,
  text,
} from './shape.ts'

export interface QuestionRow {
  /**
   * Who answers. `frontier`: FRONTIER_ANSWERS, from the frontier of a running crawl or from its files. `run`: the running crawl itself
   * or, if there is none, what it has left in its files. `files`: the view, which reads the folder and asks other questions.
   */
  readonly by: 'frontier' | 'run' | 'files'
  readonly asks: ObjectShape
  /** What the server itself checks of a request, if not all: the crawl says better what it does not accept. */
  readonly checks?: ObjectShape
  /** What frontier or run say. */
  readonly says?: Said
  /** What programs and people are shown, if the view adds to it. */
  readonly shows?: JsonShape
  /** Its address in the HTTP API: what `asks` is in the path, in the query of a GET, or in the body. */
  readonly route?: Route
  /** Why there may be no answer. */
  readonly missing?: string
  /** A change of the crawl: the action that is asked for. */
  acts?(question: never): Action
  /** Whether it may have to wait until the crawl spares the time. All others are answered at once. */
  isLong?(question: never): boolean
  /** Whether the rest of a long list can be read from the files while the crawl runs. */
  isFromFiles?(question: never): boolean
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Parameters of the path in braces, as OpenAPI writes them. */
  readonly path: string
  readonly summary: string
}

/** The type of an answer, and its form as JSON if that is another. */
interface Said<Value = unknown> {
  readonly value?: Value
  pack?(value: Value): unknown
  unpack?(packed: unknown): Value
}

function said<Value>(form: Omit<Said<Value>, 'value'> = {}): Said<Value> {
  return form
}

const LONGEST_SEARCH = 1000
/** As long as a URL of the crawl can be, and what people paste around it. */
const LONGEST_URL = 70_000

const nothing = request('', '', {})
export const url = text('A web address; https:// may be missing.', { minLength: 1, maxLength: LONGEST_URL })
const host = text('Its name, with a port if it has one.', { minLength: 1, maxLength: 300 })
const search = (description: string) => optional(text(description, { maxLength: LONGEST_SEARCH }))
const offset = optional(count('How many to skip.', { maximum: 2 ** 40, default: 0 }))
const limit = optional(count('How many to return at most.', { minimum: 1, maximum: 200, default: 50 }))
/** Where a list continues. */
const page = object({ after: optional(text('')), limit: number('') })
const which = object({
  state: choice(['waiting', 'leased', 'refused'], ''),
  reasons: optional(list(text(''), '')),
  host: optional(text('')),
})
type LinkQuestion = { readonly which: TypeOf<typeof which>; readonly page: TypeOf<typeof page> }

const get = (path: string, summary: string): Route => ({ method: 'GET', path, summary })
const change = (method: 'POST' | 'PATCH', path: string, summary: string) =>
  ({ by: 'run', shows: ActionDone, route: { method, path, summary } }) as const

/**
 * Every question about a crawl, and every change to it. From this table come both ends of the socket of a running crawl, the routes of
 * the HTTP API and its description. docs/architecture.md says what to write for another one.
 */
export const QUESTIONS = {
  /** The state of the crawl: the frontier's counts and, while it runs, what its process is doing. */
  status: { by: 'run', asks: nothing, says: said<RunStatus<Bilingual>>() },
  crawl: {
    by: 'files',
    asks: nothing,
    shows: CrawlNow,
    route: get('/api/crawl', 'Where the crawl stands now'),
  },
  series: {
    by: 'run',
    asks: nothing,
    says: said<CrawlSeries>(),
    shows: CrawlSeries,
    route: get('/api/series', 'Its rates over time'),
  },
  totals: {
    by: 'files',
    asks: nothing,
    shows: CrawlTotals,
    route: get('/api/totals', 'Answers by status and by time, failures by reason, and free disk space'),
  },
  /**
   * What happened after event number `after`; 0: the latest few. At most 200 at a time; with `isBrief`, all at once, but of each kind
   * only the latest 20. Of a crawl that does not run: nothing.
   */
  events: {
    by: 'run',
    asks: object({ after: number(''), isBrief: optional(flag('')) }),
    says: said<EventBatch>(),
  },
  /** Does something to the crawl, which checks it itself. Throws `CRAWL_NOT_RUNNING` when it does not run. */
  act: { by: 'run', asks: object({ action: anyFields<Action>('') }), says: said<ActionResult>() },

  explain: {
    by: 'frontier',
    asks: request('', '', { url }),
    says: said<UrlFacts>(),
    shows: ExplainedUrl,
    route: get('/api/explain', 'Everything known about one URL, and why it was or was not fetched'),
  },
  /** Links that wait, are being fetched or were refused, in order of discovery. A page may be short and still have a `next`. */
  listLinks: {
    by: 'frontier',
    asks: object({ which, page }),
    says: said<Page<LinkView>>(),
    // The first waiting links of one host are found without a search.
    isLong: ({ which, page }: LinkQuestion) => !isQueue(which) || page.after !== undefined,
    // The cursor in a host's queue is a position, which shifts while the crawl runs.
    isFromFiles: ({ which }: LinkQuestion) => !isQueue(which),
  },
  /** The known hosts, in order of discovery. A page may be short, or empty, and still have a `next`. */
  listHosts: {
    by: 'frontier',
    asks: object({ page, host: optional(text('')) }),
    says: said<Page<ListedHost>>(),
    isLong: () => true,
    isFromFiles: () => true,
  },
  /** The known hosts in columns of numbers, in order of discovery; at most 2,000. */
  hostColumns: {
    by: 'frontier',
    asks: page,
    says: said<HostColumns>({ pack: packed, unpack: given => unpacked(given as PackedColumns) }),
    isLong: () => true,
  },
  /** Hosts by name, at most 200, in the order of the names; those that are not known are left out. */
  hostsNamed: { by: 'frontier', asks: object({ hosts: list(text(''), '') }), says: said<readonly HostFacts[]>() },

  hosts: {
    by: 'files',
    asks: request('', '', {
      q: search('Part of the name; * matches any text.'),
      sort: optional(
        choice(
          HOST_ORDERS,
          'By which column: all but known (the order of discovery) and name begin with the largest. Default: known.',
        ),
      ),
      reverse: optional(flag('Reverses the order.')),
      offset,
      limit,
    }),
    shows: HostList,
    route: get('/api/hosts', 'Part of the known hosts: searched and sorted'),
  },
  host: {
    by: 'files',
    asks: request('', '', { host }),
    shows: HostDetails,
    route: get('/api/hosts/{host}', 'One host, with its queue, robots.txt and latest outcomes'),
    missing: 'The crawl does not know this host.',
  },
  /** What `escalona list` lists: `listLinks` and the archived pages; counted and sorted. */
  links: {
    by: 'files',
    asks: request('', '', {
      ...linkChoice,
      sort: optional(
        choice(
          LINK_ORDERS,
          'By which column; attempts and hops begin with the largest. Default: known (the order of discovery).',
        ),
      ),
      reverse: optional(flag('Reverses the order.')),
      offset,
      limit,
    }),
    shows: LinkList,
    route: get('/api/links', 'Part of the known links: by state, reason and host, searched and sorted'),
  },
  pages: {
    by: 'files',
    asks: request('', '', { q: search('Part of the URL or the title, in any case.'), offset, limit }),
    shows: ListedPages,
    route: get('/api/pages', 'Part of the archived pages, newest first'),
  },
  search: {
    by: 'files',
    asks: request('', '', {
      q: text('Words, all of which a page must have; phrases in quotes. Case and accents do not matter.', {
        minLength: 1,
        maxLength: LONGEST_SEARCH,
      }),
      host: optional(text('Only pages of this host and its subdomains.', { maxLength: 300 })),
      since: optional(text('Only visits from this day (UTC) or moment on: 2026-01-31.', { maxLength: 40 })),
      until: optional(text('Only visits up to this day or moment.', { maxLength: 40 })),
      offset: optional(count('How many to skip.', { maximum: 1000, default: 0 })),
      limit: optional(count('How many to return at most.', { minimum: 1, maximum: 50, default: 10 })),
    }),
    shows: FoundPages,
    route: get('/api/search', 'Archived pages by their text, the best first; the first search begins to index them'),
  },
  changes: {
    by: 'files',
    asks: request('', '', { offset, limit }),
    shows: ListedPages,
    route: get('/api/changes', 'Visits again that found a change, newest first'),
  },
  page: {
    by: 'files',
    asks: request('', '', { url }),
    shows: PageDetails,
    route: get('/api/page', 'The newest archived page of a URL, with its headers, links and text'),
    missing: 'There is no archived page of this URL.',
  },
  settings: {
    by: 'files',
    asks: nothing,
    shows: ListedSettings,
    route: get('/api/settings', 'What the crawl runs with'),
  },
  actions: {
    by: 'files',
    asks: nothing,
    shows: Actions,
    route: get('/api/actions', 'What people did to the crawl'),
  },

  pause: {
    ...change('POST', '/api/crawl/pause', 'Starts no new request; open ones end'),
    asks: nothing,
    acts: () => ({ kind: 'pause' }),
  },
  resume: {
    ...change('POST', '/api/crawl/resume', 'Continues a paused crawl'),
    asks: nothing,
    acts: () => ({ kind: 'resume' }),
  },
  stop: {
    ...change('POST', '/api/crawl/stop', 'Ends this run, as Ctrl-C does; open requests end first'),
    asks: nothing,
    acts: () => ({ kind: 'stop' }),
  },
  seeds: {
    ...change('POST', '/api/seeds', 'Adds seeds'),
    asks: Seeds,
    acts: ({ urls }: Seeds) => ({ kind: 'add seeds', urls }),
  },
  retryLinks: {
    ...change('POST', '/api/links/retry', 'Puts links that failed or were refused back in the queue'),
    asks: LinkChoiceRequest,
    acts: (which: LinkChoice) => ({ kind: 'retry links', which }),
  },
  letLinksIn: {
    ...change('POST', '/api/links/let-in', 'Makes links that a rule keeps out seeds, so that they are fetched'),
    asks: LinkChoiceRequest,
    acts: (which: LinkChoice) => ({ kind: 'let links in', which }),
  },
  changeSettings: {
    ...change('PATCH', '/api/settings', 'Changes settings of the running crawl'),
    asks: SettingsRequest,
    checks: SettingsRequestTypes,
    acts: (change: SettingsRequest) => ({ kind: 'change settings', settings: changeFromJson(change) }),
  },
  changeHost: {
    ...change(
      'PATCH',
      '/api/hosts/{host}',
      'Gives a host a delay, blocks it, clears its queue, or lets it go on at once',
    ),
    asks: HostRequest,
    acts: ({ host, ...change }: HostRequest) => ({ kind: 'change host', host, change }) as Action,
  },
} as const satisfies Record<string, QuestionRow>

type Table = typeof QUESTIONS
export type QuestionName = keyof Table
export type Asks<Name extends QuestionName> = TypeOf<Table[Name]['asks']>
/** The questions that frontier or run answer. */
export type SourceName = {
  [Name in QuestionName]: Table[Name] extends { readonly says: unknown } ? Name : never
}[QuestionName]
/** What frontier or run say. */
export type Says<Name extends SourceName> = Table[Name]['says'] extends Said<infer Value> ? Value : never
/** The questions that are shown to programs and people. */
export type ShownName = {
  [Name in QuestionName]: Table[Name] extends { readonly acts: unknown }
    ? never
    : Table[Name] extends { readonly shows: unknown }
      ? Name
      : never
}[QuestionName]
export type Shows<Name extends ShownName> = TypeOf<Table[Name]['shows']>

/** Answers what frontier or run say: the process of a running crawl, or its files. */
export interface Source {
  ask<Name extends SourceName>(name: Name, question: Asks<Name>): Promise<Says<Name>>
}

export type AskedName = ShownName | SourceName
/** The answer to a question; undefined: there is no such host or page. */
export type Answered<Name extends AskedName> = Name extends ShownName
  ? Shows<Name> | (Table[Name] extends { readonly missing: string } ? undefined : never)
  : Name extends SourceName
    ? Says<Name>
    : never

/** Answers every question about a crawl. `language`: of texts for people; undefined: the current one. */
export interface View {
  readonly folder: string
  ask<Name extends AskedName>(name: Name, question: Asks<Name>, language?: Language): Promise<Answered<Name>>
}

/** The row of a question by a name that may be any text. */
export function questionNamed(name: unknown): QuestionRow | undefined {
  return typeof name === 'string' && Object.hasOwn(QUESTIONS, name) ? QUESTIONS[name as QuestionName] : undefined
}

function isQueue({ state, host }: LinkQuestion['which']): boolean {
  return state === 'waiting' && host !== undefined
}
