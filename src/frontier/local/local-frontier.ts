import { ByteWriter } from '../../base/byte-writer.ts'
import { EscalonaError } from '../../base/errors.ts'
import type { HostId } from '../../scheduler/hosts.ts'
import { sharedKernel } from '../../url/classic.ts'
import {
  type Explanation,
  type Frontier,
  type FrontierCounts,
  type HostView,
  hostOf,
  type Link,
  type Settlement,
  type Ticket,
} from '../frontier.ts'
import {
  BLOCKED,
  CLEARED,
  CLEARED_REASON,
  DELAYED,
  GIVEN_BACK,
  HOST_CLEARED,
  LENT_OUT,
  MOST_URL_BYTES,
  OFFERED,
  OUTCOMES,
  RENEWED,
  SETTLED,
  TIED,
  type WrittenLink,
  writeLink,
} from './events.ts'
import type { LinkLog } from './link-log.ts'
import { DONE, LENT, WAITING } from './links.ts'
import type { FrontierState } from './state.ts'

const DEEPEST = 255

/** What keeps a frontier safe besides its log. */
export interface Keeper {
  /** Called when everything is safe after a change. */
  afterChange(): void
  beforeClose(): void
  close(): void
}

/**
 * The frontier on one machine. Every change is made in memory and appended to the log in the same step, and acknowledged
 * when the log is safe; opening a folder makes the same changes again.
 */
export class LocalFrontier implements Frontier {
  private readonly state: FrontierState
  private readonly log: LinkLog
  private readonly keeper: Keeper
  private readonly leaseMs: number
  private readonly delayMs: number
  private readonly out = new ByteWriter()
  private isClosed = false
  private failure: unknown

  constructor(state: FrontierState, log: LinkLog, keeper: Keeper, leaseMs: number, delayMs: number) {
    this.state = state
    this.log = log
    this.keeper = keeper
    this.leaseMs = leaseMs
    this.delayMs = delayMs
  }

  async offer(links: readonly Link[]): Promise<number> {
    this.check(links)
    const { at, segment } = this.log.next()
    this.out.clear()
    this.out.u8(OFFERED)
    const added = this.addNew(links, segment, at)
    if (added > 0) this.log.append(this.out.bytes)
    // Also when all were known: that must not be said before it would survive a crash.
    await this.safe()
    return added
  }

  async take(max: number, nowMs: number): Promise<Ticket[]> {
    this.check()
    const { state, out } = this
    const dueMs = nowMs + this.leaseMs
    const returned = state.runOut(nowMs)
    out.clear()
    out.u8(LENT_OUT)
    out.f64(nowMs)
    out.f64(dueMs)
    out.varint(returned.length)
    for (const { ticketId } of returned) {
      out.varint(ticketId)
      state.giveBack(ticketId, 0)
    }
    const tickets: Ticket[] = []
    while (tickets.length < max) {
      const host = state.pick(nowMs)
      if (host === 0) break
      tickets.push(this.lend(host, nowMs, dueMs))
    }
    if (returned.length > 0 || tickets.length > 0) this.append()
    await this.safe()
    return tickets
  }

  async settle(settlements: readonly Settlement[], nowMs: number): Promise<number> {
    this.checkTickets(settlements.map(settlement => settlement.ticketId))
    for (const { links } of settlements) this.check(links)
    if (settlements.length === 0) return 0
    const { at, segment } = this.log.next()
    const { out, state } = this
    out.clear()
    out.u8(SETTLED)
    out.varint(settlements.length)
    let added = 0
    for (const { ticketId, outcome, links, delayMs } of settlements) {
      const { host } = state.leases.get(ticketId)!
      const readyAtMs = delayMs === undefined ? 0 : nowMs + Math.max(delayMs, this.delayOf(host))
      const reason = outcome.kind === 'refused' ? outcome.reason : ''
      out.varint(ticketId)
      out.u8(OUTCOMES.indexOf(outcome.kind))
      out.text(reason)
      out.f64(readyAtMs)
      state.finish(ticketId, outcome.kind, reason, readyAtMs)
      added += this.addNew(links, segment, at)
    }
    await this.write()
    return added
  }

