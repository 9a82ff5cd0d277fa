import type { CrawlSettings } from '../settings/settings.ts'
import { type ChangeRate, MOST_MEAN_MS } from './change-rate.ts'
import { intervalFor, worthOf } from './revisit-worth.ts'

export type BudgetSettings = Pick<
  CrawlSettings,
  'recrawlFor' | 'recrawlFirstMs' | 'recrawlMinMs' | 'recrawlMaxMs' | 'maxRequestsPerSecond'
>

/** A visit again, as the budget learns from it. */
export interface RevisitSample {
  readonly host: string
  /** Pages of its host. */
  readonly hostPages: number
  /** From the beginning of this request to the earliest next one to its host. */
  readonly gapMs: number
  /** Since the visit before. */
  readonly sinceMs: number
  /** What was known when it was planned, and the interval that followed from it. */
  readonly before: ChangeRate & { readonly intervalMs: number }
  readonly after: ChangeRate
}

/** Expected changes per visit: a crawl makes as many visits as if it visited each page this often. Then 60 % of them find a change. */
export const CHANGES_PER_VISIT = 0.9
/** A page that changes too fast to be kept fresh is visited after this many times what a visit must be worth. */
export const LONGEST_BY_WORTH = 20
/** The shortest interval that can be best, in terms of what a visit must be worth: the minimum of x ÷ (1 - (1 + x) e^-x). */
const SHORTEST_BY_WORTH = 3.35
/** About this many visits of the crawl, and of a host, are remembered. */
const REMEMBERED = 4096
const REMEMBERED_OF_HOST = 400
/** The worth is computed anew after so many visits. */
const EVERY = 16
/** Before that, a host is thought to be like all. */
const LEAST_OF_HOST = 16
/** The visits with which a crawl begins: of pages that are as is guessed of them. */
const GUESSED = 16
/** After this many visits, what earlier runs planned by does not count any more. */
const TAKEN_OVER = 256
/** What the pages are like is averaged over this many visits, and counts once there are a few. */
const GUESS_VISITS = 100
const LEAST_GUESS_VISITS = 3
/** How much of the average gap at a host is that of the newest request. */
const NEWEST_GAP = 0.1
const MOST_HOSTS = 10_000

interface HostState {
  pages: number
  gapMs: number
  readonly rates: Rates
  /** Undefined while its delay allows more visits than can be wanted. */
  sample: VisitSample | undefined
  worth: number
}

/**
 * What a visit must be worth, so that a crawl makes as many as it may. One number for all pages (the Lagrange multiplier of the
 * crawl's budget), and a higher one for hosts whose delay allows fewer visits than that asks for.
 *
 * It lives in memory and is learned from the visits. After a restart it begins with what the pages were planned by.
 */
export class RevisitBudget {
  private settings: BudgetSettings
  private readonly hosts = new Map<string, HostState>()
  private readonly rates = new Rates()
  private readonly sample = new VisitSample(REMEMBERED)
  /** Of all hosts that are known. */
  private pages = 0
  private former: number | undefined
  private worth: number

  constructor(settings: BudgetSettings) {
    this.settings = settings
    this.worth = firstWorth(settings)
    this.sample.add(guessedMeanMs(settings), GUESSED * settings.recrawlFirstMs)
    this.sample.visits = 0
  }

  /** What it has learned stays true by other settings, unless visits are for something else. */
  by(settings: BudgetSettings): RevisitBudget {
    if (settings.recrawlFor !== this.settings.recrawlFor) return new RevisitBudget(settings)
    this.settings = settings
    return this
  }

  /** What a visit to this host must be worth. */
  worthAt(host: string): number {
    return Math.max(this.worth, this.hosts.get(host)?.worth ?? 0)
  }

  /** The mean time between changes of a page of which nothing is known yet. */
  guessMs(host: string): number {
    return this.hosts.get(host)?.rates.meanMs ?? this.rates.meanMs ?? guessedMeanMs(this.settings)
  }

  learn({ host, hostPages, gapMs, sinceMs, before, after }: RevisitSample): void {
    if (!(sinceMs > 0 && sinceMs < Infinity && gapMs >= 0 && gapMs < Infinity)) return
    const own = this.hosts.get(host) ?? { pages: 0, gapMs, rates: new Rates(), sample: undefined, worth: 0 }
    this.pages += Math.max(hostPages, 1) - own.pages
    own.pages = Math.max(hostPages, 1)
    own.gapMs += NEWEST_GAP * (gapMs - own.gapMs)
    this.keep(host, own)
    own.rates.add(after.meanMs)
    this.rates.add(after.meanMs)
    if (this.former === undefined) this.former = this.worthBefore(before)
    this.sample.add(after.meanMs, sinceMs)
    if (this.sample.visits % EVERY === 1) this.worth = this.worthOfAll()
    this.limit(own, after.meanMs, sinceMs)
  }

  private keep(host: string, own: HostState): void {
    this.hosts.delete(host)
    this.hosts.set(host, own)
    if (this.hosts.size <= MOST_HOSTS) return
    const [[oldest, { pages }]] = this.hosts as unknown as [[string, HostState]]
    this.hosts.delete(oldest)
    this.pages -= pages
  }

  /** What visits were worth in the run before, if an interval tells: it does not if a bound made it. */
  private worthBefore({ meanMs, evidence, intervalMs }: RevisitSample['before']): number | undefined {
    const { recrawlFor, recrawlMinMs, recrawlMaxMs } = this.settings
    const isBound = intervalMs <= recrawlMinMs || intervalMs >= recrawlMaxMs
    const isLeft = recrawlFor === 'freshness' && meanMs * LONGEST_BY_WORTH <= intervalMs
    return evidence === 0 || isBound || isLeft ? undefined : worthOf(recrawlFor, meanMs, intervalMs)
  }

