import { EscalonaError } from '../../base/errors.ts'
import { closest } from '../../base/words/closest.ts'
import { printable } from '../../base/words/printable.ts'
import type { ProxySettings } from '../../fetch/proxies.ts'
import type { UiOptions } from '../../server/ui-server.ts'
import type { HostSettings } from '../../settings/host-settings.ts'
import { NONE } from '../../settings/number-kinds.ts'
import { isReason } from '../../settings/reasons.ts'
import { readSetting } from '../../settings/setting-texts.ts'
import type { CrawlSettings } from '../../settings/settings.ts'
import { ALL_SETTINGS, WRITTEN_SETTINGS, type WrittenSetting } from '../../settings/settings-table.ts'
import { type Environment, ownFolder, redisPassword } from '../terminal/arguments.ts'
import { type OptionRows, readArguments } from '../terminal/option-table.ts'
import { useWords, wrongUse } from '../terminal/use-words.ts'
import { readUiOptions } from '../ui/ui-options.ts'
import { uiWords } from '../ui/ui-words.ts'
import { type ConfigFile, readConfigFile, readSmallFile } from './config-file.ts'
import { CRAWL_OPTIONS, type CrawlOption, negationOf, RESUME_OPTIONS } from './crawl-option-rows.ts'
import { crawlWords } from './crawl-words.ts'
import { hostSecrets } from './host-secrets.ts'
import { type SeedSources, seedSources } from './seeds.ts'

export type LogChoice = 'text' | 'json' | 'none'

/** What the arguments of `crawl` or `resume` ask for. */
export interface CrawlArguments {
  readonly seeds: SeedSources
  readonly folder: string
  /** `redis://HOST:PORT/NAME`: where the frontier is, if not in the folder. */
  readonly frontier: string | undefined
  /** From the environment, for a URL without a password. */
  readonly frontierPassword: string | undefined
  readonly isDebug: boolean
  readonly log: LogChoice
  readonly isAdding: boolean
  /** `--fresh`: start over. `--yes`: without asking first. */
  readonly isFresh: boolean
  readonly isSure: boolean
  readonly retry: readonly string[]
  /** `--rebuild`: make the frontier again first. */
  readonly isRebuilding: boolean
  /** `--ui`: the live page. */
  readonly ui: UiOptions | undefined
  /** Settings given on the command line, in a configuration file or, for a proxy, in the environment. */
  readonly given: Partial<CrawlSettings>
}

const NO_CONFIG: ConfigFile = { values: new Map(), hosts: [] }

/** Reads the arguments of `escalona crawl`. Each mistake is an error that says what would be right. */
export function readCrawlOptions(args: readonly string[], env: Environment): CrawlArguments {
  const { values, positionals } = readArguments<OptionRows>(args, CRAWL_OPTIONS)
  const given = new GivenOptions(values, env)
  if (values.fresh) {
    if (values.add) throw contradiction('--fresh', '--add')
    if (values.retry) throw contradiction('--fresh', '--retry')
    if (values.rebuild) throw contradiction('--fresh', '--rebuild')
  }
  const folder = given.one('output') ?? 'crawl'
  if (folder === '') throw wrongUse(crawlWords().noFolderName('-o'))
  return { ...given.options(folder), seeds: seedSources(positionals, given.many('seeds') ?? []) }
}

/** Reads the arguments of `escalona resume`. */
export function readResumeOptions(args: readonly string[], env: Environment): CrawlArguments {
  const { values, positionals } = readArguments(args, RESUME_OPTIONS)
  const [folder = ownFolder(), ...words] = positionals
  if (folder === '') throw wrongUse(crawlWords().noFolder)
  const given = new GivenOptions(values, env)
  const seeds = seedSources(words, given.many('seeds') ?? [])
  const isAdding = seeds.urls.length + seeds.lists.length > 0
  return { ...given.options(folder), seeds, ...(isAdding && { isAdding }) }
}

type Values = Readonly<Record<string, boolean | string | readonly string[] | undefined>>

/** The options given; the command line overrides the configuration file. */
class GivenOptions {
  private readonly values: Values
  private readonly config: ConfigFile
  private readonly env: Environment

  constructor(values: Values, env: Environment) {
    this.values = values
    this.env = env
    this.config = values.config === undefined ? NO_CONFIG : readConfigFile(values.config as string, env)
  }

  options(folder: string): Omit<CrawlArguments, 'seeds'> {
    return {
      folder,
      frontier: this.one('frontier'),
      frontierPassword: redisPassword(this.env),
      isDebug: this.has('debug'),
      log: this.logChoice(),
      isAdding: this.has('add'),
      isFresh: this.has('fresh'),
      isSure: this.has('yes'),
      retry: (this.many('retry') ?? []).map(text => this.checkedRetry(text)),
      isRebuilding: this.has('rebuild'),
      ui: this.ui(),
      given: this.given(),
    }
  }

