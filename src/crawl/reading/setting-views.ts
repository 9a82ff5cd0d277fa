import { CHANGEABLE } from '../../settings/actions.ts'
import { SETTING_NAMES } from '../../settings/setting-texts.ts'
import type { CrawlSettings } from '../../settings/settings.ts'
import type { CrawlRun } from '../crawl-file.ts'
import type { SettingView } from '../desk/front-desk.ts'

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
