import type { Clock, Timer } from '../base/clock.ts'
import type { RunLimits } from '../decide/limits.ts'
import type { Frontier, Taken, Ticket, TicketId } from '../frontier/frontier.ts'
import type { EndedBecause } from '../settings/events.ts'
import type { NetworkWatch } from './network-watch.ts'
import type { Slots } from './slots.ts'

export interface CollectorDeps {
  readonly frontier: Pick<Frontier, 'take'>
  readonly slots: Slots
  readonly leases: OpenLeases
  readonly network: NetworkWatch
  readonly limits: Pick<RunLimits, 'reached' | 'leftMs'>
  readonly clock: Clock
  readonly timer: Timer
  abandon(): void
  live(ticket: Ticket): Promise<void>
  /** Whether the crawl is paused, or the disk or the reader of the pages cannot keep up: no new links are taken until `goOn`. */
  isHeldUp(): boolean
  /** The crawl ends when nothing is due and nothing new is left; otherwise it waits for the next visit. Default false. */
  readonly endsAtPause?: boolean
  /** How long it sleeps at most before it looks at the clock. Default 15 s: timers stop while a computer sleeps. */
  readonly longestSleepMs?: number
}

/** Page tickets taken beyond the slots, as a share of them: the next one is ready when a request ends, and others are being settled. */
const AHEAD = 1.5
/** Tickets are taken in batches of at least this share, since each call waits for the disk or the network. Smaller than `AHEAD`. */
const FEWEST = 0.5
/** While the network is down, this many hosts are tried at a time to see whether it is back. */
const PROBES = 4
const LONGEST_SLEEP_MS = 15_000

/** The main loop of a crawl: takes tickets that are due, starts the life of each, and sleeps until something changes. */
export class Collector {
  private readonly deps: CollectorDeps
  private readonly open = new Map<TicketId, Ticket>()
  private openPages = 0
  /** At the last attempt, fewer tickets could be taken than there was room for. */
  isShort = false
  /** Set once no new requests may be made: why. */
  private stoppingFor: 'stopped' | 'time' | 'bytes' | undefined
  /** All wanted pages are archived; open requests are no longer needed. */
  private isLimitReached = false
  private failure: { readonly error: unknown } | undefined
  /** Something has changed since tickets were last taken. */
  private isChanged = false
  private wake = () => {}
  private taking: Promise<Taken> | undefined
  private readonly waiters: { resolve(): void; reject(error: unknown): void }[] = []

  constructor(deps: CollectorDeps) {
    this.deps = deps
  }

  /** Resolves when the crawl has ended and everything is safe. */
  async run(): Promise<EndedBecause> {
    for (;;) {
      // Tickets that end in the same turn of the event loop free their room together.
      await new Promise<void>(resolve => this.deps.timer(0, resolve))
      this.isChanged = false
      this.stopAtLimits()
      const max = this.room()
      this.taking = max > 0 ? this.take(max) : undefined
      const taken = await this.taking
      await this.deps.leases.renewIfDue()
      if (this.failure !== undefined) throw this.failure.error
      if (this.open.size === 0 && !this.isHeld()) {
        if (this.isLimitReached) return 'limit'
        if (this.stoppingFor !== undefined) return this.stoppingFor
        const end = taken?.end ?? (this.deps.endsAtPause ? taken?.pause : undefined)
        if (end !== undefined) return end
      }
      if (taken?.end === 'limit') this.letGo()
      if (taken?.waitMs !== 0 || this.room() <= 0) await this.sleep(taken)
    }
  }

  stop(because: 'stopped' | 'time' | 'bytes' = 'stopped'): void {
    this.stoppingFor ??= because
    this.deps.slots.stop()
    this.goOn()
  }

  fail(error: unknown): void {
    this.failure ??= { error }
    for (const { reject } of this.waiters.splice(0)) reject(error)
    this.goOn()
  }

  /** Resolves once no ticket is open; for that, no new ones may be taken (`isHeldUp`). */
  async quiet(): Promise<void> {
    if (this.failure !== undefined) throw this.failure.error
    // Tickets that are being taken are open when that is done.
    await this.taking?.catch(() => {})
    if (this.open.size > 0) await new Promise<void>((resolve, reject) => this.waiters.push({ resolve, reject }))
  }

  goOn(): void {
    this.isChanged = true
    this.wake()
  }

