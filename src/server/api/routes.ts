// Every route of the API: the questions that have one, and the server's own. This table validates requests and is the OpenAPI description.
import { ListedCrawls } from '../../view/questions/crawl-shapes.ts'
import { QUESTIONS, type QuestionRow, type Route, url } from '../../view/questions/questions.ts'
import {
  answer,
  anyFields,
  choice,
  count,
  flag,
  type JsonShape,
  list,
  type ObjectShape,
  optional,
  request,
  type TypeOf,
  text,
  time,
} from '../../view/questions/shape.ts'

export type AskedRoute = Route & { readonly asks: ObjectShape }

export interface ApiRoute extends AskedRoute {
  readonly description?: string
  /** What can go wrong beyond what can go wrong everywhere, by status. */
  readonly errors?: Readonly<Record<number, string>>
  /** JSON of this shape, or text of another media type. */
  readonly answer: JsonShape | { readonly mediaType: string; readonly about: string }
  readonly isOpen?: boolean
}

const visit = {
  dateMs: time('When it was requested.'),
  status: count('HTTP status.'),
  isSame: flag('Nothing had changed since an earlier visit, by what the server said or by its bytes.'),
  isBrokenOff: flag('The server did not send all of it.'),
}

const VisitLine = answer('Visit', 'An archived answer of a URL.', visit)

const Visits = answer('Visits', 'The archived visits of a URL.', {
  url: text('Canonical.'),
  items: list(VisitLine, 'Oldest first; at most 2,000.'),
  isCut: flag('There are older ones.'),
})

const ComparedVisit = answer('ComparedVisit', 'A visit that was compared.', {
  ...visit,
  title: text('May be empty.'),
  words: count('Words of visible text.'),
})

const Piece = answer('Piece', 'Part of a line.', {
  text: text('As it stands in the text.'),
  isChanged: flag('The other side does not have it.'),
})
const pieces = (description: string) => optional(list(Piece, description))

const Row = answer('DifferenceRow', 'A line of both texts, side by side.', {
  kind: choice(['same', 'changed', 'removed', 'added', 'skipped'], 'skipped: same lines that are left out.'),
  before: pieces('The line of the earlier visit, or of both.'),
  after: pieces('The line of the later visit, if it differs.'),
  lines: optional(count('How many lines are left out.')),
})

const VisitDifference = answer('VisitDifference', 'What changed in the text of a page between two visits.', {
  url: text('Canonical.'),
  from: ComparedVisit,
  to: ComparedVisit,
  rows: list(Row, 'In the order of the text; at most 2,000.'),
  removedWords: count('Words that only the earlier visit has.'),
  addedWords: count('Words that only the later visit has.'),
  isCut: flag('There is more text, or more change, than was compared or is shown.'),
})

const FrameKey = answer('FrameKey', 'A key for a frame.', {
  key: text('Opens archived content under /at/, and nothing else, until the server ends.'),
})
export type FrameKey = TypeOf<typeof FrameKey>

const FrameView = answer('FrameView', 'What a frame shows.', {
  url: text('Canonical.'),
  dateMs: optional(time('When it was requested; missing when it is not in the archive.')),
  status: optional(count('HTTP status.')),
  mediaType: optional(text('As the server named it.')),
  title: text('May be empty.'),
  isCut: flag('More was sent, or is in the archive, than is shown.'),
})

const nothing = request('', '', {})
const visited = (which: string) =>
  count(`${which}, or the nearest to this time. Milliseconds since 1970-01-01 UTC.`, { maximum: 2 ** 52 })

