import { version } from '../../base/version.ts'
import { readCrawlFile } from '../crawl-file.ts'
import { givenIn } from '../run-plan.ts'
import { readSeeds } from '../seeds-file.ts'
import { settingsWith } from '../settings.ts'
import { writeTerms } from './terms.ts'

/**
 * What machines need to continue a crawl that one machine began in its folder: its settings, as the frontier keeps them, and its
 * seeds, one line each. Undefined when the folder holds no crawl that ran.
 */
export function termsOfFolder(folder: string): { readonly settings: string; readonly seeds: string[] } | undefined {
  const runs = (readCrawlFile(folder)?.runs ?? []).map(givenIn)
  const newest = runs.at(-1)
  if (newest === undefined) return undefined
  const maxDepth = Math.max(...runs.map(run => run.maxDepth ?? Infinity))
  const settings = writeTerms(newest, settingsWith(newest, 1, version()), maxDepth)
  return { settings, seeds: readSeeds(folder).map(line => JSON.stringify(line)) }
}
