import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES_FILE } from '../../archive/names.ts'
import { unixClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { FolderLock } from '../../base/files/folder-lock.ts'
import { linesFrom } from '../../base/files/line-file.ts'
import { makeFolder } from '../../base/files/make-folder.ts'
import { version } from '../../base/version.ts'
import { printable } from '../../base/words/printable.ts'
import {
  addRun,
  CRAWL_FILE,
  isCrawlFolder,
  MOST_NAMED_SEEDS,
  openCrawlFile,
  readCrawlFile,
} from '../../folder/crawl-file.ts'
import { FAILURES_FILE, parseFailuresLine } from '../../folder/failures-file.ts'
import { readLines } from '../../folder/json-lines-file.ts'
import { searchedPlaces } from '../../folder/lines-of.ts'
import { runSettings } from '../../folder/run-plan.ts'
import { SEEDS_FILE, seedLine } from '../../folder/seeds-file.ts'
import { diskUse } from '../../folder/stats/disk-use.ts'
import { Survey } from '../../folder/stats/host-survey.ts'
import { readStats } from '../../folder/stats/stats-file.ts'
import { type CrawlPart, type DumpSource, MANIFEST, openDump } from '../../frontier/dump-files.ts'
import { dumpLocal } from '../../frontier/local/dump/dump.ts'
import { restoreLocal } from '../../frontier/local/dump/restore.ts'
import { IMPORTING } from '../../frontier/local/journal/segment-files.ts'
import { openLocal } from '../../frontier/local/open.ts'
import { openLocalReadOnly } from '../../frontier/local/read-only.ts'
import type { RestoreOptions } from '../../frontier/restore-dump.ts'
import { readTerms, termsOfFolder } from '../../run/machines/terms.ts'
import { settingFacts } from '../../run/run-status.ts'
import { HostBook } from '../../settings/host-settings.ts'
import { readNamed } from '../../settings/setting-texts.ts'
import { type CrawlSettings, settingsWith } from '../../settings/settings.ts'
import { CurrentSource } from '../current-source.ts'
import { hostsOf } from '../listed.ts'
import type { UrlHistory } from '../questions/explained-shapes.ts'
import { sourceOf } from '../questions/frontier-answers.ts'
import type { HostFilter, ListedHost } from '../questions/host-shapes.ts'
import type { Source } from '../questions/questions.ts'
import { historyOf } from '../url-history.ts'
import type { FrontierStore, StoreDump, StoreReport, StoreStatus } from './frontier-store.ts'

const FRONTIER = 'frontier'

/** A crawl's folder, or that of a frontier alone. */
export class FolderStore implements FrontierStore {
  readonly shown: string
  private readonly folder: string
  private readonly frontierPassword: string | undefined
  private opened: Promise<Source & { close(): Promise<void> }> | undefined

  /** `frontierPassword`: of a frontier that machines share. */
  constructor(folder: string, frontierPassword?: string) {
    this.folder = folder
    this.frontierPassword = frontierPassword
    this.shown = printable(folder)
  }

  async status(): Promise<StoreStatus> {
    return (await this.source()).ask('status', {})
  }

  async *hosts(filter: HostFilter): AsyncGenerator<ListedHost> {
    yield* hostsOf(await this.source(), filter)
  }

  async explain(text: string): Promise<UrlHistory> {
    const source = await this.source()
    const files = this.isCrawl ? { folder: this.folder, places: searchedPlaces(this.folder) } : undefined
    return historyOf(text, url => source.ask('explain', { url }), files)
  }

  async dump(): Promise<StoreDump> {
    this.checkOwn()
    const settings = this.settings()
    const delayMs = settings === undefined ? 0 : new HostBook(settings).shortestDelayMs
    const dump = await dumpLocal({ folder: this.frontier, delayMs })
    return { ...dump, crawl: this.isCrawl ? termsOfFolder(this.folder) : undefined }
  }

  async restore(dump: DumpSource, options: Omit<RestoreOptions, 'dump'>): Promise<void> {
    const { folder } = this
    const { crawl } = dump
    makeFolder(folder)
    if (crawl === undefined) {
      await restoreLocal({ ...options, folder, dump: dump.folder }, dump)
      return
    }
    const lock = await FolderLock.acquire(folder, { codes: 'CRAWL' })
    try {
      if (readdirSync(folder).some(name => !/^\.?lock-/.test(name)))
        throw new EscalonaError('FRONTIER_NOT_EMPTY/folder', { path: this.shown })
      const onBegun = () => writeImportedCrawl(folder, crawl, dump.madeAt)
      await restoreLocal({ ...options, folder: join(folder, FRONTIER), dump: dump.folder, onBegun }, dump)
    } finally {
      lock.release()
    }
  }

  async clear(host: string | undefined): Promise<boolean> {
    const { frontier } = this
    this.checkOwn()
    if (host === undefined && existsSync(join(frontier, IMPORTING))) {
      await this.dropUnfinished()
      return true
    }
    if (!existsSync(frontier)) throw this.missing()
    const opened = await openLocal({ ...this.frontierOptions(), folder: frontier })
    try {
      if (host !== undefined && (await opened.host(host)) === undefined) return false
      await opened.clear(host)
      return true
    } finally {
      await opened.close()
    }
  }

  async report(): Promise<StoreReport> {
    if (!this.isCrawl) throw new EscalonaError('CRAWL_NOT_FOUND/no-report', { path: this.shown })
    this.checkOwn()
    return folderReport(this.folder, await this.source())
  }

  async close(): Promise<void> {
    await (await this.opened?.catch(() => undefined))?.close()
  }

  private get isCrawl(): boolean {
    return isCrawlFolder(this.folder)
  }

  private get frontier(): string {
    return this.isCrawl ? join(this.folder, FRONTIER) : this.folder
  }

  private source(): Promise<Source & { close(): Promise<void> }> {
    this.opened ??= this.open()
    return this.opened
  }

  private async open(): Promise<Source & { close(): Promise<void> }> {
    if (this.isCrawl) return new CurrentSource(this.folder, unixClock, { frontierPassword: this.frontierPassword })
    if (!existsSync(this.folder)) throw this.missing()
    const frontier = await openLocalReadOnly({ folder: this.folder }).catch(error => {
      throw error instanceof EscalonaError && error.code === 'FRONTIER_MISSING' ? this.missing() : error
    })
    const source = sourceOf({ ...settingFacts(undefined, [], unixClock), frontier })
    return { ...source, close: () => frontier.close() }
  }

  /** The settings of the newest run; undefined without a crawl. */
  private settings(): CrawlSettings | undefined {
    return this.isCrawl ? runSettings(readCrawlFile(this.folder)) : undefined
  }

  /** What opening the frontier must know so that its hosts keep their delays. */
  private frontierOptions() {
    const settings = this.settings()
    if (settings === undefined) return {}
    const { strategy, retries, maxHostsPerDomain } = settings
    return { strategy, retries, maxHostsPerDomain, delayMs: new HostBook(settings).shortestDelayMs }
  }

  /** The frontier of a crawl that machines share is not in its folder. */
  private checkOwn(): void {
    const where = this.isCrawl ? readCrawlFile(this.folder)?.frontier?.where : undefined
    if (where !== undefined) throw new EscalonaError('CRAWL_OTHER_FRONTIER/elsewhere', { path: this.shown, where })
  }

  private missing(): EscalonaError {
    return new EscalonaError('FRONTIER_MISSING/place', { path: this.shown })
  }

  /** Removes what an import that did not end has left; the mark goes last. */
  private async dropUnfinished(): Promise<void> {
    const { frontier, folder, isCrawl } = this
    const lock = await FolderLock.acquire(frontier, { codes: 'FRONTIER' })
    try {
      for (const name of readdirSync(frontier)) {
        if (!/^\.?lock-/.test(name) && name !== IMPORTING) rmSync(join(frontier, name), { recursive: true })
      }
      if (isCrawl) for (const name of [SEEDS_FILE, CRAWL_FILE]) rmSync(join(folder, name), { force: true })
      rmSync(join(frontier, IMPORTING))
    } finally {
      lock.release()
    }
    if (isCrawl) rmSync(frontier, { recursive: true })
  }
}

/** The facts of the report that a crawl writes into its folder, as they are now. */
async function folderReport(folder: string, source: Source): Promise<StoreReport> {
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

/**
 * Makes a folder whose frontier was imported the folder of a crawl: with the settings and seeds of the dump, as if a first run
 * had ended when the dump was made.
 */
async function writeImportedCrawl(folder: string, crawl: CrawlPart, madeAt: string): Promise<void> {
  const { settings, hostSettings } = readTerms(crawl.settings, folder)
  const lines: string[] = []
  for await (const line of crawl.seeds) lines.push(line)
  const seeds = lines.flatMap(seedIn)
  writeFileSync(join(folder, SEEDS_FILE), lines.map(line => `${line}\n`).join(''), { flush: true })
  addRun(folder, openCrawlFile(folder, unixClock()), {
    ...{ startedAt: madeAt, endedAt: madeAt, because: 'stopped', version: version() },
    ...{ seeds: seeds.slice(0, MOST_NAMED_SEEDS), seedCount: seeds.length, settings, hostSettings, secrets: [] },
    ...{ knownSeeds: lines.length, failuresBytes: 0 },
  })
}

/** The URL of a seed that was given; nothing for one that a seed redirected to. */
function seedIn(line: string): string[] {
  const seed = seedLine(line)
  return seed !== undefined && seed.from === undefined ? [seed.url] : []
}

/** What is to be imported: an export, or the folder of a crawl or of a frontier, as it is now. */
export async function sourceAt(folder: string): Promise<DumpSource> {
  const isFrontier = isCrawlFolder(folder) || existsSync(join(folder, 'frontier.txt'))
  if (existsSync(join(folder, MANIFEST)) || !isFrontier) return openDump(folder)
  return { ...(await new FolderStore(folder).dump()), folder, madeAt: new Date(unixClock()).toISOString() }
}
