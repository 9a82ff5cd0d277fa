// How the values of settings are written: on the command line, in configuration files, and in what a folder keeps of a run.
import { isDeepStrictEqual } from 'node:util'
import { EscalonaError } from '../base/errors.ts'
import { parseNetwork } from '../fetch/address-guard.ts'
import { parseHostsFile } from '../fetch/hosts-file.ts'
import { parseDnsServer } from '../fetch/name-servers.ts'
import { certificateLine, certificatesIn } from '../fetch/securely.ts'
import { checkLanguages, checkPatternSets } from './list-checks.ts'
import { isNumber, itemsIn, NONE, NUMBER_KINDS, numberMistake, readNumber, shownTexts } from './number-kinds.ts'
import type { SettingRow } from './setting-row.ts'
import { type CrawlSettings, WRITTEN_SETTINGS, type WrittenSetting } from './settings-table.ts'

/** Whether its option may be given several times; in files it is then a list. */
export function isRepeatable({ kind }: Pick<SettingRow, 'kind'>): boolean {
  return kind === 'patterns' || kind === 'languages' || kind === 'networks' || kind === 'servers'
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
    const items = texts.flatMap(text => itemsIn(row, text))
    if (row.kind === 'patterns') checkPatternSets(`--${option}`, items)
    if (row.kind === 'languages') checkLanguages(`--${option}`, items)
    return items
  }
  const [text = ''] = texts
  if (texts.length !== 1) throw new EscalonaError('CRAWL_BAD_SETTING/once', { option })
  if (isNumber(row)) {
    const number = readNumber(row, text)
    if (number !== undefined) return number
    const { key, values } = numberMistake(row, text)
    throw new EscalonaError(key, values)
  }
  if (row.kind === 'agent') {
    if (isUserAgent(text)) return text
    throw new EscalonaError('CRAWL_BAD_SETTING/agent')
  }
  if (row.kind === 'contact') {
    if (text === NONE) return ''
    if (/^[\x20-\x7e]+$/.test(text) && text.length <= 250) return text
    throw new EscalonaError('CRAWL_BAD_SETTING/contact')
  }
  const { choices } = row as Extract<WrittenSetting, { readonly choices: unknown }>
  const meant = row.kind === 'switch' && text === '' ? 'yes' : text
  if (choices.includes(meant)) return meant
  throw new EscalonaError('CRAWL_BAD_SETTING/one-of', {
    option,
    names: choices.slice(0, -1),
    last: choices.at(-1)!,
    text,
  })
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
      throw new EscalonaError('CRAWL_BAD_SETTING/long-number', { setting: row.name, number: String(value) })
    return
  }
  const back = readSetting(row, texts)
  // What comes from a file may be written in several ways.
  if (row.key === row.option && !isDeepStrictEqual(back, value))
    throw new EscalonaError('CRAWL_BAD_SETTING/only-none', { setting: row.name })
}

/** Whether a text can be sent as the User-Agent, and begins with a name that robots.txt can know. */
export function isUserAgent(text: string): boolean {
  return /^[A-Za-z_-]+[\x20-\x7e]*$/.test(text) && text.length <= 500
}
