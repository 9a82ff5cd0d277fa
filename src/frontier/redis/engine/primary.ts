import { systemClock } from '../../../base/clock.ts'
import { type Argument, LostConnection, RedisConnection, type Reply } from './connection.ts'
import { refusesAlone } from './engine-settings.ts'
import type { RepeatedCall } from './faults.ts'
import { type NodeAddress, shownAddress, type Where } from './where.ts'

/** A change that has been sent, or will be with the next group. */
interface Change {
  readonly command: readonly Argument[]
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: unknown) => void
}

/** While one group waits for the replicas, the next one is on its way. */
const MOST_GROUPS = 2
/** How long a WAIT blocks its connection before it is asked again: less than the silence that ends a connection. */
const WAIT_MS = 500

/** What a primary tells the engine. */
export interface PrimaryEvents {
  /** The replicas lag; `sinceMs`: since when they are waited for. */
  onLag(sinceMs: number): RepeatedCall
  /** A change counts although fewer replicas than wished for have it: there are no more. Called once, until there are. */
  onAlone(primary: Primary): void
  /** There are enough again. `changes`: how many counted without them. */
  onNotAlone(primary: Primary, changes: number): void
}

/** One primary: its connection, made when it is needed, and its changes, which count once enough replicas have them. */
export class Primary {
  readonly address: NodeAddress
  /** How many replicas every change should reach. */
  wished: number
  private readonly where: Where
  private readonly events: PrimaryEvents
  /** How many replicas the cluster counts as alive; before it has said so, as many as may be wished for. */
  private alive = Number.POSITIVE_INFINITY
  /** It refuses changes itself while it has too few replicas: then they are waited for even when the cluster misses them. */
  private isStrict = false
  /** Changes that count without their replicas, since there were enough. */
  private changesAlone = 0
  private opening: Promise<RedisConnection> | undefined
  /** The last one that was made; `connection` once it is known whether the primary is strict. */
  private newest: RedisConnection | undefined
  private connection: RedisConnection | undefined
  private next: Change[] = []
  private groups = 0
  private isEnded = false

  constructor(address: NodeAddress, where: Where, events: PrimaryEvents) {
    this.address = address
    this.where = where
    this.events = events
    this.wished = where.wait ?? 0
  }

  get replicas(): number {
    return this.alive
  }

  set replicas(count: number) {
    this.alive = count
    if (this.changesAlone === 0 || count < this.wished) return
    this.events.onNotAlone(this, this.changesAlone)
    this.changesAlone = 0
  }

  /** Replicas that must have a change: as many as wished for, but no more than there are. */
  get neededReplicas(): number {
    const wait = this.where.wait ?? 1
    return Math.min(wait, Math.max(this.alive, this.isStrict ? 1 : 0))
  }

  /** Sends a command that changes nothing, or a change that counts even if no replica has it. */
  async ask(command: readonly Argument[]): Promise<Reply> {
    return (this.open() ?? (await this.opening!)).send(command)
  }

  /** Sends a change; resolves once enough replicas have it. */
  change(command: readonly Argument[]): Promise<Reply> {
    if (this.alive < this.wished && !this.isStrict && this.changesAlone++ === 0) this.events.onAlone(this)
    if (this.neededReplicas === 0) return this.ask(command)
    return new Promise((resolve, reject) => {
      this.next.push({ command, resolve, reject })
      if (this.next.length === 1 && this.groups < MOST_GROUPS) this.startGroup()
    })
  }

  /** For good. What is still asked fails with LostConnection. */
  end(): void {
    this.isEnded = true
    this.newest?.end()
  }

  /** The connection if there is one; otherwise it is being made. */
  private open(): RedisConnection | undefined {
    if (this.connection?.isOpen) return this.connection
    if (this.isEnded) throw new LostConnection()
    this.opening ??= RedisConnection.open(this.address, this.where)
      .then(async connection => {
        this.newest = connection
        if (this.isEnded) connection.end()
        if (this.wished > 0) this.isStrict = await refusesAlone(command => connection.send(command))
        return (this.connection = connection)
      })
      .finally(() => (this.opening = undefined))
    return undefined
  }

  private startGroup(): void {
    this.groups++
    // What else is asked in this turn of the loop goes with it.
    setImmediate(() => {
      this.sendGroup(this.next.splice(0)).finally(() => {
        this.groups--
        if (this.next.length > 0) this.startGroup()
      })
    })
  }

  /** Sends changes in a row and one WAIT for all of them, which waits for everything that its connection did before. */
  private async sendGroup(changes: readonly Change[]): Promise<void> {
    let connection: RedisConnection
    try {
      connection = this.open() ?? (await this.opening!)
    } catch (error) {
      for (const { reject } of changes) reject(error)
      return
    }
    const sent = changes.map(({ command }) => connection.send(command))
    const waited = this.waitForReplicas(connection)
    waited.catch(() => {})
    const replies = await Promise.allSettled(sent)
    changes.forEach(({ reject }, i) => {
      const reply = replies[i]!
      if (reply.status === 'rejected') reject(reply.reason)
    })
    const failure = await waited.then(
      () => undefined,
      () => new LostConnection(),
    )
    changes.forEach(({ resolve, reject }, i) => {
      const reply = replies[i]!
      if (reply.status === 'rejected') return
      if (failure === undefined) resolve(reply.value)
      else reject(failure)
    })
  }

  private async waitForReplicas(connection: RedisConnection): Promise<void> {
    const sinceMs = systemClock()
    let story: RepeatedCall | undefined
    try {
      for (;;) {
        const count = await connection.send(['WAIT', String(this.neededReplicas), String(WAIT_MS)])
        if (typeof count === 'number' && count >= this.neededReplicas) return
        story ??= this.events.onLag(sinceMs)
        story.failed('replicas', shownAddress(this.address))
      }
    } catch (error) {
      // Not a primary any more: whatever it was asked lately may be gone.
      connection.end()
      throw error
    } finally {
      story?.over()
    }
  }
}
