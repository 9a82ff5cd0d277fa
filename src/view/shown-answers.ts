import { statfs } from 'node:fs/promises'
import { type Clock, systemClock, systemTimer } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { LogHistogram } from '../base/structures/log-histogram.ts'
import { type Bilingual, inLanguage, type Language } from '../base/words/language.ts'
import { type ActionLine, readActions } from '../folder/actions-file.ts'
import { type CrawlFile, type CrawlRun, crawlFileStamp, readCrawlFile } from '../folder/crawl-file.ts'
import type { Places } from '../folder/lines-of.ts'
import { runSettings } from '../folder/run-plan.ts'
import { failedIn, keptStats } from '../folder/stats/stats-file.ts'
import type { FrontierCounts } from '../frontier/frontier.ts'
import type { RunStatus } from '../run/run-status.ts'
import type { LiveSearch } from '../search/live-search.ts'
import { countOf } from '../settings/link-choice.ts'
import { MOST_PATTERNS } from '../settings/setting-row.ts'
import { showSetting } from '../settings/setting-texts.ts'
import { agentOf, type CrawlSettings } from '../settings/settings.ts'
import { isChangeable, WRITTEN_SETTINGS } from '../settings/settings-table.ts'
import { historyLines, turnText } from './history-lines.ts'
import type { Indexes } from './indexes/open-indexes.ts'
import type { CrawlTotals, SettingView } from './questions/crawl-shapes.ts'
import type { HostFacts, HostRow } from './questions/host-shapes.ts'
import type { Answered, Asks, ShownName, Source, SourceName } from './questions/questions.ts'
import { closingNow, crawlNow } from './status.ts'
import { historyOf, inCurrentLanguage } from './url-history.ts'

/** However many ask for the state of the crawl, its process is asked this often at most. */
const NOW_KEPT_MS = 200
const MOST_ACTIONS = 200
const MOST_SEEDS = 20
/** Entries of a list: at most, and unless the question says otherwise. */
const MOST_LISTED = 200
const LISTED = 50
/** Pages that a search finds: at most, and unless the question says otherwise. Each is read for its snippet. */
const MOST_FOUND = 50
const FOUND = 10

type Answer<Name extends ShownName> = (
  question: Asks<Name>,
  deps: ShownAnswers,
  language: Language,
) => Promise<Answered<Name>>

/** What is shown, from source, files and indexes. What only the source knows may be missing here: it is shown as the source says it. */
const ANSWERS: { readonly [Name in Exclude<ShownName, SourceName>]: Answer<Name> } & {
  readonly [Name in ShownName & SourceName]?: Answer<Name>
} = {
  async crawl(_, deps, language) {
    const now = await deps.now()
    return { ...now, waitingFor: now.waitingFor[language], challenges: now.challenges?.[language] }
  },

  async totals(_, { folder }) {
    const { statuses = {}, again: retried = {}, failed = {}, answerMs } = keptStats(folder) ?? {}
    const disk = await statfs(folder).catch(() => undefined)
    return {
      ...{ statuses, retried, failed },
      answers: answerTimes(new LogHistogram(answerMs)),
      disk: disk && { freeBytes: disk.bavail * disk.bsize, sizeBytes: disk.blocks * disk.bsize },
    }
  },

  async hosts({ offset = 0, limit = LISTED, ...query }, deps) {
    const { names, ...found } = await (await deps.indexes()).hosts({ ...query, offset, limit: listed(limit) })
    return { items: await hostRows(await deps.source.ask('hostsNamed', { hosts: names }), deps), ...found }
  },

  async host({ host }, deps, language) {
    const [row] = await hostRows(await deps.source.ask('hostsNamed', { hosts: [host] }), deps)
    if (row === undefined) return undefined
    const details = await (await deps.indexes()).hostDetails(row, deps.agent)
    const outcomes = details.outcomes.map(one =>
      one.kind === 'page' ? one : { ...one, sentence: one.sentence[language] },
    )
    const turn = inLanguage(language, () => turnText(row))
    return { ...details, outcomes, ...(turn !== undefined && { turn }) }
  },

  async links({ offset = 0, limit = LISTED, sort = 'known', reverse = false, ...which }, deps) {
    const query = { ...which, sort, reverse, offset, limit: listed(limit) }
    return (await deps.indexes()).links(query, countOf(which, (await deps.now()).frontier))
  },

  async pages({ q, offset = 0, limit = LISTED }, deps) {
    const [found, now] = await Promise.all([
      deps.indexes().then(indexes => indexes.pages({ q, offset, limit: listed(limit) })),
      deps.now(),
    ])
    // As the crawl itself counts them, so that all parts of the live page say the same. A machine's folder has its own pages only.
    return now.machines === undefined ? { ...found, total: now.pages } : found
  },

  async search({ offset = 0, limit = FOUND, ...question }, deps) {
    return (await deps.search()).find(question, { offset, limit: Math.min(limit, MOST_FOUND) })
  },

  async changes({ offset = 0, limit = LISTED }, deps) {
    return (await deps.indexes()).changes({ offset, limit: listed(limit) })
  },

  async page({ url }, deps) {
    return (await deps.indexes()).pageDetails(url)
  },

  async explain({ url: text }, { source, folder, places }, language) {
    const files = { folder, places: await places() }
    const history = await historyOf(text, url => source.ask('explain', { url }), files)
    return inLanguage(language, () => ({ history: inCurrentLanguage(history), lines: historyLines(history) }))
  },

  async settings(_, { crawlFile, now }) {
    const { file, settings } = crawlFile()
    const run = file?.runs.at(-1)
    if (settings === undefined || run === undefined) return { items: [] }
    const isRunning = (await now()).state !== 'ended'
    const isShared = file?.frontier !== undefined
    return { items: settingViews(settings, run, reach => isRunning && (reach === 'machine' || !isShared)) }
  },

  async actions(_, { folder }) {
    return { items: readActions(folder, MOST_ACTIONS).reverse().map(withFewSeeds) }
  },
}

