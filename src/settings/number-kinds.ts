// How the values of settings are written by people, as far as browsers must know it.
import { EscalonaError } from '../base/errors.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
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

const words = catalogue({
  en: {
    count: (option: string, text: string, range: string) => `--${option} takes a whole number ${range}, not ${text}`,
    from: (least: number) => `from ${least} up`,
    between: (least: number, most: number) => `from ${least} to ${most}`,
    duration: (option: string, text: string, most: string) =>
      `--${option} takes a duration such as 250ms, 10s, 2m or 8h${most}, not ${text}`,
    size: (option: string, text: string, most: string) =>
      `--${option} takes a size such as 500KiB, 10MiB or 50GB${most}, not ${text}`,
    unit: (option: string, text: string) =>
      `--${option} ${text} has no unit; write ${text}s for seconds or ${text}ms for milliseconds`,
    upTo: (most: string) => `, at most ${most}`,
    rate: (option: string, text: string) => `--${option} takes a rate such as 200/s or 90/min, not ${text}`,
    chance: (option: string, text: string) => `--${option} takes a number from 0 to 1, not ${text}`,
  },
  pt: {
    count: (option: string, text: string, range: string) => `--${option} pede um número inteiro ${range}, não ${text}`,
    from: (least: number) => `a partir de ${least}`,
    between: (least: number, most: number) => `de ${least} a ${most}`,
    duration: (option: string, text: string, most: string) =>
      `--${option} pede uma duração como 250ms, 10s, 2m ou 8h${most}, não ${text}`,
    size: (option: string, text: string, most: string) =>
      `--${option} pede um tamanho como 500KiB, 10MiB ou 50GB${most}, não ${text}`,
    unit: (option: string, text: string) =>
      `--${option} ${text} está sem unidade; escreva ${text}s para segundos ou ${text}ms para milissegundos`,
    upTo: (most: string) => `, no máximo ${most}`,
    rate: (option: string, text: string) => `--${option} pede uma taxa como 200/s ou 90/min, não ${text}`,
    chance: (option: string, text: string) => `--${option} pede um número de 0 a 1, não ${text}`,
  },
})

type NumberRow = Extract<SettingRow, { readonly kind: NumberKind }>

export function isNumber<Row extends SettingRow>(row: Row): row is Extract<Row, { readonly kind: NumberKind }> {
  return Object.hasOwn(NUMBER_KINDS, row.kind)
}

/** Whether a setting may have no limit. */
export function isUnlimited(row: SettingRow): boolean {
  return isNumber(row) && row.range[1] === NO_LIMIT
}

/** Reads a number of a setting; `none` means no limit. Throws `CRAWL_BAD_SETTING`, saying what would be right. */
export function readNumber({ option = '', kind, range: [least, most] }: NumberRow, text: string): number {
  if (text === NONE && most === NO_LIMIT) return NO_LIMIT
  const number = NUMBER_KINDS[kind].read(text)
  if (number !== undefined && number >= least && number <= most) return number
  if (kind === 'duration' && /^\d+(?:\.\d+)?$/.test(text)) throw badSetting(words().unit(option, text))
  const [shown, upTo] = [printable(text), most === NO_LIMIT ? '' : words().upTo(shownNumber(kind, most))]
  if (kind !== 'count') throw badSetting(words()[kind](option, shown, upTo))
  throw badSetting(words().count(option, shown, most > 2 ** 32 ? words().from(least) : words().between(least, most)))
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

/** An error about the value of a setting; the message says what would be right. */
export function badSetting(message: string): EscalonaError {
  return new EscalonaError('CRAWL_BAD_SETTING', message)
}
