import { EscalonaError } from '../base/errors.ts'
import { type Message, message } from '../base/messages/message.ts'
import type { ProxySettings } from '../fetch/proxies.ts'
import { type WebUrl, webUrl } from '../url/web.ts'
import type { HostSettings } from './host-settings.ts'
import { isNumber } from './number-kinds.ts'
import { type Shape, STRINGS, shapeMistakes, unknownOption } from './option-shapes.ts'
import { seedUrl } from './seed-url.ts'
import type { SettingRow } from './setting-row.ts'
import { checkKept } from './setting-texts.ts'
import { checkValue, completeSettings } from './settings.ts'
import {
  ALL_SETTINGS,
  type CrawlSettings,
  isSetting,
  SETTINGS,
  type SettingName,
  WRITTEN_SETTINGS,
} from './settings-table.ts'

/** The options of crawl() that are not settings. */
const OWN_SHAPES: Readonly<Record<string, Shape>> = {
  seeds: STRINGS,
  folder: { kind: 'string' },
  frontier: { kind: 'string' },
  add: { kind: 'boolean' },
  retry: STRINGS,
  rebuild: { kind: 'boolean' },
  onRebuild: { kind: 'function' },
  onPage: { kind: 'function' },
  filterLink: { kind: 'function' },
  onEvent: { kind: 'function' },
  onRepair: { kind: 'function' },
  signal: { kind: 'signal' },
}

/** The shapes of values that are neither numbers nor texts. */
const SHAPES: Readonly<Partial<Record<SettingRow['kind'], Shape>>> = {
  flag: { kind: 'boolean' },
  patterns: STRINGS,
  networks: STRINGS,
  servers: STRINGS,
  certificates: STRINGS,
  addresses: { kind: 'map', items: { kind: 'string' } },
  hosts: {
    kind: 'list',
    items: {
      kind: 'object',
      fields: {
        host: { kind: 'string' },
        delayMs: { kind: 'number' },
        limit: { kind: 'number' },
        headers: { kind: 'object', items: { kind: 'string' } },
      } satisfies Record<keyof HostSettings, Shape>,
      required: ['host'],
    },
  },
  proxy: {
    kind: 'object',
    fields: { http: { kind: 'string' }, https: { kind: 'string' }, no: STRINGS } satisfies Record<
      keyof ProxySettings,
      Shape
    >,
    required: ['no'],
  },
}

/** What is wrong with the value of a setting, whatever it is. The only check of a value that comes from outside. */
export function settingMistakes(name: SettingName, value: unknown): Message[] {
  const row = ALL_SETTINGS.find(one => one.name === name)!
  const shape = SHAPES[row.kind] ?? { kind: isNumber(row) ? 'number' : 'string' }
  const mistakes = shapeMistakes(name, value, shape)
  if (mistakes.length > 0) return mistakes
  collect(mistakes, () => {
    checkValue(row, value)
    checkGivenBack({ [name]: value })
  })
  return mistakes
}

/** Throws for values that are in range, but that a folder could not give back to the next run. */
export function checkGivenBack(given: Partial<CrawlSettings>): void {
  for (const row of WRITTEN_SETTINGS) if (given[row.name] !== undefined) checkKept(row, given[row.name])
  for (const { host: _, headers: __, ...named } of given.hostSettings ?? []) checkGivenBack(named)
}

/** Checks all options at once, with one error that names every mistake. Returns the settings and the seeds. */
export function checkedOptions(options: object): { readonly given: Partial<CrawlSettings>; readonly seeds: WebUrl[] } {
  const mistakes = shapeMistakes(message('settings/options'), options, { kind: 'object' })
  if (mistakes.length > 0) throw bad(mistakes)
  const names = [...Object.keys(OWN_SHAPES), ...Object.keys(SETTINGS)]
  const given: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    const own = Object.hasOwn(OWN_SHAPES, name) ? OWN_SHAPES[name] : undefined
    if (own !== undefined) mistakes.push(...shapeMistakes(name, value, own))
    else if (isSetting(name)) {
      mistakes.push(...settingMistakes(name, value))
      given[name] = value
    } else mistakes.push(unknownOption(name, names))
  }
  // Settings may be valid alone but not together.
  if (mistakes.length === 0) collect(mistakes, () => completeSettings(given, 1, '0'))
  const seeds = seedsIn((options as { readonly seeds?: unknown }).seeds, mistakes)
  if (mistakes.length > 0) throw bad(mistakes)
  return { given: given as Partial<CrawlSettings>, seeds }
}

/** A seed without a scheme is https; `sitemap:URL` is a sitemap. The list may be empty when a crawl continues. What is wrong is added to `mistakes`. */
export function seedsIn(seeds: unknown, mistakes: Message[]): WebUrl[] {
  if (seeds === undefined || !Array.isArray(seeds)) return []
  return seeds.flatMap(text => {
    if (typeof text !== 'string') return []
    const seed = seedUrl(text, bare =>
      webUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(bare.trim()) ? bare : `https://${bare.trim()}`),
    )
    if (typeof seed !== 'string') return [seed]
    mistakes.push(message('settings/bad-seed', { text: JSON.stringify(text), why: seed }))
    return []
  })
}

function collect(mistakes: Message[], check: () => unknown): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof EscalonaError)) throw error
    mistakes.push(error.said!)
  }
}

function bad(mistakes: readonly Message[]): EscalonaError {
  return mistakes.length === 1
    ? new EscalonaError('CRAWL_BAD_OPTIONS/one', { mistake: mistakes[0]! })
    : new EscalonaError('CRAWL_BAD_OPTIONS', {
        mistakes: mistakes.map(mistake => message('settings/item', { mistake })),
      })
}
