import { join } from 'node:path'
import { PAGES_FILE } from '../../archive/names.ts'
import { unixClock } from '../../base/clock.ts'
import { linesFrom } from '../../base/files/line-file.ts'
import { version } from '../../base/version.ts'
import { readCrawlFile } from '../../folder/crawl-file.ts'
import { FAILURES_FILE, parseFailuresLine } from '../../folder/failures-file.ts'
import { readLines } from '../../folder/json-lines-file.ts'
import { diskUse } from '../../folder/stats/disk-use.ts'
import { Survey } from '../../folder/stats/host-survey.ts'
import { readStats } from '../../folder/stats/stats-file.ts'
import { readNamed } from '../../settings/setting-texts.ts'
import { settingsWith } from '../../settings/settings.ts'
import { hostsOf } from '../listed-hosts.ts'
import type { Source } from '../questions/questions.ts'
import type { PlaceReport } from './place.ts'

/** The facts of the report that a crawl writes into its folder, as they are now. */
export async function folderReport(folder: string, source: Source): Promise<PlaceReport> {
  const { frontier, running } = await source.ask('status', {})
  const survey = new Survey()
  for await (const host of hostsOf(source, {})) survey.add(host)
  const file = readCrawlFile(folder)
  const run = file?.runs.at(-1)
  const { limit } = settingsWith(readNamed(run?.settings ?? {}), 1, version())
  const lines = { count: 0 }
  for (const _ of linesFrom(join(folder, PAGES_FILE))) lines.count++
  // Without opening it for writing.
  const failures = { lines: (from = 0) => readLines(join(folder, FAILURES_FILE), parseFailuresLine, from) }
  return {
    stats: readStats(folder, lines.count, failures, unixClock()),
    file: { runs: file?.runs ?? [], forgottenRuns: file?.forgottenRuns ?? 0 },
    limit,
    frontier,
    hosts: survey.result(),
    disk: await diskUse(folder),
    because: running === undefined ? run?.because : undefined,
  }
}
