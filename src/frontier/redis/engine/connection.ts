import { isIP } from 'node:net'
import { createClient, ErrorReply, RESP_TYPES } from '@redis/client'
import { type Message, message, sentence } from '../../../base/messages/message.ts'
import { excerpt } from '../../../base/words/printable.ts'
import type { NodeAddress, Where } from './where.ts'

/** What Redis answers (RESP2); strings of both kinds as bytes. */
export type Reply = Buffer | number | null | readonly Reply[]
export type Argument = string | Buffer

/** The connection broke, or was never made: it is not known whether what was asked has been done. The message says why. */
export class LostConnection extends Error {
  /** No engine will ever answer at this address: its name is unknown, its certificate is not trusted, or it is something else. */
  readonly isFinal: boolean

  readonly why: Message

  constructor(why = message('redis/no-answer'), isFinal = false) {
    super(sentence(why))
    this.why = why
    this.isFinal = isFinal
  }
}

/** System errors that do not pass by waiting. */
const FINAL = /^(ENOTFOUND|EPROTO|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_|SELF_SIGNED_|UNABLE_)/
/** What the package says about bytes that are not of the protocol. */
const NOT_RESP = /^Unknown RESP type/
/** How often the silence of a connection is looked at, and how many silent looks in a row end it: 3 s. */
const LOOK_MS = 250
const SILENT_LOOKS = 12

/**
 * One connection to one process. Commands are pipelined. A process that says nothing for 3 s while something is asked is
 * taken for frozen, and the connection is closed; connecting counts as asking. The socket's own timeout does not do: it starts
 * anew with every byte that is written, and would close connections that are merely idle.
 */
export class RedisConnection {
  readonly address: NodeAddress
  private readonly client: ReturnType<typeof clientFor>
  /** Calls without an answer; connecting is the first one. */
  private asked = 1
  private wasHeard = false
  private silentLooks = 0
  private isLost = false
  private why: unknown
  private readonly looks: NodeJS.Timeout

  private constructor(address: NodeAddress, client: ReturnType<typeof clientFor>) {
    this.address = address
    this.client = client
    // The loop may have been blocked itself: looks are counted, not milliseconds.
    this.looks = setInterval(() => this.look(), LOOK_MS).unref()
    client.on('error', error => this.end(error))
    client.on('terminated', () => this.end())
  }

  /** Fails with what the process replied (a wrong password), or with LostConnection. */
  static async open(address: NodeAddress, where: Where): Promise<RedisConnection> {
    const client = clientFor(address, where)
    const connection = new RedisConnection(address, client)
    try {
      await client.connect()
      connection.heard()
      if (connection.isLost) throw new LostConnection()
      return connection
    } catch (error) {
      connection.end()
      throw error instanceof ErrorReply ? error : lostFor(connection.why ?? error)
    }
  }

  get isOpen(): boolean {
    return !this.isLost
  }

  /** Fails with an ErrorReply, or with LostConnection. */
  async send(command: readonly Argument[]): Promise<Reply> {
    if (this.isLost) throw lostFor(this.why)
    this.asked++
    try {
      return await this.client.sendCommand<Reply>(command)
    } catch (error) {
      if (error instanceof ErrorReply || error instanceof TypeError) throw error
      throw lostFor(this.why)
    } finally {
      this.heard()
    }
  }

  /** Ends at once; what is still asked fails with LostConnection. */
  end(why?: unknown): void {
    if (this.isLost) return
    this.isLost = true
    this.why = why
    clearInterval(this.looks)
    this.client.destroy()
  }

  private heard(): void {
    this.asked--
    this.wasHeard = true
  }

  private look(): void {
    this.silentLooks = this.asked > 0 && !this.wasHeard ? this.silentLooks + 1 : 0
    this.wasHeard = false
    if (this.silentLooks >= SILENT_LOOKS) this.end()
  }
}

/** Says why there is no connection, in the words of the system: `connect ECONNREFUSED …`, `self-signed certificate`. */
function lostFor(error: unknown): LostConnection {
  const { code, message: text } = (error ?? {}) as NodeJS.ErrnoException
  if (text !== undefined && NOT_RESP.test(text)) return new LostConnection(message('redis/not-an-engine'), true)
  return code === undefined
    ? new LostConnection()
    : new LostConnection(message('redis/no-answer-for', { why: excerpt(text!) }), FINAL.test(code))
}

/**
 * Never connected: the others are its duplicates. A client with options of its own makes a new class with all commands, which
 * takes 45 ms; the package keeps only the last one.
 */
let model: ReturnType<typeof makeModel> | undefined

function makeModel() {
  return createClient({
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandOptions: {
      timeout: 0,
      typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer, [RESP_TYPES.SIMPLE_STRING]: Buffer },
    },
  })
}

function clientFor(address: NodeAddress, where: Where) {
  const { host, port } = address
  // Nodes of a cluster are often known by number only; their certificates are made out to names.
  const name = [host, ...where.addresses.map(one => one.host)].find(one => isIP(one) === 0)
  const common = { host, port, connectTimeout: 0, reconnectStrategy: false } as const
  model ??= makeModel()
  return model.duplicate({
    socket: where.isTls ? { ...common, tls: true, ...(name === undefined ? {} : { servername: name }) } : common,
    ...(where.username === undefined ? {} : { username: where.username }),
    ...(where.password === undefined ? {} : { password: where.password }),
  })
}