  async giveBack(ticketIds: readonly number[]): Promise<void> {
    this.checkTickets(ticketIds)
    if (ticketIds.length === 0) return
    this.appendGivenBack(ticketIds.map(ticketId => ({ ticketId, readyAtMs: 0 })))
    await this.safe()
  }

  async renew(ticketIds: readonly number[], nowMs: number): Promise<void> {
    this.checkTickets(ticketIds)
    if (ticketIds.length === 0) return
    const dueMs = nowMs + this.leaseMs
    this.out.clear()
    this.out.u8(RENEWED)
    this.out.f64(dueMs)
    this.out.varint(ticketIds.length)
    for (const ticketId of ticketIds) {
      this.out.varint(ticketId)
      this.state.renew(ticketId, dueMs)
    }
    await this.write()
  }

  nextReadyAtMs(): number | undefined {
    this.check()
    return this.state.nextReadyAtMs()
  }

  counts(): FrontierCounts {
    this.check()
    const { links, leases, done, refused, hosts, waiting } = this.state
    return { known: links.last, waiting, lent: leases.size, done, refused, hosts: hosts.known }
  }

  *hosts(): Iterable<HostView> {
    this.check()
    const { hosts, groups, lists } = this.state
    for (let host = 1; host <= hosts.known; host++) {
      const leader = groups.leader(host)
      const waiting = lists.count(host)
      const state = groups.isLent(leader) ? 'lent' : waiting > 0 ? 'waiting' : 'idle'
      yield { host: hosts.name(host), waiting, state, readyAtMs: groups.readyAtMs(leader) }
    }
  }

  *waiting(host: string): Iterable<Link> {
    this.check()
    const id = this.state.hostNamed(host)
    if (id === 0) return
    for (const link of this.state.lists.slotsOf(id)) {
      const { depth, hops, url } = this.state.read(link)
      yield { url: url.toString(), depth, hops }
    }
  }

  explain(url: string): Explanation {
    this.check()
    const { state } = this
    const link = state.find(url)
    if (link === 0) return { state: 'never seen' }
    const host = hostOf(url)
    switch (state.links.state(link)) {
      case WAITING:
        return { state: 'waiting', host, ...this.placeOf(link, state.hostNamed(host)) }
      case LENT: {
        const lease = [...state.leases.values()].find(one => one.link === link)!
        return { state: 'lent', host, ticketId: lease.ticketId, dueMs: lease.dueMs }
      }
      case DONE:
        return { state: 'done', host }
      default:
        return { state: 'refused', host, reason: state.reasons[state.links.reason(link)]! }
    }
  }

  async setDelay(host: string, delayMs: number): Promise<void> {
    this.check()
    this.out.clear()
    this.out.u8(DELAYED)
    this.out.text(host)
    this.out.f64(delayMs)
    this.state.delay(host, delayMs)
    await this.write()
  }

  async blockUntil(host: string, atMs: number): Promise<void> {
    this.check()
    this.out.clear()
    this.out.u8(BLOCKED)
    this.out.text(host)
    this.out.f64(atMs)
    this.state.block(host, atMs)
    await this.write()
  }

  async tie(hosts: readonly string[]): Promise<void> {
    this.check()
    if (hosts.length === 0) return
    this.out.clear()
    this.out.u8(TIED)
    this.out.varint(hosts.length)
    for (const host of hosts) this.out.text(host)
    this.state.tie(hosts)
    await this.write()
  }

  async clear(host?: string): Promise<void> {
    this.check()
    this.out.clear()
    this.out.u8(host === undefined ? CLEARED : HOST_CLEARED)
    if (host === undefined) this.state.clear()
    else {
      this.out.text(host)
      this.state.clearHost(host, CLEARED_REASON)
    }
    await this.write()
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    try {
      if (this.failure === undefined) this.keeper.beforeClose()
      await this.log.close()
    } finally {
      this.keeper.close()
    }
  }

  /**
   * What the former owner had taken comes back; its hosts keep their delay, since they may have been asked: when they were
   * lent or, if the time is known, just now.
   */
  async recover(nowMs?: number): Promise<void> {
    const open = [...this.state.leases.values()].sort((a, b) => a.ticketId - b.ticketId)
    if (open.length === 0) return
    this.appendGivenBack(
      open.map(({ ticketId, host, takenMs }) => {
        return { ticketId, readyAtMs: (nowMs ?? takenMs) + this.delayOf(host) }
      }),
    )
    await this.safe()
  }

