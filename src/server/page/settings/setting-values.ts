// How each changeable setting is written by people, and what the API wants.
import { exactDuration, readCount, readDuration, readRate } from '../../../base/words/quantity.ts'
import type { SettingsChange } from '../parts/api.ts'
import { settingsWords } from './settings-words.ts'

type Name = keyof SettingsChange
type Kind = 'count' | 'duration' | 'rate' | 'chance' | 'choice' | 'list'

const SETTINGS: Readonly<Record<Name, readonly [option: string, kind: Kind]>> = {
  limit: ['--limit', 'count'],
  delayMs: ['--delay', 'duration'],
  serverDelayMs: ['--server-delay', 'duration'],
  perServer: ['--per-server', 'count'],
  concurrency: ['--concurrency', 'count'],
  maxRequestsPerSecond: ['--max-rate', 'rate'],
  strategy: ['--strategy', 'choice'],
  exploreChance: ['--explore', 'chance'],
  scope: ['--scope', 'choice'],
  include: ['--include', 'list'],
  exclude: ['--exclude', 'list'],
  maxDepth: ['--max-depth', 'count'],
  maxPerHost: ['--max-per-host', 'count'],
}
/** No limit, or an empty list. */
export const NONE = 'none'

/** How a setting is edited; undefined when this page does not know it. */
export function kindOf(setting: string): Kind | undefined {
  return Object.hasOwn(SETTINGS, setting) ? SETTINGS[setting as Name][1] : undefined
}

/** A setting and its value as they are written on the command line: `--delay 2s`. */
export function optionText(setting: string, value: unknown): string {
  const [option, kind] = Object.hasOwn(SETTINGS, setting) ? SETTINGS[setting as Name] : [setting, undefined]
  if (value === null || (Array.isArray(value) && value.length === 0)) return `${option} ${NONE}`
  if (Array.isArray(value)) return `${option} ${value.join(' ')}`
  if (typeof value === 'number' && kind === 'duration') return `${option} ${exactDuration(value)}`
  return `${option} ${String(value)}${kind === 'rate' ? '/s' : ''}`
}

/** What was typed, as the API wants it. Throws when it cannot be read; whether it is in range, the crawl says. */
export function settingValue(setting: string, option: string, text: string): unknown {
  const kind = kindOf(setting)
  if (kind === 'list') return linesOf(text).filter(line => line !== NONE)
  if (kind === 'choice' || kind === undefined) return text
  if (text.trim() === NONE && (kind === 'count' || kind === 'rate')) return null
  const value = READERS[kind](text)
  if (value !== undefined) return value
  throw new Error(settingsWords().bad(option, settingsWords().examples[kind]))
}

const READERS = {
  count: readCount,
  duration: readDuration,
  rate: readRate,
  chance: (text: string) => (/^\s*[01]?(?:\.\d{1,9})?\s*$/.test(text) && text.trim() !== '' ? Number(text) : undefined),
} as const

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}
