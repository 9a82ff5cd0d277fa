import { setTimeout as pause } from 'node:timers/promises'
import { EscalonaError } from '../../base/errors.ts'
import { message, said } from '../../base/messages/message.ts'
import { type Former, type RunPlan, type SettingChange, sharedDifference } from '../../folder/run-plan.ts'
import { type SeedLine, seedLine } from '../../folder/seeds-file.ts'
import { CrawlBook, isAtWork } from '../../frontier/redis/crawl-book.ts'
import { Engine } from '../../frontier/redis/engine/engine.ts'
import { shownWhere, type Where } from '../../frontier/redis/engine/where.ts'
import type { RedisFrontier } from '../../frontier/redis/open.ts'
import { checkStructure, frontierMissing } from './frontier-address.ts'
import { deepestIn, givenBy, partOf, readTerms, type Terms, writeTerms } from './terms.ts'

/** How to join a crawl that machines share, or to begin it. */
export interface Joining {
  readonly where: Where
  /** The id of the folder; undefined in a new one. */
  readonly crawler: string | undefined
  /** What the folder knows about earlier runs in it. */
  readonly former: Former
  /** Whether the folder has pages of this crawl. */
  readonly hasPages: boolean
  /** How many seeds were given now. */
  readonly seedsGiven: number
  plan(former: Former): RunPlan
  /** Called with a sentence about what is being waited for. */
  onWait(message: string): void
  /** Called when the frontier cannot be reached, and again when it can. */
  onTrouble(message: string): void
  readonly signal?: AbortSignal | undefined
}

/** What is known of a crawl when a machine joins it. */
export interface Joined {
  readonly plan: RunPlan
  readonly terms: Terms
  /** The terms as they are in the frontier. */
  readonly text: string
  /** All seeds so far, and what they redirected to; `seedsRead`: how many lines that were. */
  readonly seeds: readonly SeedLine[]
  readonly seedsRead: number
  /** Whether its seeds were offered. */
  readonly isSeeded: boolean
  /** How many other machines are at work. */
  readonly others: number
}

const LOOK_EVERY_MS = 500

/**
 * Agrees with the other machines on the settings of the crawl. The first one writes them; the others have them, and a setting of
 * the crawl that differs is an error, unless no other machine is at work: then it is changed for all. Without seeds of its own, a
 * machine waits until another one has offered them.
 */
export async function joinCrawl(joining: Joining): Promise<Joined> {
  const { where, former, signal } = joining
  let engine: Engine | undefined
  const stop = () => void engine?.close()
  signal?.addEventListener('abort', stop)
  try {
    // What the engine's settings put at risk is said when the frontier is opened.
    engine = await Engine.open({ where, onTrouble: joining.onTrouble, onAdvice: () => {}, signal })
    const book = new CrawlBook(engine, where.name)
    const hasSeeds = joining.seedsGiven > 0 || former.seeds.size > 0
    for (let hasSaid = false; ; ) {
      if (signal?.aborted) throw new EscalonaError('CRAWL_STOPPED')
      // Before anything is written: a name that this machine cannot use stays as it is, and so does its folder.
      await checkStructure(engine, where)
      const [text, isSeeded] = await Promise.all([book.settings(), book.isSeeded()])
      if (text === undefined && joining.hasPages) throw frontierMissing(where)
      if (isSeeded || hasSeeds) {
        const joined = await agreed(book, { text, isSeeded, ...(await readBook(book, joining)) }, joining)
        if (joined !== undefined) return joined
        continue
      }
      if (!hasSaid) joining.onWait(said('run/waits', { where: shownWhere(where) }))
      hasSaid = true
      await pause(LOOK_EVERY_MS)
    }
  } catch (error) {
    throw signal?.aborted ? new EscalonaError('CRAWL_STOPPED') : error
  } finally {
    signal?.removeEventListener('abort', stop)
    await engine?.close()
  }
}

/**
 * To be called once this machine is known to the others, and before anything is fetched: one that came at the same time saw
 * no other at work, and may have changed the settings.
 */
export async function checkTerms(where: Where, joined: Joined, frontier: RedisFrontier): Promise<void> {
  const text = await frontier.book.settings()
  if (text === joined.text) return
  if (text === undefined) throw frontierMissing(where)
  const theirs = givenBy(readTerms(text, shownWhere(where)))
  throw differs(sharedDifference(theirs, givenBy(joined.terms)), Math.max(1, frontier.crawlersAlive() - 1))
}

interface Known extends Omit<Joined, 'plan' | 'terms' | 'text'> {
  readonly text: string | undefined
}

async function readBook(book: CrawlBook, { crawler }: Joining): Promise<Pick<Known, 'seeds' | 'seedsRead' | 'others'>> {
  const [lines, others] = await Promise.all([book.seeds(0), othersAtWork(book, crawler)])
  return { seeds: lines.flatMap(line => seedLine(line) ?? []), seedsRead: lines.length, others }
}

/** Undefined when another machine wrote its settings meanwhile. */
async function agreed(book: CrawlBook, known: Known, joining: Joining): Promise<Joined | undefined> {
  const { text, ...rest } = known
  const shown = shownWhere(joining.where)
  const before = text === undefined ? undefined : readTerms(text, shown)
  const plan = inNewFolder(joining.plan(formerWith(before, known, joining)), joining.former)
  const own = writeTerms(plan.given, plan.settings, before === undefined ? 0 : deepestIn(before))
  if (text === undefined) {
    if ((await book.writeSettings(own)) !== own) return undefined
  } else if (plan.sharedChanges.length > 0) {
    if (known.others > 0) throw differs(plan.sharedChanges, known.others)
    if (!(await book.replaceSettings(text, own))) return undefined
    // A machine that came to work before this change does not know of it; one that comes later finds it in `checkTerms`.
    const others = await othersAtWork(book, joining.crawler)
    if (others > 0) {
      await book.replaceSettings(own, text)
      throw differs(plan.sharedChanges, others)
    }
  } else return { ...rest, plan, terms: before!, text }
  return { ...rest, plan, terms: readTerms(own, shown), text: own }
}

async function othersAtWork(book: CrawlBook, crawler: string | undefined): Promise<number> {
  const crawlers = await book.crawlers()
  return crawlers.filter(one => one.id !== crawler && isAtWork(one)).length
}

/** What the crawl and this folder know together. */
function formerWith(terms: Terms | undefined, { seeds, isSeeded }: Known, { former, seedsGiven }: Joining): Former {
  return {
    given: terms === undefined ? former.given : { ...partOf(former.given ?? {}, 'machine'), ...givenBy(terms) },
    isUnsure: former.isUnsure,
    seeds: new Set([...former.seeds, ...seeds.flatMap(({ url, from }) => (from === undefined ? url : []))]),
    // Until the seeds were offered, any machine may be the one that brings them.
    lacksSeeds: !isSeeded && (former.lacksSeeds || seedsGiven > 0),
  }
}

/** In a new folder, the machine's own settings did not change. */
function inNewFolder(plan: RunPlan, former: Former): RunPlan {
  if (former.given !== undefined) return plan
  const own = new Set(Object.keys(partOf(plan.settings, 'machine')))
  const changed = [...plan.changed].filter(setting => !own.has(setting))
  return { ...plan, changes: plan.sharedChanges, changed: new Set(changed) }
}

function differs(changes: readonly SettingChange[], others: number): EscalonaError {
  const shown = changes.map(({ setting, before, now }) => message('run/differ', { setting, theirs: before, ours: now }))
  return new EscalonaError('CRAWL_OTHER_SETTINGS', { machines: others, changes: shown })
}
