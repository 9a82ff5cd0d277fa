import type { Settlement, TicketId } from '../frontier.ts'
import type { ShardTicket } from './shard/moves.ts'

/** How many hosts are remembered; beyond that, those whose time is over are forgotten, then the oldest. */
const MOST_HOSTS = 100_000

/**
 * What this client would have to tell an engine that forgot it, so that no host is asked too early: how long hosts that it asked
 * are to be left alone, and the delays that it set.
 */
export class RecentVisits {
  /** Tickets whose leases the engine has forgotten while they were open, with their hosts. */
  readonly interrupted = new Map<TicketId, string>()
  /** Until when, by this client's clock. */
  private readonly untilMs = new Map<string, number>()
  private readonly delaysMs = new Map<string, number>()
  private readonly leastDelayMs: number

  constructor(leastDelayMs: number) {
    this.leastDelayMs = leastDelayMs
  }

  settled({ host }: Pick<ShardTicket, 'host'>, { shown, delayMs }: Settlement, localMs: number): void {
    if (shown === undefined) return
    if (this.untilMs.size >= MOST_HOSTS) this.prune(localMs)
    this.untilMs.delete(host)
    this.untilMs.set(host, localMs + this.pauseMs(host, delayMs))
  }

  /** How long a host is to be left alone after a visit that asks for this much. */
  pauseMs(host: string, delayMs: number): number {
    return Math.max(delayMs, this.leastDelayMs, this.delaysMs.get(host) ?? 0)
  }

  setDelay(host: string, delayMs: number): void {
    this.delaysMs.delete(host)
    if (delayMs <= this.leastDelayMs) return
    if (this.delaysMs.size >= MOST_HOSTS) this.delaysMs.delete(this.delaysMs.keys().next().value!)
    this.delaysMs.set(host, delayMs)
  }

  /** The hosts that are to be left alone for some time, and how long. */
  restsAt(localMs: number): [string, number][] {
    this.prune(localMs)
    return [...this.untilMs].map(([host, untilMs]) => [host, untilMs - localMs])
  }

  get delays(): ReadonlyMap<string, number> {
    return this.delaysMs
  }

  private prune(localMs: number): void {
    for (const [host, untilMs] of this.untilMs) if (untilMs <= localMs) this.untilMs.delete(host)
    if (this.untilMs.size >= MOST_HOSTS) this.untilMs.delete(this.untilMs.keys().next().value!)
  }
}
