import { EscalonaError } from '../base/errors.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { type Action, changeFromJson, type HostChange, MOST_SEEDS, type SettingsChange } from './actions.ts'
import { checkGivenBack, seedsIn, settingMistakes } from './check-options.ts'
import { badSetting } from './number-kinds.ts'
import { STRINGS, shapeMistakes, unknownOption } from './option-shapes.ts'
import { MONTH_MS, MOST_PATTERN_CHARS, MOST_PATTERNS } from './setting-row.ts'
import { CHANGEABLE, isChangeable, isSetting } from './settings-table.ts'

/** Longer than any host name with a port. */
const MOST_HOST_CHARS = 300
const KINDS: readonly Action['kind'][] = ['pause', 'resume', 'stop', 'add seeds', 'change settings', 'change host']

const words = catalogue({
  en: {
    action: 'the action',
    kind: (kinds: string) => `an action has a kind, one of: ${kinds}`,
    noSeeds: 'no seeds given; write at least one URL',
    manySeeds: (most: number) => `at most ${most} seeds at a time; add them in several steps`,
    badSeed: (mistakes: string) => `nothing was added: ${mistakes}`,
    nothing: 'nothing is to be changed; name at least one thing',
    fixed: (name: string, names: string) =>
      `${name} cannot be changed while the crawl runs; stop it and start it again with the new value (these can be changed: ${names})`,
    patterns: (name: string, most: number, chars: number) =>
      `${name} takes at most ${most} patterns of ${chars} characters; give fewer or shorter ones`,
    host: 'a host is written like example.org or example.org:8443; correct its name',
    delay: 'delayMs is a number of milliseconds from 0 to 31 days, or null for the delay of the crawl; correct it',
    block:
      'blockedUntilMs is a time in milliseconds since 1970, at most 31 days from now, or null to end a block; correct it',
    clear: 'clear is true or missing; correct it',
  },
  pt: {
    action: 'a ação',
    kind: (kinds: string) => `uma ação tem um kind, um destes: ${kinds}`,
    noSeeds: 'faltam sementes; escreva pelo menos uma URL',
    manySeeds: (most: number) => `no máximo ${most} sementes por vez; acrescente-as em várias etapas`,
    badSeed: (mistakes: string) => `nada foi acrescentado: ${mistakes}`,
    nothing: 'não há nada a mudar; indique pelo menos uma coisa',
    fixed: (name: string, names: string) =>
      `${name} não pode ser mudado durante a coleta; pare-a e inicie-a de novo com o novo valor (estes podem ser mudados: ${names})`,
    patterns: (name: string, most: number, chars: number) =>
      `${name} recebe no máximo ${most} padrões de ${chars} caracteres; dê menos padrões ou mais curtos`,
    host: 'um host se escreve como example.org ou example.org:8443; corrija o nome',
    delay: 'delayMs é um número de milissegundos de 0 a 31 dias, ou null para o intervalo da coleta; corrija-o',
    block:
      'blockedUntilMs é um momento em milissegundos desde 1970, no máximo 31 dias a partir de agora, ou null para acabar com um bloqueio; corrija-o',
    clear: 'clear é true ou não existe; corrija-o',
  },
})

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
      return { kind, urls: checkedSeeds(rest.urls) }
    case 'change settings':
      only(rest, ['settings'])
      return { kind, settings: checkedSettings(objectIn(rest.settings)) }
    case 'change host': {
      only(rest, ['host', 'change'])
      const { host } = rest
      if (typeof host !== 'string' || host === '' || host.length > MOST_HOST_CHARS) throw badAction(words().host)
      return { kind, host, change: checkedHostChange(objectIn(rest.change), nowMs) }
    }
    default:
      throw badAction(words().kind(KINDS.join(', ')))
  }
}

/** An error about an action; the message says what would be right. */
export function badAction(message: string | (() => string)): EscalonaError {
  return new EscalonaError('CRAWL_BAD_ACTION', message)
}

function checkedSeeds(urls: unknown): string[] {
  const mistakes = shapeMistakes('urls', urls, { kind: 'list' })
  if (mistakes.length > 0) throw badAction(mistakes[0]!)
  const { length } = urls as readonly unknown[]
  if (length === 0) throw badAction(words().noSeeds)
  if (length > MOST_SEEDS) throw badAction(words().manySeeds(MOST_SEEDS))
  mistakes.push(...shapeMistakes('urls', urls, STRINGS))
  const seeds = mistakes.length === 0 ? seedsIn(urls, mistakes) : []
  if (mistakes.length > 0) throw badAction(words().badSeed(mistakes[0]!))
  return [...new Set(seeds.map(({ href }) => href))]
}

function checkedSettings(given: Readonly<Record<string, unknown>>): SettingsChange {
  const change = Object.entries(changeFromJson(given)).filter(([, value]) => value !== undefined)
  for (const [name, value] of change) {
    if (!isChangeable(name))
      throw badSetting(isSetting(name) ? words().fixed(name, CHANGEABLE.join(', ')) : unknownOption(name, CHANGEABLE))
    const [mistake] = settingMistakes(name, value)
    if (mistake !== undefined) throw badSetting(mistake)
    if (Array.isArray(value)) checkPatterns(name, value as readonly string[])
  }
  if (change.length === 0) throw badAction(words().nothing)
  return Object.fromEntries(change) as SettingsChange
}

function checkPatterns(name: string, patterns: readonly string[]): void {
  if (patterns.length > MOST_PATTERNS || patterns.some(({ length }) => length > MOST_PATTERN_CHARS))
    throw badSetting(words().patterns(name, MOST_PATTERNS, MOST_PATTERN_CHARS))
}

function checkedHostChange(given: Readonly<Record<string, unknown>>, nowMs: number): HostChange {
  only(given, ['delayMs', 'blockedUntilMs', 'clear'])
  const { delayMs, blockedUntilMs, clear } = given
  if (!isMissing(delayMs) && !isBetween(delayMs, 0, MONTH_MS)) throw badAction(words().delay)
  if (typeof delayMs === 'number') checkGivenBack({ delayMs })
  if (!isMissing(blockedUntilMs) && !isBetween(blockedUntilMs, 0, nowMs + MONTH_MS)) throw badAction(words().block)
  if (clear !== undefined && typeof clear !== 'boolean') throw badAction(words().clear)
  if (delayMs === undefined && blockedUntilMs === undefined && clear !== true) throw badAction(words().nothing)
  return {
    ...(delayMs !== undefined && { delayMs: delayMs as number | null }),
    ...(blockedUntilMs !== undefined && { blockedUntilMs: blockedUntilMs as number | null }),
    ...(clear === true && { clear }),
  }
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}

function objectIn(value: unknown): Record<string, unknown> {
  const [mistake] = shapeMistakes(words().action, value, { kind: 'object' })
  if (mistake !== undefined) throw badAction(mistake)
  return value as Record<string, unknown>
}

function only(given: object, names: readonly string[]): void {
  const [other] = Object.keys(given).filter(name => !names.includes(name))
  if (other !== undefined) throw badAction(unknownOption(printable(other.slice(0, 100)), names))
}
