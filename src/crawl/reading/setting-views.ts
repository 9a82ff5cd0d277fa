import { CHANGEABLE } from '../actions.ts'
import type { CrawlRun } from '../crawl-file.ts'
import type { SettingView } from '../desk/front-desk.ts'
import { SETTING_NAMES } from '../setting-names.ts'
import type { CrawlSettings } from '../settings.ts'

/** Values of one setting that are shown; a file of addresses may have a million. */
const MOST_VALUES = 200

/** What a crawl runs with. `canChange`: whether a setting of this reach can be changed now. */
export function settingViews(
  settings: CrawlSettings,
  run: Pick<CrawlRun, 'settings'>,
  canChange: (reach: 'crawl' | 'machine') => boolean,
): SettingView[] {
  return SETTING_NAMES.map(({ setting, option, key, reach, choices, show }) => ({
    setting,
    option: `--${option}`,
    value: show(settings[setting] as never).slice(0, MOST_VALUES),
    isDefault: !Object.hasOwn(run.settings, key),
    canChange: (CHANGEABLE as readonly string[]).includes(setting) && canChange(reach),
    choices,
  }))
}
