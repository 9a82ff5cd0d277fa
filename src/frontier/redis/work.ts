import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import type { Taken } from '../frontier.ts'
import { crawlScripts } from './crawl-scripts.ts'
import { comeBack, fence, wakeAll } from './fencing.ts'
import { HostBounds } from './host-bounds.ts'
import { countsOf } from './looking.ts'
import type { Moment } from './moment.ts'
import { Offering } from './offering.ts'
import { Placing } from './placing.ts'
import { Recovering } from './recovering.ts'
import { Servers } from './servers.ts'
import type { EngineSession } from './session.ts'
import { Settling } from './settling.ts'
import { numberOf } from './shard/replies.ts'
import { FENCED } from './shard/shard-words.ts'
import { Taking } from './taking.ts'

/** While something is being recovered, nothing can be taken for so long. */
const RECOVERING_MS = 100

/** How a client comes to a crawl. */
export interface Arrival {
  /** Its opening before this one; 0: it was never here. */
  readonly formerOpening: number
  /** No other crawler is alive. */
  readonly isFirst: boolean
  readonly isObserver: boolean
  /** It was not here when a loss was noticed: since when calls are gone, in ms since 1970. */
  readonly missedLossMs: number | undefined
  readonly beatMs: number
  readonly now: () => Moment
}

/** What one opening of a shared frontier does: the moves over all shards, and the heartbeat. */
export class Work {
  readonly session: EngineSession
  readonly servers: Servers
  readonly bounds: HostBounds
  readonly offering: Offering
  readonly taking: Taking
  readonly placing: Placing
  readonly settling: Settling
  /** Undefined for one who only looks. */
  readonly recovering: Recovering | undefined
  /** Called when the heartbeat finds that others have fenced this crawler. */
  onFenced: () => Promise<unknown> = async () => {}
  private readonly arrival: Arrival
  private beating: NodeJS.Timeout | undefined
  private lastBeatMs = systemClock()
  private isStopped = false

  constructor(session: EngineSession, arrival: Arrival) {
    this.session = session
    this.arrival = arrival
    this.servers = new Servers(session)
    this.bounds = new HostBounds(session)
    this.offering = new Offering(session, this.bounds, this.servers)
    this.taking = new Taking(session, this.servers)
    this.placing = new Placing(session, this.servers)
    this.settling = new Settling(session, this.offering, this.servers)
    session.crawlers.onCleared = () => this.startOver()
    if (arrival.isObserver) return
    const recovering = new Recovering(session, this.servers, arrival.now, () => this.taking.underWay)
    this.recovering = recovering
    session.crawlers.onLosses = () => {
      this.bounds.forget()
      void recovering.lookForLosses()
    }
    this.taking.onHeld = () => void recovering.lookForLosses()
  }

  get isObserver(): boolean {
    return this.arrival.isObserver
  }

  get missedLossMs(): number | undefined {
    return this.arrival.missedLossMs
  }

  crawlersAlive(): number {
    return this.session.crawlers.alive.length
  }

  /** What an opening does to a frontier: this crawler's tickets come back, and the first one revives what was down. */
  async begin(): Promise<void> {
    const { session, arrival } = this
    const { crawlers, parts, owner, opening } = session
    const now = arrival.now()
    if (arrival.formerOpening > 0) crawlers.pages = await comeBack(session, this.servers, owner, opening, now)
    if (arrival.isFirst) {
      await Promise.all(parts.map(({ shard }) => shard.revive(now.engineMs)))
      await this.bounds.countAnew((await countsOf(parts)).hosts)
    } else if (arrival.formerOpening > 0) await wakeAll(session, now)
    await crawlers.beat()
    this.beatLater()
  }

  /** Leases links, unless something was lost that is not recovered yet. It is never over before every shard was asked for losses. */
  async take(max: number, now: Moment): Promise<Taken> {
    const { recovering } = this
    if (recovering?.failure !== undefined) throw recovering.failure
    if (recovering?.isUnderWay) return { tickets: [], waitMs: RECOVERING_MS }
    const taken = await this.taking.take(max, now)
    if (taken.end !== 'nothing left' || (await recovering?.isAllThere(systemClock()))) return taken
    return { tickets: taken.tickets, waitMs: RECOVERING_MS }
  }

  /** Forgets everything, in every shard. */
  async clear(): Promise<void> {
    const { engine, tag, parts, crawlers } = this.session
    await Promise.all(parts.map(({ shard }) => shard.clearAll()))
    crawlers.startOver(numberOf(await engine.run(crawlScripts.forget, tag, [])))
    this.startOver()
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.beating)
  }

  /** Lets the others know, if the engine answers within this time. */
  async close(withinMs: number): Promise<void> {
    this.stop()
    const { crawlers, parts, engine } = this.session
    const leaving = this.isObserver ? Promise.all(parts.map(({ shard }) => shard.leave())) : crawlers.leave()
    const over = new AbortController()
    const late = sleep(withinMs, undefined, { signal: over.signal })
    await Promise.race([leaving, late].map(one => one.catch(() => {})))
    over.abort()
    await engine.close()
  }

  private startOver(): void {
    this.session.tickets.clear()
    this.bounds.forget()
    for (const part of this.session.parts) {
      part.isChanged = true
      part.pages = 0
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
      if (!this.isObserver) {
        for (const gone of session.crawlers.unfenced) {
          await fence(session, this.servers, gone, arrival.now())
          await session.crawlers.beat()
        }
      }
    } catch (error) {
      if (!(error instanceof EscalonaError)) throw error
      if (error.code === FENCED) await this.onFenced().catch(passOver)
    }
    if (!this.isStopped) this.beatLater()
  }
}

function passOver(error: unknown): void {
  if (!(error instanceof EscalonaError)) throw error
}
