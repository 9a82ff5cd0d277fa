// How each changeable setting is written by people, and what the API wants.
import { isNumber, NONE, readNumber, shownTexts } from '../../../settings/number-kinds.ts'
import type { SettingRow } from '../../../settings/setting-row.ts'
import { isSetting, SETTINGS } from '../../../settings/settings-table.ts'

/** The row of a setting; undefined when this page does not know it. */
export function rowOf(setting: string): SettingRow | undefined {
  return isSetting(setting) ? SETTINGS[setting] : undefined
}

/** Whether it is edited as lines. */
export function isList(setting: string): boolean {
  return rowOf(setting)?.kind === 'patterns'
}

/** A setting and its value as they are written on the command line: `--delay 2s`. JSON has null for no limit. */
export function optionText(setting: string, value: unknown): string {
  const row = rowOf(setting)
  return row === undefined
    ? `${setting} ${String(value)}`
    : [`--${row.option}`, ...shownTexts(row, value ?? Infinity)].join(' ')
}

/** What was typed, as the API wants it. Throws when it cannot be read, or is out of range. */
export function settingValue(setting: string, text: string): unknown {
  const row = rowOf(setting)
  if (row !== undefined && isNumber(row)) return readNumber(row, text.trim())
  if (!isList(setting)) return text
  const lines = text.split('\n').map(line => line.trim())
  return lines.filter(line => line !== '' && line !== NONE)
}
