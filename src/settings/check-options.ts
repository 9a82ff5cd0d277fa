import { EscalonaError } from '../base/errors.ts'
import { type Message, message, type Value } from '../base/messages/message.ts'
import { closest } from '../base/words/closest.ts'
import type { ProxySettings } from '../fetch/proxies.ts'
import { type WebRefusal, type WebUrl, webUrl } from '../url/web.ts'
import type { HostSettings } from './host-settings.ts'
import { isNumber } from './number-kinds.ts'
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

type Kind = 'number' | 'string' | 'boolean' | 'function' | 'list' | 'map' | 'object' | 'signal' | 'nothing'

/** What a value must be, with what is in it: all items of a list or Map, or the named fields of an object. */
interface Shape {
  readonly kind: Kind
  readonly items?: Shape
  readonly fields?: Readonly<Record<string, Shape>>
  /** Fields that must be there. */
  readonly required?: readonly string[]
}

export const STRINGS: Shape = { kind: 'list', items: { kind: 'string' } }

/** The options of crawl() that are not settings. */
const OWN_SHAPES: Readonly<Record<string, Shape>> = {
  seeds: STRINGS,
  folder: { kind: 'string' },
  temporary: { kind: 'boolean' },
  frontier: { kind: 'string' },
  add: { kind: 'boolean' },
  retry: STRINGS,
  rebuild: { kind: 'boolean' },
  onRebuild: { kind: 'function' },
  onPage: { kind: 'function' },
  filterLink: { kind: 'function' },
  rankLink: { kind: 'function' },
  onEvent: { kind: 'function' },
  onRepair: { kind: 'function' },
  signal: { kind: 'signal' },
}

/** The shapes of values that are neither numbers nor texts. */
const SHAPES: Readonly<Partial<Record<SettingRow['kind'], Shape>>> = {
  flag: { kind: 'boolean' },
  patterns: STRINGS,
  languages: STRINGS,
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

/** The setting that a mistake is about, as `settingMistakes` and the checks of actions name it; undefined when it names none. */
export function settingIn({ values }: Message): SettingName | undefined {
  for (const value of Object.values(values ?? {})) {
    const name = typeof value === 'string' ? value.replace(/\[.*/s, '') : ''
    const found = isSetting(name) ? name : isMessage(value) ? settingIn(value) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'key' in value
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
    const seed = typedSeed(text)
    if (typeof seed !== 'string') return [seed]
    mistakes.push(message('settings/bad-seed', { text: JSON.stringify(text), why: seed }))
    return []
  })
}

/** A seed as people type it: https:// may be missing. */
export function typedSeed(text: string): WebUrl | WebRefusal {
  return seedUrl(text, bare => webUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(bare.trim()) ? bare : `https://${bare.trim()}`))
}

function collect(mistakes: Message[], check: () => unknown): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof EscalonaError)) throw error
    mistakes.push(error.said)
  }
}

function bad(mistakes: readonly Message[]): EscalonaError {
  return mistakes.length === 1
    ? new EscalonaError('CRAWL_BAD_OPTIONS/one', { mistake: mistakes[0]! })
    : new EscalonaError('CRAWL_BAD_OPTIONS', {
        mistakes: mistakes.map(mistake => message('settings/item', { mistake })),
      })
}

/** The mistakes in a value, each with its name: `hostSettings[0].delayMs must be a number, not a string`. */
export function shapeMistakes(name: Value, value: unknown, shape: Shape): Message[] {
  const found = kindOf(value)
  const isRight = shape.kind === found || (shape.kind === 'object' && found === 'signal')
  if (!isRight)
    return [message('settings/type', { name, wanted: message(`kind/${shape.kind}`), given: message(`kind/${found}`) })]
  const { items, fields, required = [] } = shape
  const mistakes: Message[] = []
  if (items !== undefined) {
    for (const [key, item] of Object.entries(value instanceof Map ? Object.fromEntries(value) : (value as object)))
      mistakes.push(...shapeMistakes(`${String(name)}[${key}]`, item, items))
  }
  if (fields === undefined) return mistakes
  const given = Object.entries(value as object).filter(([key, item]) => item !== undefined || required.includes(key))
  const missing = required.filter(key => !given.some(([name]) => name === key)).map(key => [key, undefined] as const)
  for (const [key, item] of [...given, ...missing]) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (field === undefined) mistakes.push(unknownOption(key, Object.keys(fields), `${String(name)}.`))
    else mistakes.push(...shapeMistakes(`${String(name)}.${key}`, item, field))
  }
  return mistakes
}

export function unknownOption(name: string, known: readonly string[], within = ''): Message {
  const meant = closest(name, known)
  return meant === undefined
    ? message('settings/unknown', { name: within + name })
    : message('settings/unknown-meant', { name: within + name, meant: within + meant })
}

function kindOf(value: unknown): Kind {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Map) return 'map'
  const type = typeof value
  if (type === 'number' || type === 'string' || type === 'boolean' || type === 'function') return type
  return 'addEventListener' in Object(value) && 'aborted' in Object(value) ? 'signal' : 'object'
}

/** Before the URL of a seed that is a sitemap: its pages are collected, not the sitemap itself. */
const SITEMAP = 'sitemap:'

/** A seed in canonical form, `https://…` or `sitemap:https://…`, or why it is none. `read`: reads the URL itself. */
export function seedUrl(text: string, read: (text: string) => WebUrl | WebRefusal = webUrl): WebUrl | WebRefusal {
  const bare = text.trim()
  if (!bare.toLowerCase().startsWith(SITEMAP)) return read(text)
  const url = read(bare.slice(SITEMAP.length).trim())
  return typeof url === 'string' ? url : { ...url, href: `${SITEMAP}${url.href}` }
}

/** The URL of the sitemap that a seed in canonical form names; undefined when it names a page. */
export function sitemapIn(seed: string): string | undefined {
  return seed.startsWith(SITEMAP) ? seed.slice(SITEMAP.length) : undefined
}
