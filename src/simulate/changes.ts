import { chanceAt } from '../base/random.ts'

/** How pages change: by a Poisson law each, with mean times that are spread evenly on a logarithmic scale. */
export interface ChangeModel {
  readonly fromMs: number
  readonly toMs: number
  /** The share of pages that never change. */
  readonly never: number
  readonly seed: number
}

export interface Freshness {
  /** Share of the archive that equals the web, averaged over time. */
  readonly freshness: number
  /** For how long a page of the archive has differed from the web, averaged over pages and time. */
  readonly ageMs: number
  readonly visits: number
  /** Visits that found a change, and how many changes there were to find. */
  readonly captured: number
  readonly changes: number
  /** The freshness of as many visits if all pages were visited equally often, and if each were as often as is best. */
  readonly uniform: number
  readonly optimum: number
}

/**
 * Pages that change, and how fresh what is known of them is. A Poisson process has no memory: when the next change comes
 * after a visit does not depend on when the last one came, so it is drawn at each visit, and the changes in between need no
 * steps.
 */
export class ChangingPages {
  private readonly model: ChangeModel
  private readonly versions: Uint32Array
  private readonly nextMs: Float64Array
  /** When the archived copy was fetched; 0: it was not. */
  private readonly sinceMs: Float64Array
  private visits = 0
  private captured = 0
  private archivedMs = 0
  private freshMs = 0
  private agedMs = 0

  constructor(pages: number, model: ChangeModel) {
    this.model = model
    this.versions = new Uint32Array(pages)
    this.nextMs = new Float64Array(pages)
    this.sinceMs = new Float64Array(pages)
  }

  /** Mean time between two changes of a page; Infinity: it never changes. */
  meanMs(page: number): number {
    const { fromMs, toMs, never, seed } = this.model
    if (chanceAt(seed, 2 * page) < never) return Infinity
    return fromMs * (toMs / fromMs) ** chanceAt(seed, 2 * page + 1)
  }

  /** A page is fetched and archived now: which version it is. */
  visit(page: number, nowMs: number): number {
    this.account(page, nowMs)
    const isFirst = this.sinceMs[page] === 0
    const isChanged = !isFirst && this.nextMs[page]! <= nowMs
    this.visits++
    if (isChanged) {
      this.captured++
      this.versions[page]!++
    }
    if (isFirst || isChanged) {
      const chance = chanceAt(this.model.seed + 7919 * (this.versions[page]! + 1), page)
      this.nextMs[page] = nowMs - Math.log(1 - Math.max(chance, Number.EPSILON)) * this.meanMs(page)
    }
    this.sinceMs[page] = nowMs
    return this.versions[page]!
  }

  /** What was archived when: up to now. */
  measured(startMs: number, nowMs: number): Freshness {
    const means: number[] = []
    let changes = 0
    for (let page = 0; page < this.sinceMs.length; page++) {
      if (this.sinceMs[page] === 0) continue
      this.account(page, nowMs)
      this.sinceMs[page] = nowMs
      const meanMs = this.meanMs(page)
      means.push(meanMs)
      changes += (nowMs - startMs) / meanMs
    }
    const perMs = this.visits / (nowMs - startMs)
    return {
      freshness: this.freshMs / this.archivedMs,
      ageMs: this.agedMs / this.archivedMs,
      ...{ visits: this.visits, captured: this.captured, changes: Math.round(changes) },
      uniform: uniformFreshness(means, perMs),
      optimum: bestFreshness(means, perMs),
    }
  }

  private account(page: number, nowMs: number): void {
    const sinceMs = this.sinceMs[page]!
    if (sinceMs === 0) return
    const changeMs = Math.min(Math.max(this.nextMs[page]!, sinceMs), nowMs)
    this.archivedMs += nowMs - sinceMs
    this.freshMs += changeMs - sinceMs
    this.agedMs += (nowMs - changeMs) ** 2 / 2
  }
}

/** Average freshness of a page that changes once in `meanMs` and is visited every `everyMs` (Cho and Garcia-Molina 2000). */
export function freshnessOf(meanMs: number, everyMs: number): number {
  if (meanMs === Infinity) return 1
  const changes = everyMs / meanMs
  return changes === 0 ? 1 : -Math.expm1(-changes) / changes
}

/** All pages equally often, with this many visits per millisecond over all. */
export function uniformFreshness(means: readonly number[], perMs: number): number {
  return means.reduce((sum, meanMs) => sum + freshnessOf(meanMs, means.length / perMs), 0) / means.length
}

const STEPS = 100

/**
 * The best that as many visits can do. One more visit per millisecond must bring the same everywhere: 1 - (1 + r)e^-r
 * over the rate of change, where r is the number of changes between two visits. Where it cannot bring that much, a page is
 * never visited again.
 */
export function bestFreshness(means: readonly number[], perMs: number): number {
  const moving = means.filter(meanMs => meanMs < Infinity)
  if (moving.length === 0) return 1
  const visitsFor = (worth: number) =>
    moving.reduce((sum, meanMs) => sum + (meanMs <= worth ? 0 : 1 / (meanMs * changesAt(worth / meanMs))), 0)
  let low = 0
  let high = moving.reduce((most, meanMs) => Math.max(most, meanMs), 0)
  for (let step = 0; step < STEPS; step++) {
    const worth = (low + high) / 2
    if (visitsFor(worth) > perMs) low = worth
    else high = worth
  }
  const fresh = moving.reduce(
    (sum, meanMs) => sum + (meanMs <= high ? 0 : freshnessOf(meanMs, meanMs * changesAt(high / meanMs))),
    0,
  )
  return (fresh + means.length - moving.length) / means.length
}

/** The r at which 1 - (1 + r)e^-r is this. */
function changesAt(gain: number): number {
  let low = 0
  let high = 1000
  for (let step = 0; step < STEPS; step++) {
    const r = (low + high) / 2
    if (1 - (1 + r) * Math.exp(-r) < gain) low = r
    else high = r
  }
  return Math.max(high, Number.MIN_VALUE)
}
