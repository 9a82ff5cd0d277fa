import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../base/clock.ts'
import { said } from '../../base/messages/message.ts'
import { ByteWriter } from '../../base/structures/byte-writer.ts'
import {
  checkDuration,
  checkHints,
  checkLinks,
  checkMost,
  checkName,
  checkPlans,
  checkSettlements,
  checkTime,
  checkVisits,
  closed,
} from '../checks.ts'
import type {
  CrawlFrontier,
  FormerVisit,
  FrontierChange,
  FrontierRules,
  FrontierSupport,
  Hint,
  Hold,
  Link,
  PlannedVisit,
  Settled,
  Settlement,
  Taken,
  TicketId,
} from '../frontier.ts'
import { changedSettings } from '../options.ts'
import { CLEARED_REASON, EVENT } from './journal/events.ts'
import type { LinkLog } from './journal/link-log.ts'
import type { LinkTexts } from './journal/link-texts.ts'
import { change } from './moves/changing.ts'
import { clearFirst, requeue } from './moves/link-control.ts'
import { LocalOffering } from './moves/offering.ts'
import { Planning } from './moves/planning.ts'
import { type Reopening, reopen } from './moves/reopening.ts'
import { forgetAll, LocalSettling } from './moves/settling.ts'
import { LocalTaking } from './moves/taking.ts'
import { giveBack, place, renew } from './moves/tickets.ts'
import { ReadableFrontier } from './read-only.ts'
import type { Keeper } from './snapshot/snapshot-keeper.ts'
import type { FrontierState } from './state/state.ts'

export interface LocalFrontierDeps {
  readonly state: FrontierState
  readonly log: LinkLog
  readonly texts: LinkTexts
  readonly keeper: Keeper
  readonly clock: Clock
  readonly canReopen: boolean
}

/**
 * The frontier on one machine. Every change is made in memory and appended to the log in the same step, and acknowledged
 * when the log is safe; opening a folder replays the changes.
 */
export class LocalFrontier extends ReadableFrontier implements Required<CrawlFrontier> {
  readonly supports: FrontierSupport
  readonly rules: FrontierRules = this
  private readonly deps: LocalFrontierDeps
  private readonly out = new ByteWriter()
  private readonly offering: LocalOffering
  private readonly taking: LocalTaking
  private readonly planning: Planning
  private readonly settling: LocalSettling
  private isClosed = false
  private failure: unknown
  /** The latest time in the log, and that of the frame being written. */
  private writtenMs: number
  private frameMs = 0

  constructor(deps: LocalFrontierDeps) {
    super(deps.state, deps.texts, deps.clock)
    this.deps = deps
    this.offering = new LocalOffering(deps.state, this.out)
    this.taking = new LocalTaking(deps.state, deps.texts, this.out)
    this.planning = new Planning(deps.state, this.offering, deps.texts, this.out)
    this.settling = new LocalSettling(deps.state, this.offering, this.planning, this.out)
    this.supports = { exactOrder: true, reopen: deps.canReopen }
    this.writtenMs = deps.state.latestMs
  }

  async offer(links: readonly Link[]): Promise<number> {
    this.check()
    checkLinks(links)
    this.begin(EVENT.OFFERED)
    const added = this.offering.add(links)
    if (this.offering.hasChanged) this.append()
    // Even when all were known: that must not be reported before it would survive a crash.
    await this.safe()
    return added
  }

  async take(max: number): Promise<Taken> {
    this.check()
    checkMost(max)
    const nowMs = this.seenMs()
    this.begin(EVENT.LEASED, nowMs)
    const taken = this.takeOrStop(max, nowMs)
    if (this.taking.hasChanged) this.append()
    await this.safe()
    return taken
  }