/** From 8 ms to 131 s, in factors of two: where buckets of the histogram end. */
const BOUNDS_MS = Array.from({ length: 15 }, (_, n) => 8 * 2 ** n)

function answerTimes(histogram: LogHistogram): CrawlTotals['answers'] {
  const counts = new Array<number>(BOUNDS_MS.length + 1).fill(0)
  let totalMs = 0
  for (const { from, to, count } of histogram.buckets()) {
    const bucket = BOUNDS_MS.findIndex(bound => to <= bound)
    counts[bucket < 0 ? BOUNDS_MS.length : bucket]! += count
    totalMs += count * Math.sqrt(from * to)
  }
  return { upToMs: BOUNDS_MS, counts, totalMs }
}

type CrawlNow = ReturnType<typeof crawlNow>

/** Answers what is shown of the crawl in a folder. */
export class ShownAnswers {
  readonly folder: string
  readonly source: Source
  readonly crawlFile: ReturnType<typeof crawlFileOf>
  private readonly isLive: boolean
  private readonly latest: KeptAnswer<CrawlNow>
  private known: CrawlNow | undefined
  private ended: RunStatus<Bilingual> | undefined
  private opened: Promise<Indexes> | undefined
  private searching: Promise<LiveSearch> | undefined

  /** `isLive`: URLs are looked up in the indexes; otherwise the files are searched, for those who ask once. */
  constructor(folder: string, source: Source, clock: Clock, isLive: boolean) {
    this.folder = folder
    this.source = source
    this.isLive = isLive
    this.crawlFile = crawlFileOf(folder)
    this.latest = new KeptAnswer(() => this.lookNow(), NOW_KEPT_MS, clock)
    // Loaded now: later, there may be no file descriptor left for it.
    if (isLive) import('./indexes/open-indexes.ts').catch(() => {})
  }

  ask<Name extends ShownName>(name: Name, question: Asks<Name>, language: Language): Promise<Answered<Name>> {
    type Answers = Readonly<Record<string, (...given: unknown[]) => Promise<never>>>
    const answers: object = ANSWERS
    return (
      (answers as Answers)[name]?.(question, this, language) ??
      (this.source.ask(name as never, question as never) as Promise<never>)
    )
  }

  readonly now = (): Promise<CrawlNow> => this.latest.get()

  forgetNow(): void {
    this.latest.forget()
  }

  /** Opened on demand: they begin to read the whole lists. */
  indexes(): Promise<Indexes> {
    const { folder, source } = this
    this.opened ??= Promise.all([
      import('./indexes/open-indexes.ts'),
      import('./listed.ts'),
      import('../folder/lines-of.ts'),
    ]).then(([{ openIndexes }, { listed }, { pageLines }]) => {
      const pages = async function* () {
        yield* pageLines(folder)
      }
      return openIndexes(folder, source, which => listed(which, source, pages))
    })
    return this.opened
  }

  /** Opened on demand: it begins to index the pages. */
  search(): Promise<LiveSearch> {
    this.searching ??= import('../search/live-search.ts').then(
      ({ LiveSearch }) => new LiveSearch(this.folder, systemClock, systemTimer),
    )
    return this.searching
  }

