import { setTimeout as sleep } from 'node:timers/promises'
import { EscalonaError } from '../../base/errors.ts'
import { excerpt } from '../../base/words/printable.ts'
import { type Argument, Connection, type Reply } from './connection.ts'
import { words } from './engine-words.ts'
import { faultOf, isNoScript, isRefusal } from './faults.ts'
import { shownAddress, type Where } from './where.ts'

export type { Argument, Reply } from './connection.ts'

/** One atomic move. */
export interface Script {
  readonly name: string
  readonly text: string
  /** SHA-1 of the text, in hexadecimal digits. */
  readonly sha: string
  readonly isWrite: boolean
}

export interface EngineOptions {
  readonly where: Where
  /** Called once when trouble begins and once when it is over. */
  readonly onTrouble?: ((message: string) => void) | undefined
}

/** Redis or Valkey, one process or a cluster, as something that answers every call in the end. */
export class Engine {
  private readonly options: EngineOptions
  private connection: Connection
  private isClosed = false

  private constructor(options: EngineOptions, connection: Connection) {
    this.options = options
    this.connection = connection
  }

  static async open(options: EngineOptions): Promise<Engine> {
    const address = options.where.addresses[0]!
    try {
      return new Engine(options, await Connection.open(address, options.where))
    } catch (error) {
      if (isRefusal(error)) {
        throw new EscalonaError('FRONTIER_NOT_ALLOWED', words().notAllowed(shownAddress(address), String(error)))
      }
      throw new EscalonaError('FRONTIER_UNREACHABLE', words().unreachable(shownAddress(address), words().noAnswer))
    }
  }

  get hasReplicas(): boolean {
    return false
  }

  get isInTrouble(): boolean {
    return false
  }

  /**
   * Runs a script on the shard of this tag, with the keys `${tag}m` and `${tag}never`. Repeated until it is answered, so a
   * script that writes must bear being repeated; then it is acknowledged once enough replicas have it.
   */
  run(script: Script, tag: string, args: readonly Argument[]): Promise<Reply> {
    const rest = ['2', `${tag}m`, `${tag}never`, ...args]
    return this.repeat(async connection => {
      try {
        return await connection.send(['EVALSHA', script.sha, ...rest])
      } catch (error) {
        if (!isNoScript(error)) throw error
        return connection.send(['EVAL', script.text, ...rest])
      }
    })
  }

  /** A plain command at the slot of this tag: one that reads, or one that writes and may be repeated (`isWrite`). */
  ask(_tag: string, command: readonly Argument[], _isWrite = false): Promise<Reply> {
    return this.repeat(connection => connection.send(command))
  }

  /** Calls that are still being repeated are rejected with FRONTIER_CLOSED. */
  async close(): Promise<void> {
    this.isClosed = true
    this.connection.end()
  }

  private async repeat(attempt: (connection: Connection) => Promise<Reply>): Promise<Reply> {
    for (;;) {
      if (this.isClosed) throw new EscalonaError('FRONTIER_CLOSED', words().closed)
      try {
        if (!this.connection.isOpen) {
          this.connection = await Connection.open(this.connection.address, this.options.where)
        }
        return await attempt(this.connection)
      } catch (error) {
        if (faultOf(error) === undefined) {
          const node = shownAddress(this.connection.address)
          throw new EscalonaError(
            'FRONTIER_ENGINE_ERROR',
            words().engineError(node, excerpt((error as Error).message)),
            { cause: error },
          )
        }
      }
      await sleep(50)
    }
  }
}
