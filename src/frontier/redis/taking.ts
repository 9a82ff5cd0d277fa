import type { Taken, Ticket } from '../frontier.ts'
import { isNothingLeft } from './end-scan.ts'
import { answeredMs, type Moment } from './moment.ts'
import type { OwnTicket } from './own-tickets.ts'
import type { Part, Quotas } from './part.ts'
import type { Servers } from './servers.ts'
import { type EngineSession, grouped } from './session.ts'
import type { LostLease, ShardTaken, ShardTicket } from './shard/moves.ts'
import { Shares } from './shares.ts'

/** So many shards are asked at once, each for at most so many tickets and, while there is plenty, at least so many. */
const MOST_SHARDS = 8
const MOST_TICKETS = 128
const FEWEST_TICKETS = 32
/** So often the same shards are asked again for nothing: what is denied again and again must not hold a take up. */
const MOST_VAIN_ROUNDS = 16
/** A shard reports no more expired leases at once. */
const MOST_EXPIRED = 256
/** Two clocks run apart by no more than this during a lease. */
const CLOCK_MS = 1000
/** While other crawlers are alive, they may have made something ready. */
const LONGEST_WAIT_MS = 500

/** One shard to ask. */
interface Ask extends Quotas {
  readonly part: Part
  readonly max: number
}

/** Leases what can be leased, of all shards. */
export class Taking {
  private readonly session: EngineSession
  private readonly servers: Servers
  /** Called when a shard leases nothing until this crawler has looked for losses. */
  onHeld: () => void = () => {}
  /** The last call, until it has ended. */
  underWay: Promise<unknown> = Promise.resolve()
  private readonly shares = new Shares()
  private lastId: number

  constructor(session: EngineSession, servers: Servers) {
    this.session = session
    this.servers = servers
    this.lastId = session.opening * 2 ** 32
  }

  /** One call at a time. */
  take(most: number, now: Moment): Promise<Taken> {
    const taken = this.takeNow(most, now)
    this.underWay = taken.catch(() => {})
    return taken
  }

  private async takeNow(most: number, now: Moment): Promise<Taken> {
    const max = Math.max(0, Math.ceil(most))
    const { crawlers, settings } = this.session
    const reported = crawlers.hasLimit ? await crawlers.permit(max) : undefined
    const tickets = await this.fill(max, now)
    crawlers.giveUpSpare()
    const waitMs = max >= 1 && tickets.length >= max ? 0 : this.waitMs(now)
    const taken = { tickets: tickets.map(ticketOf), waitMs }
    if (reported !== undefined && reported.pages >= settings.limit) return { ...taken, end: 'limit' }
    return (await this.isOver()) ? { ...taken, end: 'nothing left' } : taken
  }

  private async fill(max: number, now: Moment): Promise<ShardTicket[]> {
    const tickets: ShardTicket[] = []
    const asked = new Set<Part>()
    const { parts, crawlers } = this.session
    const order = this.shares.order(parts.length, crawlers.alive).map(number => parts[number]!)
    let isShort = false
    let inVain = 0
    while (inVain < MOST_VAIN_ROUNDS) {
      const missing = Math.max(0, max - tickets.length)
      if (missing < 1 && max >= 1) break
      const asks = this.asks(order, asked, missing, isShort, now)
      if (asks.length === 0) break
      const isRepeated = asks.every(({ part }) => asked.has(part))
      for (const { part } of asks) asked.add(part)
      const came = await this.round(asks, now)
      tickets.push(...came)
      inVain = isRepeated && came.length === 0 ? inVain + 1 : 0
      isShort = came.length < missing
    }
    this.shares.passOver(asked.size)
    return tickets
  }

  /** Whom to ask next, and for how much: what may be opened is shared out, so that together they never give too much. */
  private asks(
    order: readonly Part[],
    asked: ReadonlySet<Part>,
    missing: number,
    isShort: boolean,
    now: Moment,
  ): Ask[] {
    const quotas = this.quotas()
    const { tickets, crawlers } = this.session
    const { isAlone } = crawlers
    const isWorthwhile = (part: Part) => {
      if (missing >= 1 && part.hasFor(quotas)) return true
      return asked.has(part) ? part.isChanged : part.isDue(now.localMs, isAlone, tickets.pagesIn(part.number))
    }
    const parallel = missing < 1 || isShort ? MOST_SHARDS : Math.ceil(missing / FEWEST_TICKETS)
    const most = Math.min(parallel, MOST_SHARDS, Math.max(missing, missing < 1 ? MOST_SHARDS : 1))
    const parts: Part[] = []
    for (const part of order) {
      if (parts.length >= most) break
      if (isWorthwhile(part)) parts.push(part)
    }
    return parts.map((part, i) => ({
      part,
      max: Math.min(MOST_TICKETS, shareOf(missing, parts.length, i)),
      pages: shareOf(quotas.pages, parts.length, i),
      unproven: shareOf(quotas.unproven, parts.length, i),
      auxiliaries: shareOf(quotas.auxiliaries, parts.length, i),
    }))
  }

  private quotas(): Quotas {
    const { crawlers, tickets, settings } = this.session
    return {
      pages: crawlers.hasLimit ? crawlers.spare : Number.POSITIVE_INFINITY,
      unproven: settings.unproven - tickets.unproven,
      auxiliaries: settings.auxiliaries - tickets.auxiliaries,
    }
  }

