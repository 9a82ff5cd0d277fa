import type { Clock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { inBothLanguages } from '../../base/words/language.ts'
import type { Action, ActionResult } from '../../settings/actions.ts'
import { agentOf } from '../../settings/settings.ts'
import { type ActionLine, readActions } from '../actions-file.ts'
import { type Indexes, openIndexes } from '../indexes/open-indexes.ts'
import { closingNow, crawlNow } from '../reading/crawl-now.ts'
import { ReadingDesk } from '../reading/reading-desk.ts'
import { settingViews } from '../reading/setting-views.ts'
import { inCurrentLanguage, storyOf } from '../reading/story.ts'
import { storyLines } from '../reading/story-lines.ts'
import { CrawlFileWatch } from './crawl-file-watch.ts'
import type { NamedHost } from './desk.ts'
import type {
  CrawlNow,
  CrawlSeries,
  EventBatch,
  FrontDesk,
  HostList,
  HostQuery,
  HostRow,
  HostStory,
  PageList,
  PageQuery,
  PageStory,
  SettingView,
  StoryWithLines,
} from './front-desk.ts'
import { KeptAnswer } from './kept-answer.ts'

/** However many ask where the crawl stands, its process is asked this often at most. */
const NOW_KEPT_MS = 200
const MOST_ACTIONS = 200
const MOST_LISTED = 200

/** The front desk of the crawl in a folder: its process or its files, and indexes over its lists. */
export class FolderFrontDesk implements FrontDesk {
  readonly folder: string
  private readonly desk: ReadingDesk
  private readonly file: CrawlFileWatch
  private readonly latest: KeptAnswer<CrawlNow>
  private known: CrawlNow | undefined
  private opened: Indexes | undefined

  constructor(folder: string, clock: Clock, frontierPassword: string | undefined) {
    this.folder = folder
    this.desk = new ReadingDesk(folder, clock, { frontierPassword, isPatient: true })
    this.file = new CrawlFileWatch(folder)
    this.latest = new KeptAnswer(() => this.lookNow(), NOW_KEPT_MS, clock)
  }

  now(): Promise<CrawlNow> {
    return this.latest.get()
  }

  series(): Promise<CrawlSeries> {
    return this.desk.series()
  }

  async hosts(query: HostQuery): Promise<HostList> {
    const limit = Math.min(Math.max(1, query.limit), MOST_LISTED)
    const { names, ...found } = await this.indexes.hosts.find({ ...query, limit })
    return { items: await this.rows(await this.desk.named(names)), ...found }
  }

  async host(name: string): Promise<HostStory | undefined> {
    const [row] = await this.rows(await this.desk.named([name]))
    return row && this.indexes.hostStory(row, this.agent)
  }

  pages(query: PageQuery): Promise<PageList> {
    return this.indexes.pages({ ...query, limit: Math.min(Math.max(1, query.limit), MOST_LISTED) })
  }

  page(url: string): Promise<PageStory | undefined> {
    return this.indexes.pageStory(url)
  }

  async explain(url: string): Promise<StoryWithLines> {
    const story = await storyOf(url, this.desk, { folder: this.folder, places: this.indexes })
    return { story: inBothLanguages(() => inCurrentLanguage(story)), lines: inBothLanguages(() => storyLines(story)) }
  }

  async settings(): Promise<readonly SettingView[]> {
    const { settings, file } = this.file
    const run = file?.runs.at(-1)
    if (settings === undefined || run === undefined) return []
    const isRunning = (await this.now()).state !== 'ended'
    const isShared = file?.frontier !== undefined
    return settingViews(settings, run, reach => isRunning && (reach === 'machine' || !isShared))
  }

  async actions(): Promise<readonly ActionLine[]> {
    return readActions(this.folder, MOST_ACTIONS).reverse()
  }

  events(after: number, isBrief?: boolean): Promise<EventBatch> {
    return this.desk.events(after, isBrief)
  }

  async act(action: Action): Promise<ActionResult> {
    const result = await this.desk.act(action)
    this.latest.forget()
    return result
  }

  async close(): Promise<void> {
    // At the same time: an index may be waiting for an answer of the desk.
    await Promise.all([this.opened?.close(), this.desk.close()])
  }

  /** Opened on demand: they begin to read the whole lists. */
  private get indexes(): Indexes {
    this.opened ??= openIndexes(this.folder, this.desk)
    return this.opened
  }

  private async rows(hosts: readonly NamedHost[]): Promise<HostRow[]> {
    const isUnknown = ({ robots }: NamedHost) => robots === 'unknown'
    const unknown = hosts.filter(isUnknown).map(({ host }) => host)
    const states = (await this.indexes.robotsStates(unknown, this.agent)).values()
    return hosts.map(host => {
      const robots = isUnknown(host) ? states.next().value! : host.robots
      return { ...host, robots, failed: this.indexes.failedOf(host.host) }
    })
  }

  /** The product token that robots.txt rules are matched against. */
  private get agent(): string {
    return agentOf(this.file.settings?.userAgent ?? 'escalona')
  }

  private async lookNow(): Promise<CrawlNow> {
    try {
      const status = await this.desk.status()
      this.known = crawlNow(this.folder, status, this.file.file, this.file.settings)
    } catch (error) {
      if (this.known === undefined || !(error instanceof EscalonaError) || error.code !== 'CRAWL_CLOSING') throw error
      this.known = closingNow(this.known)
    }
    return this.known
  }
}
