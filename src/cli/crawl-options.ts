import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { EscalonaError } from '../base/errors.ts'
import { reasonOf } from '../base/system-error.ts'
import { printable } from '../base/words/printable.ts'
import { readDuration, readSize } from '../base/words/quantity.ts'
import type { CrawlSettings } from '../crawl/settings.ts'
import { parseHostsFile } from '../fetch/hosts-file.ts'
import { parseDnsServer } from '../fetch/name-servers.ts'
import { parseNetwork } from '../fetch/network.ts'
import { STRATEGY_NAMES } from '../scheduler/strategy.ts'
import { wrongArguments, wrongUse } from './wrong-use.ts'

const SEE = 'escalona crawl --help'

export interface CrawlOptions {
  readonly seedsPath: string
  readonly folder: string
  readonly isDebug: boolean
  readonly isQuiet: boolean
  readonly settings: Partial<CrawlSettings>
  /** As they were given, for the report. */
  readonly given: Readonly<Record<string, string>>
}

const OPTIONS = {
  seeds: { type: 'string', short: 's' },
  limit: { type: 'string', short: 'n' },
  output: { type: 'string', short: 'o' },
  debug: { type: 'boolean', short: 'd' },
  quiet: { type: 'boolean', short: 'q' },
  delay: { type: 'string' },
  contact: { type: 'string' },
  'user-agent': { type: 'string' },
  'server-delay': { type: 'string' },
  'per-server': { type: 'string' },
  retries: { type: 'string' },
  scope: { type: 'string' },
  'max-depth': { type: 'string' },
  'max-per-host': { type: 'string' },
  'max-hosts': { type: 'string' },
  'max-hosts-per-domain': { type: 'string' },
  include: { type: 'string', multiple: true },
  exclude: { type: 'string', multiple: true },
  strategy: { type: 'string', short: 'e' },
  explore: { type: 'string' },
  seed: { type: 'string' },
  timeout: { type: 'string' },
  'connect-timeout': { type: 'string' },
  'first-byte-timeout': { type: 'string' },
  'max-body': { type: 'string' },
  concurrency: { type: 'string' },
  workers: { type: 'string' },
  'allow-network': { type: 'string', multiple: true },
  hosts: { type: 'string' },
  dns: { type: 'string', multiple: true },
} as const

/** Reads the arguments of `escalona crawl`. Whatever makes no sense is told with what would. */
export function readCrawlOptions(args: readonly string[], version: string): CrawlOptions {
  const values = parsed(args)
  if (values.seeds === undefined) throw wrongCrawl('no seeds are given; name a file with -s')
  const settings: Partial<Mutable<CrawlSettings>> = {}
  const set = <Name extends keyof CrawlSettings>(name: Name, value: CrawlSettings[Name] | undefined) => {
    if (value !== undefined) settings[name] = value
  }
  set('limit', whole('-n', values.limit, 1))
  set('delayMs', duration('--delay', values.delay))
  set('serverDelayMs', duration('--server-delay', values['server-delay']))
  set('perServer', whole('--per-server', values['per-server'], 1, 10_000))
  set('retries', whole('--retries', values.retries, 0, 100))
  set('scope', oneOf('--scope', values.scope, ['any', 'domain', 'host'] as const))
  set('maxDepth', whole('--max-depth', values['max-depth'], 0))
  set('maxPerHost', whole('--max-per-host', values['max-per-host'], 1))
  set('maxHosts', whole('--max-hosts', values['max-hosts'], 1, 2 ** 31 - 1))
  set('maxHostsPerDomain', whole('--max-hosts-per-domain', values['max-hosts-per-domain'], 1))
  set('include', values.include)
  set('exclude', values.exclude)
  set('strategy', oneOf('-e', values.strategy, ['explore', ...STRATEGY_NAMES] as const))
  set('exploreChance', chance('--explore', values.explore))
  set('seed', whole('--seed', values.seed, 0))
  set('timeoutMs', duration('--timeout', values.timeout, 1))
  set('connectTimeoutMs', duration('--connect-timeout', values['connect-timeout'], 1))
  set('firstByteTimeoutMs', duration('--first-byte-timeout', values['first-byte-timeout'], 1))
  set('maxBodyBytes', size('--max-body', values['max-body']))
  set('concurrency', whole('--concurrency', values.concurrency, 1, 10_000))
  set('workers', whole('--workers', values.workers, 1, 256))
  set('allowNetworks', values['allow-network']?.map(checkedNetwork))
  set('hosts', values.hosts === undefined ? undefined : parseHostsFile(textOf(values.hosts)))
  set('dnsServers', values.dns?.map(parseDnsServer))
  set('userAgent', userAgentOf(values['user-agent'], values.contact, version))
  return {
    seedsPath: values.seeds,
    folder: nonEmpty('-o', values.output ?? 'crawl'),
    isDebug: values.debug ?? false,
    isQuiet: values.quiet ?? false,
    settings,
    given: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
  }
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

function parsed(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
    if (positionals.length === 0) return values
    throw wrongCrawl(`${printable(positionals[0]!)} belongs to no option; name the seeds with -s`)
  } catch (error) {
    if (error instanceof EscalonaError) throw error
    throw wrongArguments(error, SEE)
  }
}

function whole(name: string, text: string | undefined, least: number, most = Number.MAX_SAFE_INTEGER) {
  if (text === undefined) return undefined
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} up` : `from ${least} to ${most}`
  throw wrongCrawl(`${name} takes a whole number ${range}, not ${printable(text)}`)
}

function duration(name: string, text: string | undefined, least = 0): number | undefined {
  if (text === undefined) return undefined
  const ms = readDuration(text)
  if (ms !== undefined && ms >= least) return ms
  throw wrongCrawl(`${name} takes a duration such as 250ms, 10s or 2m, not ${printable(text)}`)
}

function size(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const bytes = readSize(text)
  if (bytes !== undefined && bytes >= 1 && bytes <= MOST_BODY_BYTES) return bytes
  throw wrongCrawl(`${name} takes a size up to 256MiB, such as 500KiB or 10MiB, not ${printable(text)}`)
}

/** A page is held in memory. */
const MOST_BODY_BYTES = 2 ** 28

function chance(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (number >= 0 && number <= 1) return number
  throw wrongCrawl(`${name} takes a chance from 0 to 1, not ${printable(text)}`)
}

function oneOf<Name extends string>(
  option: string,
  text: string | undefined,
  names: readonly Name[],
): Name | undefined {
  if (text === undefined) return undefined
  const known = names.find(name => name === text)
  if (known !== undefined) return known
  throw wrongCrawl(`${option} takes ${names.slice(0, -1).join(', ')} or ${names.at(-1)}, not ${printable(text)}`)
}

function nonEmpty(name: string, text: string): string {
  if (text !== '') return text
  throw wrongCrawl(`${name} takes a name`)
}

function checkedNetwork(text: string): string {
  parseNetwork(text)
  return text
}

/** What can't be sent in a header can't be a name either. */
function userAgentOf(whole: string | undefined, contact: string | undefined, version: string): string | undefined {
  if (whole === undefined && contact === undefined) return undefined
  const text = whole ?? `escalona/${version} (+${contact})`
  if (/^[A-Za-z_-]+[\x20-\x7e]*$/.test(text) && text.length <= 500) return text
  throw wrongCrawl('a User-Agent begins with a name of letters and is plain text of at most 500 characters')
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new EscalonaError('FILE_UNREADABLE', `cannot read ${printable(path)}: ${reasonOf(error)}`, { cause: error })
  }
}

function wrongCrawl(message: string): EscalonaError {
  return wrongUse(message, SEE)
}