  /** Whether open requests are being finished and no new ones are made. */
  get isEnding(): boolean {
    return this.stoppingFor !== undefined || this.isLimitReached
  }

  private stopAtLimits(): void {
    const { reached } = this.deps.limits
    if (reached !== undefined && this.stoppingFor === undefined) this.stop(reached)
  }

  private letGo(): void {
    this.isLimitReached = true
    this.deps.slots.stop()
    this.deps.abandon()
  }

  private async take(max: number): Promise<Taken> {
    const { frontier, leases, clock, network } = this.deps
    const askedMs = clock()
    if (network.isAway) network.probed()
    const taken = await frontier.take(max)
    this.isShort = taken.tickets.length < max
    for (const ticket of taken.tickets) {
      leases.open(ticket, askedMs)
      this.begin(ticket)
    }
    return taken
  }

  private begin(ticket: Ticket): void {
    this.open.set(ticket.id, ticket)
    if (ticket.kind === 'page') this.openPages++
    this.deps.live(ticket).then(
      () => this.end(ticket),
      error => {
        this.fail(error)
        this.end(ticket)
      },
    )
  }

  private end({ id, kind }: Ticket): void {
    this.open.delete(id)
    this.deps.leases.close(id)
    if (kind === 'page') this.openPages--
    if (this.open.size === 0) for (const { resolve } of this.waiters.splice(0)) resolve()
    this.goOn()
  }

  /** How many more page tickets may be taken now. The frontier bounds the other kinds. */
  private room(): number {
    const { slots, network } = this.deps
    if (this.isEnding || this.failure !== undefined || this.isHeld()) return 0
    if (network.isAway) return network.probeInMs === 0 ? PROBES : 0
    const room = Math.ceil(slots.size * (1 + AHEAD)) - this.openPages
    return room < Math.ceil(slots.size * FEWEST) ? 0 : room
  }

  private isHeld(): boolean {
    return !this.isEnding && this.deps.isHeldUp()
  }

  private async sleep(taken: Taken | undefined): Promise<void> {
    if (this.isChanged) return
    const { network, timer, limits, longestSleepMs = LONGEST_SLEEP_MS } = this.deps
    // Otherwise the network is not probed, and the time of the next probe is long past.
    const isProbing = network.isAway && !this.isEnding && !this.isHeld()
    const nextMs = isProbing ? network.probeInMs : (taken?.waitMs ?? longestSleepMs)
    const waitMs = this.stoppingFor === undefined ? Math.min(nextMs, limits.leftMs) : nextMs
    await new Promise<void>(resolve => {
      const cancel = timer(Math.min(Math.max(waitMs, 1), longestSleepMs), resolve)
      this.wake = () => {
        cancel()
        resolve()
      }
    })
    this.wake = () => {}
  }
}

/** How many times an open ticket is renewed in the time of one lease. */
const RENEWALS = 4

/** Renews the leases of open tickets, and knows which ones have run out. */
export class OpenLeases {
  private readonly frontier: Pick<Frontier, 'renew'>
  private readonly clock: Clock
  private readonly dueMs = new Map<TicketId, number>()
  private leaseMs = 0
  private renewedMs: number

  constructor(frontier: Pick<Frontier, 'renew'>, clock: Clock) {
    this.frontier = frontier
    this.clock = clock
    this.renewedMs = clock()
  }

  /** `askedMs`: when the ticket was requested. The lease began later, so this errs on the safe side. */
  open({ id, leaseMs }: Ticket, askedMs: number): void {
    this.leaseMs = leaseMs
    this.dueMs.set(id, askedMs + leaseMs)
  }

  close(id: TicketId): void {
    this.dueMs.delete(id)
  }

  endsWithin({ id }: Ticket, ms: number): boolean {
    return (this.dueMs.get(id) ?? 0) - this.clock() < ms
  }

  async renewIfDue(): Promise<void> {
    const nowMs = this.clock()
    if (this.dueMs.size === 0 || nowMs - this.renewedMs < this.leaseMs / RENEWALS) return
    this.renewedMs = nowMs
    const ids = [...this.dueMs.keys()]
    const late = new Set(await this.frontier.renew(ids))
    for (const id of ids) if (this.dueMs.has(id)) this.dueMs.set(id, late.has(id) ? 0 : nowMs + this.leaseMs)
  }
}