  async place(ticketId: TicketId, server: string): Promise<boolean> {
    this.check()
    checkName(server)
    const nowMs = this.seenMs()
    this.begin(EVENT.PLACED, nowMs)
    const emptyBytes = this.out.length
    const isGood = place(this.state, ticketId, server, nowMs, this.out)
    if (this.out.length > emptyBytes) this.append()
    await this.safe()
    return isGood
  }

  async settle(settlements: readonly Settlement[]): Promise<Settled> {
    this.check()
    checkSettlements(settlements)
    const nowMs = this.seenMs()
    this.begin(EVENT.SETTLED, nowMs)
    const settled = this.settling.settle(settlements, nowMs)
    if (this.settling.hasChanged) this.append()
    await this.safe()
    return settled
  }

  async settleFormer(visits: readonly FormerVisit[]): Promise<Settled> {
    this.check()
    checkVisits(visits)
    const nowMs = this.seenMs()
    this.begin(EVENT.SETTLED_FORMER, nowMs)
    const settled = this.settling.settleFormer(visits, nowMs)
    if (this.settling.hasChanged) this.append()
    await this.safe()
    return settled
  }

  plan(visits: readonly PlannedVisit[]): Promise<number> {
    return this.planAll(visits, false)
  }

  replan(visits: readonly PlannedVisit[]): Promise<number> {
    return this.planAll(visits, true)
  }

  private async planAll(visits: readonly PlannedVisit[], isAnew: boolean): Promise<number> {
    this.check()
    checkPlans(visits)
    return this.ifAny(EVENT.PLANNED, this.seenMs(), () => this.planning.plan(visits, isAnew))
  }

  async hint(hints: readonly Hint[], most = Infinity): Promise<number> {
    this.check()
    checkHints(hints)
    const nowMs = this.seenMs()
    return this.ifAny(EVENT.HINTED, nowMs, () => this.planning.hint(hints, nowMs, most))
  }

  async giveBack(ticketIds: readonly TicketId[]): Promise<void> {
    this.check()
    await this.ifAny(EVENT.GIVEN_BACK, undefined, () => giveBack(this.state, ticketIds, this.out))
  }

  async renew(ticketIds: readonly TicketId[]): Promise<readonly TicketId[]> {
    this.check()
    const nowMs = this.seenMs()
    this.begin(EVENT.RENEWED, nowMs)
    if (renew(this.state, ticketIds, nowMs, this.out) > 0) this.append()
    const closed = ticketIds.filter(id => this.state.leases.get(id) === undefined)
    await this.safe()
    return closed
  }

  async hold(host: string, { forMs, isAnew = false }: Hold): Promise<void> {
    this.check()
    checkName(host)
    checkDuration(forMs)
    const nowMs = this.seenMs()
    this.begin(isAnew ? EVENT.HELD_ANEW : EVENT.HELD)
    this.out.text(host)
    this.out.f64(nowMs)
    this.out.f64(forMs)
    this.state.hold(this.state.knowHost(host), nowMs, forMs, isAnew)
    await this.write()
  }

  async setDelay(host: string, delayMs: number): Promise<void> {
    this.check()
    checkName(host)
    checkDuration(delayMs)
    this.begin(EVENT.DELAYED)
    this.out.text(host)
    this.out.f64(delayMs)
    this.state.setDelay(this.state.knowHost(host), delayMs)
    await this.write()
  }

  async note(host: string, key: string, bytes: Uint8Array, forMs: number): Promise<void> {
    this.check()
    checkName(host)
    checkDuration(forMs)
    const nowMs = this.seenMs()
    this.state.notes.set(host, key, bytes, nowMs + forMs)
  }

  async requeue(links: readonly Link[]): Promise<number> {
    this.check()
    checkLinks(links)
    return this.ifAny(EVENT.REQUEUED, undefined, () => requeue(this.state, this.views.textsInOrder, links, this.out))
  }

