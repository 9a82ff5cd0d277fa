import { setImmediate as turn } from 'node:timers/promises'
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
  VisitPlans,
} from '../frontier.ts'
import { changedSettings } from '../options.ts'
import {
  CLEARED,
  CLEARED_REASON,
  DELAYED,
  FIRST_CLEARED,
  GIVEN_BACK,
  HELD,
  HELD_ANEW,
  HINTED,
  HOST_CLEARED,
  LEASED,
  NEW_TURNS,
  OFFERED,
  OPENED,
  PLACED,
  PLANNED,
  RENEWED,
  REQUEUED,
  SEEN,
  SETTLED,
  SETTLED_FORMER,
} from './journal/events.ts'
import { change } from './moves/changing.ts'
import { Clearing } from './moves/clearing.ts'
import { LocalOffering } from './moves/offering.ts'
import { Placing } from './moves/placing.ts'
import { Planning } from './moves/planning.ts'
import { type Reopening, reopen } from './moves/reopening.ts'
import { Requeueing } from './moves/requeueing.ts'
import { Returning } from './moves/returning.ts'
import { forgetAll, LocalSettling } from './moves/settling.ts'
import { LocalTaking } from './moves/taking.ts'
import { ReadableFrontier } from './read-only.ts'
import type { Parts } from './state/parts.ts'

/**
 * The frontier on one machine. Every change is made in memory and appended to the log in the same step, and acknowledged
 * when the log is safe; opening a folder replays the changes.
 */
export class LocalFrontier extends ReadableFrontier implements Required<CrawlFrontier> {
  readonly supports: FrontierSupport
  readonly plans: VisitPlans = this
  readonly rules: FrontierRules = this
  private readonly parts: Parts
  private readonly out = new ByteWriter()
  private readonly offering: LocalOffering
  private readonly taking: LocalTaking
  private readonly placing: Placing
  private readonly planning: Planning
  private readonly settling: LocalSettling
  private readonly returning: Returning
  private readonly requeueing: Requeueing
  private readonly clearing: Clearing
  private isClosed = false
  private failure: unknown
  /** The latest time in the log, and that of the frame being written. */
  private writtenMs: number
  private frameMs = 0

  constructor(parts: Parts) {
    super(parts.state, parts.texts, parts.clock)
    this.parts = parts
    this.offering = new LocalOffering(parts.state, this.out)
    this.taking = new LocalTaking(parts.state, parts.texts, this.out)
    this.placing = new Placing(parts.state, this.out)
    this.planning = new Planning(parts.state, this.offering, parts.texts, this.out)
    this.settling = new LocalSettling(parts.state, this.offering, this.planning, this.out)
    this.returning = new Returning(parts.state, this.out)
    this.requeueing = new Requeueing(parts.state, parts.texts.inOrder(), this.out)
    this.clearing = new Clearing(parts.state, this.views, this.out)
    this.supports = { exactOrder: true, reopen: parts.canReopen }
    this.writtenMs = parts.state.latestMs
  }

  async offer(links: readonly Link[]): Promise<number> {
    this.check()
    checkLinks(links)
    this.begin(OFFERED)
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
    this.begin(LEASED, nowMs)
    const taken = this.takeOrStop(max, nowMs)
    if (this.taking.hasChanged) this.append()
    await this.safe()
    return taken
  }

  async place(ticketId: TicketId, server: string): Promise<boolean> {
    this.check()
    checkName(server)
    const nowMs = this.seenMs()
    this.begin(PLACED, nowMs)
    const holds = this.placing.place(ticketId, server, nowMs)
    if (this.placing.hasChanged) this.append()
    await this.safe()
    return holds
  }

  async settle(settlements: readonly Settlement[]): Promise<Settled> {
    this.check()
    checkSettlements(settlements)
    const nowMs = this.seenMs()
    this.begin(SETTLED, nowMs)
    const settled = this.settling.settle(settlements, nowMs)
    if (this.settling.hasChanged) this.append()
    await this.safe()
    return settled
  }

