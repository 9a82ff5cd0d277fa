import type { Static, TSchema } from 'typebox'
import type { Language } from '../base/words/language.ts'
import type { ActionLine, FrontDesk, HostOutcome } from '../crawl/desk/front-desk.ts'
import type { ReadingRoom } from '../replay/reading-room.ts'
import { changeFromJson } from '../settings/actions.ts'
import type { CrawlNow } from './api/crawl-shapes.ts'
import type { ROUTES, RouteName } from './api/routes.ts'
import { wire } from './api/wire.ts'
import type { ReadingKeys } from './reading-keys.ts'

type Table = typeof ROUTES
type Part<Name extends RouteName, Key extends string> =
  Table[Name] extends Readonly<Record<Key, infer Shape>>
    ? Shape extends TSchema
      ? Static<Shape>
      : undefined
    : undefined

/** A request after it was read and checked. */
export interface Given<Name extends RouteName> {
  readonly desk: FrontDesk
  readonly room: ReadingRoom
  readonly keys: ReadingKeys
  readonly language: Language
  readonly params: Part<Name, 'params'>
  readonly query: Part<Name, 'query'>
  readonly body: Part<Name, 'body'>
}

/** The routes that ask the desk and answer with JSON. */
export type DeskRoute = Exclude<RouteName, 'events' | 'openapi' | 'metrics' | 'healthz'>

/** What each route answers; undefined: there is no such thing. */
export type Answers = {
  readonly [Name in DeskRoute]: (given: Given<Name>) => Promise<Part<Name, 'answer'> | undefined>
}

/** How many entries a list has unless the request says otherwise. */
const DEFAULT_LIMIT = 50
/** How many seeds of an action are named. */
const MOST_SEEDS_SHOWN = 20

export const ANSWERS: Answers = {
  crawl: ({ desk, language }) => crawlNow(desk, language),
  series: async ({ desk }) => wire(await desk.series()),
  hosts: async ({ desk, query: { q = '', sort = 'known', reverse = false, offset = 0, limit = DEFAULT_LIMIT } }) =>
    wire(await desk.hosts({ q, sort, isReversed: reverse, offset, limit })),
  host: async ({ desk, language, params: { host } }) => {
    const story = await desk.host(host)
    return story && wire({ ...story, outcomes: story.outcomes.map(outcome => outcomeIn(outcome, language)) })
  },
  pages: async ({ desk, query: { q = '', offset = 0, limit = DEFAULT_LIMIT } }) =>
    wire(await desk.pages({ q, offset, limit })),
  page: async ({ desk, query: { url } }) => {
    const story = await desk.page(url)
    return story && wire(story)
  },
  visits: async ({ room, query: { url } }) => {
    const visits = room.visits(url)
    return visits && wire(visits)
  },
  difference: async ({ room, query: { url, from, to } }) => {
    const difference = await room.difference(url, from, to)
    return difference && wire(difference)
  },
  frame: async ({ keys }) => ({ key: keys.make() }),
  frameView: async ({ keys, params: { key } }) => {
    const view = keys.viewOf(key)
    return view && wire(view)
  },
  explain: async ({ desk, language, query: { url } }) => {
    const { story, lines } = await desk.explain(url)
    return wire({ story: story[language], lines: lines[language] })
  },
  settings: async ({ desk }) => wire({ items: await desk.settings() }),
  actions: async ({ desk }) => ({
    items: wire((await desk.actions()).map(withFewSeeds)) as Part<'actions', 'answer'>['items'],
  }),
  pause: async ({ desk }) => wire(await desk.act({ kind: 'pause' })),
  resume: async ({ desk }) => wire(await desk.act({ kind: 'resume' })),
  stop: async ({ desk }) => wire(await desk.act({ kind: 'stop' })),
  seeds: async ({ desk, body: { urls } }) => wire(await desk.act({ kind: 'add seeds', urls })),
  changeSettings: async ({ desk, body }) =>
    wire(await desk.act({ kind: 'change settings', settings: changeFromJson(body) })),
  changeHost: async ({ desk, params: { host }, body: change }) =>
    wire(await desk.act({ kind: 'change host', host, change })),
}

/** Where the crawl stands, as the API says it. */
export async function crawlNow(desk: FrontDesk, language: Language): Promise<CrawlNow> {
  const now = await desk.now()
  return wire({ ...now, waitingFor: now.waitingFor[language] })
}

/** A list of actions stays short, whatever people pasted. */
function withFewSeeds(line: ActionLine): ActionLine {
  return line.kind === 'add seeds' ? { ...line, urls: line.urls.slice(0, MOST_SEEDS_SHOWN) } : line
}

function outcomeIn(outcome: HostOutcome, language: Language) {
  return outcome.kind === 'page' ? outcome : { ...outcome, sentence: outcome.sentence[language] }
}
