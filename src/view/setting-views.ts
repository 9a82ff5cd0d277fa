import type { CrawlRun } from '../folder/crawl-file.ts'
import { MOST_PATTERNS } from '../settings/setting-row.ts'
import { showSetting } from '../settings/setting-texts.ts'
import type { CrawlSettings } from '../settings/settings.ts'
import { isChangeable, WRITTEN_SETTINGS } from '../settings/settings-table.ts'

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

/** Values of one setting that are shown; a file of addresses may have a million. A list that people edit is shown whole. */
const MOST_VALUES = MOST_PATTERNS

/** What a crawl runs with. `canChange`: whether a setting of this reach can be changed now. */
export function settingViews(
  settings: CrawlSettings,
  run: Pick<CrawlRun, 'settings'>,
  canChange: (reach: 'crawl' | 'machine') => boolean,
): SettingView[] {
  return WRITTEN_SETTINGS.map(row => {
    const values = showSetting(row, settings[row.name])
    return {
      setting: row.name,
      option: `--${row.option}`,
      value: values.slice(0, MOST_VALUES),
      valueCount: values.length,
      isDefault: !Object.hasOwn(run.settings, row.key),
      canChange: isChangeable(row.name) && canChange(row.whose),
      choices: 'choices' in row ? row.choices : undefined,
    }
  })
}
