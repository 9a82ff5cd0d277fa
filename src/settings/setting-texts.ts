// How the values of settings are written: on the command line, in configuration files, and in what a folder keeps of a run.
import { isDeepStrictEqual } from 'node:util'
import { EscalonaError } from '../base/errors.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { parseHostsFile } from '../fetch/hosts-file.ts'
import { parseDnsServer } from '../fetch/name-servers.ts'
import { parseNetwork } from '../fetch/network.ts'
import { NONE, NUMBER_KINDS } from './number-kinds.ts'
import type { SettingRow } from './setting-row.ts'
import { type CrawlSettings, isNumber, shownNumber, WRITTEN_SETTINGS, type WrittenSetting } from './settings-table.ts'

const words = catalogue({
  en: {
    count: (option: string, text: string, range: string) => `--${option} takes a whole number ${range}, not ${text}`,
    from: (least: number) => `from ${least} up`,
    between: (least: number, most: number) => `from ${least} to ${most}`,
    duration: (option: string, text: string, most: string) =>
      `--${option} takes a duration such as 250ms, 10s, 2m or 8h${most}, not ${text}`,
    size: (option: string, text: string, most: string) =>
      `--${option} takes a size such as 500KiB, 10MiB or 50GB${most}, not ${text}`,
    upTo: (most: string) => `, at most ${most}`,
    rate: (option: string, text: string) => `--${option} takes a rate such as 200/s or 90/min, not ${text}`,
    chance: (option: string, text: string) => `--${option} takes a number from 0 to 1, not ${text}`,
    oneOf: (option: string, names: string, last: string, text: string) =>
      `--${option} takes ${names} or ${last}, not ${text}`,
    agent: 'a User-Agent begins with a name of letters and is plain text of at most 500 characters',
    contact: '--contact takes a URL or an email address in plain text of at most 250 characters',
    once: (option: string) => `--${option} can be given only once`,
    longNumber: (setting: string, number: string) =>
      `${setting} cannot be ${number}: the folder could not keep it; write a plain number with fewer digits`,
    onlyNone: (setting: string) =>
      `${setting} cannot be just none, which means an empty one; leave it empty, or give another`,
  },
  pt: {
    count: (option: string, text: string, range: string) => `--${option} pede um número inteiro ${range}, não ${text}`,
    from: (least: number) => `a partir de ${least}`,
    between: (least: number, most: number) => `de ${least} a ${most}`,
    duration: (option: string, text: string, most: string) =>
      `--${option} pede uma duração como 250ms, 10s, 2m ou 8h${most}, não ${text}`,
    size: (option: string, text: string, most: string) =>
      `--${option} pede um tamanho como 500KiB, 10MiB ou 50GB${most}, não ${text}`,
    upTo: (most: string) => `, no máximo ${most}`,
    rate: (option: string, text: string) => `--${option} pede uma taxa como 200/s ou 90/min, não ${text}`,
    chance: (option: string, text: string) => `--${option} pede um número de 0 a 1, não ${text}`,
    oneOf: (option: string, names: string, last: string, text: string) =>
      `--${option} pede ${names} ou ${last}, não ${text}`,
    agent: 'um User-Agent começa com um nome de letras e é texto simples de até 500 caracteres',
    contact: '--contact pede uma URL ou um endereço de e-mail em texto simples de até 250 caracteres',
    once: (option: string) => `--${option} só pode ser dado uma vez`,
    longNumber: (setting: string, number: string) =>
      `${setting} não pode ser ${number}: a pasta não conseguiria guardá-lo; escreva um número simples com menos dígitos`,
    onlyNone: (setting: string) =>
      `${setting} não pode ser apenas none, que significa vazio; deixe-o vazio, ou dê outro valor`,
  },
})

/** Whether its option may be given several times; in files it is then a list. */
export function isRepeatable({ kind }: Pick<SettingRow, 'kind'>): boolean {
  return kind === 'patterns' || kind === 'networks' || kind === 'servers'
}

