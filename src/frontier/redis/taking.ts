import { hash32 } from '../domain-hash.ts'
import type { Taken, Ticket } from '../frontier.ts'
import type { OwnTicket } from './own-tickets.ts'
import { admit, changed, releaseExpired, reportDequeued, wake } from './servers.ts'
import { type Call, type EngineSession, grouped, inShards, localTime, type TrackedShard } from './session.ts'
import { type Admission, type LostLease, leaseKindOf, type Quotas, type ShardTicket } from './shard/moves.ts'

/** This many shards are asked at once, each for at most this many tickets and, while there is plenty, at least this many. */
const MOST_SHARDS = 8
const MOST_TICKETS = 128
const FEWEST_TICKETS = 32
/** How often the same shards are asked again in vain: what is denied again and again must not hold a take up. */
const MOST_VAIN_ROUNDS = 16
/** A shard reports no more expired leases at once. */
const MOST_EXPIRED = 256
/** Two clocks run apart by no more than this during a lease. */
const CLOCK_MS = 1000
/** While other crawlers are alive, they may have made something ready. */
const LONGEST_WAIT_MS = 500

/** One shard to ask. */
interface Ask extends Quotas {
  readonly shard: TrackedShard
  readonly max: number
}

type Denied = Extract<Admission, { readonly isGranted: false }>

/** Leases what can be leased, of all shards. */
export class Taking {
  private readonly session: EngineSession
  /** Called when a shard leases nothing until this crawler has looked for losses. */
  onHeld: () => void = () => {}
  /** The last call, until it has ended. */
  underWay: Promise<unknown> = Promise.resolve()
  private readonly shares = new Shares()
  private lastId: number
  /** Enough pages are done, and due links are the only ones that are still wanted. */
  private isFull = false

  constructor(session: EngineSession) {
    this.session = session
    this.lastId = session.opening * 2 ** 32
  }

  /** One call at a time. */
  take(most: number, nowMs: Call['nowMs']): Promise<Taken> {
    const taken = this.takeNow(most, { session: this.session, nowMs })
    this.underWay = taken.catch(() => {})
    return taken
  }

  private async takeNow(most: number, call: Call): Promise<Taken> {
    const max = Math.max(0, Math.ceil(most))
    const { crawlers, settings } = this.session
    const reported = crawlers.hasLimit ? await crawlers.permit(max) : undefined
    const isEnough = reported !== undefined && reported.pages >= settings.limit
    this.isFull = isEnough && settings.recrawl
    const tickets = await this.fill(max, call)
    crawlers.giveUpSpare()
    const waitMs = max >= 1 && tickets.length >= max ? 0 : this.waitMs(call)
    const taken = { tickets: tickets.map(ticketOf), waitMs }
    if (isEnough && !settings.recrawl) return { ...taken, end: 'limit' }
    if (!(await this.isOver(call))) return taken
    const why = isEnough ? 'limit' : 'nothing left'
    const isPause = settings.recrawl && this.session.shards.some(({ remaining }) => remaining.planned > 0)
    return isPause ? { ...taken, pause: why } : { ...taken, end: why }
  }

  private async fill(max: number, call: Call): Promise<ShardTicket[]> {
    const tickets: ShardTicket[] = []
    const asked = new Set<TrackedShard>()
    const { shards, crawlers } = this.session
    const order = this.shares.order(shards.length, crawlers.alive).map(number => shards[number]!)
    let isShort = false
    let inVain = 0
    while (inVain < MOST_VAIN_ROUNDS) {
      const missing = Math.max(0, max - tickets.length)
      if (missing < 1 && max >= 1) break
      const asks = this.asks(order, asked, missing, isShort, localTime(call.nowMs))
      if (asks.length === 0) break
      const isRepeated = asks.every(({ shard }) => asked.has(shard))
      for (const { shard } of asks) asked.add(shard)
      const came = await this.round(asks, call)
      tickets.push(...came)
      inVain = isRepeated && came.length === 0 ? inVain + 1 : 0
      isShort = came.length < missing
    }
    this.shares.passOver(asked.size)
    return tickets
  }

