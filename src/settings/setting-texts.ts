// One table of all settings, with the name and spelling that people use on the command line and in configuration files, and
// that a folder uses to keep the settings of a run.
import { isDeepStrictEqual } from 'node:util'
import { EscalonaError } from '../base/errors.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { exactDuration, exactSize, readCount, readDuration, readRate, readSize } from '../base/words/quantity.ts'
import { parseHostsFile } from '../fetch/hosts-file.ts'
import { parseDnsServer } from '../fetch/name-servers.ts'
import { parseNetwork } from '../fetch/network.ts'
import { STRATEGY_NAMES } from '../scheduler/strategy.ts'
import { type CrawlSettings, isUserAgent } from './settings.ts'

/** The name of a setting, and how its values are written and read. */
export interface SettingName {
  readonly setting: keyof CrawlSettings
  /** The command-line option, without dashes. */
  readonly option: string
  /** The key in configuration files and in the folder. The same as the option, unless the option names a file. */
  readonly key: string
  /** Whether it may be given several times; in files it is then a list. */
  readonly isRepeatable: boolean
  /**
   * When machines share a crawl: whether it is the same on all of them, or each machine's own. Networks and addresses are the
   * machine's, so that nothing that others wrote can send its requests to a network of its own.
   */
  readonly reach: 'crawl' | 'machine'
  /** The accepted values, if there are few. */
  readonly choices?: readonly string[]
  /** Parses the value; `none` means no limit, or an empty list. Throws `CRAWL_BAD_SETTING`, saying what would be right. */
  read(texts: readonly string[]): unknown
  /** The inverse of `read`. */
  show(value: never): readonly string[]
}

