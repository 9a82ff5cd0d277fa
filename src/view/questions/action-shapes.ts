import { MOST_SEEDS } from '../../settings/actions.ts'
import { LANGUAGE } from '../../settings/languages.ts'
import type { LinkChoice } from '../../settings/link-choice.ts'
import { isNumber, isUnlimited, NUMBER_KINDS } from '../../settings/number-kinds.ts'
import { SET_OR_PATTERN } from '../../settings/pattern-sets.ts'
import { MONTH_MS, MOST_PATTERN_CHARS, MOST_PATTERNS, type SettingRow } from '../../settings/setting-row.ts'
import { CHANGEABLE, type ChangeableName, type CrawlSettings, SETTINGS } from '../../settings/settings-table.ts'
import {
  answer,
  anyFields,
  choice,
  count,
  flag,
  type JsonShape,
  list,
  literal,
  number,
  type ObjectShape,
  object,
  oneOf,
  optional,
  orNull,
  request,
  type TypeOf,
  text,
  time,
} from './shape.ts'

/** A changeable setting as JSON has it. */
type JsonOf<Value> = Value extends number ? number | null : Value extends readonly string[] ? readonly string[] : Value
type Changes = { readonly [Name in ChangeableName]?: JsonOf<CrawlSettings[Name]> }

const UNITS: Readonly<Record<string, string>> = { duration: ' Milliseconds.', size: ' Bytes.', rate: ' Per second.' }

/** New values of settings. With `bounds`: as the crawl accepts them. Without: what the server checks; the crawl says better what is out of bounds. */
function settingsChange(bounds: boolean): ObjectShape<Changes> {
  const fields = CHANGEABLE.map(name => [name, optional(shapeOf(SETTINGS[name], bounds))])
  const about = 'New values of settings; those that are missing stay as they are.'
  return request('SettingsChange', about, Object.fromEntries(fields)) as ObjectShape<Changes>
}

function shapeOf(row: SettingRow, bounds: boolean): JsonShape {
  const description = `${row.about.en[0]!.toUpperCase()}${row.about.en.slice(1)}.${UNITS[row.kind] ?? ''}`
  if ('choices' in row) return choice(row.choices, description)
  if (!isNumber(row)) {
    const pattern = (row.kind === 'languages' ? LANGUAGE : SET_OR_PATTERN).source
    const item = text('', bounds ? { maxLength: MOST_PATTERN_CHARS, pattern } : {})
    return list(item, description, bounds ? { maxItems: MOST_PATTERNS } : {})
  }
  const [minimum, maximum] = row.range
  // A larger number could not be counted exactly.
  const limits = bounds ? { minimum, maximum: Math.min(maximum, Number.MAX_SAFE_INTEGER) } : {}
  const figure = bounds && NUMBER_KINDS[row.kind].isWhole ? count : number
  if (!isUnlimited(row)) return figure(description, limits)
  return orNull(`${description} null: no limit.`, figure('', limits))
}

export const SettingsRequest = settingsChange(true)
export const SettingsRequestTypes = settingsChange(false)
export type SettingsRequest = Changes

export const HostRequest = request('HostChange', 'What to change about one host; anything missing stays as it is.', {
  host: text('Its name, with a port if it has one.', { minLength: 1, maxLength: 300 }),
  delayMs: optional(
    orNull(
      'Minimum time between two requests, in milliseconds; null: as for every other host.',
      number('', { minimum: 0, maximum: MONTH_MS }),
    ),
  ),
  blockedUntilMs: optional(
    orNull(
      'It is asked nothing before this time, in milliseconds since 1970; null: it may be asked at once, whatever it waits for.',
    ),
  ),
  clear: optional(flag('Removes its waiting links; they end with the reason cleared.')),
})
export type HostRequest = TypeOf<typeof HostRequest>

export const Seeds = request('Seeds', 'URLs to add to the crawl.', {
  urls: list(text('', { maxLength: 65_535 }), 'Web addresses.', { minItems: 1, maxItems: MOST_SEEDS }),
})
export type Seeds = TypeOf<typeof Seeds>

export const ActionDone = answer('ActionResult', 'What an action did.', {
  seeds: optional(count('Seeds that the crawl did not have.')),
  requeued: optional(count('Links put back in the queue.')),
  cleared: optional(count('Links that were removed.')),
  refused: optional(
    list(
      object({
        place: count('Which one of urls: 1 is the first.'),
        url: text('As it was given; the first 200 characters.'),
        reason: text('Why: malformed, protocol …'),
      }),
      'Lines that are not web addresses, at most 100; all others were added.',
    ),
  ),
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
      answer('LinksAction', 'Links were put back in the queue, or let in as seeds.', {
        kind: choice(['retry links', 'let links in'], 'What was done.'),
        which: anyFields<LinkChoice>('As in POST /api/links/retry.'),
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
    field: optional(text('Which setting is wrong, when one is: delayMs.')),
  }),
})
export type ErrorAnswer = TypeOf<typeof ErrorAnswer>