  /** Which shards to ask next, and for how much: what may be opened is shared out, so that together they never give too much. */
  private asks(
    order: readonly TrackedShard[],
    asked: ReadonlySet<TrackedShard>,
    missing: number,
    isShort: boolean,
    localMs: number,
  ): Ask[] {
    const { tickets, crawlers, settings } = this.session
    const quotas = {
      pages: crawlers.hasLimit ? crawlers.spare : Number.POSITIVE_INFINITY,
      unproven: settings.unproven - tickets.unproven,
      auxiliaries: settings.auxiliaries - tickets.auxiliaries,
    }
    const { isAlone } = crawlers
    // Visits again are not bounded.
    const joinable = this.isFull ? { ...quotas, pages: Number.POSITIVE_INFINITY } : quotas
    const isWorthwhile = (shard: TrackedShard) => {
      if (missing >= 1 && shard.hasFor(joinable)) return true
      return asked.has(shard) ? shard.isChanged : shard.isDue(localMs, isAlone, tickets.pagesIn(shard.number))
    }
    const parallel = missing < 1 || isShort ? MOST_SHARDS : Math.ceil(missing / FEWEST_TICKETS)
    const most = Math.min(parallel, MOST_SHARDS, Math.max(missing, missing < 1 ? MOST_SHARDS : 1))
    const shards: TrackedShard[] = []
    for (const shard of order) {
      if (shards.length >= most) break
      if (isWorthwhile(shard)) shards.push(shard)
    }
    return shards.map((shard, i) => ({
      shard,
      max: Math.min(MOST_TICKETS, shareOf(missing, shards.length, i)),
      pages: shareOf(quotas.pages, shards.length, i),
      unproven: shareOf(quotas.unproven, shards.length, i),
      auxiliaries: shareOf(quotas.auxiliaries, shards.length, i),
    }))
  }

  /** Asks some shards, and the servers of the hosts that they lease. Returns the tickets that may be used. */
  private async round(asks: readonly Ask[], call: Call): Promise<ShardTicket[]> {
    const came = await Promise.all(asks.map(ask => this.ask(ask, call)))
    const all = came.flat()
    const atServers = all.filter(({ server }) => server !== undefined).map(own => ({ own, server: own.server! }))
    if (atServers.length === 0) return all.map(({ ticket }) => ticket)
    const admissions = await admit(call, atServers)
    const denied = new Map<OwnTicket, Denied>()
    for (const [i, { own }] of atServers.entries()) {
      const admission = admissions[i]!
      if (!admission.isGranted) denied.set(own, admission)
    }
    await this.park(denied, call)
    return all.filter(own => !denied.has(own)).map(({ ticket }) => ticket)
  }

  private async ask({ shard, max, ...quotas }: Ask, call: Call): Promise<OwnTicket[]> {
    const { crawlers, tickets, settings } = this.session
    shard.isChanged = false
    const firstId = this.lastId + 1
    this.lastId += max
    if (!shard.isWeighed(this.isFull)) await shard.weigh(this.isFull, call.nowMs)
    const taken = await shard.take({ ...quotas, max, firstId }, call.nowMs)
    if (taken.isToLook) this.onHeld()
    const isChangedSince = shard.isChanged
    const localMs = localTime(call.nowMs)
    shard.heard(taken, localMs, max >= 1 && taken.tickets.length >= max)
    // Another client, or an earlier run, may have seen it otherwise, or have stopped halfway.
    if (isChangedSince || !shard.isWeighed(this.isFull)) shard.isChanged = true
    const dueMs = localMs + settings.leaseMs
    const own = taken.tickets.map(ticket => ({ ticket, shard: shard.number, server: ticket.server, dueMs }))
    this.lose(taken.expired)
    // What has expired and is not reported here was reported to another crawler, which asked before.
    if (taken.expired.length < MOST_EXPIRED) {
      const overdue = tickets.overdue(shard.number, localMs - CLOCK_MS)
      this.lose(overdue.map(({ ticket }) => ({ ticketId: ticket.id, what: leaseKindOf(ticket) })))
    }
    await Promise.all([wake(call, taken.wake), releaseExpired(call, taken.expired)])
    for (const one of own) {
      tickets.add(one)
      if (crawlers.hasLimit && leaseKindOf(one.ticket) === 'page') crawlers.spare--
    }
    await reportDequeued(call, shard)
    return own
  }

  /** Leases that have expired are tickets no longer; the permits of this client's are used again. */
  private lose(expired: readonly Pick<LostLease, 'ticketId' | 'what'>[]): void {
    const { tickets, crawlers } = this.session
    for (const { ticketId, what } of expired) {
      if (tickets.remove(ticketId) && crawlers.hasLimit && what === 'page') crawlers.spare++
    }
  }

