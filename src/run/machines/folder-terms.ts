import { version } from '../../base/version.ts'
import { readCrawlFile } from '../../folder/crawl-file.ts'
import { deepestOf, givenIn } from '../../folder/run-plan.ts'
import { readSeeds } from '../../folder/seeds-file.ts'
import { settingsWith } from '../../settings/settings.ts'
import { writeTerms } from './terms.ts'

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
