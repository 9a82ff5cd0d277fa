import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../../base/clock.ts'
import { EscalonaError } from '../../../base/errors.ts'
import { message, said } from '../../../base/messages/message.ts'
import { excerpt } from '../../../base/words/printable.ts'
import { type Argument, LostConnection, type Reply } from './connection.ts'
import { adviceFor } from './engine-settings.ts'
import {
  type Fault,
  faultOf,
  isNoScript,
  isRefusal,
  movedTo,
  type RepeatedCall,
  secondsSince,
  Trouble,
  WORTH_SAYING_MS,
} from './faults.ts'
import { NodeMap } from './node-map.ts'
import { Primary, type PrimaryEvents } from './primary.ts'
import { slotOf } from './slot.ts'
import { shownAddress, type Where } from './where.ts'

export type { Argument, Reply } from './connection.ts'

/** One atomic move. */
export interface LuaScript {
  readonly name: string
  readonly text: string
  /** SHA-1 of the text, in hexadecimal digits. */
  readonly sha: string
  readonly isWrite: boolean
}

export interface EngineOptions {
  readonly where: Where
  /** Called once when trouble begins, once more for each other kind of trouble that joins it, and once when all is over. */
  readonly onTrouble?: ((message: string) => void) | undefined
  /**
   * Opening is patient, and looks at the settings of the engine: one that would lose the crawl is an error. Called with a sentence about each
   * other one that puts it at risk, and when a primary loses its replicas, and has them again. Undefined: opened by a reader.
   */
  readonly onAdvice?: ((message: string) => void) | undefined
  /** Ends the opening, with FRONTIER_CLOSED. */
  readonly signal?: AbortSignal | undefined
}

/** An engine that does not answer while it is opened is an error after this long: for a reader, and for a crawler. */
const LOOKER_OPENS_MS = 5_000
const CRAWLER_OPENS_MS = 60_000
/** How often the cluster is asked who has which slots: while something is repeated, and otherwise (for replicas that came back). */
const TROUBLED_MAP_MS = 300
const CALM_MAP_MS = 5_000
/** Between two attempts; twice as long each time. A slot that is elsewhere is asked for there at once, unless it is handed around. */
const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 100
const MOVES_AT_ONCE = 5

/**
 * Redis or Valkey, one process or a cluster, as something that answers every call in the end.
 *
 * A call is sent to the primary of its slot. When that primary is away, frozen, starting, full or demoted, or the slot is in
 * motion, the call is asked again until it is answered, at whichever primary has the slot by then. It can't be known whether a
 * call whose answer never came was done, so every call must bear being repeated, also long after: a process that thaws may
 * still do what it was asked before it froze. A change is acknowledged once `wait` replicas have it, or all that the cluster
 * counts as alive if they are fewer, unless the primary itself refuses changes without replicas. A redirection of a slot in
 * motion (ASK) is not followed: the call waits until the whole slot has moved, because a script would see only a part of its keys.
 */
export class Engine {
  private readonly trouble: Trouble
  private readonly map: NodeMap
  private readonly slots = new Map<string, number>()
  private nextMap: NodeJS.Timeout | undefined
  private lastMapMs = Number.NEGATIVE_INFINITY
  private isClosed = false

  private constructor({ where, onTrouble, onAdvice }: EngineOptions) {
    this.trouble = new Trouble(text => onTrouble?.(text))
    const events: PrimaryEvents = {
      onLag: sinceMs => {
        const story = this.trouble.begin(sinceMs)
        this.askForMap()
        return story
      },
      onAlone: ({ address, replicas, wished }) =>
        onAdvice?.(said('redis/alone', { node: shownAddress(address), replicas, wait: wished })),
      onNotAlone: ({ address }, changes) =>
        onAdvice?.(said('redis/not-alone', { node: shownAddress(address), changes })),
    }
    this.map = new NodeMap(where, address => new Primary(address, where, events))
  }

