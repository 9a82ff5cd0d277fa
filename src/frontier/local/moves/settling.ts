import type { ByteWriter } from '../../../base/structures/byte-writer.ts'
import type { Again, FormerVisit, Outcome, Settled, Settlement, TicketId } from '../../frontier.ts'
import { FORMER_PAGE, FORMER_PLANNED, OUTCOMES, SHOWN, SHOWN_SHIFT, type WrittenOutcome } from '../journal/events.ts'
import type { LinkText } from '../journal/link-texts.ts'
import type { Lease } from '../memory/leases.ts'
import { type LinkId, WAITING } from '../memory/links.ts'
import { Sought } from '../memory/sought.ts'
import type { FrontierState } from '../state/state.ts'
import { finish, finishFormer } from './ending.ts'
import type { Offering } from './offering.ts'
import type { Planning } from './planning.ts'

/** Closes tickets with their outcomes, and records it; see `events.ts`. */
export class Settling {
  /** Something was written that must not be lost. */
  hasChanged = false
  private readonly state: FrontierState
  private readonly offering: Offering
  private readonly planning: Planning
  private readonly out: ByteWriter
  private readonly sought = new Sought()

  constructor(state: FrontierState, offering: Offering, planning: Planning, out: ByteWriter) {
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
    texts: ReadonlyMap<LinkId, LinkText>,
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
    texts: Map<LinkId, LinkText>,
    textOf: (link: LinkId) => LinkText,
  ): boolean {
    const { out, state, sought } = this
    const link = state.find(url, sought)
    const isOpen = this.isOpen(link, dateMs)
    out.varint(isOpen ? link : 0)
    if (!isOpen) return false
    const host = state.hosts.find(sought)
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
  private textsOfTickets(settlements: readonly Settlement[]): Map<LinkId, LinkText> {
    const texts = new Map<LinkId, LinkText>()
    for (const { ticketId, outcome } of settlements) {
      if (againOf(outcome) === undefined) continue
      const { link } = this.state.leases.get(ticketId) ?? { link: 0 }
      if (link !== 0) texts.set(link, this.planning.textOf(link))
    }
    return texts
  }

  /** The same for former visits. */
  private textsOf(visits: readonly FormerVisit[]): Map<LinkId, LinkText> {
    const texts = new Map<LinkId, LinkText>()
    for (const { url, again } of visits) {
      const link = again === undefined ? 0 : this.state.find(url, this.sought)
      if (this.isOpen(link, Number.POSITIVE_INFINITY)) texts.set(link, this.planning.textOf(link))
    }
    return texts
  }
}

/** A link that an earlier visit of the same call found: its text is not in a file yet. */
function firstOffer(url: string, visits: readonly FormerVisit[]): LinkText {
  for (const { links } of visits) {
    const found = links.find(link => link.url === url && (link.kind ?? 'page') === 'page')
    if (found !== undefined) return { url, pathDepth: found.pathDepth, hops: found.hops, note: found.note }
  }
  throw new Error('a link is open, and nobody offered it')
}

function againOf(outcome: Outcome): Again | undefined {
  return outcome.kind === 'done' ? outcome.again : undefined
}

function writtenOutcome(outcome: Outcome, again: Again | undefined): WrittenOutcome {
  if (outcome.kind !== 'done') return outcome.kind
  if (again === undefined) return outcome.isPage ? 'page' : 'done'
  return outcome.isPage ? 'page and planned' : 'done and planned'
}
