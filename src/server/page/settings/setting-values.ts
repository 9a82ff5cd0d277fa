// How each changeable setting is written by people, and what the API wants.
import { readCount, readDuration, readRate } from '../../../base/words/quantity.ts'
import type { SettingsChange } from '../wire.ts'
import { settingsWords } from './settings-words.ts'

type Name = keyof SettingsChange
type Kind = 'count' | 'duration' | 'rate' | 'chance' | 'choice' | 'list'

const KINDS: Readonly<Record<Name, Kind>> = {
  limit: 'count',
  delayMs: 'duration',
  serverDelayMs: 'duration',
  perServer: 'count',
  concurrency: 'count',
  maxRequestsPerSecond: 'rate',
  strategy: 'choice',
  exploreChance: 'chance',
  scope: 'choice',
  include: 'list',
  exclude: 'list',
  maxDepth: 'count',
  maxPerHost: 'count',
}
/** No limit, or an empty list. */
export const NONE = 'none'

/** How a setting is edited; undefined when this page does not know it. */
export function kindOf(setting: string): Kind | undefined {
  return Object.hasOwn(KINDS, setting) ? KINDS[setting as Name] : undefined
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
