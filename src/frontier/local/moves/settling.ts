import type { ByteWriter } from '../../../base/structures/byte-writer.ts'
import {
  type Again,
  type FormerVisit,
  type Outcome,
  restMs,
  type Settled,
  type Settlement,
  type Shown,
  type TicketId,
} from '../../frontier.ts'
import { FORMER_PAGE, FORMER_PLANNED, OUTCOMES, SHOWN, SHOWN_SHIFT, type WrittenOutcome } from '../journal/events.ts'
import type { OfferedLink } from '../journal/link-texts.ts'
import type { HostId } from '../memory/hosts.ts'
import type { Lease } from '../memory/leases.ts'
import { type LinkId, WAITING } from '../memory/links.ts'
import type { Planned } from '../memory/plans.ts'
import type { FrontierState } from '../state/state.ts'
import type { LocalOffering } from './offering.ts'
import type { Planning } from './planning.ts'

/** Closes tickets with their outcomes, and records it; see `events.ts`. */
export class LocalSettling {
  /** Something was written that must not be lost. */
  hasChanged = false
  private readonly state: FrontierState
  private readonly offering: LocalOffering
  private readonly planning: Planning
  private readonly out: ByteWriter

  constructor(state: FrontierState, offering: LocalOffering, planning: Planning, out: ByteWriter) {
    this.state = state
    this.offering = offering
    this.planning = planning
    this.out = out
  }

  settle(settlements: readonly Settlement[], nowMs: number): Settled {
    const { out } = this
    const late: TicketId[] = []
    const fresh: number[] = []
    // All are read before anything changes: a damaged text stops the call.
    const texts = this.textsOfTickets(settlements)
    out.varint(settlements.length)
    for (const settlement of settlements) {
      const lease = this.state.leases.get(settlement.ticketId)
      out.varint(lease === undefined ? 0 : lease.ticketId)
      if (lease === undefined) late.push(settlement.ticketId)
      else this.finish(lease, settlement, nowMs, texts)
      fresh.push(this.offering.add(settlement.links))
    }
    this.hasChanged = late.length < settlements.length || this.offering.hasChanged
    return { fresh, late }
  }

  settleFormer(visits: readonly FormerVisit[], nowMs: number): Settled {
    const fresh: number[] = []
    let settled = 0
    const texts = this.textsOf(visits)
    this.out.varint(visits.length)
    for (const [n, visit] of visits.entries()) {
      const textOf = (link: LinkId) => texts.get(link) ?? firstOffer(visit.url, visits.slice(0, n))
      const isSettled = this.finishFormer(visit, visit.dateMs ?? nowMs, nowMs, texts, textOf)
      if (isSettled) settled++
      fresh.push(isSettled ? this.offering.add(visit.links) : 0)
    }
    this.hasChanged = settled > 0
    return { fresh, late: [] }
  }

  private finish(
    lease: Lease,
    { outcome, shown, delayMs }: Settlement,
    nowMs: number,
    texts: ReadonlyMap<LinkId, OfferedLink>,
  ): void {
    const { out, state } = this
    const again = lease.auxiliary === undefined ? againOf(outcome) : undefined
    out.u8(OUTCOMES.indexOf(writtenOutcome(outcome, again)) | (SHOWN.indexOf(shown) << SHOWN_SHIFT))
    if (outcome.kind === 'refused') out.text(outcome.reason)
    const pauseMs = Math.max(delayMs, state.delayOf(lease.host))
    if (shown !== undefined) out.f64(pauseMs)
    const planned = again && this.planning.write(texts.get(lease.link)!, again, nowMs, nowMs)
    finish(state, lease, outcome, planned, shown, pauseMs, nowMs)
  }

  /** Returns whether the link was settled. */
  private finishFormer(
    { url, isPage, again }: FormerVisit,
    dateMs: number,
    nowMs: number,
    texts: Map<LinkId, OfferedLink>,
    textOf: (link: LinkId) => OfferedLink,
  ): boolean {
    const { out, state } = this
    const link = state.find(url)
    const isOpen = this.isOpen(link, dateMs)
    out.varint(isOpen ? link : 0)
    if (!isOpen) return false
    const host = state.hosts.find(state.key)
    out.varint(host)
    out.u8((isPage ? FORMER_PAGE : 0) | (again === undefined ? 0 : FORMER_PLANNED))
    const planned = again && this.planning.write(textOf(link), again, dateMs, nowMs)
    // A later visit of the call keeps the note of this one.
    if (again?.note !== undefined) texts.set(link, { ...textOf(link), note: again.note })
    finishFormer(state, link, host, isPage, planned)
    return true
  }

  /** Whether a former visit of this date settles a link: it waits, or was visited before. */
  private isOpen(link: LinkId, dateMs: number): boolean {
    const { links, plans } = this.state
    if (link === 0) return false
    const plan = plans.of(link)
    return plan === 0 ? links.state(link) === WAITING : !plans.isOut(plan) && plans.visitedAtMs(plan) < dateMs
  }

  /** The texts of links that will be visited again. */
  private textsOfTickets(settlements: readonly Settlement[]): Map<LinkId, OfferedLink> {
    const texts = new Map<LinkId, OfferedLink>()
    for (const { ticketId, outcome } of settlements) {
      if (againOf(outcome) === undefined) continue
      const { link } = this.state.leases.get(ticketId) ?? { link: 0 }
      if (link !== 0) texts.set(link, this.planning.textOf(link))
    }
    return texts
  }

  /** The same for former visits. */
  private textsOf(visits: readonly FormerVisit[]): Map<LinkId, OfferedLink> {
    const texts = new Map<LinkId, OfferedLink>()
    for (const { url, again } of visits) {
      const link = again === undefined ? 0 : this.state.find(url)
      if (this.isOpen(link, Number.POSITIVE_INFINITY)) texts.set(link, this.planning.textOf(link))
    }
    return texts
  }
}

