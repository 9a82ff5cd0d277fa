import { EscalonaError } from '../base/errors.ts'
import { message } from '../base/messages/message.ts'
import {
  type Action,
  CHANGED_STATES,
  changeFromJson,
  type HostChange,
  MOST_SEEDS,
  type RefusedSeed,
  type SettingsChange,
} from './actions.ts'
import {
  checkGivenBack,
  STRINGS,
  seedsIn,
  settingMistakes,
  shapeMistakes,
  typedSeed,
  unknownOption,
} from './check-options.ts'
import { LINK_ORIGINS, type LinkChoice, type LinkOrigin, type LinkState } from './link-choice.ts'
import { MONTH_MS, MOST_PATTERN_CHARS, MOST_PATTERNS } from './setting-row.ts'
import { CHANGEABLE, isChangeable, isSetting } from './settings-table.ts'

/** Longer than any host name with a port. */
const MOST_HOST_CHARS = 300
const KINDS: readonly Action['kind'][] = [
  ...(['pause', 'resume', 'stop', 'add seeds', 'change settings', 'change host'] as const),
  ...(['retry links', 'let links in'] as const),
]
const MOST_CHOICE_CHARS = 1000
/** How many lines that are not seeds are named, and how much of each. */
const MOST_REFUSED = 100
const MOST_REFUSED_CHARS = 200

/**
 * Checks an action, wherever it comes from: a socket, a browser, a program. Seeds become canonical URLs, and null becomes Infinity
 * where that means no limit. Whether a host is known is checked when the action is done.
 */
export function checkedAction(value: unknown, nowMs: number): Action {
  const { kind, ...rest } = objectIn(value)
  switch (kind) {
    case 'pause':
    case 'resume':
    case 'stop':
      only(rest, [])
      return { kind }
    case 'add seeds':
      only(rest, ['urls'])
      return { kind, ...checkedSeeds(rest.urls) }
    case 'change settings':
      only(rest, ['settings'])
      return { kind, settings: checkedSettings(objectIn(rest.settings)) }
    case 'change host': {
      only(rest, ['host', 'change'])
      const { host } = rest
      if (typeof host !== 'string' || host === '' || host.length > MOST_HOST_CHARS)
        throw new EscalonaError('CRAWL_BAD_ACTION/host')
      return { kind, host, change: checkedHostChange(objectIn(rest.change), nowMs) }
    }
    case 'retry links':
    case 'let links in':
      only(rest, ['which'])
      return { kind, which: checkedChoice(objectIn(rest.which), CHANGED_STATES[kind]) }
    default:
      throw new EscalonaError('CRAWL_BAD_ACTION/kind', { kinds: KINDS })
  }
}

/** The web addresses among the lines that were given; the others are named. Throws when there is none. */
function checkedSeeds(urls: unknown): { readonly urls: string[]; readonly refused?: readonly RefusedSeed[] } {
  const mistakes = shapeMistakes('urls', urls, { kind: 'list' })
  if (mistakes.length > 0) throw new EscalonaError('CRAWL_BAD_ACTION', { what: mistakes[0]! })
  const { length } = urls as readonly unknown[]
  if (length === 0) throw new EscalonaError('CRAWL_BAD_ACTION/no-seeds')
  if (length > MOST_SEEDS) throw new EscalonaError('CRAWL_BAD_ACTION/many-seeds', { most: MOST_SEEDS })
  mistakes.push(...shapeMistakes('urls', urls, STRINGS))
  if (mistakes.length > 0) throw new EscalonaError('CRAWL_BAD_ACTION/bad-seed', { mistakes: mistakes[0]! })
  const seeds = new Set<string>()
  const refused: RefusedSeed[] = []
  for (const [at, text] of (urls as readonly string[]).entries()) {
    const seed = typedSeed(text)
    if (typeof seed !== 'string') seeds.add(seed.href)
    else if (refused.length < MOST_REFUSED)
      refused.push({ place: at + 1, url: text.slice(0, MOST_REFUSED_CHARS), reason: seed })
  }
  if (seeds.size === 0) {
    seedsIn(urls, mistakes)
    throw new EscalonaError('CRAWL_BAD_ACTION/bad-seed', { mistakes: mistakes[0]! })
  }
  return { urls: [...seeds], ...(refused.length > 0 && { refused }) }
}