  async clear(host?: string, onCleared?: (links: readonly Link[]) => void): Promise<void> {
    this.check()
    if (host === undefined) {
      this.begin(EVENT.CLEARED)
      this.state.clear()
      this.append()
    } else if (onCleared !== undefined) await this.clearInSteps(host, onCleared)
    else if (this.state.hostNamed(host) !== 0) {
      this.begin(EVENT.HOST_CLEARED)
      this.out.text(host)
      forgetAll(this.state, this.state.hostNamed(host), CLEARED_REASON)
      this.append()
    }
    await this.safe()
  }

  async change(options: FrontierChange): Promise<void> {
    this.check()
    if (change(this.state, changedSettings(this.state.settings, options))) {
      this.begin(EVENT.NEW_TURNS)
      this.append()
    }
    await this.safe()
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    const { log, keeper } = this.deps
    try {
      if (this.failure === undefined && !log.hasStopped) {
        this.writeLatest()
        await keeper.beforeClose()
      }
      await log.close()
    } finally {
      keeper.close()
    }
  }

  /** Applies an opening to what the former owner left. */
  async reopen(opening: Reopening, onRepair: (message: string) => void): Promise<void> {
    const { movedMs, hasChanged } = reopen(this.state, opening)
    if (movedMs > 0) onRepair(said('local/clock-went-back', { by: movedMs }))
    if (hasChanged) {
      this.begin(EVENT.OPENED, opening.nowMs)
      this.out.f64(opening.delayMs)
      this.out.f64(opening.retries)
      this.append()
      this.writtenMs = opening.nowMs
    }
    this.state.goLive()
    if (hasChanged) await this.safe()
  }

  /** Between two steps the event loop gets a turn, and other calls may come. */
  private async clearInSteps(host: string, onCleared: (links: readonly Link[]) => void): Promise<void> {
    for (
      let left = this.state.lists.count(this.state.hostNamed(host));
      this.state.hostNamed(host) !== 0;
      await turn()
    ) {
      this.check()
      this.begin(EVENT.FIRST_CLEARED)
      const links = clearFirst(this.state, this.views, host, left, onCleared, this.out)
      this.append()
      left -= links
      if (links === 0 || left <= 0) return
    }
  }

  /** After damage nothing more is leased; opening the folder again finds the same. */
  private takeOrStop(max: number, nowMs: number): Taken {
    try {
      return this.taking.take(max, nowMs)
    } catch (error) {
      this.failure = error
      throw error
    }
  }

  /** The time of a call. */
  private seenMs(): number {
    const nowMs = this.deps.clock()
    checkTime(nowMs)
    this.state.saw(nowMs)
    return nowMs
  }

  /** Writes the time of calls that wrote nothing else; done at the end. */
  private writeLatest(): void {
    if (this.state.latestMs <= this.writtenMs) return
    this.begin(EVENT.SEEN, this.state.latestMs)
    this.append()
  }

  /** Begins a frame, with its time if it has one. */
  private begin(kind: number, nowMs?: number): void {
    this.offering.begin(this.deps.log.next())
    this.out.clear()
    this.out.u8(kind)
    if (nowMs !== undefined) this.out.f64(nowMs)
    this.frameMs = nowMs ?? this.writtenMs
  }

  private append(): void {
    this.deps.log.append(this.out.bytes)
    this.writtenMs = Math.max(this.writtenMs, this.frameMs)
  }

  /** Makes a change and writes it, unless it concerns nothing. Returns how many links or tickets it concerns. */
  private async ifAny(kind: number, nowMs: number | undefined, change: () => number): Promise<number> {
    this.begin(kind, nowMs)
    const count = change()
    if (count > 0) this.append()
    await this.safe()
    return count
  }

  private async write(): Promise<void> {
    this.append()
    await this.safe()
  }

  private async safe(): Promise<void> {
    await this.deps.log.commit()
    if (!this.isClosed) this.deps.keeper.afterChange()
  }

  protected check(): void {
    if (this.isClosed) throw closed()
    if (this.failure !== undefined) throw this.failure
    this.deps.log.check()
  }
}
