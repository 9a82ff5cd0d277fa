import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import type { Taken } from '../frontier.ts'
import { CRAWL_SCRIPTS } from './engine/scripts.ts'
import { countsOf } from './looking.ts'
import { comeBack, fence, Recovering, wakeAll } from './recovering.ts'
import type { CallTime, EngineSession } from './session.ts'
import { FENCED, numberOf } from './shard/replies.ts'
import { Taking } from './taking.ts'

/** While something is being recovered, nothing can be taken for this long. */
const RECOVERING_MS = 100

/** How a client comes to a crawl. */
interface Arrival {
  /** Its opening before this one; 0: it was never here. */
  readonly formerOpening: number
  /** No other crawler is alive. */
  readonly isFirst: boolean
  readonly isObserver: boolean
  /** It was not here when a loss was noticed: since when calls are gone, in ms since 1970. */
  readonly missedLossMs: number | undefined
  readonly beatMs: number
  readonly now: () => CallTime
}

/** What one opening of a shared frontier does: taking, recovery and the heartbeat. */
export class Work {
  readonly session: EngineSession
  readonly arrival: Arrival
  /** Undefined for an observer. */
  readonly recovering: Recovering | undefined
  /** Called when the heartbeat finds that others have fenced this crawler. */
  onFenced: () => Promise<unknown> = async () => {}
  private readonly taking: Taking
  private beating: NodeJS.Timeout | undefined
  private lastBeatMs = systemClock()
  private isStopped = false

  constructor(session: EngineSession, arrival: Arrival) {
    this.session = session
    this.arrival = arrival
    this.taking = new Taking(session)
    session.crawlers.onCleared = () => this.startOver()
    if (arrival.isObserver) return
    const recovering = new Recovering(session, arrival.now, () => this.taking.underWay)
    this.recovering = recovering
    session.crawlers.onLosses = () => {
      session.bounds.forget()
      void recovering.lookForLosses()
    }
    this.taking.onHeld = () => void recovering.lookForLosses()
  }

  /** What an opening does to a frontier: this crawler's tickets come back, and the first one revives what was down. */
  async begin(): Promise<void> {
    const { session, arrival } = this
    const { crawlers, shards, owner, opening } = session
    const call = { session, nowMs: arrival.now() }
    if (arrival.formerOpening > 0) crawlers.pages = await comeBack(call, owner, opening)
    if (arrival.isFirst) {
      await Promise.all(shards.map(shard => shard.revive(call.nowMs)))
      await session.bounds.countAnew((await countsOf(shards)).hosts)
    } else if (arrival.formerOpening > 0) await wakeAll(call)
    await crawlers.beat()
    this.beatLater()
  }

  /** Leases links, unless something was lost that is not recovered yet. It is never over before every shard was asked for losses. */
  async take(max: number, nowMs: CallTime): Promise<Taken> {
    const { recovering } = this
    if (recovering?.failure !== undefined) throw recovering.failure
    if (recovering?.isUnderWay) return { tickets: [], waitMs: RECOVERING_MS }
    const taken = await this.taking.take(max, nowMs)
    if (taken.end !== 'nothing left' || (await recovering?.isAllThere(systemClock()))) return taken
    return { tickets: taken.tickets, waitMs: RECOVERING_MS }
  }

  /** Forgets everything, in every shard. */
  async clear(): Promise<void> {
    const { engine, tag, shards, crawlers } = this.session
    await Promise.all(shards.map(shard => shard.clearAll()))
    crawlers.startOver(numberOf(await engine.run(CRAWL_SCRIPTS.forget, tag, [])))
    this.startOver()
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.beating)
  }

  /** Lets the others know, if the engine answers within this time. */
  async close(withinMs: number): Promise<void> {
    this.stop()
    const { crawlers, shards, engine } = this.session
    const leaving = this.arrival.isObserver ? Promise.all(shards.map(shard => shard.leave())) : crawlers.leave()
    const over = new AbortController()
    const late = sleep(withinMs, undefined, { signal: over.signal })
    await Promise.race([leaving, late].map(one => one.catch(() => {})))
    over.abort()
    await engine.close()
  }

  private startOver(): void {
    const { tickets, bounds, shards } = this.session
    tickets.clear()
    bounds.forget()
    for (const shard of shards) {
      shard.isChanged = true
      shard.pages = 0
    }
  }

  private beatLater(): void {
    this.beating = setTimeout(() => this.beat(), this.arrival.beatMs)
    this.beating.unref()
  }

  /** An engine that is away is waited for; what else can happen is met by the next call, too. */
  private async beat(): Promise<void> {
    const { session, arrival } = this
    try {
      await session.crawlers.beat()
      const beatenMs = systemClock()
      await this.recovering?.isAllThere(this.lastBeatMs)
      this.lastBeatMs = beatenMs
      if (!arrival.isObserver) {
        for (const gone of session.crawlers.unfenced) {
          await fence({ session, nowMs: arrival.now() }, gone)
          await session.crawlers.beat()
        }
      }
    } catch (error) {
      passOver(error)
      if ((error as EscalonaError).code === FENCED) await this.onFenced().catch(passOver)
    }
    if (!this.isStopped) this.beatLater()
  }
}

function passOver(error: unknown): void {
  if (!(error instanceof EscalonaError)) throw error
}
