import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { uniqueName } from '../../base/random.ts'
import { type CrawlFile, readCrawlFile } from '../../folder/crawl-file.ts'
import { withRemedy } from '../../folder/frontier-damage.ts'
import { runSettings } from '../../folder/run-plan.ts'
import { readSeeds } from '../../folder/seeds-file.ts'
import { Outages } from '../../folder/stats/outages.ts'
import { failedIn, keptStats } from '../../folder/stats/stats-file.ts'
import { Timeline } from '../../folder/stats/timeline.ts'
import type { FrontierOptions } from '../../frontier/frontier.ts'
import { type FrontierView, openLocalReadOnly } from '../../frontier/local/read-only.ts'
import { parseWhere } from '../../frontier/redis/engine/where.ts'
import { checkExists } from '../../run/machines/frontier-address.ts'
import { keptBlocks, type Rests } from '../../run/rests.ts'
import { settingFacts } from '../../run/run-status.ts'
import type { CrawlSettings } from '../../settings/settings.ts'
import { type FrontierDeps, frontierStatus, type RunAnswers, sourceOf } from '../questions/frontier-answers.ts'
import type { Source } from '../questions/questions.ts'

/** Opens what answers from the files of a crawl, as they are now. A frontier that machines share is asked where it is. */
export async function openFilesSource(
  folder: string,
  clock: Clock,
  frontierPassword?: string,
): Promise<Source & { close(): Promise<void> }> {
  const file = readCrawlFile(folder)
  const settings = runSettings(file)
  const place = file?.frontier?.where
  const opened =
    place === undefined
      ? { frontier: await openOwn(folder, file, settings, clock), machines: undefined }
      : await openShared(place, settings, frontierPassword)
  const seeds = settings === undefined ? [] : readSeeds(folder).map(({ url }) => url)
  const blocks = keptBlocks(folder)
  const deps = { ...settingFacts(settings, seeds, clock, blocks, new Outages(keptStats(folder)?.outages)), ...opened }
  return { ...sourceOf(deps, endedRun(folder, deps, blocks)), close: () => opened.frontier.close() }
}

/** What a run that has ended, or was killed, left in its files. */
function endedRun(folder: string, deps: FrontierDeps, blocks: Rests): RunAnswers {
  return {
    status: async () => ({
      ...(await frontierStatus(deps)),
      failed: failedIn(folder),
      blockedHosts: blocks.blockedAt(deps.clock()),
    }),
    series: async () => {
      const recent = { untilMs: 0, pages: [], wireBytes: [], failures: [], openRequests: [] }
      return { recent, whole: new Timeline(keptStats(folder)?.timeline).toJSON() }
    },
    events: async ({ after }) => ({ items: [], last: after, skipped: 0 }),
    act: async () => {
      throw new EscalonaError('CRAWL_NOT_RUNNING', { path: folder })
    },
  }
}

async function openOwn(
  folder: string,
  file: CrawlFile | undefined,
  settings: CrawlSettings | undefined,
  clock: Clock,
): Promise<FrontierView> {
  if (file !== undefined && !existsSync(join(folder, 'frontier')))
    throw new EscalonaError('CRAWL_NOT_FOUND/not-begun', { path: folder })
  return openLocalReadOnly({ folder: join(folder, 'frontier'), clock, ...judgements(settings) }).catch(error => {
    throw withRemedy(error, folder)
  })
}

/** As an observer: machines that work on the crawl do not notice. */
async function openShared(
  place: string,
  settings: CrawlSettings | undefined,
  password: string | undefined,
): Promise<{ readonly frontier: FrontierView; machines(): number }> {
  const { openRedis } = await import('../../frontier/redis/open.ts')
  const where = parseWhere(place, password)
  await checkExists(where)
  const frontier = await openRedis({ where, crawler: uniqueName(), isObserver: true, ...judgements(settings) })
  return { frontier, machines: () => frontier.crawlersAlive() }
}

/** What decides which hosts count as down, and the delays of the backlog. */
function judgements(settings: CrawlSettings | undefined): Pick<FrontierOptions, 'retries' | 'delayMs'> {
  return settings === undefined ? {} : { retries: settings.retries, delayMs: settings.delayMs }
}