/** A link that an earlier visit of the same call found: its text is not in a file yet. */
function firstOffer(url: string, visits: readonly FormerVisit[]): OfferedLink {
  for (const { links } of visits) {
    const found = links.find(link => link.url === url && (link.kind ?? 'page') === 'page')
    if (found !== undefined) return { url, rank: found.rank, hops: found.hops, note: found.note }
  }
  throw new Error('a link is open, and was never offered')
}

function againOf(outcome: Outcome): Again | undefined {
  return outcome.kind === 'done' ? outcome.again : undefined
}

function writtenOutcome(outcome: Outcome, again: Again | undefined): WrittenOutcome {
  if (outcome.kind !== 'done') return outcome.kind
  if (again === undefined) return outcome.isPage ? 'page' : 'done'
  return outcome.isPage ? 'page and planned' : 'done and planned'
}

/** Closes a ticket. `planned`: the next visit of a link that is done. `pauseMs`: the least delay of its host from now on. */
export function finish(
  state: FrontierState,
  lease: Lease,
  outcome: Outcome,
  planned: Planned | undefined,
  shown: Shown | undefined,
  pauseMs: number,
  nowMs: number,
): void {
  const { host } = lease
  state.leaveServer(lease, shown !== undefined)
  state.leases.delete(lease)
  if (lease.plan !== 0) state.revisits.settle(lease, outcome, planned)
  else endFirstVisit(state, lease, outcome, planned)
  if (shown === 'gone') goAway(state, host, outcome.kind === 'refused' ? outcome.reason : '', pauseMs, nowMs)
  else if (shown !== undefined) show(state, lease, shown, pauseMs, nowMs)
  state.hostQueue.close(host)
}

function endFirstVisit(state: FrontierState, lease: Lease, outcome: Outcome, planned: Planned | undefined): void {
  const { link, host, auxiliary, attempt } = lease
  if (outcome.kind === 'again') {
    if (auxiliary === undefined) state.links.setAttempts(link, attempt)
    else auxiliary.attempts = attempt
    state.returnLease(lease)
  } else if (auxiliary !== undefined) state.auxiliaries.end(auxiliary)
  else if (outcome.kind === 'done') {
    state.endLink(link, host, outcome.isPage)
    if (planned !== undefined) state.revisits.plan(link, host, planned)
  } else {
    state.links.setAttempts(link, attempt)
    state.refuse(link, state.refusals.numberOf(outcome.reason))
  }
}

/** A waiting or planned link is done, by a visit of an earlier run. */
export function finishFormer(
  state: FrontierState,
  link: LinkId,
  host: HostId,
  isPage: boolean,
  planned: Planned | undefined,
): void {
  const plan = state.plans.of(link)
  if (plan === 0) {
    state.endLink(link, host, isPage)
    state.lists.passOver(host, link)
    state.counted(host, -1)
  } else state.revisits.end(plan)
  if (planned !== undefined) state.revisits.plan(link, host, planned)
}

/** A host does not exist. It may come back, so its planned visits stay; while it has any, it rests as after a failure. */
function goAway(state: FrontierState, host: HostId, reason: string, pauseMs: number, nowMs: number): void {
  forgetWaiting(state, host, reason)
  if (state.plans.allAt(host) > 0) showFailure(state, host, pauseMs, nowMs)
}

/** Refuses the page links that wait at a host, or some of the first, and drops its auxiliary links and planned visits. */
export function forgetAll(state: FrontierState, host: HostId, reason: string, most = Infinity): void {
  state.revisits.forget(host)
  forgetWaiting(state, host, reason, most)
}

function forgetWaiting(state: FrontierState, host: HostId, reason: string, most = Infinity): void {
  for (let auxiliary = state.takeAuxiliary(host); auxiliary !== undefined; auxiliary = state.takeAuxiliary(host)) {
    state.auxiliaries.end(auxiliary)
  }
  const links = Math.min(state.lists.count(host), most)
  const number = links === 0 ? 0 : state.refusals.numberOf(reason)
  for (let n = 0; n < links; n++) state.refuse(state.lists.takeFirst(host), number)
  state.counted(host, -links)
}

/** Counts what a visit showed for its host and for its server. `pauseMs`: the least delay of the host from now on. */
function show(
  state: FrontierState,
  { host, takenMs }: Lease,
  shown: Exclude<Shown, 'gone'>,
  pauseMs: number,
  nowMs: number,
): void {
  const { hosts, servers, down, hostQueue } = state
  const server = hosts.server(host)
  if (shown === 'answer') {
    hosts.setProven(host, true)
    down.setFailures(host, 0)
    hosts.holdUntil(host, nowMs + pauseMs, false)
  } else showFailure(state, host, pauseMs, nowMs)
  if (server !== 0 && shown !== 'silence') down.setServerFailures(server, 0)
  // Visits that hang at the same time count once.
  else if (server !== 0 && takenMs >= servers.lastFailureMs(server)) {
    const failures = servers.failures(server) + 1
    down.setServerFailures(server, failures)
    servers.setLastFailureMs(server, nowMs)
    if (failures > 1) hostQueue.holdServer(server, nowMs, nowMs + restMs(failures - 1))
  }
}

/** Counts one more failure in a row of a host, which rests for it. */
function showFailure(state: FrontierState, host: HostId, pauseMs: number, nowMs: number): void {
  const { hosts, down } = state
  hosts.setProven(host, false)
  down.setFailures(host, hosts.failures(host) + 1)
  const ownRestMs = restMs(hosts.failures(host))
  hosts.holdUntil(host, nowMs + Math.max(pauseMs, ownRestMs), ownRestMs > pauseMs)
}
