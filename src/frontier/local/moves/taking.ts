import type { ByteWriter } from '../../../base/structures/byte-writer.ts'
import { hostOf } from '../../../url/host-of.ts'
import type { Taken, Ticket } from '../../frontier.ts'
import type { LinkTexts, OfferedLink } from '../journal/link-texts.ts'
import type { HostId } from '../memory/hosts.ts'
import type { Lease } from '../memory/leases.ts'
import type { PlanId } from '../memory/plans.ts'
import type { FrontierState } from '../state/state.ts'

/** Leases what can be leased, and records it; see `events.ts`. */
export class LocalTaking {
  /** Something was written that must not be lost. */
  hasChanged = false
  private readonly state: FrontierState
  private readonly texts: LinkTexts
  private readonly out: ByteWriter

  constructor(state: FrontierState, texts: LinkTexts, out: ByteWriter) {
    this.state = state
    this.texts = texts
    this.out = out
  }

  take(max: number, nowMs: number): Taken {
    const { state, out } = this
    const { leaseMs, serverGapMs } = this.state.settings
    const dueMs = nowMs + leaseMs
    const returned = state.leases.runOut(nowMs)
    out.f64(dueMs)
    out.f64(serverGapMs)
    out.varint(returned.length)
    for (const lease of returned) {
      out.varint(lease.ticketId)
      state.comeBack(lease)
    }
    if (state.settings.recrawl) state.revisits.fallDue(nowMs)
    state.hostQueue.join(nowMs)
    const leases: Lease[] = []
    while (leases.length < max) {
      const host = this.nextHost(nowMs)
      if (host === 0) break
      const plan = this.planFor(host)
      const lease = state.lease(host, plan, nowMs, dueMs, serverGapMs)
      out.varint(host)
      out.varint(lease.link)
      leases.push(lease)
    }
    // Texts are read when all are leased: after a system call, the caches are not what they were.
    const tickets = leases.map(lease => this.ticketOf(lease))
    this.hasChanged = returned.length + tickets.length > 0
    const waitMs = max >= 1 && tickets.length >= max ? 0 : this.waitMs(nowMs)
    const taken = { tickets, waitMs }
    const ending = this.ending(nowMs)
    return ending === undefined ? taken : { ...taken, ...ending }
  }

  /** The visit of a done link that is next at a host; 0 when something else is. */
  private planFor(host: HostId): PlanId {
    const { hosts, leasable, plans } = this.state
    return hosts.auxiliaries(host) === 0 && leasable.isDueNext(host) ? plans.bestAt(host) : 0
  }

  private nextHost(nowMs: number): HostId {
    const { hostQueue, leases, pages, leasable } = this.state
    const { limit, auxiliaries, unproven } = this.state.settings
    const host = leases.auxiliaries < auxiliaries ? hostQueue.pickAuxiliary(nowMs) : 0
    if (host !== 0) return host
    return leasable.isFull || pages + leases.pages < limit ? hostQueue.pickPage(leases.unproven >= unproven, nowMs) : 0
  }

  private ticketOf(lease: Lease): Ticket {
    const { ticketId, host, auxiliary, plan, attempt, isProven } = lease
    const { hosts, servers } = this.state
    const { url, rank, hops, note } = auxiliary ?? this.textOf(lease)
    const server = hosts.server(host)
    const ticket = {
      id: ticketId,
      kind: auxiliary === undefined ? 'page' : auxiliary.kind,
      url,
      rank,
      hops,
      host: hostOf(url),
      attempt,
      leaseMs: this.state.settings.leaseMs,
      server: server === 0 ? undefined : servers.text(server),
      hostPages: hosts.pages(host),
      isProven,
    } as const
    const noted = note === undefined ? ticket : { ...ticket, note }
    return plan === 0 ? noted : { ...noted, again: this.againOf(plan) }
  }

  private againOf(plan: PlanId): Ticket['again'] & {} {
    const { plans } = this.state
    return { visitedAtMs: plans.visitedAtMs(plan), isHinted: plans.isHinted(plan) }
  }

  private textOf({ link, plan }: Lease): OfferedLink {
    const { plans } = this.state
    if (plan === 0) return this.texts.read(link)
    return this.texts.readAt(link, plans.segment(plan), plans.textAt(plan))
  }

  private waitMs(nowMs: number): number | undefined {
    const { hostQueue, leases } = this.state
    const times = [hostQueue.nextHostMs(), hostQueue.nextServerMs(), leases.nextDueMs(), this.nextVisitMs()]
    const next = Math.min(...times.filter(atMs => atMs !== undefined))
    return next === Number.POSITIVE_INFINITY ? undefined : Math.max(0, next - nowMs)
  }

  /** When the time of a planned link comes, or came. */
  private nextVisitMs(): number | undefined {
    const { plans, settings } = this.state
    return settings.recrawl && plans.next !== 0 ? plans.dueAtMs(plans.next) : undefined
  }

  private ending(nowMs: number): Pick<Taken, 'end' | 'pause'> | undefined {
    const { pages, leases, waiting, down, auxiliaries, plans, leasable, settings } = this.state
    const why = pages >= settings.limit ? 'limit' : 'nothing left'
    if (why === 'limit' && !settings.recrawl) return { end: why }
    const fresh = leasable.isFull ? 0 : waiting - down.waiting
    const left = leases.size + fresh + (auxiliaries.waiting - down.auxiliaries) + (plans.due - down.due)
    const visitMs = this.nextVisitMs()
    if (left > 0 || (visitMs !== undefined && visitMs <= nowMs)) return undefined
    return visitMs === undefined && down.due === 0 ? { end: why } : { pause: why }
  }
}