  private delayOf(host: HostId): number {
    const { groups } = this.state
    return Math.max(groups.delayMs(groups.leader(host)), this.delayMs)
  }

  private placeOf(link: number, host: HostId): { place: number; readyAtMs: number } {
    const { lists, groups } = this.state
    let place = 0
    for (const other of lists.slotsOf(host)) {
      if (other === link) break
      place++
    }
    return { place, readyAtMs: groups.readyAtMs(groups.leader(host)) }
  }

  private lend(host: HostId, nowMs: number, dueMs: number): Ticket {
    const { state, out } = this
    const link = state.takeFirst(host)
    const { depth, hops, url: bytes } = this.readOrStop(link)
    const url = bytes.toString()
    const attempt = (state.attempts.get(link) ?? 0) + 1
    const id = state.lastTicket + 1
    state.lend({ ticketId: id, link, host, depth, attempt, takenMs: nowMs, dueMs })
    out.varint(id)
    out.varint(link)
    out.varint(host)
    out.u8(depth)
    out.varint(attempt)
    return { id, url, depth, hops, host: hostOf(url), attempt, dueMs }
  }

  /** After damage nothing is lent any more; whoever opens the folder again sees the same. */
  private readOrStop(link: number): WrittenLink {
    try {
      return this.state.read(link)
    } catch (error) {
      this.failure = error
      throw error
    }
  }

  private appendGivenBack(tickets: readonly { ticketId: number; readyAtMs: number }[]): void {
    this.out.clear()
    this.out.u8(GIVEN_BACK)
    this.out.varint(tickets.length)
    for (const { ticketId, readyAtMs } of tickets) {
      this.out.varint(ticketId)
      this.out.f64(readyAtMs)
      this.state.giveBack(ticketId, readyAtMs)
    }
    this.append()
  }

  /** Adds the links that were never seen and writes them, behind how many they are; the payload begins at `at`. */
  private addNew(links: readonly Link[], segment: number, at: number): number {
    const { out, state } = this
    const countAt = out.length
    out.u32(0)
    let added = 0
    for (const { url, depth, hops } of links) {
      if (state.find(url) !== 0) continue
      const { start, view } = sharedKernel
      const end = start + Buffer.byteLength(url)
      const linkDepth = Math.min(depth, DEEPEST)
      const linkAt = at + out.length
      writeLink(out, linkDepth, hops, view, start, end - start)
      state.addFound(end, linkDepth, segment, linkAt)
      added++
    }
    out.patchU32(countAt, added)
    return added
  }

  private append(): void {
    this.log.next()
    this.log.append(this.out.bytes)
  }

  private async write(): Promise<void> {
    this.log.append(this.out.bytes)
    await this.safe()
  }

  private async safe(): Promise<void> {
    await this.log.commit()
    if (!this.isClosed) this.keeper.afterChange()
  }

  private check(links: readonly Link[] = []): void {
    if (this.isClosed) throw new EscalonaError('FRONTIER_CLOSED', 'the frontier is closed; open it again')
    if (this.failure !== undefined) throw this.failure
    this.log.check()
    for (const { url } of links) {
      if (hostOf(url) !== '' && url.length * 3 <= MOST_URL_BYTES) continue
      if (hostOf(url) !== '' && Buffer.byteLength(url) <= MOST_URL_BYTES) continue
      const message = `${JSON.stringify(url.slice(0, 100))} has no host or is too long; offer scheme://host/… of at most 65,535 bytes`
      throw new EscalonaError('FRONTIER_BAD_LINK', message)
    }
  }

  private checkTickets(ticketIds: readonly number[]): void {
    this.check()
    const seen = new Set<number>()
    for (const ticketId of ticketIds) {
      if (this.state.leases.has(ticketId) && !seen.has(ticketId)) seen.add(ticketId)
      else throw new EscalonaError('FRONTIER_TICKET_CLOSED', `ticket ${ticketId} is not open; take its link again`)
    }
  }
}
