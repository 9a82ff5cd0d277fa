import { SETTING_NAMES, type SettingOption } from '../settings/setting-texts.ts'
import type { OptionRow, OptionRows } from './option-table.ts'

/** The options of `crawl` and `resume`, grouped as on the help page. Every setting of a crawl must have an option here. */
export const CRAWL_GROUPS = {
  what: {
    seeds: { short: 's', value: 'SEEDS', isRepeatable: true, names: 'file' },
    limit: { short: 'n', value: 'N' },
    output: { short: 'o', value: 'DIR', names: 'folder' },
    frontier: { value: 'URL' },
    config: { value: 'F', names: 'file' },
    'max-time': { value: 'T' },
    'max-bytes': { value: 'SIZE' },
  },
  resuming: {
    add: {},
    retry: { value: 'R', isRepeatable: true, choices: ['failed', 'refused', 'held'] },
    fresh: {},
    yes: { short: 'y' },
  },
  politeness: {
    contact: { value: 'C' },
    delay: { value: 'T' },
    'user-agent': { value: 'U' },
    'server-delay': { value: 'T' },
    'per-server': { value: 'N' },
    'max-rate': { value: 'N/s' },
    retries: { value: 'N' },
  },
  where: {
    scope: { value: 'S' },
    sitemaps: { value: 'yes|no', optional: /^(?:yes|no)$/ },
    'no-sitemaps': {},
    'max-depth': { value: 'N' },
    'max-per-host': { value: 'N' },
    'max-hosts': { value: 'N' },
    'max-hosts-per-domain': { value: 'N' },
    include: { value: 'P', isRepeatable: true },
    exclude: { value: 'P', isRepeatable: true },
    'max-held': { value: 'N' },
    strategy: { short: 'e', value: 'S' },
    explore: { value: 'P' },
    seed: { value: 'N' },
  },
  again: {
    recrawl: { value: 'due', optional: /^due$/ },
    'no-recrawl': {},
    'recrawl-first': { value: 'T' },
    'recrawl-min': { value: 'T' },
    'recrawl-max': { value: 'T' },
    'recrawl-full': { value: 'N' },
    dedup: { value: 'N' },
  },
  requests: {
    timeout: { value: 'T' },
    'connect-timeout': { value: 'T' },
    'first-byte-timeout': { value: 'T' },
    'max-body': { value: 'SIZE' },
    archive: { value: 'A' },
    concurrency: { value: 'N' },
    workers: { value: 'N' },
  },
  network: {
    header: { value: 'H', isRepeatable: true },
    cookie: { value: 'H', isRepeatable: true },
    auth: { value: 'H', isRepeatable: true },
    'archive-secrets': {},
    proxy: { value: 'URL' },
    'allow-network': { value: 'CIDR', isRepeatable: true },
    hosts: { value: 'F', names: 'file' },
    dns: { value: 'A', isRepeatable: true },
  },
  ui: {
    ui: { value: 'PORT', optional: /^\d+$/ },
    'ui-bind': { value: 'ADDRESS' },
    'ui-token': { value: 'T' },
  },
  output: {
    debug: { short: 'd' },
    quiet: { short: 'q' },
    log: { value: 'FORM', choices: ['text', 'json', 'none'] },
    lang: { value: 'L', choices: ['en', 'pt'] },
    help: { short: 'h' },
  },
} as const satisfies Readonly<Record<string, OptionRows>>

export type CrawlGroup = keyof typeof CRAWL_GROUPS

const GROUPS = CRAWL_GROUPS

export const CRAWL_OPTIONS = {
  ...GROUPS.what,
  ...GROUPS.resuming,
  ...GROUPS.politeness,
  ...GROUPS.where,
  ...GROUPS.again,
  ...GROUPS.requests,
  ...GROUPS.network,
  ...GROUPS.ui,
  ...GROUPS.output,
} as const satisfies Readonly<Record<SettingOption, OptionRow>>

export type CrawlOption = keyof typeof CRAWL_OPTIONS

/** `recrawl` → `no-recrawl`, a switch on the command line for the value `no`; in files, the setting itself says `no`. */
export function negationOf(option: string): string {
  return `no-${option}`
}

export function isNegation(option: string): boolean {
  return option.startsWith(negationOf('')) && Object.hasOwn(CRAWL_OPTIONS, option)
}

/** `resume` takes its folder without -o and adds no seeds. */
const ONLY_CRAWL = ['seeds', 'output', 'add', 'fresh', 'yes'] as const satisfies readonly CrawlOption[]

export type ResumeOption = Exclude<CrawlOption, (typeof ONLY_CRAWL)[number]>

export const RESUME_OPTIONS = Object.fromEntries(
  Object.entries(CRAWL_OPTIONS).filter(([name]) => !(ONLY_CRAWL as readonly string[]).includes(name)),
) as Pick<typeof CRAWL_OPTIONS, ResumeOption>

/** The rows with the values that each setting accepts, for completion. */
export function withChoices(rows: OptionRows): OptionRows {
  const choices = new Map(SETTING_NAMES.flatMap(({ option, choices }) => (choices ? [[option, choices]] : [])))
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => {
      const taken = row.choices ?? choices.get(name as SettingOption)
      return [name, taken === undefined ? row : { ...row, choices: taken }]
    }),
  )
}
