import { CHANGEABLE } from '../actions.ts'
import type { CrawlRun } from '../crawl-file.ts'
import { SETTING_NAMES } from '../setting-names.ts'
import type { CrawlSettings } from '../settings.ts'

/** A setting, as it is written on the command line. */
export interface SettingView {
  /** `delayMs` */
  readonly setting: string
  /** `--delay` */
  readonly option: string
  /** The first 1,000 values of a list. */
  readonly value: readonly string[]
  /** How many values it has. */
  readonly valueCount: number
  readonly isDefault: boolean
  /** Whether it can be changed now. */
  readonly canChange: boolean
  /** The accepted values, if there are few. */
  readonly choices: readonly string[] | undefined
}

/**
 * Values of one setting that are shown; a file of addresses may have a million. As many patterns as a running crawl accepts, so
 * that whoever edits such a list sees all of it.
 */
const MOST_VALUES = 1000

/** What a crawl runs with. `canChange`: whether a setting of this reach can be changed now. */
export function settingViews(
  settings: CrawlSettings,
  run: Pick<CrawlRun, 'settings'>,
  canChange: (reach: 'crawl' | 'machine') => boolean,
): SettingView[] {
  return SETTING_NAMES.map(({ setting, option, key, reach, choices, show }) => {
    const values = show(settings[setting] as never)
    return {
      setting,
      option: `--${option}`,
      value: values.slice(0, MOST_VALUES),
      valueCount: values.length,
      isDefault: !Object.hasOwn(run.settings, key),
      canChange: (CHANGEABLE as readonly string[]).includes(setting) && canChange(reach),
      choices,
    }
  })
}
