// How the values of settings are written by people, as far as browsers must know it.
import { exactDuration, exactSize, readCount, readDuration, readRate, readSize } from '../base/words/quantity.ts'
import { NO_LIMIT, type NumberKind, type SettingRow } from './setting-row.ts'

/** No limit, or an empty list, as people write it. It has no other meaning as a pattern or a network. */
export const NONE = 'none'

/** How people write the numbers of a kind. */
interface NumberText {
  /** Undefined when it is not such a number. */
  read(text: string): number | undefined
  /** So that `read` gives back exactly this number. */
  show(value: number): string
  /** Whether fractions are an error. */
  readonly isWhole: boolean
}

export const NUMBER_KINDS: Readonly<Record<NumberKind, NumberText>> = {
  count: { read: readCount, show: String, isWhole: true },
  duration: { read: readDuration, show: exactDuration, isWhole: false },
  size: { read: readSize, show: exactSize, isWhole: true },
  rate: { read: readRate, show: value => `${value}/s`, isWhole: false },
  chance: { read: text => (/^\d*\.?\d+$/.test(text) ? Number(text) : undefined), show: String, isWhole: false },
}

type NumberRow = Extract<SettingRow, { readonly kind: NumberKind }>

export function isNumber<Row extends SettingRow>(row: Row): row is Extract<Row, { readonly kind: NumberKind }> {
  return Object.hasOwn(NUMBER_KINDS, row.kind)
}

/** Whether a setting may have no limit. */
export function isUnlimited(row: SettingRow): boolean {
  return isNumber(row) && row.range[1] === NO_LIMIT
}

/** Reads a number of a setting; `none` means no limit. Undefined when it can't be read or is out of range. */
export function readNumber({ kind, range: [least, most] }: NumberRow, text: string): number | undefined {
  if (text === NONE && most === NO_LIMIT) return NO_LIMIT
  const number = NUMBER_KINDS[kind].read(text)
  return number !== undefined && number >= least && number <= most ? number : undefined
}

/** The keys of sentences that say what would be right: without a limit, and with one. */
const MISTAKES = {
  count: ['CRAWL_BAD_SETTING/count', 'CRAWL_BAD_SETTING/count-between'],
  duration: ['CRAWL_BAD_SETTING/duration', 'CRAWL_BAD_SETTING/duration-up-to'],
  size: ['CRAWL_BAD_SETTING/size', 'CRAWL_BAD_SETTING/size-up-to'],
  rate: ['CRAWL_BAD_SETTING/rate', 'CRAWL_BAD_SETTING/rate'],
  chance: ['CRAWL_BAD_SETTING/chance', 'CRAWL_BAD_SETTING/chance'],
} as const satisfies Record<NumberKind, unknown>

/** What is wrong about the text of a number, as the key and the values of a sentence. */
export function numberMistake({ option = '', kind, range: [least, most] }: NumberRow, text: string) {
  const isLimited = kind === 'count' ? most <= 2 ** 32 : most !== NO_LIMIT
  const values = { option, text, least, most: kind === 'count' ? most : shownNumber(kind, most) }
  if (kind === 'duration' && /^\d+(?:\.\d+)?$/.test(text)) return { key: 'CRAWL_BAD_SETTING/no-unit', values } as const
  return { key: MISTAKES[kind][isLimited ? 1 : 0], values }
}

export function shownNumber(kind: NumberKind, value: number): string {
  return value === NO_LIMIT ? NONE : NUMBER_KINDS[kind].show(value)
}

/** A value of a setting as people write it: one text, or those of a list. */
export function shownTexts(row: SettingRow, value: unknown): readonly string[] {
  if (typeof value === 'number' && isNumber(row)) return [shownNumber(row.kind, value)]
  if (value instanceof Map) return value.size === 0 ? [NONE] : [...value].map(([name, address]) => `${address} ${name}`)
  if (Array.isArray(value)) return value.length === 0 ? [NONE] : value.map(String)
  return [value === '' ? NONE : String(value)]
}

/** Whether a setting is a list that can be changed while the crawl runs. */
export function isList({ kind }: Pick<SettingRow, 'kind'>): boolean {
  return kind === 'patterns' || kind === 'languages'
}

/** The items of a list that people write as one: languages, and sets of patterns, `@calendars,@sessions`. */
export function itemsIn({ kind }: Pick<SettingRow, 'kind'>, text: string): readonly string[] {
  const isMany = kind === 'languages' || (kind === 'patterns' && text.startsWith('@'))
  return isMany ? text.split(',').map(item => item.trim()) : [text]
}
