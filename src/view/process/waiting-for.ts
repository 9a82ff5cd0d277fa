import { printable } from '../../base/words/printable.ts'
import { shownCount, shownDecimal, shownDuration, shownSpeed, shownTime } from '../../base/words/quantity.ts'
import type { HostView } from '../../frontier/frontier.ts'
import { restCause, shownCause } from '../../run/rests.ts'
import type { Doing, WorkFacts } from '../../run/run-status.ts'
import type { Pace } from './pace.ts'
import { waitingWords as words } from './waiting-words.ts'

/** From this length on, a time of day is easier to read than a wait. */
const LONG_MS = 10 * 60_000

/** What only those who watch a run over time know. */
export interface Watched {
  /** No page was archived for some seconds. */
  readonly isStalled: boolean
  readonly pagesPerSecond: number
  readonly pace: Pace | undefined
}

/** One sentence about what a crawl is doing or waiting for; never empty. */
export function shownDoing(doing: Doing, watched: Watched): string {
  if (doing.kind === 'starting' || doing.kind === 'ended') return words()[doing.kind]
  const trouble = shownTrouble(doing, watched.isStalled)
  return trouble === '' && doing.kind === 'working' ? doingNow(doing.facts, watched) : trouble
}

function doingNow(facts: WorkFacts, { pagesPerSecond, pace }: Watched): string {
  const { slots, waiting, planned = 0, isEnding } = facts
  if (isEnding) return words().finished
  if (pagesPerSecond > 0) return words().collecting(shownSpeed(pagesPerSecond), shownPace(pace))
  if (slots.open > 0) return words().open(shownCount(slots.open), shownCount(slots.size))
  return causeOf(facts) || (waiting + planned > 0 ? words().next : words().nothingLeft)
}

/** What limits the speed, in a few words; empty when that is not known. */
export function shownPace(pace: Pace | undefined): string {
  return pace === undefined ? '' : words().paces[pace]
}

/** Why no page is archived, cause first; empty while pages come, or will come soon. */
export function shownTrouble(doing: Doing, isStalled: boolean): string {
  if (doing.kind === 'frontier away') return doing.message
  if (doing.kind !== 'working') return ''
  const { slots, network, isEnding, isPaused, isChanging, heldUpBy } = doing.facts
  const { open, size } = slots
  if (isEnding) return open === 0 ? '' : words().finishing(open)
  if (isPaused || isChanging) {
    const still = open === 0 ? words().nothingOpen : words().stillOpen(open)
    return isPaused ? words().paused(still) : words().changing(still)
  }
  if (network.missing !== undefined) return words()[network.missing](when(network.probeInMs))
  if (heldUpBy !== undefined) return words()[heldUpBy]
  if (!isStalled) return ''
  const cause = open >= size ? '' : causeOf(doing.facts)
  if (open === 0) return cause
  return cause === '' ? words().unanswered(open) : `${cause}; ${words().open(shownCount(open), shownCount(size))}`
}

function causeOf(facts: WorkFacts): string {
  const { slots, outlook, lookups, planned = 0 } = facts
  const { ready, resting, down, next } = outlook
  if (slots.paceMs !== undefined) return words().rate(shownRate(facts.maxRequestsPerSecond))
  if (slots.waiting > 0) return words().unproven(shownCount(slots.waiting))
  if (lookups > 0) return words().lookups(shownCount(lookups))
  if (!facts.isShort) return ''
  if (ready > 0) return atServers(facts)
  if (resting === 0 || next === undefined)
    return slots.open === 0 && facts.waiting === 0 && planned > 0 ? words().planned(shownCount(planned)) : ''
  if (next.isDown && down >= resting) return words().down(shownCount(down), printable(next.host), when(next.readyInMs))
  return resting === 1 ? aboutHost(next, facts) : aboutHosts(resting, next, facts)
}

function atServers({ slots, outlook, isServerSlower }: WorkFacts): string {
  if (outlook.ready > 1) return words().servers(shownCount(outlook.ready))
  // Otherwise its own time has just come, and it is about to be taken.
  return slots.open > 0 || isServerSlower ? words().server : ''
}

function aboutHosts(count: number, next: HostView, facts: WorkFacts): string {
  const cause = restCause(next, facts)
  const asked = cause === 'crawl-delay' ? next.delayMs : cause === 'delay' ? facts.delayMs(next.host) : undefined
  const shown = cause === undefined ? '' : shownCause(cause) + (asked === undefined ? '' : ` ${shownDuration(asked)}`)
  return words().hosts(shownCount(count), when(next.readyInMs), printable(next.host), shown)
}

/** The only host that waits, and why it is left alone. */
function aboutHost(view: HostView, facts: WorkFacts): string {
  const name = printable(view.host)
  // Others may wait at hosts whose request is open.
  const isAll = view.waiting > 0 && view.waiting === facts.waiting
  const why = whyLeftAlone(view, facts, isAll)
  return isAll ? words().all(view.waiting, name, why) : words().alone(name, why)
}

/** Why a host is left alone, as far as known. `isClause`: after `which`. */
function whyLeftAlone(view: HostView, facts: WorkFacts, isClause: boolean): string {
  const { host, readyInMs, delayMs, failures } = view
  const soon = when(readyInMs)
  const until = shownTime(facts.nowMs + readyInMs, facts.nowMs)
  switch (restCause(view, facts)) {
    case 'blocked':
      return isClause ? words().blocked(until) : words().blockedAlone(until)
    case 'retry-after':
      return readyInMs < LONG_MS ? words().asked(soon) : words().askedUntil(until)
    case 'error':
      return words().error(soon)
    case 'slow':
      return words().slow(soon)
    case 'failures':
      return words().failures(failures, soon)
    case 'crawl-delay':
      return words().crawlDelay(shownDuration(delayMs), soon)
    case 'delay':
      return words().delay(shownDuration(facts.delayMs(host)), soon)
    case undefined:
      return words().rests(soon)
  }
}

function when(ms: number): string {
  if (ms <= 0) return words().now
  return words().inTime(ms < 950 ? `${shownDecimal(Math.max(ms, 100) / 1000, 1)} s` : shownDuration(ms))
}

function shownRate(perSecond: number): string {
  return Number.isInteger(perSecond) ? shownCount(perSecond) : shownDecimal(perSecond, 3).replace(/0+$/, '')
}