/** About archived pages, to be read. */
export const READING = {
  visits: {
    method: 'GET',
    path: '/api/visits',
    summary: 'The archived visits of a URL: answers of any kind, oldest first',
    asks: request('', '', { url }),
    answer: Visits,
    errors: { 404: 'There is no archived answer of this URL.' },
  },
  difference: {
    method: 'GET',
    path: '/api/difference',
    summary: 'What changed in the text of a page between two visits',
    asks: request('', '', { url, from: visited('The earlier visit'), to: visited('The later visit') }),
    answer: VisitDifference,
    errors: { 404: 'There is no archived answer of this URL.' },
  },
  frame: {
    method: 'GET',
    path: '/api/frame',
    summary: 'A key for a frame in which archived pages are read',
    description:
      'Archived content is at /at/KEY/page/STAMP/URL: STAMP is the time of the visit in 14 digits, UTC; URL is percent-encoded as one ' +
      'segment. It is rewritten so that nothing in it runs or leaves the archive, and comes with a policy that sees to the same.',
    asks: nothing,
    answer: FrameKey,
  },
  frameView: {
    method: 'GET',
    path: '/api/frames/{key}',
    summary: 'What the frame with this key shows now',
    asks: request('', '', { key: text('As GET /api/frame gave it.', { minLength: 1, maxLength: 100 }) }),
    answer: FrameView,
    errors: { 404: 'It shows nothing yet.' },
  },
} as const satisfies Record<string, ApiRoute>

/** About the server itself, and the stream of events. */
export const OTHERS = {
  events: {
    method: 'GET',
    path: '/api/events',
    summary: 'What happens, as server-sent events',
    description:
      'Each event has the kind of the event as its name, a number as its id, and a JSON object as its data. Begins with the ' +
      'latest few events, or after Last-Event-ID. Besides the events of the crawl (answered, page, failed, action …): now, ' +
      'once a second, with the same data as GET /api/crawl; and skipped, {"events": n}, when events were lost or left out in between.',
    asks: request('', '', { brief: optional(flag('Sends only the latest 20 events of each kind, twice a second.')) }),
    answer: { mediaType: 'text/event-stream', about: 'A stream without an end.' },
    errors: { 503: 'Too many streams are open.' },
  },
  crawls: {
    method: 'GET',
    path: '/api/crawls',
    summary: 'The crawls that this server shows: those that run first, then by what happened last',
    description:
      'A server of a folder of crawls (escalona ui PARENT) has every other route once per crawl, under /crawls/NAME: ' +
      'GET /crawls/NAME/api/hosts.',
    asks: nothing,
    answer: ListedCrawls,
  },
  report: {
    method: 'GET',
    path: '/report',
    summary: 'The report of the crawl, as it last wrote it',
    asks: nothing,
    answer: { mediaType: 'text/html', about: 'The file report.html.' },
    errors: { 404: 'There is none yet.' },
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description',
    asks: nothing,
    answer: anyFields(''),
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    asks: nothing,
    answer: { mediaType: 'text/plain', about: 'The text format of Prometheus, version 0.0.4.' },
  },
  healthz: {
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the server answers',
    asks: nothing,
    answer: { mediaType: 'text/plain', about: 'ok' },
    isOpen: true,
  },
} as const satisfies Record<string, ApiRoute>

const questions = Object.entries<QuestionRow>(QUESTIONS).flatMap(([name, { asks, shows, route, missing, acts }]) => {
  if (route === undefined || shows === undefined) return []
  const errors = { ...(missing && { 404: missing }), ...(acts && { 409: 'The crawl is not running.' }) }
  return [[name, { ...route, asks, answer: shows, errors }] as const]
})

export const ROUTES: Readonly<Record<string, ApiRoute>> = { ...Object.fromEntries(questions), ...READING, ...OTHERS }

/** Where the parts of a question are in a request. */
export interface RequestParts {
  readonly params: ObjectShape
  /** Of a GET; undefined: it may be anything. */
  readonly query: ObjectShape | undefined
  /** Of any other method; undefined: it is not read. */
  readonly body: ObjectShape | undefined
}

export function partsOf({ method, path, asks }: AskedRoute): RequestParts {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const names = Object.keys(asks.properties)
  const isEmpty = names.every(name => inPath.includes(name))
  const rest = isEmpty ? undefined : only(asks, name => !inPath.includes(name))
  return {
    params: only(asks, name => inPath.includes(name)),
    query: method === 'GET' ? rest : undefined,
    body: method === 'GET' ? undefined : rest,
  }
}

function only(shape: ObjectShape, isWanted: (name: string) => boolean): ObjectShape {
  const properties = Object.fromEntries(Object.entries(shape.properties).filter(([name]) => isWanted(name)))
  return { ...shape, properties, required: shape.required.filter(isWanted) }
}
