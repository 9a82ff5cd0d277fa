import type { RecordLocation } from '../archive/scan.ts'
import { chanceAt } from '../base/random.ts'
import { seededHash } from '../base/structures/hash-index.ts'
import type { Again } from '../frontier/frontier.ts'
import type { CrawlSettings } from '../settings/settings.ts'
import type { FormerAnswer, KnownAnswer, KnownPage } from './known-page.ts'
import { type Carried, readPageNote, writePageNote } from './link-note.ts'

export type RevisitSettings = Pick<
  CrawlSettings,
  'recrawlMinMs' | 'recrawlMaxMs' | 'recrawlFirstMs' | 'recrawlFull' | 'seed'
>

export type FullAnswer = Pick<KnownPage, 'place' | 'known' | 'facts'>

export interface PlannedLink extends Carried {
  readonly url: string
  readonly hops: number
}

const HOUR_MS = 3_600_000
const SHRINK = 0.8
const GROW = 1.4
/** Visits are spread by chance, so that what was found together is not due together for ever. The same visit has the same chance. */
const SPREAD = 0.1
/** How much of the average chance of a change is that of the newest visit. */
const NEWEST_SHARE = 0.25
/** Of a page that was visited once, nothing is known. */
const FIRST_CHANCE = 0.5
const NOWHERE: RecordLocation = { file: '', offset: 0, length: 0 }
/** Of a server that was caught, one 304 at a time is believed: then the whole page is asked for. */
const FULL_AFTER_CAUGHT = 2
/** From then on, being caught again makes no difference. */
const MOST_CAUGHT = 5
/** After this many answers in a row that it is not there, a page is gone. */
export const MOST_MISSES = 3

/** Pure functions of a page's state and what its last visit found. The interval settles where six of ten visits find a change. */
export class RevisitPlan {
  private readonly settings: RevisitSettings
  /** The id of this machine, in a crawl that machines share. */
  private readonly machine: string | undefined

  constructor(settings: RevisitSettings, machine?: string) {
    this.settings = settings
    this.machine = machine
  }

  /** What is known of a page; undefined when the note of its link says nothing that this version understands. */
  stateIn(url: string, note: string | undefined): KnownPage | undefined {
    return readPageNote(url, note, this.machine)
  }

  first(answer: FullAnswer, dateMs: number): KnownPage {
    return {
      ...answer,
      intervalMs: this.settings.recrawlFirstMs,
      chance: FIRST_CHANCE,
      changedAtMs: dateMs,
      unchanged: 0,
      misses: 0,
      isAfterError: false,
      caught: 0,
      calm: 0,
    }
  }

  /** A page of which nothing is known that this version understands. */
  unknown(dateMs: number): KnownPage {
    const facts = { title: '', bytes: 0, tokens: 0, linksOut: 0 }
    return this.first({ place: NOWHERE, known: undefined, facts }, dateMs)
  }

  former({ place, known, unchanged, isAfterError, caught, calm }: KnownPage): FormerAnswer {
    const { recrawlFull } = this.settings
    const isFullDue = unchanged + 1 >= (caught > 0 ? Math.min(FULL_AFTER_CAUGHT, recrawlFull) : recrawlFull)
    const isDoubted = caught > 0 && calm < recrawlFull * 2 ** (caught - 1)
    return { place, known, isConditional: !isAfterError && !isDoubted && !isFullDue && known?.isWhole !== false }
  }

  /**
   * After a visit that brought the body. A change that a request for the whole page finds, right after answers that nothing
   * had changed, puts the server's word in doubt: the whole page is asked for until many visits in a row find no change, twice as
   * many each time. The doubt ends when the server, asked whether the page has changed, says that it has.
   */
  received(page: KnownPage, answer: FullAnswer, isChanged: boolean, dateMs: number): KnownPage {
    const wasWhole = !this.former(page).isConditional
    const isCaught = isChanged && wasWhole && page.unchanged > 0
    const isAdmitted = isChanged && !wasWhole
    return {
      ...this.judged(page, isChanged),
      ...answer,
      changedAtMs: isChanged ? dateMs : page.changedAtMs,
      unchanged: 0,
      isAfterError: false,
      failedFor: undefined,
      caught: isAdmitted ? 0 : isCaught ? Math.min(page.caught + 1, MOST_CAUGHT) : page.caught,
      calm: isChanged ? 0 : page.calm + Number(wasWhole),
    }
  }

  notModified(page: KnownPage, known: KnownAnswer): KnownPage {
    const { file, offset, length } = known.original
    const place = { file, offset, length }
    const calm = { isAfterError: false, failedFor: undefined }
    return { ...this.judged(page, false), place, known, unchanged: page.unchanged + 1, ...calm }
  }

  /** After a visit that brought no page: an error, or another answer. The next one asks for the whole page. */
  failed(page: KnownPage): KnownPage {
    return { ...page, intervalMs: this.clamped(page.intervalMs * GROW), misses: 0, isAfterError: true }
  }

  /** After an answer that it is not there. Undefined: it is gone. */
  missed(page: KnownPage): KnownPage | undefined {
    const misses = page.misses + 1
    return misses < MOST_MISSES ? { ...page, misses, isAfterError: true } : undefined
  }

  /**
   * The next visit of a page, after its interval. What it is worth: the chance that it finds a change, times how long what it
   * finds will stay fresh, which is about the interval; and the less the farther the page is from a seed. Without the
   * interval, a few pages that always change would take all turns of a host that is too slow for all of its pages; those that
   * are rarely due take few.
   */
  again({ url, hops, ...carried }: PlannedLink, page: KnownPage, afterMs = page.intervalMs): Again {
    return {
      afterMs: Math.round(afterMs * this.spread(`${url} ${page.intervalMs}`)),
      gain: (page.chance * page.intervalMs) / HOUR_MS / Math.sqrt(1 + hops),
      note: writePageNote(url, carried, page, this.machine),
    }
  }

  /** The state of a page whose interval was made by other settings. Undefined when it is the same by these. */
  anew(page: KnownPage): KnownPage | undefined {
    // Only visits that brought it change its chance.
    const isFirst = page.chance === FIRST_CHANCE && !page.isAfterError && page.unchanged === 0
    const intervalMs = isFirst ? this.settings.recrawlFirstMs : this.clamped(page.intervalMs)
    return intervalMs === page.intervalMs ? undefined : { ...page, intervalMs }
  }

  /** The next visit of a page that may not be visited now: nothing is known of it, so it keeps its state. */
  muchLater(link: PlannedLink, page: KnownPage): Again {
    return this.again(link, page, this.settings.recrawlMaxMs)
  }

  private judged(page: KnownPage, isChanged: boolean): KnownPage {
    const intervalMs = this.clamped(page.intervalMs * (isChanged ? SHRINK : GROW))
    const chance = page.chance + NEWEST_SHARE * (Number(isChanged) - page.chance)
    return { ...page, intervalMs, chance, misses: 0 }
  }

  private clamped(ms: number): number {
    const { recrawlMinMs, recrawlMaxMs } = this.settings
    return Math.min(Math.max(ms, recrawlMinMs), recrawlMaxMs)
  }

  private spread(visit: string): number {
    const bytes = Buffer.from(visit)
    return 1 + SPREAD * (2 * chanceAt(this.settings.seed, seededHash(0, bytes, 0, bytes.length)) - 1)
  }
}
