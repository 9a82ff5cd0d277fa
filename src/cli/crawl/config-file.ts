import { closeSync, openSync, readSync } from 'node:fs'
import { parse, TomlError } from 'smol-toml'
import { EscalonaError } from '../../base/errors.ts'
import { reasonOf } from '../../base/system-error.ts'
import { closest } from '../../base/words/closest.ts'
import { printable } from '../../base/words/printable.ts'
import { readCount, readDuration } from '../../base/words/quantity.ts'
import type { HostSettings } from '../../settings/host-settings.ts'
import { WRITTEN_SETTINGS } from '../../settings/settings-table.ts'
import type { Environment } from '../terminal/arguments.ts'
import type { OptionRow } from '../terminal/option-table.ts'
import { useWords } from '../terminal/use-words.ts'
import { CRAWL_OPTIONS, type CrawlOption, isNegation, negationOf, type OwnOption } from './crawl-option-rows.ts'
import { crawlWords } from './crawl-words.ts'
import { revealed } from './host-secrets.ts'

/** The contents of a configuration file. Values are spelled as on the command line. */
export interface ConfigFile {
  /** Values by key; a switch that is on has an empty list. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly hosts: readonly HostSettings[]
}

/** Options that act on one start only and make no sense in a file. */
const ACTIONS: readonly string[] = [
  'config',
  'add',
  'retry',
  'rebuild',
  'fresh',
  'yes',
  'help',
  'lang',
] satisfies OwnOption[]
/** Here `hosts` is the section for single hosts; the addresses of `--hosts` go under `addresses`. */
const HOSTS = 'hosts'
const SEEDS = 'seeds' satisfies OwnOption
const HOST_KEYS = ['delay', 'limit', 'headers'] as const

/** Reads a TOML or JSON file whose keys are the names of the options. Unknown keys are errors that name them. */
export function readConfigFile(path: string, env: Environment): ConfigFile {
  const name = printable(path)
  const values = new Map<string, readonly string[]>()
  let hosts: HostSettings[] = []
  try {
    for (const [key, value] of Object.entries(tableIn(path))) {
      if (key === HOSTS) hosts = hostsIn(value, env)
      else if (ACTIONS.includes(key)) throw wrong(crawlWords().config.action(key))
      else if (WRITTEN_SETTINGS.some(row => row.key === key && row.option !== key)) values.set(key, textsOf(key, value))
      else if (Object.hasOwn(CRAWL_OPTIONS, key) && !isNegation(key)) {
        const texts = optionTexts(key, CRAWL_OPTIONS[key as CrawlOption], value)
        if (texts !== undefined) values.set(key, texts)
      } else throw unknownKey(key, [...Object.keys(CRAWL_OPTIONS), ...WRITTEN_SETTINGS.map(row => row.key)])
    }
  } catch (error) {
    if (!(error instanceof EscalonaError) || error.code !== 'CLI_BAD_CONFIG') throw error
    throw wrong(`${name}: ${error.message}`)
  }
  return { values, hosts }
}

function wrong(message: string): EscalonaError {
  return new EscalonaError('CLI_BAD_CONFIG', message)
}

function unknownKey(key: string, known: readonly string[]): EscalonaError {
  const names = known.filter(name => !ACTIONS.includes(name) && !isNegation(name))
  return wrong(crawlWords().config.unknown(printable(key)) + useWords().didYouMean(closest(key, names)))
}

function tableIn(path: string): Readonly<Record<string, unknown>> {
  const text = readSmallFile(path)
  try {
    return asTable(/^\s*\{/.test(text) ? JSON.parse(text) : parse(text)) ?? {}
  } catch (error) {
    const [first = ''] = (error as Error).message.split('\n')
    const place = error instanceof TomlError ? `${path}:${error.line}:${error.column}` : path
    throw new EscalonaError('CLI_CONFIG_BROKEN', crawlWords().config.broken(printable(place), printable(first)))
  }
}

function asTable(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}

/** Undefined for a switch that is off. */
function optionTexts(key: string, row: OptionRow, value: unknown): readonly string[] | undefined {
  if (row.optional !== undefined && typeof value === 'boolean') {
    if (Object.hasOwn(CRAWL_OPTIONS, negationOf(key))) return [value ? '' : 'no']
    return value ? [''] : undefined
  }
  if (row.value === undefined) {
    if (typeof value !== 'boolean') throw wrong(crawlWords().config.notSwitch(key))
    return value ? [] : undefined
  }
  if (key === SEEDS && [value].flat().some(one => typeof one !== 'string')) throw wrong(crawlWords().config.notSeeds)
  const texts = textsOf(key, value)
  if (texts.length !== 1 && !row.isRepeatable) throw wrong(crawlWords().config.notOne(key))
  return texts
}

function textsOf(key: string, value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(one => {
    if (typeof one === 'string') return one
    if (typeof one === 'number' || typeof one === 'bigint') return String(one)
    throw wrong(crawlWords().config.notValue(key))
  })
}

function hostsIn(value: unknown, env: Environment): HostSettings[] {
  return Object.entries(sectionOf(HOSTS, value)).map(([host, section]) => {
    const name = `${HOSTS}."${printable(host)}"`
    // Not the name of a host: a key of this name is an attempt at the program's own objects.
    if (host === '__proto__') throw unknownKey(host, [])
    const { delay, limit, headers, ...unknown } = sectionOf(name, section)
    for (const key of Object.keys(unknown)) throw unknownKey(key, HOST_KEYS)
    return {
      host,
      ...(delay !== undefined && { delayMs: quantityOf(`${name}.delay`, delay, readDuration) }),
      ...(limit !== undefined && { limit: quantityOf(`${name}.limit`, limit, readCount) }),
      ...(headers !== undefined && { headers: headersOf(`${name}.headers`, headers, env) }),
    }
  })
}

function sectionOf(name: string, value: unknown): Readonly<Record<string, unknown>> {
  const table = asTable(value)
  if (table === undefined) throw wrong(crawlWords().config.notTable(name))
  return table
}

function quantityOf(key: string, value: unknown, read: (text: string) => number | undefined): number {
  const [text = ''] = textsOf(key, value)
  const quantity = read(text)
  if (quantity === undefined) throw wrong(crawlWords().config.notQuantity(key, printable(text)))
  return quantity
}

function headersOf(key: string, value: unknown, env: Environment): Record<string, string> {
  const headers = Object.entries(sectionOf(key, value))
  return Object.fromEntries(headers.map(([name, text]) => [name, revealed(textsOf(key, text).join(', '), env)]))
}

/** No list of settings or addresses is longer; a device such as /dev/zero never ends. */
const MOST_BYTES = 64 << 20
const READ_BYTES = 1 << 16

/** The text of a file that people write by hand. A file that is too large is an error before it fills the memory. */
export function readSmallFile(path: string): string {
  try {
    return textIn(path)
  } catch (error) {
    if (error instanceof EscalonaError) throw error
    throw unreadable(path, reasonOf(error), error)
  }
}

function textIn(path: string): string {
  const fd = openSync(path, 'r')
  try {
    const pieces: Buffer[] = []
    for (let bytes = 0; ; ) {
      const piece = Buffer.allocUnsafe(READ_BYTES)
      const got = readSync(fd, piece, 0, READ_BYTES, null)
      if (got === 0) return Buffer.concat(pieces).toString()
      bytes += got
      if (bytes > MOST_BYTES) throw unreadable(path, crawlWords().tooLarge)
      pieces.push(piece.subarray(0, got))
    }
  } finally {
    closeSync(fd)
  }
}

function unreadable(path: string, reason: string, cause?: unknown): EscalonaError {
  return new EscalonaError('FILE_UNREADABLE', crawlWords().unreadable(printable(path), reason), { cause })
}
