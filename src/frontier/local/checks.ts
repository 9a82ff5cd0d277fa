import { EscalonaError } from '../../base/errors.ts'
import type { Cursor, FormerVisit, Link, LinkFilter, Settlement } from '../frontier.ts'
import { MOST_NOTE_BYTES, MOST_URL_BYTES } from './written-link.ts'

/** What callers hand in is checked here, before anything happens. */

const KINDS: readonly unknown[] = [undefined, 'page', 'robots', 'sitemap']
const SHOWN: readonly unknown[] = [undefined, 'answer', 'trouble', 'silence', 'gone']
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
  if (typeof url !== 'string' || !hasHost(url)) return 'has no host; offer scheme://host/…'
  if (!isShort(url, MOST_URL_BYTES)) return 'is too long; offer at most 65,535 bytes'
  if (!Number.isInteger(pathDepth) || pathDepth < 0) return 'has a wrong pathDepth; count its slashes'
  if (!Number.isInteger(hops) || hops < 0 || hops > MOST_HOPS) return 'has wrong hops; count from 0 to 2^31 - 1'
  if (kind !== undefined && !KINDS.includes(kind)) return 'is of an unknown kind; offer page, robots or sitemap'
  if (refused !== undefined && !isReason(refused)) return 'is refused without a reason; give one of at most 200 bytes'
  if (refused !== undefined && kind !== undefined && kind !== 'page') return 'is no page; only pages can be refused'
  if (note === undefined) return undefined
  if (typeof note !== 'string' || !isShort(note, MOST_NOTE_BYTES)) return 'has a wrong note; at most 4,096 bytes'
  return undefined
}

/** As `hostOf`, without making it. */
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
      const message = `the settlement of ticket ${settlement.ticketId} is not valid: ${what}`
      throw new EscalonaError('FRONTIER_BAD_SETTLEMENT', message)
    }
    const { outcome } = settlement
    if (outcome.kind === 'done' && outcome.againMs !== undefined) {
      throw new EscalonaError('FRONTIER_UNSUPPORTED', 'this frontier visits nothing again; settle without againMs')
    }
  }
  for (const { links } of settlements) checkLinks(links)
}

function settlementFault({ outcome, shown, delayMs }: Settlement): string | undefined {
  const { kind } = outcome
  if (kind !== 'done' && kind !== 'refused' && kind !== 'again') return 'say done, refused or again'
  if (kind === 'done' && typeof outcome.isPage !== 'boolean') return 'say whether it is a page'
  if (kind === 'refused' && !isReason(outcome.reason)) return 'give a reason of at most 200 bytes'
  if (!SHOWN.includes(shown)) return 'say answer, trouble, silence or gone'
  if (shown === 'gone' && kind !== 'refused') return 'refuse what is gone'
  return isDuration(delayMs) ? undefined : 'give a delay from 0'
}

export function checkVisits(visits: readonly FormerVisit[]): void {
  for (const { links } of visits) checkLinks(links)
}

/** A host's or a server's name. */
export function checkName(name: string): void {
  if (typeof name === 'string' && name !== '' && isShort(name, MOST_NAME_BYTES)) return
  throw badValue('a name is empty or too long; give one of at most 65,535 bytes')
}

export function checkDuration(ms: number): void {
  if (!isDuration(ms)) throw badValue(`${ms} is no duration; give milliseconds from 0`)
}

export function checkTime(nowMs: number): void {
  if (!Number.isFinite(nowMs)) throw badValue(`${nowMs} is no time; give milliseconds since 1970`)
}

export function checkMost(max: number): void {
  if (typeof max !== 'number' || Number.isNaN(max)) throw badValue(`${max} tickets can't be taken; give a number`)
}

/** How many items to skip, and how many to show. */
export function checkCursor({ after = '0', limit }: Cursor): { skipped: number; limit: number } {
  if (!/^\d{1,15}$/.test(after)) throw badValue('a cursor is wrong; go on with what the page before said')
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ITEMS) throw badValue('ask for 1 to 10,000 items')
  return { skipped: Number(after), limit }
}

export function checkFilter({ state }: LinkFilter): void {
  if (state !== 'waiting' && state !== 'refused') throw badValue('list the links that are waiting or refused')
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