  private worthOfAll(): number {
    const { maxRequestsPerSecond } = this.settings
    const entitled = this.sample.visitsAt(meanMs => entitledInterval(meanMs, this.settings))
    const solved = this.sample.worthFor(Math.min(entitled, maxRequestsPerSecond / 1000 / this.pages), this.settings)
    const share = this.former === undefined ? 1 : Math.min(1, this.sample.visits / TAKEN_OVER)
    return solved ** share * (this.former ?? 1) ** (1 - share)
  }

  /** A host that is too slow for its pages is asked for those whose visits are worth most. */
  private limit(own: HostState, meanMs: number, sinceMs: number): void {
    const { recrawlFor, recrawlMinMs } = this.settings
    const shortestMs =
      recrawlFor === 'freshness' ? Math.max(SHORTEST_BY_WORTH * this.worth, recrawlMinMs) : recrawlMinMs
    const everyMs = own.pages * own.gapMs
    if (everyMs <= shortestMs) {
      own.sample = undefined
      own.worth = 0
      return
    }
    own.sample ??= new VisitSample(REMEMBERED_OF_HOST)
    own.sample.add(meanMs, sinceMs)
    const { visits } = own.sample
    if (visits % EVERY !== 1) return
    own.worth = (visits < LEAST_OF_HOST ? this.sample : own.sample).worthFor(1 / everyMs, this.settings)
  }
}

/** The average of the square roots of rates: a few pages that always change do not speak for all. */
class Rates {
  private roots = 0
  private visits = 0

  add(meanMs: number): void {
    this.roots += 1 / Math.sqrt(meanMs) - this.roots / GUESS_VISITS
    this.visits += 1 - this.visits / GUESS_VISITS
  }

  get meanMs(): number | undefined {
    return this.visits < LEAST_GUESS_VISITS ? undefined : (this.visits / this.roots) ** 2
  }
}

/** A quarter of an octave each, from 1 ms on. */
const PER_OCTAVE = 4
const BUCKETS = Math.ceil(Math.log2(MOST_MEAN_MS)) * PER_OCTAVE + 1
/** Halvings of a range of 2^±60 times the first guess. */
const STEPS = 40
const RANGE = 60

/**
 * How often pages change, by the visits to them: each stands for its page for the time since the last one, so that pages that are
 * visited rarely count as much as others.
 */
class VisitSample {
  visits = 0
  private readonly times = new Float64Array(BUCKETS)
  private readonly remembered: number

  constructor(remembered: number) {
    this.remembered = remembered
  }

  add(meanMs: number, sinceMs: number): void {
    if (++this.visits % EVERY === 0) for (let n = 0; n < BUCKETS; n++) this.times[n]! *= 1 - EVERY / this.remembered
    this.times[Math.min(Math.max(Math.round(Math.log2(meanMs) * PER_OCTAVE), 0), BUCKETS - 1)]! += sinceMs
  }

  /** Visits per ms of an average page, if each is visited this often. */
  visitsAt(everyMs: (meanMs: number) => number): number {
    let visits = 0
    let all = 0
    for (let n = 0; n < BUCKETS; n++) {
      const time = this.times[n]!
      if (time === 0) continue
      visits += time / everyMs(2 ** (n / PER_OCTAVE))
      all += time
    }
    return visits / all
  }

  /** What a visit must be worth, so that an average page is visited this often per ms. */
  worthFor(perMs: number, settings: BudgetSettings): number {
    const unit = firstWorth(settings)
    let low = -RANGE
    let high = RANGE
    for (let step = 0; step < STEPS; step++) {
      const middle = (low + high) / 2
      const worth = unit * 2 ** middle
      if (this.visitsAt(meanMs => plannedInterval(meanMs, worth, settings)) > perMs) low = middle
      else high = middle
    }
    return unit * 2 ** high
  }
}

/** The interval of a page that changes this often, where a visit must be worth this. */
export function plannedInterval(
  meanMs: number,
  worth: number,
  { recrawlFor, recrawlMinMs, recrawlMaxMs }: Pick<BudgetSettings, 'recrawlFor' | 'recrawlMinMs' | 'recrawlMaxMs'>,
): number {
  const everyMs = intervalFor(recrawlFor, meanMs, worth)
  const isLeft = recrawlFor === 'freshness' && meanMs <= worth
  return Math.max(Math.min(isLeft ? LONGEST_BY_WORTH * worth : everyMs, recrawlMaxMs), recrawlMinMs)
}

/** What a page adds to the budget: as many visits as if all visits were to find a change with the same chance. */
function entitledInterval(meanMs: number, { recrawlMinMs, recrawlMaxMs }: BudgetSettings): number {
  return Math.min(Math.max(CHANGES_PER_VISIT * meanMs, recrawlMinMs), recrawlMaxMs)
}

/** The first visit again of a page is as likely as not to find a change. */
export function guessedMeanMs({ recrawlFirstMs }: Pick<BudgetSettings, 'recrawlFirstMs'>): number {
  return recrawlFirstMs / Math.LN2
}

/** What a visit must be worth if all pages are as is guessed of a page. */
export function firstWorth(settings: Pick<BudgetSettings, 'recrawlFor' | 'recrawlFirstMs'>): number {
  const meanMs = guessedMeanMs(settings)
  return worthOf(settings.recrawlFor, meanMs, CHANGES_PER_VISIT * meanMs)
}
