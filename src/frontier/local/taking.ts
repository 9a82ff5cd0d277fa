import type { ByteWriter } from '../../base/structures/byte-writer.ts'
import { hostOf, type Taken, type Ticket } from '../frontier.ts'
import type { HostId } from './hosts.ts'
import type { Lease } from './leases.ts'
import type { LinkTexts } from './link-texts.ts'
import type { FrontierState } from './state.ts'

/** Leases what can be leased, and records it; see `events.ts`. */
export class Taking {
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
    state.standing.join(nowMs)
    const tickets: Ticket[] = []
    while (tickets.length < max) {
      const host = this.nextHost(nowMs)
      if (host === 0) break
      const lease = state.lease(host, nowMs, dueMs, serverGapMs)
      out.varint(host)
      out.varint(lease.link)
      tickets.push(this.ticketOf(lease))
    }
    this.hasChanged = returned.length + tickets.length > 0
    const waitMs = max >= 1 && tickets.length >= max ? 0 : this.waitMs(nowMs)
    const end = this.end()
    return end === undefined ? { tickets, waitMs } : { tickets, waitMs, end }
  }

  private nextHost(nowMs: number): HostId {
    const { standing, leases, pages } = this.state
    const { limit, errands, unproven } = this.state.settings
    const host = leases.errands < errands ? standing.pickErrand(nowMs) : 0
    if (host !== 0) return host
    return pages + leases.pages < limit ? standing.pickPage(leases.unproven >= unproven, nowMs) : 0
  }

  private ticketOf({ ticketId, host, link, errand, attempt, isProven }: Lease): Ticket {
    const { hosts, servers } = this.state
    const { url, pathDepth, hops, note } = errand ?? this.texts.read(link)
    const server = hosts.server(host)
    const ticket = {
      id: ticketId,
      kind: errand === undefined ? 'page' : errand.kind,
      url,
      pathDepth,
      hops,
      host: hostOf(url),
      attempt,
      leaseMs: this.state.settings.leaseMs,
      server: server === 0 ? undefined : servers.text(server),
      hostPages: hosts.pages(host),
      isProven,
    } as const
    return note === undefined ? ticket : { ...ticket, note }
  }

  private waitMs(nowMs: number): number | undefined {
    const { standing, leases } = this.state
    const times = [standing.nextHostMs(), standing.nextServerMs(), leases.nextDueMs()]
    const next = Math.min(...times.filter(atMs => atMs !== undefined))
    return next === Number.POSITIVE_INFINITY ? undefined : Math.max(0, next - nowMs)
  }

  private end(): Taken['end'] {
    const { pages, leases, waiting, down, errands } = this.state
    if (pages >= this.state.settings.limit) return 'limit'
    const left = leases.size + (waiting - down.waiting) + (errands.waiting - down.errands)
    return left === 0 ? 'nothing left' : undefined
  }
}
