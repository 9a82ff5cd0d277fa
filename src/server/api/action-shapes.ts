import Type, { type Static } from 'typebox'
import { answer, choice, count, list, optional, request, text, time } from './shapes.ts'

/** Values of a setting that may be infinite. */
const orNone = (description: string) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description: `${description} null: no limit.` })
const ms = (description: string) => Type.Number({ minimum: 0, description: `${description} Milliseconds.` })
const patterns = (description: string) =>
  Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 10_000, description })

export const SettingsChange = request(
  'SettingsChange',
  'New values of settings; those that are missing stay as they are.',
  {
    limit: optional(orNone('The crawl ends after this many archived pages.')),
    delayMs: optional(ms('Minimum time between two requests to a host.')),
    serverDelayMs: optional(ms('Minimum time between two requests to a server.')),
    perServer: optional(Type.Integer({ minimum: 1, description: 'Maximum open requests per server.' })),
    concurrency: optional(Type.Integer({ minimum: 1, description: 'Maximum open requests.' })),
    maxRequestsPerSecond: optional(orNone('Maximum requests per second, to all hosts together.')),
    strategy: optional(text('explore, or one of the strategies of the scheduler.')),
    exploreChance: optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'Chance of choosing a host whose domain was never visited.' }),
    ),
    scope: optional(choice(['any', 'domain', 'host'], 'Which links are followed.')),
    include: optional(patterns('URL patterns; only matching URLs are followed.')),
    exclude: optional(patterns('URL patterns; matching URLs are not followed.')),
    maxDepth: optional(orNone('Maximum number of links from a seed.')),
    maxPerHost: optional(orNone('Maximum pages per host.')),
  },
)
export type SettingsChange = Static<typeof SettingsChange>

export const HostChange = request('HostChange', 'What to change about one host; anything missing stays as it is.', {
  delayMs: optional(
    Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description: 'Minimum time between two requests, in milliseconds; null: as for every other host.',
    }),
  ),
  blockedUntilMs: optional(
    Type.Union([Type.Number(), Type.Null()], {
      description:
        'It is asked nothing before this time, in milliseconds since 1970; null: it may be asked at once, whatever it waits for.',
    }),
  ),
  clear: optional(Type.Boolean({ description: 'Removes its waiting links; they end with the reason cleared.' })),
})
export type HostChange = Static<typeof HostChange>

export const Seeds = request('Seeds', 'URLs to add to the crawl.', {
  urls: Type.Array(Type.String({ maxLength: 65_535 }), {
    minItems: 1,
    maxItems: 10_000,
    description: 'Web addresses.',
  }),
})
export type Seeds = Static<typeof Seeds>

export const ActionResult = answer('ActionResult', 'What an action did.', {
  seeds: optional(count('Seeds that the crawl did not have.')),
  requeued: optional(count('Links put back in the queue.')),
  cleared: optional(count('Links that were removed.')),
})
export type ActionResult = Static<typeof ActionResult>

const done = { atMs: time('When it was done.'), result: ActionResult }

export const Actions = answer('Actions', 'What people did to the crawl.', {
  items: list(
    Type.Union([
      answer('PlainAction', 'The crawl was paused, resumed or stopped.', {
        kind: choice(['pause', 'resume', 'stop'], 'What was done.'),
        ...done,
      }),
      answer('SeedsAction', 'Seeds were added.', {
        kind: Type.Literal('add seeds'),
        urls: list(Type.String(), 'The first of them, at most 20.'),
        ...done,
      }),
      answer('SettingsAction', 'Settings were changed.', {
        kind: Type.Literal('change settings'),
        settings: Type.Record(Type.String(), Type.Unknown(), { description: 'As in PATCH /api/settings.' }),
        ...done,
      }),
      answer('HostAction', 'A host was changed.', {
        kind: Type.Literal('change host'),
        host: text('Its name.'),
        change: Type.Record(Type.String(), Type.Unknown(), { description: 'As in PATCH /api/hosts/{host}.' }),
        ...done,
      }),
    ]),
    'Newest first; at most 200.',
  ),
})
export type Actions = Static<typeof Actions>

export const ErrorAnswer = answer('Error', 'Why there is no answer.', {
  error: Type.Object({
    code: text('A name for programs: CRAWL_NOT_RUNNING.'),
    message: text('What is wrong and what to do, in the language of Accept-Language.'),
  }),
})
export type ErrorAnswer = Static<typeof ErrorAnswer>