  /**
   * Waits for an engine that does not answer, 5 s or (a crawler) a minute, and as long as it takes for one that answers that it is not ready.
   * Fails with FRONTIER_UNREACHABLE then; at once where waiting does not help, and with FRONTIER_NOT_ALLOWED when the engine refuses us.
   */
  static async open(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options)
    const { where, onAdvice, signal } = options
    let stop = () => {}
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(new EscalonaError('FRONTIER_CLOSED'))
    })
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    const find = async () => {
      await engine.find(options)
      if (onAdvice !== undefined) await engine.inspect(where, onAdvice)
    }
    try {
      await Promise.race([stopped, find()])
    } catch (error) {
      await engine.close()
      throw error
    } finally {
      signal?.removeEventListener('abort', stop)
    }
    engine.askForMap(CALM_MAP_MS)
    return engine
  }

  /** Resolves once every slot has a primary. */
  private async find({ where, onAdvice, onTrouble }: EngineOptions): Promise<void> {
    const nodes = where.addresses.map(shownAddress).join(', ')
    const isCrawler = onAdvice !== undefined
    const sinceMs = systemClock()
    let hasSaid = false
    while (!this.isClosed) {
      let [why, fault, isFinal] = [message('redis/slots-missing'), 'down' as Fault, false]
      try {
        await this.map.refresh()
        if (this.map.isComplete) break
      } catch (error) {
        fault = throwUnlessFault(error, nodes)
        const isLost = error instanceof LostConnection
        isFinal = isLost && error.isFinal
        why = isLost ? error.why : message('redis/not-ready', { why: excerpt((error as Error).message) })
      }
      const waitedMs = systemClock() - sinceMs
      const mostMs = !isCrawler ? LOOKER_OPENS_MS : fault === 'away' ? CRAWLER_OPENS_MS : Number.POSITIVE_INFINITY
      if (isFinal || waitedMs > mostMs) throw new EscalonaError('FRONTIER_UNREACHABLE', { nodes, why })
      if (isCrawler && !hasSaid && waitedMs > WORTH_SAYING_MS) {
        hasSaid = true
        onTrouble?.(said('redis/opening', { nodes, why }))
      }
      await sleep(LONGEST_PAUSE_MS)
    }
    if (hasSaid && !this.isClosed) onTrouble?.(said('redis/over', { seconds: secondsSince(sinceMs) }))
  }

  /** Looks at the settings of every primary. If one is away now, its calls will wait for it, and say so. */
  private async inspect({ wait }: Where, onAdvice: (message: string) => void): Promise<void> {
    const primaries = this.map.all().map(primary => ({
      node: shownAddress(primary.address),
      ask: (command: readonly Argument[]) => primary.ask(command),
    }))
    try {
      for (const message of await adviceFor(primaries, wait)) onAdvice(message)
    } catch (error) {
      if (faultOf(error) === undefined) throw error
    }
  }

  /** Whether trouble has begun, and is not over. */
  get isInTrouble(): boolean {
    return this.trouble.isSaid
  }

  /**
   * Runs a script on the shard of this tag, with two keys: `${tag}m`, and `${tag}never`, which never exists. With it, a slot
   * in motion answers TRYAGAIN until it has moved whole.
   */
  run(script: LuaScript, tag: string, args: readonly Argument[]): Promise<Reply> {
    const rest = ['2', `${tag}m`, `${tag}never`, ...args]
    const send = (primary: Primary, command: readonly Argument[]) =>
      script.isWrite ? primary.change(command) : primary.ask(command)
    return this.repeat(tag, async primary => {
      try {
        return await send(primary, ['EVALSHA', script.sha, ...rest])
      } catch (error) {
        if (!isNoScript(error)) throw error
        return send(primary, ['EVAL', script.text, ...rest])
      }
    })
  }

  /** A plain command at the slot of this tag: one that reads, or one that writes and may be repeated (`isWrite`). */
  ask(tag: string, command: readonly Argument[], isWrite = false): Promise<Reply> {
    return this.repeat(tag, primary => (isWrite ? primary.change(command) : primary.ask(command)))
  }

  /** Calls that are not yet answered are rejected with FRONTIER_CLOSED. */
  async close(): Promise<void> {
    this.isClosed = true
    this.trouble.quit()
    clearTimeout(this.nextMap)
    this.map.end()
  }

  private async repeat(tag: string, attempt: (primary: Primary) => Promise<Reply>): Promise<Reply> {
    const slot = this.slotOf(tag)
    const sinceMs = systemClock()
    let story: RepeatedCall | undefined
    try {
      for (let tries = 0; ; tries++) {
        if (this.isClosed) throw new EscalonaError('FRONTIER_CLOSED')
        const primary = this.map.ownerOf(slot)
        let fault: Fault = 'down'
        let isElsewhere = false
        if (primary !== undefined) {
          try {
            return await attempt(primary)
          } catch (error) {
            fault = throwUnlessFault(error, shownAddress(primary.address))
            const moved = movedTo(error)
            if (moved !== undefined) this.map.move(slot, moved, primary)
            isElsewhere = moved !== undefined && tries < MOVES_AT_ONCE
          }
        }
        story ??= this.trouble.begin(sinceMs)
        story.failed(fault, primary === undefined ? '' : shownAddress(primary.address))
        this.askForMap()
        if (!isElsewhere) await sleep(Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS))
      }
    } finally {
      story?.over()
    }
  }

  private slotOf(tag: string): number {
    let slot = this.slots.get(tag)
    if (slot === undefined) this.slots.set(tag, (slot = slotOf(tag)))
    return slot
  }

  /** Asks for the map after this long: by default at once, but not more often than every 300 ms. */
  private askForMap(inMs = Math.max(0, this.lastMapMs + TROUBLED_MAP_MS - systemClock())): void {
    if (this.isClosed) return
    clearTimeout(this.nextMap)
    this.nextMap = setTimeout(async () => {
      this.lastMapMs = systemClock()
      // A process that refuses us says so to the calls as well.
      await this.map.refresh().catch(() => {})
      this.askForMap(this.trouble.isThere ? TROUBLED_MAP_MS : CALM_MAP_MS)
    }, inMs).unref()
  }
}

/** The fault behind an error after which a call is repeated; any other error is thrown, in words that help. */
function throwUnlessFault(error: unknown, node: string): Fault {
  const fault = faultOf(error)
  if (fault !== undefined) return fault
  const why = error instanceof Error ? excerpt(error.message) : ''
  if (isRefusal(error)) throw new EscalonaError('FRONTIER_NOT_ALLOWED', { node, why }, { cause: error })
  throw new EscalonaError('FRONTIER_ENGINE_ERROR', { node, why }, { cause: error })
}
