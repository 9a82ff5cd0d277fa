// Every route of the API. This table validates requests, types handlers, and is the OpenAPI description.
import Type from 'typebox'
import { ActionResult, Actions, HostChange, Seeds, SettingsChange, SettingsChangeTypes } from './action-shapes.ts'
import { CrawlNow, CrawlSeries, Settings } from './crawl-shapes.ts'
import { HOST_ORDERS, HostList, HostStory } from './host-shapes.ts'
import { PageList, PageStory } from './page-shapes.ts'
import { FrameKey, FrameView, VisitDifference, Visits } from './reading-shapes.ts'
import type { Route } from './route.ts'
import { choice, request } from './shapes.ts'
import { StoryWithLines } from './story-shapes.ts'

const LONGEST_SEARCH = 1000
/** As long as a URL of the crawl can be, and what people paste around it. */
const LONGEST_URL = 70_000

const offset = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 2 ** 40, default: 0, description: 'How many to skip.' }),
)
const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many to return at most.' }),
)
const query = <Fields extends Type.TProperties>(fields: Fields) => request('', '', fields)
const search = (description: string) => Type.Optional(Type.String({ maxLength: LONGEST_SEARCH, description }))
const url = Type.String({
  minLength: 1,
  maxLength: LONGEST_URL,
  description: 'A web address; https:// may be missing.',
})
const visited = (which: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 2 ** 52,
    description: `${which}, or the nearest to this time. Milliseconds since 1970-01-01 UTC.`,
  })
const host = query({
  host: Type.String({ minLength: 1, maxLength: 300, description: 'Its name, with a port if it has one.' }),
})

const NOT_RUNNING = { 409: 'The crawl is not running.' }

export const ROUTES = {
  crawl: {
    method: 'GET',
    path: '/api/crawl',
    summary: 'Where the crawl stands now',
    answer: CrawlNow,
  },
  series: { method: 'GET', path: '/api/series', summary: 'Its rates over time', answer: CrawlSeries },
  hosts: {
    method: 'GET',
    path: '/api/hosts',
    summary: 'Part of the known hosts: searched and sorted',
    query: query({
      q: search('Part of the name; * matches any text.'),
      sort: Type.Optional(
        choice(
          HOST_ORDERS,
          'By which column: all but known (the order of discovery) and name begin with the largest. Default: known.',
        ),
      ),
      reverse: Type.Optional(Type.Boolean({ description: 'Reverses the order.' })),
      offset,
      limit,
    }),
    answer: HostList,
  },
  host: {
    method: 'GET',
    path: '/api/hosts/{host}',
    summary: 'One host, with its queue, robots.txt and latest outcomes',
    params: host,
    answer: HostStory,
    errors: { 404: 'The crawl does not know this host.' },
  },
  pages: {
    method: 'GET',
    path: '/api/pages',
    summary: 'Part of the archived pages, newest first',
    query: query({ q: search('Part of the URL or the title, in any case.'), offset, limit }),
    answer: PageList,
  },
  page: {
    method: 'GET',
    path: '/api/page',
    summary: 'The newest archived page of a URL, with its headers, links and text',
    query: query({ url }),
    answer: PageStory,
    errors: { 404: 'There is no archived page of this URL.' },
  },
  visits: {
    method: 'GET',
    path: '/api/visits',
    summary: 'The archived visits of a URL: answers of any kind, oldest first',
    query: query({ url }),
    answer: Visits,
    errors: { 404: 'There is no archived answer of this URL.' },
  },
  difference: {
    method: 'GET',
    path: '/api/difference',
    summary: 'What changed in the text of a page between two visits',
    query: query({ url, from: visited('The earlier visit'), to: visited('The later visit') }),
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
    answer: FrameKey,
  },
  frameView: {
    method: 'GET',
    path: '/api/frames/{key}',
    summary: 'What the frame with this key shows now',
    params: query({ key: Type.String({ minLength: 1, maxLength: 100, description: 'As GET /api/frame gave it.' }) }),
    answer: FrameView,
    errors: { 404: 'It shows nothing yet.' },
  },
  explain: {
    method: 'GET',
    path: '/api/explain',
    summary: 'Everything known about one URL, and why it was or was not fetched',
    query: query({ url }),
    answer: StoryWithLines,
  },
  settings: { method: 'GET', path: '/api/settings', summary: 'What the crawl runs with', answer: Settings },
  actions: { method: 'GET', path: '/api/actions', summary: 'What people did to the crawl', answer: Actions },
  events: {
    method: 'GET',
    path: '/api/events',
    summary: 'What happens, as server-sent events',
    description:
      'Each event has the kind of the event as its name, a number as its id, and a JSON object as its data. Begins with the ' +
      'latest few events, or after Last-Event-ID. Besides the events of the crawl (answered, page, failed, action …): now, ' +
      'once a second, with the same data as GET /api/crawl; and skipped, {"events": n}, when events were lost or left out in between.',
    query: query({
      brief: Type.Optional(
        Type.Boolean({ description: 'Sends only the latest 20 events of each kind, twice a second.' }),
      ),
    }),
    answer: { mediaType: 'text/event-stream', description: 'A stream without an end.' },
    errors: { 503: 'Too many streams are open.' },
  },
  pause: {
    method: 'POST',
    path: '/api/crawl/pause',
    summary: 'Starts no new request; open ones end',
    answer: ActionResult,
    errors: NOT_RUNNING,
  },
  resume: {
    method: 'POST',
    path: '/api/crawl/resume',
    summary: 'Continues a paused crawl',
    answer: ActionResult,
    errors: NOT_RUNNING,
  },
  stop: {
    method: 'POST',
    path: '/api/crawl/stop',
    summary: 'Ends this run, as Ctrl-C does; open requests end first',
    answer: ActionResult,
    errors: NOT_RUNNING,
  },
  seeds: {
    method: 'POST',
    path: '/api/seeds',
    summary: 'Adds seeds',
    body: Seeds,
    answer: ActionResult,
    errors: NOT_RUNNING,
  },
  changeSettings: {
    method: 'PATCH',
    path: '/api/settings',
    summary: 'Changes settings of the running crawl',
    body: SettingsChange,
    checked: SettingsChangeTypes,
    answer: ActionResult,
    errors: NOT_RUNNING,
  },
  changeHost: {
    method: 'PATCH',
    path: '/api/hosts/{host}',
    summary: 'Gives a host a delay, blocks it, clears its queue, or lets it go on at once',
    params: host,
    body: HostChange,
    answer: ActionResult,
    errors: NOT_RUNNING,
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description',
    answer: Type.Record(Type.String(), Type.Unknown()),
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    answer: { mediaType: 'text/plain', description: 'The text format of Prometheus, version 0.0.4.' },
  },
  healthz: {
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the server answers',
    answer: { mediaType: 'text/plain', description: 'ok' },
    isOpen: true,
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof ROUTES