  readonly places = async (): Promise<Places> =>
    this.isLive ? this.indexes() : (await import('../folder/lines-of.ts')).searchedPlaces(this.folder)

  /** The product token that robots.txt rules are matched against. */
  get agent(): string {
    return agentOf(this.crawlFile().settings?.userAgent ?? 'escalona')
  }

  async close(): Promise<void> {
    await (await this.opened)?.close()
    await (await this.searching)?.close()
  }

  /** See `CrawlView.end`. */
  end(frontier: FrontierCounts): void {
    const outlook = { ready: 0, resting: 0, down: 0, next: undefined }
    this.ended = { frontier, outlook, failed: failedIn(this.folder), running: undefined }
    this.forgetNow()
  }

  private async lookNow(): Promise<CrawlNow> {
    try {
      const status = this.ended ?? (await this.source.ask('status', {}))
      const { file, settings } = this.crawlFile()
      this.known = crawlNow(this.folder, status, file, settings)
    } catch (error) {
      if (this.known === undefined || !(error instanceof EscalonaError) || error.code !== 'CRAWL_CLOSING') throw error
      this.known = closingNow(this.known)
    }
    return this.known
  }
}

async function hostRows(hosts: readonly HostFacts[], deps: ShownAnswers): Promise<HostRow[]> {
  const indexes = await deps.indexes()
  const isUnknown = ({ robots }: HostFacts) => robots === 'unknown'
  const unknown = hosts.filter(isUnknown).map(({ host }) => host)
  const states = (await indexes.robotsStates(unknown, deps.agent)).values()
  return hosts.map(host => {
    const robots = isUnknown(host) ? states.next().value! : host.robots
    return { ...host, robots, failed: indexes.failedOf(host.host) }
  })
}

function listed(limit: number): number {
  return Math.min(Math.max(1, limit), MOST_LISTED)
}

/** A list of actions stays short, whatever people pasted. */
function withFewSeeds(line: ActionLine): ActionLine {
  return line.kind === 'add seeds' ? { ...line, urls: line.urls.slice(0, MOST_SEEDS) } : line
}

/** An answer that many want: it is asked for once, and kept for a moment. */
export class KeptAnswer<Answer> {
  private readonly ask: () => Promise<Answer>
  private readonly forMs: number
  private readonly clock: Clock
  private asked: Promise<Answer> | undefined
  /** Infinity until it is. */
  private answeredMs = Infinity

  constructor(ask: () => Promise<Answer>, forMs: number, clock: Clock) {
    this.ask = ask
    this.forMs = forMs
    this.clock = clock
  }

  get(): Promise<Answer> {
    const ageMs = this.clock() - this.answeredMs
    // A clock that was set back makes no answer last for hours.
    if (this.asked !== undefined && ageMs < this.forMs && (ageMs >= 0 || this.answeredMs === Infinity))
      return this.asked
    const asked = this.ask()
    this.asked = asked
    this.answeredMs = Infinity
    asked.then(
      () => this.asked === asked && (this.answeredMs = this.clock()),
      () => this.asked === asked && this.forget(),
    )
    return asked
  }

  forget(): void {
    this.asked = undefined
  }
}

/** Values of one setting that are shown; a file of addresses may have a million. A list that people edit is shown whole. */
const MOST_VALUES = MOST_PATTERNS

/** What a crawl runs with. `canChange`: whether a setting of this reach can be changed now. */
export function settingViews(
  settings: CrawlSettings,
  run: Pick<CrawlRun, 'settings'>,
  canChange: (reach: 'crawl' | 'machine') => boolean,
): SettingView[] {
  return WRITTEN_SETTINGS.map(row => {
    const values = showSetting(row, settings[row.name])
    return {
      setting: row.name,
      option: `--${row.option}`,
      value: values.slice(0, MOST_VALUES),
      valueCount: values.length,
      isDefault: !Object.hasOwn(run.settings, row.key),
      canChange: isChangeable(row.name) && canChange(row.whose),
      choices: 'choices' in row ? row.choices : undefined,
    }
  })
}

/** Reads `crawl.json`, and again when it has changed: when a run begins, ends, or gets other settings. */
function crawlFileOf(
  folder: string,
): () => Readonly<{ file?: CrawlFile | undefined; settings?: CrawlSettings | undefined }> {
  let stamp: string | undefined
  let known = {}
  return () => {
    const newest = crawlFileStamp(folder)
    if (newest !== stamp) {
      const file = readCrawlFile(folder)
      known = { file, settings: runSettings(file) }
      stamp = newest
    }
    return known
  }
}
