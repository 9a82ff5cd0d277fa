import { type ErrorKey, EscalonaError } from '../base/errors.ts'
import { type Message, message } from '../base/messages/message.ts'
import {
  type Again,
  type Cursor,
  type FormerVisit,
  type Hint,
  LINK_KINDS,
  type Link,
  type LinkFilter,
  type PlannedVisit,
  type Settlement,
} from './frontier.ts'

/** Arguments are checked here, before anything happens. The same for every kind of frontier. */

const SHOWN: readonly unknown[] = [undefined, 'answer', 'trouble', 'silence', 'gone']
/** The longest URL and note of a link. */
export const MOST_URL_BYTES = 65_535
export const MOST_NOTE_BYTES = 4096
export const LAST_RANK = 255
const MOST_HOPS = 2 ** 31 - 1
const MOST_REASON_BYTES = 200
const MOST_NAME_BYTES = 65_535
const MOST_ITEMS = 10_000

export function checkLinks(links: readonly Link[]): void {
  for (const link of links) {
    const what = faultOf(link)
    if (what !== undefined) throw new EscalonaError(what, { url: JSON.stringify(String(link.url).slice(0, 100)) })
  }
}

type BadLink = Extract<ErrorKey, `FRONTIER_BAD_LINK/${string}`>

function faultOf({ url, kind, rank, hops, note, refused, gives = 0 }: Link): BadLink | undefined {
  if (typeof url !== 'string' || !hasHost(url)) return 'FRONTIER_BAD_LINK/no-host'
  if (!isShort(url, MOST_URL_BYTES)) return 'FRONTIER_BAD_LINK/url-too-long'
  if (!Number.isInteger(rank) || rank < 0) return 'FRONTIER_BAD_LINK/rank'
  if (!Number.isInteger(hops) || hops < 0 || hops > MOST_HOPS) return 'FRONTIER_BAD_LINK/hops'
  if (kind !== undefined && !LINK_KINDS.includes(kind)) return 'FRONTIER_BAD_LINK/unknown-kind'
  if (refused !== undefined && !isReason(refused)) return 'FRONTIER_BAD_LINK/refused-without-reason'
  if (refused !== undefined && kind !== undefined && kind !== 'page') return 'FRONTIER_BAD_LINK/refused-auxiliary'
  if (!isDuration(gives)) return 'FRONTIER_BAD_LINK/gives'
  if (note === undefined) return undefined
  if (typeof note !== 'string' || !isShort(note, MOST_NOTE_BYTES)) return 'FRONTIER_BAD_LINK/note'
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
      throw new EscalonaError('FRONTIER_BAD_SETTLEMENT', { ticket: settlement.ticketId, what })
    }
  }
  for (const { links } of settlements) checkLinks(links)
}

function settlementFault({ outcome, shown, delayMs }: Settlement): Message | undefined {
  const { kind } = outcome
  if (kind !== 'done' && kind !== 'refused' && kind !== 'again') return message('frontier/say-outcome')
  if (kind === 'done' && typeof outcome.isPage !== 'boolean') return message('frontier/say-is-page')
  if (kind === 'refused' && !isReason(outcome.reason)) return message('frontier/give-reason')
  if (kind === 'done' && !isAgain(outcome.again)) return message('frontier/give-again')
  if (!SHOWN.includes(shown)) return message('frontier/say-shown')
  if (shown === 'gone' && kind !== 'refused') return message('frontier/refuse-gone')
  return isDuration(delayMs) ? undefined : message('frontier/give-delay')
}

export function checkVisits(visits: readonly FormerVisit[]): void {
  for (const { dateMs = 0, again } of visits) {
    checkTime(dateMs)
    if (!isAgain(again)) throw new EscalonaError('FRONTIER_BAD_VALUE/give-again')
  }
  for (const { links } of visits) checkLinks(links)
}

export function checkPlans(visits: readonly PlannedVisit[]): void {
  checkLinks(visits)
  for (const { visitedAtMs, dueAtMs, gain } of visits) {
    checkTime(visitedAtMs)
    checkTime(dueAtMs)
    if (!isDuration(gain)) throw new EscalonaError('FRONTIER_BAD_VALUE/give-again')
  }
}

export function checkHints(hints: readonly Hint[]): void {
  for (const { changedAtMs, leastMs = 0 } of hints) {
    checkTime(changedAtMs)
    if (!isDuration(leastMs)) throw new EscalonaError('FRONTIER_BAD_VALUE/give-least')
  }
}

/** Checks the name of a host or a server. */
export function checkName(name: string): void {
  if (typeof name === 'string' && name !== '' && isShort(name, MOST_NAME_BYTES)) return
  throw new EscalonaError('FRONTIER_BAD_VALUE/bad-name')
}

export function checkDuration(ms: number): void {
  if (!isDuration(ms)) throw new EscalonaError('FRONTIER_BAD_VALUE/bad-duration', { ms })
}

export function checkTime(nowMs: number): void {
  if (!Number.isFinite(nowMs)) throw new EscalonaError('FRONTIER_BAD_VALUE/bad-time', { ms: nowMs })
}

export function checkMost(max: number): void {
  if (typeof max !== 'number' || Number.isNaN(max)) throw new EscalonaError('FRONTIER_BAD_VALUE/bad-most', { max })
}

/** Checks a cursor; returns how many items to skip and how many to show. */
export function checkCursor({ after = '0', limit }: Cursor): { skipped: number; limit: number } {
  if (!/^\d{1,15}$/.test(after)) throw badCursor()
  checkLimit(limit)
  return { skipped: Number(after), limit }
}

/** Checks how many items of a list are asked for. */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ITEMS)
    throw new EscalonaError('FRONTIER_BAD_VALUE/bad-limit')
}

/** The error for a cursor that no page returned. */
export function badCursor(): EscalonaError {
  return new EscalonaError('FRONTIER_BAD_VALUE/bad-cursor')
}

/** The error for a call on a frontier that was closed. */
export function closed(): EscalonaError {
  return new EscalonaError('FRONTIER_CLOSED')
}

export function checkFilter({ state }: LinkFilter): void {
  if (state !== 'waiting' && state !== 'leased' && state !== 'refused')
    throw new EscalonaError('FRONTIER_BAD_VALUE/bad-filter')
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
