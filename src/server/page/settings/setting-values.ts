// How each changeable setting is written by people, and what the API wants.
import { NONE, NUMBER_KINDS } from '../../../settings/number-kinds.ts'
import type { SettingRow } from '../../../settings/setting-row.ts'
import { isNumber, isSetting, isUnlimited, SETTINGS, shownNumber } from '../../../settings/settings-table.ts'
import { settingsWords } from './settings-words.ts'

/** The row of a setting; undefined when this page does not know it. */
export function rowOf(setting: string): SettingRow | undefined {
  return isSetting(setting) ? SETTINGS[setting] : undefined
}

/** Whether it is edited as lines. */
export function isList(setting: string): boolean {
  return rowOf(setting)?.kind === 'patterns'
}

/** A setting and its value as they are written on the command line: `--delay 2s`. */
export function optionText(setting: string, value: unknown): string {
  const row = rowOf(setting)
  const option = row?.option === undefined ? setting : `--${row.option}`
  if (value === null || (Array.isArray(value) && value.length === 0)) return `${option} ${NONE}`
  if (Array.isArray(value)) return `${option} ${value.join(' ')}`
  const isShown = typeof value === 'number' && row !== undefined && isNumber(row)
  return `${option} ${isShown ? shownNumber(row.kind, value) : String(value)}`
}

/** What was typed, as the API wants it. Throws when it cannot be read; whether it is in range, the crawl says. */
export function settingValue(setting: string, option: string, text: string): unknown {
  const row = rowOf(setting)
  if (isList(setting)) return linesOf(text).filter(line => line !== NONE)
  if (row === undefined || !isNumber(row)) return text
  if (text.trim() === NONE && isUnlimited(row)) return null
  const value = NUMBER_KINDS[row.kind].read(text.trim())
  if (value !== undefined) return value
  throw new Error(settingsWords().bad(option, settingsWords().examples[row.kind]))
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
}