  one(name: CrawlOption): string | undefined {
    return this.many(name)?.[0]
  }

  many(name: CrawlOption): readonly string[] | undefined {
    const value = this.values[name]
    if (value === undefined) return this.config.values.get(name)
    return typeof value === 'string' ? [value] : typeof value === 'boolean' ? [] : value
  }

  private has(name: CrawlOption): boolean {
    return this.many(name) !== undefined
  }

  private ui(): UiOptions | undefined {
    const [port, bind, token] = [this.one('ui'), this.one('ui-bind'), this.one('ui-token')]
    if (port !== undefined) return readUiOptions({ port, bind, token }, '--ui', this.env)
    const idle = bind !== undefined ? '--ui-bind' : token !== undefined ? '--ui-token' : undefined
    if (idle !== undefined) throw wrongUse(uiWords().withoutUi(idle))
    return undefined
  }

  private given(): Partial<CrawlSettings> {
    const given: Record<string, unknown> = {}
    for (const row of WRITTEN_SETTINGS) {
      const texts = this.textsOf(row)
      if (texts !== undefined) given[row.name] = this.read(row, texts)
    }
    const hostSettings = this.hostSettings()
    if (hostSettings.length > 0) given.hostSettings = hostSettings
    for (const row of ALL_SETTINGS)
      if (row.kind === 'flag' && this.has(row.option as CrawlOption)) given[row.name] = true
    const proxy = this.proxy()
    if (proxy !== undefined) given.proxy = proxy
    return given as Partial<CrawlSettings>
  }

  /** The texts of a setting; where the option names a file, its contents. */
  private textsOf({ option, key }: WrittenSetting): readonly string[] | undefined {
    if (this.values[negationOf(option)] !== undefined) {
      if (this.values[option] !== undefined) throw contradiction(`--${option}`, `--${negationOf(option)}`)
      return ['no']
    }
    if (key === option) return this.many(option)
    const path = this.one(option)
    return path === undefined ? this.config.values.get(key) : [path === NONE ? path : readSmallFile(path)]
  }

  private read(row: WrittenSetting, texts: readonly string[]): unknown {
    try {
      return readSetting(row, texts)
    } catch (error) {
      if (!(error instanceof EscalonaError) || error.code !== 'CRAWL_BAD_SETTING') throw error
      const { config } = this.values
      const isConfigs = this.values[row.option] === undefined && config !== undefined
      const message = isConfigs ? `${printable(String(config))}: ${error.message}` : error.message
      throw wrongUse(message)
    }
  }

  /** Later entries override earlier ones, so the command line comes last. */
  private hostSettings(): readonly HostSettings[] {
    const secrets = { header: this.many('header'), cookie: this.many('cookie'), auth: this.many('auth') }
    return [...this.config.hosts, ...hostSecrets(secrets, this.env)]
  }

  private proxy(): ProxySettings | undefined {
    const named = this.one('proxy')
    if (named === 'none') return undefined
    const no = (this.fromEnvironment('NO_PROXY') ?? '').split(',').map(host => host.trim())
    const direct = no.filter(host => host !== '')
    if (named !== undefined) return { http: named, https: named, no: direct }
    const [http, https] = [this.fromEnvironment('HTTP_PROXY'), this.fromEnvironment('HTTPS_PROXY')]
    if (http === undefined && https === undefined) return undefined
    return { ...(http !== undefined && { http }), ...(https !== undefined && { https }), no: direct }
  }

  /** Lower case wins, as in most programs; an empty variable counts as unset. */
  private fromEnvironment(name: string): string | undefined {
    return this.env[name.toLowerCase()] || this.env[name] || undefined
  }

  private logChoice(): LogChoice {
    const text = this.one('log')
    if (this.has('quiet')) {
      if (text !== undefined && text !== 'none') throw contradiction('-q', `--log ${printable(text)}`)
      return 'none'
    }
    if (text === undefined || text === 'text') return 'text'
    if (text === 'json' || text === 'none') return text
    throw wrongUse(crawlWords().logForm(printable(text)))
  }

  private checkedRetry(text: string): string {
    if (RETRY_CLASSES.includes(text) || isReason(text)) return text
    throw wrongUse(crawlWords().noRetry(printable(text)) + useWords().didYouMean(closest(text, RETRY_CLASSES)))
  }
}

const RETRY_CLASSES: readonly string[] = ['failed', 'refused', 'held']

function contradiction(one: string, other: string): EscalonaError {
  return wrongUse(useWords().contradict(one, other))
}