const words = catalogue({
  en: {
    whole: (option: string, range: string, text: string) => `--${option} takes a whole number ${range}, not ${text}`,
    from: (least: number) => `from ${least} up`,
    between: (least: number, most: number) => `from ${least} to ${most}`,
    duration: (option: string, text: string) =>
      `--${option} takes a duration such as 250ms, 10s, 2m or 8h, not ${text}`,
    size: (option: string, most: string, text: string) =>
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
    whole: (option: string, range: string, text: string) => `--${option} pede um número inteiro ${range}, não ${text}`,
    from: (least: number) => `a partir de ${least}`,
    between: (least: number, most: number) => `de ${least} a ${most}`,
    duration: (option: string, text: string) => `--${option} pede uma duração como 250ms, 10s, 2m ou 8h, não ${text}`,
    size: (option: string, most: string, text: string) =>
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

/** No limit, or an empty list. It has no other meaning as a pattern or a network. */
const NONE = 'none'
/** The largest `maxBodyBytes`, since a page is held in memory. */
const MOST_BODY = '256MiB'

type Row = Omit<SettingName, 'key' | 'reach'> & { readonly key?: string }

const ROWS = [
  count('limit', 'limit', 1, Infinity),
  duration('maxTimeMs', 'max-time', 1, Infinity),
  size('maxArchiveBytes', 'max-bytes', ''),
  rate('maxRequestsPerSecond', 'max-rate'),
  switched('recrawl', 'recrawl', ['no', 'yes', 'due']),
  duration('recrawlMinMs', 'recrawl-min', 1),
  duration('recrawlMaxMs', 'recrawl-max', 1),
  duration('recrawlFirstMs', 'recrawl-first', 1),
  count('recrawlFull', 'recrawl-full', 1, 1_000_000),
  count('dedup', 'dedup', 0, 100_000_000),
  duration('delayMs', 'delay', 0),
  duration('serverDelayMs', 'server-delay', 0),
  count('perServer', 'per-server', 1, 10_000),
  count('retries', 'retries', 0, 100),
  text('userAgent', 'user-agent', checkedAgent),
  text('contact', 'contact', checkedContact),
  oneOf('scope', 'scope', ['any', 'domain', 'host']),
  switched('sitemaps', 'sitemaps', ['no', 'yes']),
  count('maxDepth', 'max-depth', 0, Infinity),
  count('maxPerHost', 'max-per-host', 1, Infinity),
  count('maxHosts', 'max-hosts', 1, 2 ** 31 - 1),
  count('maxHostsPerDomain', 'max-hosts-per-domain', 1, Infinity),
  count('maxHeld', 'max-held', 0, Infinity),
  texts('include', 'include', pattern => pattern),
  texts('exclude', 'exclude', pattern => pattern),
  oneOf('strategy', 'strategy', ['explore', ...STRATEGY_NAMES]),
  chance('exploreChance', 'explore'),
  count('seed', 'seed', 0, Number.MAX_SAFE_INTEGER),
  duration('timeoutMs', 'timeout', 1),
  duration('connectTimeoutMs', 'connect-timeout', 1),
  duration('firstByteTimeoutMs', 'first-byte-timeout', 1),
  size('maxBodyBytes', 'max-body', MOST_BODY),
  oneOf('archive', 'archive', ['answers', 'pages']),
  count('concurrency', 'concurrency', 1, 10_000),
  count('workers', 'workers', 1, 256),
  texts('allowNetworks', 'allow-network', checkedNetwork),
  addresses(),
  texts('dnsServers', 'dns', checkedDns),
] as const satisfies readonly Row[]

export type SettingOption = (typeof ROWS)[number]['option']

/** Everything else belongs to the crawl. Without a name: the proxy and secret headers are the machine's, too. */
const OF_THE_MACHINE: readonly SettingOption[] = [
  'max-time',
  'max-bytes',
  'max-rate',
  'concurrency',
  'workers',
  'allow-network',
  'hosts',
  'dns',
]

/** All settings that have a name, in display order. */
export const SETTING_NAMES: readonly (SettingName & { readonly option: SettingOption })[] = ROWS.map(row => ({
  key: row.option,
  reach: OF_THE_MACHINE.includes(row.option) ? 'machine' : 'crawl',
  ...row,
}))

/** Settings by key, each as its text or list of texts, as a folder keeps them for a run. */
export type NamedSettings = Readonly<Record<string, string | readonly string[]>>

/**
 * The given settings, by name. Settings without a name are left out: the proxy, which belongs to the machine and may contain a
 * password, and the settings of single hosts, whose headers are secret.
 */
export function namedSettings(given: Partial<CrawlSettings>): NamedSettings {
  const named: Record<string, string | readonly string[]> = {}
  for (const { setting, key, isRepeatable, show } of SETTING_NAMES) {
    const value = given[setting]
    if (value === undefined) continue
    const shown = show(value as never)
    named[key] = isRepeatable ? shown : shown[0]!
  }
  return named
}

/** The inverse of `namedSettings`. Names that this version does not know are skipped: another version wrote them. */
export function readNamed(named: NamedSettings): Partial<CrawlSettings> {
  const settings: Record<string, unknown> = {}
  for (const { setting, key, read } of SETTING_NAMES) {
    const value = Object.hasOwn(named, key) ? named[key] : undefined
    if (value !== undefined) settings[setting] = read(typeof value === 'string' ? [value] : value)
  }
  return settings as Partial<CrawlSettings>
}

/** Throws `CRAWL_BAD_SETTING` for values that are in range, but that a folder could not give back to the next run. */
export function checkKept(given: Partial<CrawlSettings>): void {
  for (const { setting, read, show } of SETTING_NAMES) {
    const value = given[setting]
    if (value === undefined) continue
    const texts = show(value as never)
    if (typeof value === 'number') {
      if (!isReadAs(value, texts, read)) throw wrong(words().longNumber(setting, String(value)))
      continue
    }
    const back = read(texts)
    // Addresses may be written in several ways.
    if (!(value instanceof Map) && !isDeepStrictEqual(back, value)) throw wrong(words().onlyNone(setting))
  }
  for (const { delayMs, limit } of given.hostSettings ?? [])
    checkKept({ ...(delayMs !== undefined && { delayMs }), ...(limit !== undefined && { limit }) })
}

function isReadAs(value: number, texts: readonly string[], read: SettingName['read']): boolean {
  try {
    return read(texts) === value
  } catch {
    return false
  }
}

function wrong(message: string): EscalonaError {
  return new EscalonaError('CRAWL_BAD_SETTING', message)
}

function single(option: string, texts: readonly string[]): string {
  if (texts.length === 1) return texts[0]!
  throw wrong(words().once(option))
}

function count<const Option extends string>(setting: keyof CrawlSettings, option: Option, least: number, most: number) {
  return {
    setting,
    option,
    isRepeatable: false,
    read: (texts: readonly string[]) => {
      const text = single(option, texts)
      if (text === NONE && most === Infinity) return Infinity
      const number = readCount(text)
      if (number !== undefined && number >= least && number <= most) return number
      const range = most > 2 ** 32 ? words().from(least) : words().between(least, most)
      throw wrong(words().whole(option, range, printable(text)))
    },
    show: (value: number) => [value === Infinity ? NONE : String(value)],
  }
}

function duration<const Option extends string>(
  setting: keyof CrawlSettings,
  option: Option,
  least: number,
  most?: typeof Infinity,
) {
  return {
    setting,
    option,
    isRepeatable: false,
    read: (texts: readonly string[]) => {
      const text = single(option, texts)
      if (text === NONE && most === Infinity) return Infinity
      const ms = readDuration(text)
      if (ms !== undefined && ms >= least) return ms
      throw wrong(words().duration(option, printable(text)))
    },
    show: (ms: number) => [ms === Infinity ? NONE : exactDuration(ms)],
  }
}

function size<const Option extends string>(setting: keyof CrawlSettings, option: Option, most: string) {
  return {
    setting,
    option,
    isRepeatable: false,
    read: (texts: readonly string[]) => {
      const text = single(option, texts)
      if (text === NONE && most === '') return Infinity
      const bytes = readSize(text)
      if (bytes !== undefined && bytes >= 1 && (most === '' || bytes <= readSize(most)!)) return bytes
      throw wrong(words().size(option, most === '' ? '' : words().upTo(most), printable(text)))
    },
    show: (bytes: number) => [bytes === Infinity ? NONE : exactSize(bytes)],
  }
}

function rate<const Option extends string>(setting: keyof CrawlSettings, option: Option) {
  return {
    setting,
    option,
    isRepeatable: false,
    read: (texts: readonly string[]) => {
      const text = single(option, texts)
      if (text === NONE) return Infinity
      const perSecond = readRate(text)
      if (perSecond !== undefined && perSecond > 0) return perSecond
      throw wrong(words().rate(option, printable(text)))
    },
    show: (perSecond: number) => [perSecond === Infinity ? NONE : `${perSecond}/s`],
  }
}

function chance<const Option extends string>(setting: keyof CrawlSettings, option: Option) {
  return {
    setting,
    option,
    isRepeatable: false,
    read: (texts: readonly string[]) => {
      const text = single(option, texts)
      const number = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
      if (number >= 0 && number <= 1) return number
      throw wrong(words().chance(option, printable(text)))
    },
    show: (value: number) => [String(value)],
  }
}

function oneOf<const Option extends string>(setting: keyof CrawlSettings, option: Option, choices: readonly string[]) {
  return {
    setting,
    option,
    isRepeatable: false,
    choices,
    read: (texts: readonly string[]) => {
      const text = single(option, texts)
      if (choices.includes(text)) return text
      throw wrong(words().oneOf(option, choices.slice(0, -1).join(', '), choices.at(-1)!, printable(text)))
    },
    show: (value: string) => [value],
  }
}

/** `--NAME` is `yes` and `--no-NAME` is `no`; there may be other values. */
function switched<const Option extends string>(
  setting: keyof CrawlSettings,
  option: Option,
  choices: readonly ['no', 'yes', ...string[]],
) {
  const row = oneOf(setting, option, choices)
  return { ...row, read: (texts: readonly string[]) => row.read(texts.map(text => (text === '' ? 'yes' : text))) }
}

function text<const Option extends string>(
  setting: keyof CrawlSettings,
  option: Option,
  checked: (text: string) => string,
) {
  return {
    setting,
    option,
    isRepeatable: false,
    read: (texts: readonly string[]) => checked(single(option, texts)),
    show: (value: string) => [value === '' ? NONE : value],
  }
}

function texts<const Option extends string>(
  setting: keyof CrawlSettings,
  option: Option,
  checked: (text: string) => string,
) {
  return {
    setting,
    option,
    isRepeatable: true,
    read: (texts: readonly string[]) => (texts.length === 1 && texts[0] === NONE ? [] : texts.map(checked)),
    show: (values: readonly string[]) => (values.length === 0 ? [NONE] : values),
  }
}

/** The option names a file of addresses and names; the key holds its lines. */
function addresses() {
  return {
    setting: 'hosts',
    option: 'hosts',
    key: 'addresses',
    isRepeatable: true,
    read: (lines: readonly string[]) => parseHostsFile(lines.filter(line => line !== NONE).join('\n')),
    show: (hosts: ReadonlyMap<string, string>) =>
      hosts.size === 0 ? [NONE] : [...hosts].map(([name, address]) => `${address} ${name}`),
  } as const
}

function checkedAgent(text: string): string {
  if (isUserAgent(text)) return text
  throw wrong(words().agent)
}

function checkedContact(text: string): string {
  if (text === NONE) return ''
  if (/^[\x20-\x7e]+$/.test(text) && text.length <= 250) return text
  throw wrong(words().contact)
}

function checkedNetwork(text: string): string {
  parseNetwork(text)
  return text
}

function checkedDns(text: string): string {
  parseDnsServer(text)
  return text
}
