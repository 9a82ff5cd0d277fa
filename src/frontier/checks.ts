import { EscalonaError } from '../base/errors.ts'
import type { Again, Cursor, FormerVisit, Hint, Link, LinkFilter, PlannedVisit, Settlement } from './frontier.ts'
import { words } from './words.ts'

/** Arguments are checked here, before anything happens. The same for every kind of frontier. */

const KINDS: readonly unknown[] = [undefined, 'page', 'robots', 'sitemap']
const SHOWN: readonly unknown[] = [undefined, 'answer', 'trouble', 'silence', 'gone']
/** The longest URL and note of a link. */
export const MOST_URL_BYTES = 65_535
export const MOST_NOTE_BYTES = 4096
const MOST_HOPS = 2 ** 31 - 1
const MOST_REASON_BYTES = 200
const MOST_NAME_BYTES = 65_535
const MOST_ITEMS = 10_000

export function checkLinks(links: readonly Link[]): void {
  for (const link of links) {
    const what = faultOf(link)
    if (what !== undefined) throw badLink(link, what)
  }
}

function faultOf({ url, kind, pathDepth, hops, note, refused }: Link): string | undefined {
  if (typeof url !== 'string' || !hasHost(url)) return words().noHost
  if (!isShort(url, MOST_URL_BYTES)) return words().urlTooLong
  if (!Number.isInteger(pathDepth) || pathDepth < 0) return words().badPathDepth
  if (!Number.isInteger(hops) || hops < 0 || hops > MOST_HOPS) return words().badHops
  if (kind !== undefined && !KINDS.includes(kind)) return words().unknownKind
  if (refused !== undefined && !isReason(refused)) return words().refusedWithoutReason
  if (refused !== undefined && kind !== undefined && kind !== 'page') return words().refusedAuxiliary
  if (note === undefined) return undefined
  if (typeof note !== 'string' || !isShort(note, MOST_NOTE_BYTES)) return words().badNote
  return undefined
}

/** Whether `hostOf` would not be empty, without making the string. */
function hasHost(url: string): boolean {
  const start = url.indexOf('://') + 3
  const first = url.charAt(start)
  return start > 2 && first !== '' && first !== '/' && first !== '?' && first !== '#'
}

function isShort(text: string, mostBytes: number): boolean {
  return text.length * 3 <= mostBytes || Buffer.byteLength(text) <= mostBytes
}

export function checkSettlements(settlements: readonly Settlement[]): void {
  for (const settlement of settlements) {
    const what = settlementFault(settlement)
    if (what !== undefined) {
      throw new EscalonaError('FRONTIER_BAD_SETTLEMENT', words().badSettlement(settlement.ticketId, what))
    }
  }
  for (const { links } of settlements) checkLinks(links)
}

function settlementFault({ outcome, shown, delayMs }: Settlement): string | undefined {
  const { kind } = outcome
  if (kind !== 'done' && kind !== 'refused' && kind !== 'again') return words().sayOutcome
  if (kind === 'done' && typeof outcome.isPage !== 'boolean') return words().sayIsPage
  if (kind === 'refused' && !isReason(outcome.reason)) return words().giveReason
  if (kind === 'done' && !isAgain(outcome.again)) return words().giveAgain
  if (!SHOWN.includes(shown)) return words().sayShown
  if (shown === 'gone' && kind !== 'refused') return words().refuseGone
  return isDuration(delayMs) ? undefined : words().giveDelay
}

/** Refuses a settlement or a visit that plans another one, where nothing is visited again. */
export function refuseAgain(again: unknown): void {
  if (again !== undefined) throw new EscalonaError('FRONTIER_UNSUPPORTED', words().nothingAgain)
}

export function checkVisits(visits: readonly FormerVisit[]): void {
  for (const { dateMs = 0, again } of visits) {
    checkTime(dateMs)
    if (!isAgain(again)) throw badValue(words().giveAgain)
  }
  for (const { links } of visits) checkLinks(links)
}

export function checkPlans(visits: readonly PlannedVisit[]): void {
  checkLinks(visits)
  for (const { visitedAtMs, dueAtMs, gain } of visits) {
    checkTime(visitedAtMs)
    checkTime(dueAtMs)
    if (!isDuration(gain)) throw badValue(words().giveAgain)
  }
}

export function checkHints(hints: readonly Hint[]): void {
  for (const { changedAtMs, leastMs = 0 } of hints) {
    checkTime(changedAtMs)
    if (!isDuration(leastMs)) throw badValue(words().giveLeast)
  }
}

/** Checks the name of a host or a server. */
export function checkName(name: string): void {
  if (typeof name === 'string' && name !== '' && isShort(name, MOST_NAME_BYTES)) return
  throw badValue(words().badName)
}

export function checkDuration(ms: number): void {
  if (!isDuration(ms)) throw badValue(words().badDuration(ms))
}

export function checkTime(nowMs: number): void {
  if (!Number.isFinite(nowMs)) throw badValue(words().badTime(nowMs))
}

export function checkMost(max: number): void {
  if (typeof max !== 'number' || Number.isNaN(max)) throw badValue(words().badMost(max))
}

/** Checks a cursor; returns how many items to skip and how many to show. */
export function checkCursor({ after = '0', limit }: Cursor): { skipped: number; limit: number } {
  if (!/^\d{1,15}$/.test(after)) throw badCursor()
  checkLimit(limit)
  return { skipped: Number(after), limit }
}

/** Checks how many items of a list are asked for. */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ITEMS) throw badValue(words().badLimit)
}

/** The error for a cursor that no page returned. */
export function badCursor(): EscalonaError {
  return badValue(words().badCursor)
}

/** The error for a call on a frontier that was closed. */
export function closed(): EscalonaError {
  return new EscalonaError('FRONTIER_CLOSED', words().closed)
}

export function checkFilter({ state }: LinkFilter): void {
  if (state !== 'waiting' && state !== 'refused') throw badValue(words().badFilter)
}

function isAgain(again: Again | undefined): boolean {
  if (again === undefined) return true
  const { afterMs, gain, note = '' } = again
  return isDuration(afterMs) && isDuration(gain) && typeof note === 'string' && isShort(note, MOST_NOTE_BYTES)
}

function isReason(reason: unknown): boolean {
  return typeof reason === 'string' && isShort(reason, MOST_REASON_BYTES)
}

function isDuration(ms: number): boolean {
  return Number.isFinite(ms) && ms >= 0
}

function badValue(message: string): EscalonaError {
  return new EscalonaError('FRONTIER_BAD_VALUE', message)
}

function badLink({ url }: Link, what: string): EscalonaError {
  return new EscalonaError('FRONTIER_BAD_LINK', `${JSON.stringify(String(url).slice(0, 100))} ${what}`)
}