  /** Gives back tickets whose servers have no room: their links keep their places, and their hosts wait in the server's queue. */
  private async park(denied: ReadonlyMap<OwnTicket, Denied>, call: Call): Promise<void> {
    const groups = grouped([...denied], ([own]) => own.shard)
    await inShards(this.session, groups, async (shard, list) => {
      const returned = list.map(([{ ticket }, { laterMs, isDown }]) => {
        return { ticket, how: { parkedMs: laterMs, isServerDown: isDown, isUnseen: true } }
      })
      await shard.giveBack(returned, call.nowMs)
      await changed(call, shard)
      this.lose(list.map(([{ ticket }]) => ({ ticketId: ticket.id, what: leaseKindOf(ticket) })))
    })
  }

  private waitMs({ nowMs }: Call): number | undefined {
    const { shards, crawlers, tickets } = this.session
    let nextMs = Number.POSITIVE_INFINITY
    for (const shard of shards) nextMs = Math.min(nextMs, shard.nextMs)
    const waitMs = Math.max(0, nextMs - localTime(nowMs))
    const hasOthers = !crawlers.isAlone || shards.some(shard => shard.hasOthers(tickets.pagesIn(shard.number)))
    if (hasOthers) return Math.min(waitMs, LONGEST_WAIT_MS)
    return waitMs === Number.POSITIVE_INFINITY ? undefined : waitMs
  }

  /**
   * Whether nothing is left in any shard, for any crawler. Shards are looked at one after the other while others work on them, and
   * a link may move unseen from one that was not looked at yet to one that was; but then the other knows one link more. So
   * two looks in a row must show nothing left and the same number known.
   */
  private async isOver(call: Call): Promise<boolean> {
    const { tickets, shards } = this.session
    if (tickets.size > 0 || this.isSomethingLeft()) return false
    const look = async () => {
      await Promise.all(shards.map(async shard => (shard.remaining = await shard.left(call.nowMs))))
      return this.isSomethingLeft() ? undefined : shards.reduce((known, { remaining }) => known + remaining.known, 0)
    }
    const known = await look()
    return known !== undefined && known === (await look())
  }

  private isSomethingLeft(): boolean {
    const { shards, settings } = this.session
    const wanted = { isFull: this.isFull, recrawl: settings.recrawl }
    return shards.some(shard => shard.stillOpen(wanted) > 0)
  }
}

/** The part of `total` that the i-th of n gets. What is owed is owed by each of them: it isn't known whose leases will expire. */
function shareOf(total: number, n: number, i: number): number {
  if (total <= 0 || total === Number.POSITIVE_INFINITY) return total
  return Math.floor(total / n) + (i < total % n ? 1 : 0)
}

function ticketOf({ hostId: _, isAuxiliary: __, ...ticket }: ShardTicket): Ticket {
  return ticket
}

/**
 * The shards in the order in which a crawler asks them: its own, then the others; each kind in turn, so that no shard waits
 * for ever. A shard belongs to the living crawler whose hash with it is highest (rendezvous hashing): a crawler that comes or goes
 * moves only its own share.
 */
export class Shares {
  private own: number[] = []
  private others: number[] = []
  private turn = 0
  private sharedAmong = ''

  /** `alive`: this crawler first. */
  order(shards: number, alive: readonly string[]): number[] {
    const among = `${shards} ${alive.toSorted().join(' ')}`
    if (among !== this.sharedAmong) {
      this.sharedAmong = among
      const numbers = Array.from({ length: shards }, (_, shard) => shard)
      this.own = numbers.filter(shard => ownerOf(shard, alive) === alive[0])
      this.others = numbers.filter(shard => ownerOf(shard, alive) !== alive[0])
    }
    return [...turned(this.own, this.turn), ...turned(this.others, this.turn)]
  }

  /** This many shards were asked; the next ones are first next time. */
  passOver(asked: number): void {
    this.turn += asked
  }
}

/** To which of the living crawlers a shard belongs. */
export function ownerOf(shard: number, alive: readonly string[]): string | undefined {
  let owner: string | undefined
  let highest = -1
  for (const id of alive) {
    const hash = hash32(`${shard} ${id}`)
    if (hash < highest || (hash === highest && owner !== undefined && id > owner)) continue
    highest = hash
    owner = id
  }
  return owner
}

function turned(list: readonly number[], turn: number): number[] {
  const start = list.length === 0 ? 0 : turn % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}