  async settleFormer(visits: readonly FormerVisit[]): Promise<Settled> {
    this.check()
    checkVisits(visits)
    const nowMs = this.seenMs()
    this.begin(SETTLED_FORMER, nowMs)
    const settled = this.settling.settleFormer(visits, nowMs)
    if (this.settling.hasChanged) this.append()
    await this.safe()
    return settled
  }

  async plan(visits: readonly PlannedVisit[]): Promise<number> {
    this.check()
    checkPlans(visits)
    return this.ifAny(PLANNED, this.seenMs(), () => this.planning.plan(visits))
  }

  async hint(hints: readonly Hint[], most = Infinity): Promise<number> {
    this.check()
    checkHints(hints)
    const nowMs = this.seenMs()
    return this.ifAny(HINTED, nowMs, () => this.planning.hint(hints, nowMs, most))
  }

  async giveBack(ticketIds: readonly TicketId[]): Promise<void> {
    this.check()
    await this.ifAny(GIVEN_BACK, undefined, () => this.returning.giveBack(ticketIds))
  }

  async renew(ticketIds: readonly TicketId[]): Promise<readonly TicketId[]> {
    this.check()
    const nowMs = this.seenMs()
    this.begin(RENEWED, nowMs)
    if (this.returning.renew(ticketIds, nowMs) > 0) this.append()
    const closed = ticketIds.filter(id => this.state.leases.get(id) === undefined)
    await this.safe()
    return closed
  }

  async hold(host: string, { forMs, isAnew = false }: Hold): Promise<void> {
    this.check()
    checkName(host)
    checkDuration(forMs)
    const nowMs = this.seenMs()
    this.begin(isAnew ? HELD_ANEW : HELD)
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
    this.begin(DELAYED)
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
    return this.ifAny(REQUEUED, undefined, () => this.requeueing.requeue(links))
  }

  async clear(host?: string, onCleared?: (links: readonly Link[]) => void): Promise<void> {
    this.check()
    if (host === undefined) {
      this.begin(CLEARED)
      this.state.clear()
      this.append()
    } else if (onCleared !== undefined) await this.clearInSteps(host, onCleared)
    else if (this.state.hostNamed(host) !== 0) {
      this.begin(HOST_CLEARED)
      this.out.text(host)
      forgetAll(this.state, this.state.hostNamed(host), CLEARED_REASON)
      this.append()
    }
    await this.safe()
  }

  async change(options: FrontierChange): Promise<void> {
    this.check()
    if (change(this.state, changedSettings(this.state.settings, options))) {
      this.begin(NEW_TURNS)
      this.append()
    }
    await this.safe()
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    const { log, keeper } = this.parts
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
      this.begin(OPENED, opening.nowMs)
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
      this.begin(FIRST_CLEARED)
      const links = this.clearing.first(host, left, onCleared)
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
    const nowMs = this.parts.clock()
    checkTime(nowMs)
    this.state.saw(nowMs)
    return nowMs
  }

  /** Writes the time of calls that wrote nothing else; done at the end. */
  private writeLatest(): void {
    if (this.state.latestMs <= this.writtenMs) return
    this.begin(SEEN, this.state.latestMs)
    this.append()
  }

  /** Begins a frame, with its time if it has one. */
  private begin(kind: number, nowMs?: number): void {
    this.offering.begin(this.parts.log.next())
    this.out.clear()
    this.out.u8(kind)
    if (nowMs !== undefined) this.out.f64(nowMs)
    this.frameMs = nowMs ?? this.writtenMs
  }

  private append(): void {
    this.parts.log.append(this.out.bytes)
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
    await this.parts.log.commit()
    if (!this.isClosed) this.parts.keeper.afterChange()
  }

  protected check(): void {
    if (this.isClosed) throw closed()
    if (this.failure !== undefined) throw this.failure
    this.parts.log.check()
  }
}
