import { chanceAt } from '../base/random.ts'
import { intervalFor } from '../decide/revisit-worth.ts'

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
  /** The freshness of as many visits if all pages were visited equally often, and if each were as often as is best: as far as the delay of each host allows it. */
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

  /** What was archived when: up to now. `hosts`, `mostPerMs`: see {@link Visits}. */
  measured(startMs: number, nowMs: number, { hosts, mostPerMs }: Omit<Visits, 'perMs'>): Freshness {
    const means: number[] = []
    const hostOf: number[] = []
    let changes = 0
    for (let page = 0; page < this.sinceMs.length; page++) {
      if (this.sinceMs[page] === 0) continue
      this.account(page, nowMs)
      this.sinceMs[page] = nowMs
      const meanMs = this.meanMs(page)
      means.push(meanMs)
      hostOf.push(hosts[page]!)
      changes += (nowMs - startMs) / meanMs
    }
    const visits = { perMs: this.visits / (nowMs - startMs), hosts: hostOf, mostPerMs }
    return {
      freshness: this.freshMs / this.archivedMs,
      ageMs: this.agedMs / this.archivedMs,
      ...{ visits: this.visits, captured: this.captured, changes: Math.round(changes) },
      uniform: uniformFreshness(means, visits),
      optimum: bestFreshness(means, visits),
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
  if (everyMs === Infinity) return 0
  const changes = everyMs / meanMs
  return changes === 0 ? 1 : -Math.expm1(-changes) / changes
}

/** How many visits there were, over all and at most per host: what a comparison with another way to spend them may use. */
export interface Visits {
  readonly perMs: number
  /** The host of each page. */
  readonly hosts: ArrayLike<number>
  /** The most visits per ms that a host's delay allows. */
  mostPerMs(host: number): number
}

/** Halvings of a range. */
const STEPS = 60

/** All pages equally often; those of a host that allows less, as often as it allows. */
export function uniformFreshness(means: readonly number[], visits: Visits): number {
  const pages = pagesByHost(means, visits)
  const atHost = ([host, own]: HostPages, perPage: number) =>
    Math.min(perPage, visits.mostPerMs(host) / own.length) * own.length
  const perPage = spent(visits.perMs, visits.perMs, most => pages.reduce((sum, one) => sum + atHost(one, most), 0))
  const fresh = pages.reduce((sum, [host, own]) => {
    const everyMs = own.length / atHost([host, own], perPage)
    return sum + own.reduce((sum, meanMs) => sum + freshnessOf(meanMs, everyMs), 0)
  }, 0)
  return fresh / means.length
}

/**
 * The best that as many visits can do, by someone who knows how often each page changes: one more visit must be worth the same
 * everywhere, and where it cannot be worth that much, a page is never visited again. At a host that allows less, it must be worth more.
 */
export function bestFreshness(means: readonly number[], visits: Visits): number {
  const pages = pagesByHost(means, visits)
  const most = means.reduce((most, meanMs) => (meanMs < Infinity ? Math.max(most, meanMs) : most), 0)
  if (most === 0) return 1
  const everyMs = (meanMs: number, worth: number) => intervalFor('freshness', meanMs, worth)
  const perMsAt = (own: readonly number[], worth: number) =>
    own.reduce((sum, meanMs) => sum + (meanMs < Infinity ? 1 / everyMs(meanMs, worth) : 0), 0)
  // As worth grows, visits fall: the range is turned around.
  const worthFor = (perMs: number, perMsOf: (worth: number) => number) =>
    most - spent(perMs, most, rest => perMsOf(most - rest))
  const least = pages.map(([host, own]) => worthFor(visits.mostPerMs(host), worth => perMsAt(own, worth)))
  const worth = worthFor(visits.perMs, worth =>
    pages.reduce((sum, [, own], n) => sum + perMsAt(own, Math.max(worth, least[n]!)), 0),
  )
  const fresh = pages.reduce((sum, [, own], n) => {
    const here = Math.max(worth, least[n]!)
    return (
      sum + own.reduce((sum, meanMs) => sum + freshnessOf(meanMs, meanMs < Infinity ? everyMs(meanMs, here) : 1), 0)
    )
  }, 0)
  return fresh / means.length
}

type HostPages = readonly [host: number, means: number[]]

function pagesByHost(means: readonly number[], { hosts }: Visits): HostPages[] {
  const byHost = new Map<number, number[]>()
  for (const [page, meanMs] of means.entries()) {
    const own = byHost.get(hosts[page]!)
    if (own === undefined) byHost.set(hosts[page]!, [meanMs])
    else own.push(meanMs)
  }
  return [...byHost]
}

/** The highest value from 0 to `most` at which no more than this many visits are made; they grow with it. */
function spent(perMs: number, most: number, perMsAt: (value: number) => number): number {
  let low = 0
  let high = most
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2
    if (perMsAt(middle) > perMs) high = middle
    else low = middle
  }
  return low
}
