import { printable } from '../../base/words/printable.ts'
import { shownCount, shownDecimal, shownDuration, shownTime } from '../../base/words/quantity.ts'
import type { HostView, Outlook } from '../../frontier/frontier.ts'
import { restCause, shownCause } from '../../run/rests.ts'
import type { Doing, WorkFacts } from '../../run/run-status.ts'
import { waitingWords as words } from './waiting-words.ts'

/** From this length on, a time of day is easier to read than a wait. */
const LONG_MS = 10 * 60_000

/** One sentence about what a crawl is doing or waiting for; never empty. */
export function shownDoing(doing: Doing): string {
  switch (doing.kind) {
    case 'starting':
    case 'ended':
      return words()[doing.kind]
    case 'frontier away':
      return doing.message
    case 'working':
      return doingNow(doing.facts)
  }
}

/** One sentence about what a crawl is waiting for; empty while it makes as many requests at once as it may. */
export function shownWait(doing: Doing): string {
  if (doing.kind === 'working') return waitingFor(doing.facts)
  return doing.kind === 'frontier away' ? doing.message : ''
}

/** The same for a run that works. */
export function doingNow(facts: WorkFacts): string {
  const waits = waitingFor(facts)
  if (waits !== '') return waits
  const { slots, outlook, waiting, isEnding } = facts
  if (isEnding) return words().finished
  if (slots.open === 0) return `${words().nothingOpen}: ${waiting > 0 ? words().next : words().nothingLeft}`
  return `${words().open(shownCount(slots.open), shownCount(slots.size))}; ${besides(outlook, facts)}`
}

/** What there is besides the open requests. */
function besides({ ready, resting, next }: Outlook, facts: WorkFacts): string {
  if (ready > 0) return words().ready(ready)
  if (resting === 0 || next === undefined) return words().nothingElse
  return resting === 1 ? aboutHost(next, facts) : aboutHosts(resting, next, facts)
}

/** The same for a run that works. */
export function waitingFor(facts: WorkFacts): string {
  const { slots, network, isEnding, isPaused, isChanging, heldUpBy } = facts
  const { open, size } = slots
  if (isEnding) return open === 0 ? '' : words().finishing(open)
  if (isPaused || isChanging) {
    const still = open === 0 ? words().nothingOpen : words().stillOpen(open)
    return isPaused ? words().paused(still) : words().changing(still)
  }
  if (network.missing !== undefined) return words()[network.missing](when(network.probeInMs))
  if (heldUpBy !== undefined) return words()[heldUpBy]
  if (open >= size) return ''
  const cause = causeOf(facts)
  if (cause === '') return ''
  return open === 0
    ? `${words().nothingOpen}: ${cause}`
    : `${words().open(shownCount(open), shownCount(size))}; ${cause}`
}

function causeOf(facts: WorkFacts): string {
  const { slots, outlook, lookups, planned = 0 } = facts
  const { ready, resting, down, next } = outlook
  if (slots.paceMs !== undefined) return words().rate(shownRate(facts.maxRequestsPerSecond))
  if (slots.waiting > 0) return words().unproven(shownCount(slots.waiting))
  if (lookups > 0) return words().lookups(shownCount(lookups))
  if (!facts.isShort) return ''
  if (ready > 0) return atServers(facts)
  if (resting === 0 || next === undefined) {
    if (slots.open > 0) return words().nothingElse
    return facts.waiting === 0 && planned > 0 ? words().planned(shownCount(planned)) : ''
  }
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
