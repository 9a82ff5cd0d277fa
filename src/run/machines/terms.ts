import { EscalonaError } from '../../base/errors.ts'
import { version } from '../../base/version.ts'
import { type NamedHostSettings, readCrawlFile } from '../../folder/crawl-file.ts'
import { deepestOf, givenIn, namedHosts } from '../../folder/run-plan.ts'
import { readSeeds } from '../../folder/seeds-file.ts'
import { type NamedSettings, namedSettings, readNamed } from '../../settings/setting-texts.ts'
import { settingsWith } from '../../settings/settings.ts'
import { ALL_SETTINGS, type CrawlSettings } from '../../settings/settings-table.ts'

/** The settings that all machines of a crawl share, as its frontier keeps them. */
export interface Terms {
  /** Those that were given, by name; the others have their defaults. */
  readonly settings: NamedSettings
  /** Settings of single hosts, without their secret headers. */
  readonly hostSettings: Readonly<Record<string, NamedHostSettings>>
  /** The largest `max-depth` that the crawl ever had: links so far from a seed may be waiting. */
  readonly deepest: string
}

const FORMAT = 1

/** The terms as text. `formerDepth`: the largest `maxDepth` so far. */
export function writeTerms(given: Partial<CrawlSettings>, settings: CrawlSettings, formerDepth: number): string {
  const deepest = Math.max(settings.maxDepth, formerDepth)
  return JSON.stringify({
    format: FORMAT,
    settings: namedSettings(partOf(given, 'crawl')),
    hostSettings: namedHosts(settings.hostSettings),
    deepest: namedSettings({ maxDepth: deepest })['max-depth'],
  })
}

/** Reads what another machine wrote. `where`: for messages, without a password. */
export function readTerms(text: string, where: string): Terms {
  const found = asObject(text)
  if (typeof found?.format === 'number' && found.format > FORMAT)
    throw new EscalonaError('CRAWL_TERMS_STRANGE/newer', { where })
  const { format, settings, hostSettings, deepest } = found ?? {}
  const isOurs = format === FORMAT && isTable(settings) && isTable(hostSettings) && typeof deepest === 'string'
  if (!isOurs || !Object.values(hostSettings as object).every(isTable))
    throw new EscalonaError('CRAWL_TERMS_STRANGE/strange', { where })
  return { settings, hostSettings, deepest } as Terms
}

/** The settings that the terms give; a machine's own settings among them are left out. */
export function givenBy(terms: Terms): Partial<CrawlSettings> {
  return partOf(givenIn(terms), 'crawl')
}

/** How deep links may be that wait in this crawl. */
export function deepestIn({ deepest }: Terms): number {
  return readNamed({ 'max-depth': deepest }).maxDepth ?? Infinity
}

/** The given settings that are the crawl's, or the machine's own. Secret headers of hosts come with each start. */
export function partOf(given: Partial<CrawlSettings>, whose: 'crawl' | 'machine'): Partial<CrawlSettings> {
  const names = ALL_SETTINGS.filter(row => row.whose === whose && given[row.name] !== undefined).map(row => row.name)
  return Object.fromEntries(names.map(name => [name, given[name]]))
}

function asObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isTable(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * What machines need to continue a crawl that one machine began in its folder: its settings, as the frontier keeps them, and its
 * seeds, one line each. Undefined when the folder holds no crawl that ran.
 */
export function termsOfFolder(folder: string): { readonly settings: string; readonly seeds: string[] } | undefined {
  const runs = readCrawlFile(folder)?.runs ?? []
  const last = runs.at(-1)
  if (last === undefined) return undefined
  const newest = givenIn(last)
  const maxDepth = Math.max(...runs.map(deepestOf))
  const settings = writeTerms(newest, settingsWith(newest, 1, version()), maxDepth)
  return { settings, seeds: readSeeds(folder).map(line => JSON.stringify(line)) }
}
