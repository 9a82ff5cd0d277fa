// How the values of settings are written: on the command line, in configuration files, and in what a folder keeps of a run.
import { isDeepStrictEqual } from 'node:util'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { parseNetwork } from '../fetch/address-guard.ts'
import { parseHostsFile } from '../fetch/hosts-file.ts'
import { parseDnsServer } from '../fetch/name-servers.ts'
import { certificateLine, certificatesIn } from '../fetch/securely.ts'
import { badSetting, isNumber, NONE, NUMBER_KINDS, readNumber, shownTexts } from './number-kinds.ts'
import type { SettingRow } from './setting-row.ts'
import { type CrawlSettings, WRITTEN_SETTINGS, type WrittenSetting } from './settings-table.ts'

const words = catalogue({
  en: {
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
  if (row.kind === 'certificates') return texts.flatMap(text => (text === NONE ? [] : certificatesIn(text)))
  if (row.kind === 'addresses') return parseHostsFile(texts.filter(line => line !== NONE).join('\n'))
  if (isRepeatable(row)) {
    if (texts.length === 1 && texts[0] === NONE) return []
    if (row.kind === 'networks') for (const text of texts) parseNetwork(text)
    if (row.kind === 'servers') for (const text of texts) parseDnsServer(text)
    return texts
  }
  const [text = ''] = texts
  if (texts.length !== 1) throw badSetting(words().once(option))
  if (isNumber(row)) return readNumber(row, text)
  if (row.kind === 'agent') {
    if (isUserAgent(text)) return text
    throw badSetting(words().agent)
  }
  if (row.kind === 'contact') {
    if (text === NONE) return ''
    if (/^[\x20-\x7e]+$/.test(text) && text.length <= 250) return text
    throw badSetting(words().contact)
  }
  const { choices } = row as Extract<WrittenSetting, { readonly choices: unknown }>
  const meant = row.kind === 'switch' && text === '' ? 'yes' : text
  if (choices.includes(meant)) return meant
  throw badSetting(words().oneOf(option, choices.slice(0, -1).join(', '), choices.at(-1)!, printable(text)))
}

/** The inverse of `readSetting`. */
export function showSetting(row: WrittenSetting, value: unknown): readonly string[] {
  const isCertificates = row.kind === 'certificates'
  return shownTexts(row, isCertificates ? (value as string[]).flatMap(certificatesIn).map(certificateLine) : value)
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
    named[row.key] = isRepeatable(row) || row.key !== row.option ? shown : shown[0]!
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
export function checkKept(row: WrittenSetting, value: unknown): void {
  const texts = showSetting(row, value)
  if (isNumber(row)) {
    if (NUMBER_KINDS[row.kind].read(texts[0]!) !== value && value !== Infinity)
      throw badSetting(words().longNumber(row.name, String(value)))
    return
  }
  const back = readSetting(row, texts)
  // What comes from a file may be written in several ways.
  if (row.key === row.option && !isDeepStrictEqual(back, value)) throw badSetting(words().onlyNone(row.name))
}

/** Whether a text can be sent as the User-Agent, and begins with a name that robots.txt can know. */
export function isUserAgent(text: string): boolean {
  return /^[A-Za-z_-]+[\x20-\x7e]*$/.test(text) && text.length <= 500
}
