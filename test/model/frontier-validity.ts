// What the contract accepts, for the oracle: options, links, settlements, durations, hosts and cursors.
import { EscalonaError } from '../../src/base/errors.ts'
import type {
  Again,
  Cursor,
  FormerVisit,
  FrontierOptions,
  Hint,
  Link,
  PlannedVisit,
  Settlement,
} from '../../src/frontier/frontier.ts'
import { hostOf } from '../../src/url/host-of.ts'

const STRATEGIES = ['depth', 'breadth', 'best', 'explore', 'important']
const KINDS = ['page', 'robots', 'sitemap']
const OUTCOMES = ['done', 'refused', 'again']
const SHOWN = ['answer', 'trouble', 'silence', 'gone', undefined]

export function refuseBadOptions(options: FrontierOptions): void {
  const { strategy = 'breadth', exploreChance = 0.7, limit = 1, perServer = 4, leaseMs = 1, retries = 3 } = options
  const { delayMs = 0, serverGapMs = 0, unproven = 0, auxiliaries = 0, maxHosts = 0, maxHostsPerDomain = 0 } = options
  const isFine =
    STRATEGIES.includes(strategy) &&
    exploreChance >= 0 &&
    exploreChance <= 1 &&
    leaseMs > 0 &&
    perServer >= 1 &&
    [delayMs, serverGapMs].every(isDuration) &&
    [retries, limit, unproven, auxiliaries, maxHosts, maxHostsPerDomain, options.maxNewHosts ?? 0].every(n => n >= 0)
  if (!isFine) throw new EscalonaError('FRONTIER_BAD_OPTION', 'an option is out of range')
}

export function refuseBadLinks(links: readonly Link[]): void {
  for (const { url, kind = 'page', rank, hops, note = '', refused, gives = 0 } of links) {
    const isFine =
      hostOf(url) !== '' &&
      Buffer.byteLength(url) <= 65_535 &&
      KINDS.includes(kind) &&
      Number.isInteger(rank) &&
      rank >= 0 &&
      Number.isInteger(hops) &&
      hops >= 0 &&
      hops < 2 ** 31 &&
      Buffer.byteLength(note) <= 4096 &&
      isDuration(gives) &&
      (refused === undefined || (isReason(refused) && kind === 'page'))
    if (!isFine) throw new EscalonaError('FRONTIER_BAD_LINK', 'a link is not valid')
  }
}

export function refuseBadSettlements(settlements: readonly Settlement[]): void {
  for (const { outcome, shown, delayMs } of settlements) {
    const isFine =
      OUTCOMES.includes(outcome.kind) &&
      SHOWN.includes(shown) &&
      isDuration(delayMs) &&
      (shown !== 'gone' || outcome.kind === 'refused') &&
      (outcome.kind !== 'refused' || isReason(outcome.reason)) &&
      (outcome.kind !== 'done' || isAgain(outcome.again))
    if (!isFine) throw new EscalonaError('FRONTIER_BAD_SETTLEMENT', 'a settlement is not valid')
  }
}

export function refuseBadVisits(visits: readonly FormerVisit[]): void {
  const isFine = ({ dateMs = 0, again }: FormerVisit) => Number.isFinite(dateMs) && isAgain(again)
  if (!visits.every(isFine)) throw badValue()
  refuseBadLinks(visits.flatMap(({ links }) => links))
}

export function refuseBadPlans(visits: readonly PlannedVisit[]): void {
  refuseBadLinks(visits)
  const isFine = ({ visitedAtMs, dueAtMs, gain }: PlannedVisit) =>
    Number.isFinite(visitedAtMs) && Number.isFinite(dueAtMs) && isDuration(gain)
  if (!visits.every(isFine)) throw badValue()
}

export function refuseBadHints(hints: readonly Hint[]): void {
  if (!hints.every(({ changedAtMs, leastMs = 0 }) => Number.isFinite(changedAtMs) && isDuration(leastMs)))
    throw badValue()
}

/** A host, and durations that belong to it. */
export function refuseBadValues(host: string, ...durationsMs: number[]): void {
  if (host === '' || Buffer.byteLength(host) > 65_535 || !durationsMs.every(isDuration)) throw badValue()
}

/** Where a page begins in a list, and how long it is at most. */
export function refuseBadCursor({ after = '0', limit }: Cursor): { start: number; limit: number } {
  if (!/^\d+$/.test(after) || !Number.isInteger(limit) || limit < 1 || limit > 10_000) throw badValue()
  return { start: Number(after), limit }
}

export function badValue(): EscalonaError {
  return new EscalonaError('FRONTIER_BAD_VALUE', 'a value is out of range')
}

function isAgain(again: Again | undefined): boolean {
  if (again === undefined) return true
  const { afterMs, gain, note = '' } = again
  return isDuration(afterMs) && isDuration(gain) && typeof note === 'string' && Buffer.byteLength(note) <= 4096
}

function isReason(reason: unknown): boolean {
  return typeof reason === 'string' && Buffer.byteLength(reason) <= 200
}

function isDuration(ms: number): boolean {
  return Number.isFinite(ms) && ms >= 0
}
