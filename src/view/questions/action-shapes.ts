import {
  answer,
  anyFields,
  choice,
  count,
  flag,
  list,
  literal,
  number,
  object,
  oneOf,
  optional,
  orNull,
  request,
  type TypeOf,
  text,
  time,
} from './shape.ts'

/** Values of a setting that may be infinite. */
const orNone = (description: string) => orNull(`${description} null: no limit.`, { minimum: 0 })
const ms = (description: string) => number(`${description} Milliseconds.`, { minimum: 0 })
const patterns = (description: string) => list(text('', { maxLength: 10_000 }), description, { maxItems: 10_000 })

export const SettingsChange = request(
  'SettingsChange',
  'New values of settings; those that are missing stay as they are.',
  {
    limit: optional(orNone('The crawl ends after this many archived pages.')),
    delayMs: optional(ms('Minimum time between two requests to a host.')),
    serverDelayMs: optional(ms('Minimum time between two requests to a server.')),
    perServer: optional(count('Maximum open requests per server.', { minimum: 1 })),
    concurrency: optional(count('Maximum open requests.', { minimum: 1 })),
    maxRequestsPerSecond: optional(orNone('Maximum requests per second, to all hosts together.')),
    strategy: optional(text('explore, or one of the strategies of the scheduler.')),
    exploreChance: optional(
      number('Chance of choosing a host whose domain was never visited.', { minimum: 0, maximum: 1 }),
    ),
    scope: optional(choice(['any', 'domain', 'host'], 'Which links are followed.')),
    include: optional(patterns('URL patterns; only matching URLs are followed.')),
    exclude: optional(patterns('URL patterns; matching URLs are not followed.')),
    maxDepth: optional(orNone('Maximum number of links from a seed.')),
    maxPerHost: optional(orNone('Maximum pages per host.')),
  },
)
export type SettingsChange = TypeOf<typeof SettingsChange>

export const HostChange = request('HostChange', 'What to change about one host; anything missing stays as it is.', {
  host: text('Its name, with a port if it has one.', { minLength: 1, maxLength: 300 }),
  delayMs: optional(
    orNull('Minimum time between two requests, in milliseconds; null: as for every other host.', { minimum: 0 }),
  ),
  blockedUntilMs: optional(
    orNull(
      'It is asked nothing before this time, in milliseconds since 1970; null: it may be asked at once, whatever it waits for.',
    ),
  ),
  clear: optional(flag('Removes its waiting links; they end with the reason cleared.')),
})
export type HostChange = TypeOf<typeof HostChange>

export const Seeds = request('Seeds', 'URLs to add to the crawl.', {
  urls: list(text('', { maxLength: 65_535 }), 'Web addresses.', { minItems: 1, maxItems: 10_000 }),
})
export type Seeds = TypeOf<typeof Seeds>

export const ActionDone = answer('ActionResult', 'What an action did.', {
  seeds: optional(count('Seeds that the crawl did not have.')),
  requeued: optional(count('Links put back in the queue.')),
  cleared: optional(count('Links that were removed.')),
})
export type ActionDone = TypeOf<typeof ActionDone>

const done = { atMs: time('When it was done.'), result: ActionDone }

export const Actions = answer('Actions', 'What people did to the crawl.', {
  items: list(
    oneOf(
      answer('PlainAction', 'The crawl was paused, resumed or stopped.', {
        kind: choice(['pause', 'resume', 'stop'], 'What was done.'),
        ...done,
      }),
      answer('SeedsAction', 'Seeds were added.', {
        kind: literal('add seeds'),
        urls: list(text(''), 'The first of them, at most 20.'),
        ...done,
      }),
      answer('SettingsAction', 'Settings were changed.', {
        kind: literal('change settings'),
        settings: anyFields<object>('As in PATCH /api/settings.'),
        ...done,
      }),
      answer('HostAction', 'A host was changed.', {
        kind: literal('change host'),
        host: text('Its name.'),
        change: anyFields<object>('As in PATCH /api/hosts/{host}.'),
        ...done,
      }),
    ),
    'Newest first; at most 200.',
  ),
})
export type Actions = TypeOf<typeof Actions>

export const ErrorAnswer = answer('Error', 'Why there is no answer.', {
  error: object({
    code: text('A name for programs: CRAWL_NOT_RUNNING.'),
    message: text('What is wrong and what to do, in the language of Accept-Language.'),
  }),
})
export type ErrorAnswer = TypeOf<typeof ErrorAnswer>
