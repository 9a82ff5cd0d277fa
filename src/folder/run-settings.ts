import { availableParallelism } from 'node:os'
import { version } from '../base/version.ts'
import { type CrawlSettings, settingsWith } from '../settings/settings.ts'
import type { CrawlFile } from './crawl-file.ts'
import { givenIn } from './run-plan.ts'

/** The settings of the newest run; undefined when there is none. */
export function runSettings(file: CrawlFile | undefined): CrawlSettings | undefined {
  const run = file?.runs.at(-1)
  return run && settingsWith(givenIn(run), availableParallelism(), version())
}
