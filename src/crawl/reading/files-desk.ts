import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { uniqueName } from '../../base/random.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import type { FrontierOptions } from '../../frontier/frontier.ts'
import { type FrontierView, openLocalReadOnly } from '../../frontier/local/read-only.ts'
import { parseWhere } from '../../frontier/redis/engine/where.ts'
import type { CrawlSettings } from '../../settings/settings.ts'
import { type CrawlFile, readCrawlFile } from '../crawl-file.ts'
import type { CrawlDesk, DeskStatus } from '../desk/desk.ts'
import type { CrawlSeries, EventBatch } from '../desk/front-desk.ts'
import { type DeskRooms, FrontierDesk } from '../desk/frontier-desk.ts'
import { settingFacts } from '../desk/setting-facts.ts'
import { keptBlocks } from '../kept-blocks.ts'
import type { Rests } from '../rests.ts'
import { readSeeds } from '../seeds-file.ts'
import { checkExists } from '../shared/structure.ts'
import { keptStats } from '../stats/stats-file.ts'
import { Timeline } from '../stats/timeline.ts'
import { runSettings } from './run-settings.ts'

const words = catalogue({
  en: {
    notBegun: (path: string) =>
      `${path} has no frontier: the start of its crawl was interrupted, or the folder frontier was removed; run the crawl command again, or restore a copy`,
    notRunning: (path: string) => `the crawl in ${path} is not running; continue it with: escalona resume ${path}`,
  },
  pt: {
    notBegun: (path: string) =>
      `${path} não tem fronteira: o início da coleta foi interrompido, ou a pasta frontier foi removida; execute de novo o comando crawl, ou restaure uma cópia`,
    notRunning: (path: string) => `a coleta em ${path} não está em execução; continue-a com: escalona resume ${path}`,
  },
})

/** Opens a desk that answers from the files of a crawl, as they are now. A frontier that machines share is asked where it is. */
export async function openFilesDesk(
  folder: string,
  clock: Clock,
  frontierPassword?: string,
): Promise<{ readonly desk: CrawlDesk; close(): Promise<void> }> {
  const file = readCrawlFile(folder)
  const settings = runSettings(file)
  const place = file?.frontier?.where
  const opened =
    place === undefined
      ? { frontier: await openOwn(folder, file, settings, clock), machines: undefined }
      : await openShared(place, settings, frontierPassword)
  const seeds = settings === undefined ? [] : readSeeds(folder).map(({ url }) => url)
  const blocks = keptBlocks(folder)
  const desk = new FilesDesk({ ...settingFacts(settings, seeds, clock, blocks), ...opened }, folder, blocks)
  return { desk, close: () => opened.frontier.close() }
}

/** Answers for a crawl that does not run. */
class FilesDesk extends FrontierDesk implements CrawlDesk {
  private readonly folder: string
  private readonly blocks: Rests

  constructor(rooms: DeskRooms, folder: string, blocks: Rests) {
    super(rooms)
    this.folder = folder
    this.blocks = blocks
  }

  override async status(): Promise<DeskStatus> {
    const failed = Object.values(keptStats(this.folder)?.failed ?? {}).reduce((sum, links) => sum + links, 0)
    return { ...(await super.status()), failed, blockedHosts: this.blocks.blockedAt(this.rooms.clock()) }
  }

  async series(): Promise<CrawlSeries> {
    const recent = { untilMs: 0, pages: [], wireBytes: [], failures: [], openRequests: [] }
    return { recent, whole: new Timeline(keptStats(this.folder)?.timeline).toJSON() }
  }

  async events(after: number): Promise<EventBatch> {
    return { items: [], last: after, skipped: 0 }
  }

  async act(): Promise<never> {
    throw new EscalonaError('CRAWL_NOT_RUNNING', () => words().notRunning(printable(this.folder)))
  }
}

async function openOwn(
  folder: string,
  file: CrawlFile | undefined,
  settings: CrawlSettings | undefined,
  clock: Clock,
): Promise<FrontierView> {
  if (file !== undefined && !existsSync(join(folder, 'frontier')))
    throw new EscalonaError('CRAWL_NOT_FOUND', () => words().notBegun(printable(folder)))
  return openLocalReadOnly({ folder: join(folder, 'frontier'), clock, ...judgements(settings) })
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
