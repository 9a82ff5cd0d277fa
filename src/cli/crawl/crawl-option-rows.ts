import type { SettingRow } from '../../settings/setting-row.ts'
import { SETTING_GROUPS } from '../../settings/setting-rows.ts'
import { isRepeatable } from '../../settings/setting-texts.ts'
import type { SettingOption } from '../../settings/settings-table.ts'
import type { OptionRow, OptionRows } from '../terminal/option-table.ts'

/** The groups of the help page of `crawl` and `resume`, each with the options that are not settings. The settings follow. */
const OWN_GROUPS = {
  what: {
    seeds: { short: 's', value: 'SEEDS', isRepeatable: true, names: 'file' },
    output: { short: 'o', value: 'DIR', names: 'folder' },
    frontier: { value: 'URL' },
    config: { value: 'F', names: 'file' },
  },
  resuming: {
    add: {},
    retry: { value: 'R', isRepeatable: true, choices: ['failed', 'refused', 'held'] },
    rebuild: {},
    fresh: {},
    yes: { short: 'y' },
  },
  politeness: {},
  where: {},
  again: {},
  requests: {},
  network: {
    header: { value: 'H', isRepeatable: true },
    cookie: { value: 'H', isRepeatable: true },
    auth: { value: 'H', isRepeatable: true },
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

export type CrawlGroup = keyof typeof OWN_GROUPS
type OptionsIn<Groups> = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups]
/** An option that is not a setting. */
export type OwnOption = OptionsIn<typeof OWN_GROUPS>
export type CrawlOption = OwnOption | SettingOption

/** `recrawl` → `no-recrawl`, a switch on the command line for the value `no`; in files, the setting itself says `no`. */
export function negationOf(option: string): string {
  return `no-${option}`
}

function optionsOf(row: SettingRow): readonly (readonly [string, OptionRow])[] {
  const { option, short, kind, value } = row
  if (option === undefined) return []
  const shown: OptionRow = {
    ...(short !== undefined && { short }),
    ...(value !== undefined && { value }),
    ...(kind === 'switch' && { optional: new RegExp(`^(?:${value})$`) }),
    ...('choices' in row && { choices: row.choices }),
    ...(row.key !== undefined && { names: 'file' }),
    ...(isRepeatable(row) && { isRepeatable: true }),
  }
  const rows: Record<string, OptionRow> = { [option]: shown, ...(kind === 'switch' && { [negationOf(option)]: {} }) }
  return Object.entries(rows)
}

/** The options of `crawl` and `resume`, grouped as on the help page. */
export const CRAWL_GROUPS = Object.fromEntries(
  Object.entries(OWN_GROUPS).map(([group, own]) => {
    const settings = (SETTING_GROUPS as Readonly<Record<string, Readonly<Record<string, SettingRow>>>>)[group] ?? {}
    return [group, { ...own, ...Object.fromEntries(Object.values(settings).flatMap(optionsOf)) }]
  }),
) as Readonly<Record<CrawlGroup, OptionRows>>

export const CRAWL_OPTIONS = Object.assign({}, ...Object.values(CRAWL_GROUPS)) as Readonly<
  Record<CrawlOption, OptionRow>
>

export function isNegation(option: string): boolean {
  return option.startsWith(negationOf('')) && Object.hasOwn(CRAWL_OPTIONS, option)
}

/** `resume` takes its folder without -o. */
const ONLY_CRAWL: readonly string[] = ['output', 'fresh', 'yes'] satisfies readonly OwnOption[]

export const RESUME_OPTIONS: OptionRows = Object.fromEntries(
  Object.entries(CRAWL_OPTIONS).filter(([name]) => !ONLY_CRAWL.includes(name)),
)