/** Reads the value of a setting; `none` means no limit, or an empty list. Throws `CRAWL_BAD_SETTING`, saying what would be right. */
export function readSetting(row: WrittenSetting, texts: readonly string[]): unknown {
  const { option } = row
  if (row.kind === 'addresses') return parseHostsFile(texts.filter(line => line !== NONE).join('\n'))
  if (isRepeatable(row)) {
    if (texts.length === 1 && texts[0] === NONE) return []
    if (row.kind === 'networks') for (const text of texts) parseNetwork(text)
    if (row.kind === 'servers') for (const text of texts) parseDnsServer(text)
    return texts
  }
  const [text = ''] = texts
  if (texts.length !== 1) throw wrong(words().once(option))
  if (isNumber(row)) return readNumber(row, text)
  if (row.kind === 'agent') {
    if (isUserAgent(text)) return text
    throw wrong(words().agent)
  }
  if (row.kind === 'contact') {
    if (text === NONE) return ''
    if (/^[\x20-\x7e]+$/.test(text) && text.length <= 250) return text
    throw wrong(words().contact)
  }
  const { choices } = row as Extract<WrittenSetting, { readonly choices: unknown }>
  const meant = row.kind === 'switch' && text === '' ? 'yes' : text
  if (choices.includes(meant)) return meant
  throw wrong(words().oneOf(option, choices.slice(0, -1).join(', '), choices.at(-1)!, printable(text)))
}

function readNumber(row: WrittenSetting & { readonly range: readonly [number, number] }, text: string): number {
  const { option, kind, range } = row as Extract<WrittenSetting, { readonly range: unknown }>
  const [least, most] = range
  if (text === NONE && most === Infinity) return Infinity
  const number = NUMBER_KINDS[kind].read(text)
  if (number !== undefined && number >= least && number <= most) return number
  const [shown, upTo] = [printable(text), most === Infinity ? '' : words().upTo(shownNumber(kind, most))]
  if (kind !== 'count') throw wrong(words()[kind](option, shown, upTo))
  throw wrong(words().count(option, shown, most > 2 ** 32 ? words().from(least) : words().between(least, most)))
}

/** The inverse of `readSetting`. */
export function showSetting(row: WrittenSetting, value: CrawlSettings[keyof CrawlSettings]): readonly string[] {
  if (typeof value === 'number') return [isNumber(row) ? shownNumber(row.kind, value) : String(value)]
  if (value instanceof Map) return value.size === 0 ? [NONE] : [...value].map(([name, address]) => `${address} ${name}`)
  if (Array.isArray(value)) return value.length === 0 ? [NONE] : (value as readonly string[])
  return [value === '' ? NONE : String(value)]
}

/** Settings by key, each as its text or list of texts, as a folder keeps them for a run. */
export type NamedSettings = Readonly<Record<string, string | readonly string[]>>

/** The given settings, by key. Those that are not written are left out. */
export function namedSettings(given: Partial<CrawlSettings>): NamedSettings {
  const named: Record<string, string | readonly string[]> = {}
  for (const row of WRITTEN_SETTINGS) {
    const value = given[row.name]
    if (value === undefined) continue
    const shown = showSetting(row, value)
    named[row.key] = isRepeatable(row) || row.kind === 'addresses' ? shown : shown[0]!
  }
  return named
}

/** The inverse of `namedSettings`. Names that this version does not know are skipped: another version wrote them. */
export function readNamed(named: NamedSettings): Partial<CrawlSettings> {
  const settings: Record<string, unknown> = {}
  for (const row of WRITTEN_SETTINGS) {
    const value = Object.hasOwn(named, row.key) ? named[row.key] : undefined
    if (value !== undefined) settings[row.name] = readSetting(row, typeof value === 'string' ? [value] : value)
  }
  return settings as Partial<CrawlSettings>
}

/** Throws `CRAWL_BAD_SETTING` for a value that is in range, but that a folder could not give back to the next run. */
export function checkKept(row: WrittenSetting, value: CrawlSettings[keyof CrawlSettings]): void {
  const texts = showSetting(row, value)
  if (typeof value === 'number') {
    if (!isReadAs(value, row, texts)) throw wrong(words().longNumber(row.name, String(value)))
    return
  }
  const back = readSetting(row, texts)
  // Addresses may be written in several ways.
  if (!(value instanceof Map) && !isDeepStrictEqual(back, value)) throw wrong(words().onlyNone(row.name))
}

function isReadAs(value: number, row: WrittenSetting, texts: readonly string[]): boolean {
  try {
    return readSetting(row, texts) === value
  } catch {
    return false
  }
}

function wrong(message: string): EscalonaError {
  return new EscalonaError('CRAWL_BAD_SETTING', message)
}

/** Whether a text can be sent as the User-Agent, and begins with a name that robots.txt can know. */
export function isUserAgent(text: string): boolean {
  return /^[A-Za-z_-]+[\x20-\x7e]*$/.test(text) && text.length <= 500
}
