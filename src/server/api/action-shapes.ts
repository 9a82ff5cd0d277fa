import Type, { type Static, type TSchema } from 'typebox'
import { MOST_SEEDS } from '../../settings/actions.ts'
import { isNumber, isUnlimited, NUMBER_KINDS } from '../../settings/number-kinds.ts'
import { MONTH_MS, MOST_PATTERN_CHARS, MOST_PATTERNS, type SettingRow } from '../../settings/setting-row.ts'
import { CHANGEABLE, type ChangeableName, type CrawlSettings, SETTINGS } from '../../settings/settings-table.ts'
import { answer, choice, count, list, optional, request, text, time } from './shapes.ts'

/** A changeable setting as JSON has it. */
type JsonOf<Value> = Value extends number ? number | null : Value extends readonly string[] ? string[] : Value
type Changes = { [Name in ChangeableName]: Type.TOptional<Type.TUnsafe<JsonOf<CrawlSettings[Name]>>> }

const UNITS: Readonly<Record<string, string>> = { duration: ' Milliseconds.', size: ' Bytes.', rate: ' Per second.' }

/** New values of settings. With `bounds`: as the crawl accepts them. Without: what the server checks; the crawl says better what is out of bounds. */
function settingsChange(bounds: boolean) {
  const fields = CHANGEABLE.map(name => [name, optional(shapeOf(SETTINGS[name], bounds))])
  const about = 'New values of settings; those that are missing stay as they are.'
  return request('SettingsChange', about, Object.fromEntries(fields) as Changes)
}

function shapeOf(row: SettingRow, bounds: boolean): TSchema {
  const description = `${row.about.en[0]!.toUpperCase()}${row.about.en.slice(1)}.${UNITS[row.kind] ?? ''}`
  if ('choices' in row) return choice(row.choices, description)
  if (!isNumber(row)) {
    const item = Type.String(bounds ? { maxLength: MOST_PATTERN_CHARS } : {})
    return Type.Array(item, { description, ...(bounds && { maxItems: MOST_PATTERNS }) })
  }
  const [minimum, maximum] = row.range
  // A larger number could not be counted exactly.
  const limits = bounds ? { minimum, maximum: Math.min(maximum, Number.MAX_SAFE_INTEGER) } : {}
  const number = bounds && NUMBER_KINDS[row.kind].isWhole ? Type.Integer : Type.Number
  if (!isUnlimited(row)) return number({ ...limits, description })
  return Type.Union([number(limits), Type.Null()], { description: `${description} null: no limit.` })
}

export const SettingsChange = settingsChange(true)
export const SettingsChangeTypes = settingsChange(false)
export type SettingsChange = Static<typeof SettingsChange>

export const HostChange = request('HostChange', 'What to change about one host; anything missing stays as it is.', {
  delayMs: optional(
    Type.Union([Type.Number({ minimum: 0, maximum: MONTH_MS }), Type.Null()], {
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
    maxItems: MOST_SEEDS,
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
