// One table of all settings. Their type, defaults and checks, the options of the command line with help and completion, the keys of
// files, the schema of the API and the form on the live page all come from it, so that a new setting is a row, and a place where it acts.
// Browsers read it, too.
import type { SettingRow, Values } from './setting-row.ts'
import { SETTING_GROUPS } from './setting-rows.ts'

/** The rows by the names of the settings. */
export const SETTINGS = {
  ...SETTING_GROUPS.what,
  ...SETTING_GROUPS.politeness,
  ...SETTING_GROUPS.where,
  ...SETTING_GROUPS.again,
  ...SETTING_GROUPS.requests,
  ...SETTING_GROUPS.network,
}

type Rows = typeof SETTINGS
export type SettingName = keyof Rows
type Having<Fact> = { [Name in SettingName]: Rows[Name] extends Fact ? Name : never }[SettingName]
type ValueOf<Row> = Row extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Row extends { readonly kind: infer Kind extends keyof Values }
    ? Values[Kind]
    : number

/** The settings of a crawl. Everything has a default; durations are in milliseconds, sizes in bytes. Infinity: no limit. */
export type CrawlSettings = { readonly [Name in SettingName]: ValueOf<Rows[Name]> }

/** A row with its name, and with what it leaves out. */
export type Setting = SettingRow & {
  readonly name: SettingName
  /** Whether it is the same on all machines that share a crawl, or each machine's own. */
  readonly whose: 'crawl' | 'machine'
}

/** A setting with a name and spelling that people use, on the command line, in files, and in what a folder keeps of a run. */
export type WrittenSetting = Exclude<Setting, { readonly kind: 'flag' | 'proxy' | 'hosts' }> & {
  readonly option: SettingOption
  /** The key in files. */
  readonly key: string
}

export type SettingOption = Extract<Rows[SettingName], { readonly option: string }>['option']

/** All settings, in display order. */
export const ALL_SETTINGS: readonly Setting[] = Object.entries(SETTINGS as Readonly<Record<string, SettingRow>>).map(
  ([name, row]) => ({ ...row, name: name as SettingName, whose: row.whose ?? 'crawl' }),
)

/**
 * Those that are written. Not among them: the proxy, which belongs to the machine and may contain a password, and the settings of
 * single hosts, whose headers are secret.
 */
export const WRITTEN_SETTINGS = ALL_SETTINGS.flatMap(row =>
  row.kind === 'flag' || row.kind === 'proxy' || row.kind === 'hosts' ? [] : [{ ...row, key: row.key ?? row.option }],
) as readonly WrittenSetting[]

/** The names of settings that can be changed while a crawl runs. */
export type ChangeableName = Having<{ readonly changeable: true }>
export const CHANGEABLE = ALL_SETTINGS.filter(row => row.changeable).map(row => row.name) as readonly ChangeableName[]

export function isSetting(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name)
}

export function isChangeable(name: string): name is ChangeableName {
  return (CHANGEABLE as readonly string[]).includes(name)
}
