import { setImmediate as turn } from 'node:timers/promises'
import type { Clock, Timer } from '../../base/clock.ts'
import type { Frontier, Taken, Ticket, TicketId } from '../../frontier/frontier.ts'
import type { RunLimits } from '../limits.ts'
import type { Leases } from './leases.ts'
import type { NetworkWatch } from './network-watch.ts'
import type { Slots } from './slots.ts'

export interface CollectorRooms {
  readonly frontier: Pick<Frontier, 'take'>
  readonly slots: Slots
  readonly leases: Leases
  readonly network: NetworkWatch
  readonly limits: Pick<RunLimits, 'reached' | 'leftMs'>
  readonly clock: Clock
  readonly timer: Timer
  /** Lets go of requests that nobody waits for. */
  abandon(): void
  /** A ticket's whole life. */
  live(ticket: Ticket): Promise<void>
  /** The disk, or whoever reads the pages, has enough for now: no new links are taken until `goOn`. */
  isHeldUp(): boolean
}

/** `time`, `bytes`: `maxTimeMs`, `maxArchiveBytes` is reached. */
export type EndedBecause = 'limit' | 'nothing left' | 'stopped' | 'time' | 'bytes'

/** Page tickets beyond the slots, so that the next one is at hand when a request ends. */
const AHEAD = 0.5
/** Tickets are not taken one by one: each call waits for the disk. A share of the slots, less than what is ahead. */
const FEWEST = 0.2
/** While the network is away, so many are asked at a time to see whether it is back. */
const PROBES = 4
/** Longest sleep. */
const LONGEST_SLEEP_MS = 15_000

/** Leads a crawl: takes tickets that may be asked for, lets each live its life, and sleeps until something changes. */
export class Collector {
  private readonly rooms: CollectorRooms
  private readonly open = new Map<TicketId, Ticket>()
  private openPages = 0
  /** Fewer tickets could be taken than there was room for, at the last look. */
  isShort = false
  /** No new requests are made. */
  private stoppingFor: 'stopped' | 'time' | 'bytes' | undefined
  /** As many pages are archived as were wanted; whatever is still open is for none. */
  private isLimitReached = false
  private failure: { readonly error: unknown } | undefined
  /** Something changed since the last look. */
  private isChanged = false
  private wake = () => {}

  constructor(rooms: CollectorRooms) {
    this.rooms = rooms
  }

  /** Resolves when the crawl has ended and everything is kept. */
  async run(): Promise<EndedBecause> {
    for (;;) {
      // What ends in the same turn of the event loop makes room together.
      await turn()
      this.isChanged = false
      this.stopAtLimits()
      const max = this.room()
      const taken = max > 0 ? await this.take(max) : undefined
      await this.rooms.leases.renewIfDue()
      if (this.failure !== undefined) throw this.failure.error
      if (this.open.size === 0 && !this.isHeld()) {
        if (this.isLimitReached) return 'limit'
        if (this.stoppingFor !== undefined) return this.stoppingFor
        if (taken?.end !== undefined) return taken.end
      }
      if (taken?.end === 'limit') this.letGo()
      if (taken?.waitMs !== 0 || this.room() <= 0) await this.sleep(taken)
    }
  }

  /** Finishes the open requests, and makes no new ones. */
  stop(because: 'stopped' | 'time' | 'bytes' = 'stopped'): void {
    this.stoppingFor ??= because
    this.rooms.slots.stop()
    this.goOn()
  }

  fail(error: unknown): void {
    this.failure ??= { error }
    this.goOn()
  }

  /** Something has changed. */
  goOn(): void {
    this.isChanged = true
    this.wake()
  }

  /** Open requests are finished, and no new ones are made. */
  get isEnding(): boolean {
    return this.stoppingFor !== undefined || this.isLimitReached
  }

  private stopAtLimits(): void {
    const { reached } = this.rooms.limits
    if (reached !== undefined && this.stoppingFor === undefined) this.stop(reached)
  }

  private letGo(): void {
    this.isLimitReached = true
    this.rooms.slots.stop()
    this.rooms.abandon()
  }

  private async take(max: number): Promise<Taken> {
    const { frontier, leases, clock, network } = this.rooms
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
    this.rooms
      .live(ticket)
      .catch(error => this.fail(error))
      .finally(() => {
        this.open.delete(ticket.id)
        this.rooms.leases.close(ticket.id)
        if (ticket.kind === 'page') this.openPages--
        this.goOn()
      })
  }

  /** How many more tickets may be taken now. Those that are not for pages are bounded by the frontier. */
  private room(): number {
    const { slots, network } = this.rooms
    if (this.stoppingFor !== undefined || this.isLimitReached || this.failure !== undefined || this.isHeld()) return 0
    if (network.isAway) return network.probeInMs === 0 ? PROBES : 0
    const room = Math.ceil(slots.size * (1 + AHEAD)) - this.openPages
    return room < Math.ceil(slots.size * FEWEST) ? 0 : room
  }

  private isHeld(): boolean {
    return this.stoppingFor === undefined && this.rooms.isHeldUp()
  }

  private async sleep(taken: Taken | undefined): Promise<void> {
    if (this.isChanged) return
    const { network, timer, limits } = this.rooms
    const nextMs = network.isAway ? network.probeInMs : (taken?.waitMs ?? LONGEST_SLEEP_MS)
    const waitMs = this.stoppingFor === undefined ? Math.min(nextMs, limits.leftMs) : nextMs
    await new Promise<void>(resolve => {
      const cancel = timer(Math.min(Math.max(waitMs, 1), LONGEST_SLEEP_MS), resolve)
      this.wake = () => {
        cancel()
        resolve()
      }
    })
    this.wake = () => {}
  }
}