function checkedSettings(given: Readonly<Record<string, unknown>>): SettingsChange {
  const change = Object.entries(changeFromJson(given)).filter(([, value]) => value !== undefined)
  for (const [name, value] of change) {
    if (!isChangeable(name))
      throw isSetting(name)
        ? new EscalonaError('CRAWL_BAD_SETTING/fixed', { name, names: CHANGEABLE })
        : new EscalonaError('CRAWL_BAD_SETTING', { what: unknownOption(name, CHANGEABLE) })
    const [mistake] = settingMistakes(name, value)
    if (mistake !== undefined) throw new EscalonaError('CRAWL_BAD_SETTING', { what: mistake })
    if (Array.isArray(value)) checkPatterns(name, value as readonly string[])
  }
  if (change.length === 0) throw new EscalonaError('CRAWL_BAD_ACTION/nothing')
  return Object.fromEntries(change) as SettingsChange
}

function checkPatterns(name: string, patterns: readonly string[]): void {
  if (patterns.length > MOST_PATTERNS || patterns.some(({ length }) => length > MOST_PATTERN_CHARS))
    throw new EscalonaError('CRAWL_BAD_SETTING/patterns', { name, most: MOST_PATTERNS, chars: MOST_PATTERN_CHARS })
}

function checkedHostChange(given: Readonly<Record<string, unknown>>, nowMs: number): HostChange {
  only(given, ['delayMs', 'blockedUntilMs', 'clear'])
  const { delayMs, blockedUntilMs, clear } = given
  if (!isMissing(delayMs) && !isBetween(delayMs, 0, MONTH_MS)) throw new EscalonaError('CRAWL_BAD_ACTION/delay')
  if (typeof delayMs === 'number') checkGivenBack({ delayMs })
  if (!isMissing(blockedUntilMs) && !isBetween(blockedUntilMs, 0, nowMs + MONTH_MS))
    throw new EscalonaError('CRAWL_BAD_ACTION/block')
  if (clear !== undefined && typeof clear !== 'boolean') throw new EscalonaError('CRAWL_BAD_ACTION/clear')
  if (delayMs === undefined && blockedUntilMs === undefined && clear !== true)
    throw new EscalonaError('CRAWL_BAD_ACTION/nothing')
  return {
    ...(delayMs !== undefined && { delayMs: delayMs as number | null }),
    ...(blockedUntilMs !== undefined && { blockedUntilMs: blockedUntilMs as number | null }),
    ...(clear === true && { clear }),
  }
}

/** `changed`: the states that the action can change; all of them, if the choice names none. */
function checkedChoice(given: Readonly<Record<string, unknown>>, changed: readonly LinkState[]): LinkChoice {
  const names = ['reason', 'host', 'q']
  only(given, ['states', 'origin', ...names])
  const { states = changed, origin } = given
  if (!Array.isArray(states) || states.length === 0 || states.some(state => !changed.includes(state)))
    throw new EscalonaError('CRAWL_BAD_ACTION/states', { states: changed })
  if (origin !== undefined && !LINK_ORIGINS.includes(origin as LinkOrigin))
    throw new EscalonaError('CRAWL_BAD_ACTION/choice', { name: 'origin' })
  const texts = names.filter(name => given[name] !== undefined).map(name => [name, given[name]] as const)
  for (const [name, text] of texts)
    if (typeof text !== 'string' || text.length > MOST_CHOICE_CHARS)
      throw new EscalonaError('CRAWL_BAD_ACTION/choice', { name })
  return { states, ...(origin !== undefined && { origin: origin as LinkOrigin }), ...Object.fromEntries(texts) }
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}

function objectIn(value: unknown): Record<string, unknown> {
  const [mistake] = shapeMistakes(message('settings/action'), value, { kind: 'object' })
  if (mistake !== undefined) throw new EscalonaError('CRAWL_BAD_ACTION', { what: mistake })
  return value as Record<string, unknown>
}

function only(given: object, names: readonly string[]): void {
  const [other] = Object.keys(given).filter(name => !names.includes(name))
  if (other !== undefined)
    throw new EscalonaError('CRAWL_BAD_ACTION', { what: unknownOption(other.slice(0, 100), names) })
}