  /** Asks some shards, and the servers of the hosts that they lease. Returns the tickets that may be used. */
  private async round(asks: readonly Ask[], now: Moment): Promise<ShardTicket[]> {
    const came = await Promise.all(asks.map(ask => this.ask(ask, now)))
    const all = came.flat()
    const atServers = all.filter(({ server }) => server !== undefined).map(own => ({ own, server: own.server! }))
    if (atServers.length === 0) return all.map(({ ticket }) => ticket)
    const admissions = await this.servers.admit(atServers, now)
    const denied = new Map<OwnTicket, { parkedMs: number; isServerDown: boolean }>()
    for (const [i, { own }] of atServers.entries()) {
      const admission = admissions[i]!
      if (!admission.isGranted) denied.set(own, { parkedMs: admission.laterMs, isServerDown: admission.isDown })
    }
    await this.park(denied, now)
    return all.filter(own => !denied.has(own)).map(({ ticket }) => ticket)
  }

  private async ask({ part, max, ...quotas }: Ask, now: Moment): Promise<OwnTicket[]> {
    const { crawlers } = this.session
    part.isChanged = false
    const firstId = this.lastId + 1
    this.lastId += max
    const taken = await part.shard.take({ ...quotas, max, firstId }, now.engineMs)
    if (taken.isToLook) this.onHeld()
    const isChangedSince = part.isChanged
    part.heard(taken, now.localMs, max >= 1 && taken.tickets.length >= max)
    if (isChangedSince) part.isChanged = true
    const localMs = answeredMs(now)
    const dueMs = localMs + this.session.settings.leaseMs
    const own = taken.tickets.map(ticket => ({ ticket, shard: part.number, server: ticket.server, dueMs }))
    this.lose(taken.expired)
    // What has expired and is not reported here was reported to another crawler, which asked before.
    if (taken.expired.length < MOST_EXPIRED) {
      const overdue = this.session.tickets.overdue(part.number, localMs - CLOCK_MS)
      this.lose(overdue.map(({ ticket: { id, isAuxiliary } }) => ({ ticketId: id, isAuxiliary })))
    }
    await this.letGo(taken, now)
    for (const one of own) {
      this.session.tickets.add(one)
      if (crawlers.hasLimit && !one.ticket.isAuxiliary) crawlers.spare--
    }
    await this.servers.passOn(part, now)
    return own
  }

  /** Leases that have expired are nobody's tickets any more; the permits of this client's are used again. */
  private lose(expired: readonly Pick<LostLease, 'ticketId' | 'isAuxiliary'>[]): void {
    const { tickets, crawlers } = this.session
    for (const { ticketId, isAuxiliary } of expired) {
      if (tickets.remove(ticketId) && crawlers.hasLimit && !isAuxiliary) crawlers.spare++
    }
  }

  private async letGo({ expired, wake }: ShardTaken, now: Moment): Promise<void> {
    const tokens = expired.flatMap(({ server, token }) => (server === undefined ? [] : [{ server, token }]))
    await Promise.all([
      this.servers.wake(wake, now),
      this.servers.release(
        tokens.map(token => ({ ...token, how: 'expired' as const })),
        now,
      ),
    ])
  }

  /** Gives back tickets whose servers have no room: their links keep their places, and their hosts wait in line. */
  private async park(
    denied: ReadonlyMap<OwnTicket, { parkedMs: number; isServerDown: boolean }>,
    now: Moment,
  ): Promise<void> {
    const { parts, tickets, crawlers } = this.session
    const groups = grouped([...denied], ([{ shard }]) => shard)
    await Promise.all(
      [...groups].map(async ([number, list]) => {
        const part = parts[number]!
        await part.shard.giveBack(
          list.map(([{ ticket }, how]) => ({ ticket, how })),
          now.engineMs,
        )
        part.isChanged = true
        await this.servers.passOn(part, now)
        for (const [{ ticket }] of list) {
          tickets.remove(ticket.id)
          if (crawlers.hasLimit && !ticket.isAuxiliary) crawlers.spare++
        }
      }),
    )
  }

  private waitMs({ localMs }: Moment): number | undefined {
    const { parts, crawlers, tickets } = this.session
    let nextMs = Number.POSITIVE_INFINITY
    for (const part of parts) nextMs = Math.min(nextMs, part.nextMs)
    const waitMs = Math.max(0, nextMs - localMs)
    const hasOthers = !crawlers.isAlone || parts.some(part => part.hasOthers(tickets.pagesIn(part.number)))
    if (hasOthers) return Math.min(waitMs, LONGEST_WAIT_MS)
    return waitMs === Number.POSITIVE_INFINITY ? undefined : waitMs
  }

  private async isOver(): Promise<boolean> {
    const { tickets, parts } = this.session
    if (tickets.size > 0 || parts.some(part => part.stillOpen > 0)) return false
    return isNothingLeft(parts)
  }
}

/** The part of `total` that the i-th of n gets. What is owed is owed by each of them: nobody knows whose leases will expire. */
function shareOf(total: number, n: number, i: number): number {
  if (total <= 0 || total === Number.POSITIVE_INFINITY) return total
  return Math.floor(total / n) + (i < total % n ? 1 : 0)
}

function ticketOf({ hostId: _, token: __, isAuxiliary: ___, ...ticket }: ShardTicket): Ticket {
  return ticket
}
