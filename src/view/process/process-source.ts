import { connect, type Socket } from 'node:net'
import { EscalonaError, errorSaying } from '../../base/errors.ts'
import { LineAssembler } from '../../base/files/line-file.ts'
import type { Message } from '../../base/messages/message.ts'
import { type Asks, questionNamed, type Says, type Source, type SourceName } from '../questions/questions.ts'
import type { WireAnswer } from './paced-answers.ts'
import { socketPath } from './socket-path.ts'

/** The kernel accepts connections even for a process that is stopped, so connecting alone proves nothing. */
const CONNECT_MS = 1000
const FIRST_ANSWER_MS = 3000
const ANSWER_MS = 30_000
/** A change of settings may have to wait for the slowest open request. */
const ACTION_MS = 10 * 60_000
/** How many questions may be unanswered; the others wait here. The crawl closes a connection that brings too many at once. */
const MOST_UNANSWERED = 32

/** The longest answer: far more than 2,000 hosts or 500 links take. */
const MOST_ANSWER_CHARS = 1 << 27

interface Pending {
  readonly name: SourceName
  readonly question: unknown
  resolve(answer: unknown): void
  reject(error: unknown): void
}

/** The process of a running crawl, or another thread of it, asked over its socket. */
export class ProcessSource implements Source {
  private readonly socket: Socket
  private readonly waiting: Pending[] = []
  private readonly unanswered = new Map<number, Pending & { readonly late: NodeJS.Timeout }>()
  private lastId = 0
  private hasAnswered = false

  /** Undefined when nothing answers there: the crawl is not running, or was killed. */
  static async of(folder: string): Promise<ProcessSource | undefined> {
    const socket = await connected(socketPath(folder))
    return socket && new ProcessSource(socket)
  }

  private constructor(socket: Socket) {
    this.socket = socket
    const lines = new LineAssembler(MOST_ANSWER_CHARS)
    socket.setEncoding('utf8').on('data', piece => {
      const answers = lines.read(String(piece))
      if (answers === undefined) socket.destroy()
      else for (const line of answers) this.hear(line)
    })
    socket.on('error', () => {})
    socket.on('close', () => this.close())
    socket.unref()
  }

  get isOpen(): boolean {
    return !this.socket.destroyed
  }

  async ask<Name extends SourceName>(name: Name, question: Asks<Name>): Promise<Says<Name>> {
    const answer = await new Promise<unknown>((resolve, reject) => {
      if (this.socket.destroyed) {
        reject(gone())
        return
      }
      this.waiting.push({ name, question, resolve, reject })
      this.send()
    })
    const unpack = questionNamed(name)!.says?.unpack
    return (unpack === undefined ? answer : unpack(answer)) as Says<Name>
  }

  close(): void {
    this.socket.destroy()
    for (const { late } of this.unanswered.values()) clearTimeout(late)
    const all = [...this.unanswered.values(), ...this.waiting.splice(0)]
    this.unanswered.clear()
    for (const { reject } of all) reject(gone())
  }

  private send(): void {
    while (this.waiting.length > 0 && this.unanswered.size < MOST_UNANSWERED) {
      const pending = this.waiting.shift()!
      const { name, question } = pending
      const id = ++this.lastId
      this.unanswered.set(id, { ...pending, late: setTimeout(() => this.close(), this.patienceMs(name)) })
      this.socket.write(`${JSON.stringify({ id, ask: name, with: question })}\n`)
    }
  }

  private patienceMs(name: SourceName): number {
    if (name === 'act') return ACTION_MS
    return this.hasAnswered ? ANSWER_MS : FIRST_ANSWER_MS
  }

  private hear(line: string): void {
    this.hasAnswered = true
    const answer = parsed(line)
    const question = answer && this.unanswered.get(answer.id)
    if (answer === undefined || question === undefined) return
    this.unanswered.delete(answer.id)
    clearTimeout(question.late)
    this.send()
    if ('error' in answer) question.reject(errorOf(answer.error))
    else question.resolve(answer.answer)
  }
}

/** Whether the crawl ended, or was killed, before it answered. */
export function isGone(error: unknown): boolean {
  return error instanceof EscalonaError && error.code === 'RUN_GONE'
}

function errorOf(said: Message): EscalonaError {
  return errorSaying(said) ?? new EscalonaError('RUN_FAILED', { reason: String(said.key) })
}

function gone(): EscalonaError {
  return new EscalonaError('RUN_GONE')
}

function parsed(line: string): WireAnswer | undefined {
  try {
    return JSON.parse(line) as WireAnswer
  } catch {
    return undefined
  }
}

function connected(path: string): Promise<Socket | undefined> {
  return new Promise(resolve => {
    const socket = connect(path)
    const late = setTimeout(() => socket.destroy(), CONNECT_MS)
    const end = (value: Socket | undefined) => {
      clearTimeout(late)
      socket.removeAllListeners()
      resolve(value)
    }
    socket.on('connect', () => end(socket))
    socket.on('error', () => end(undefined))
    socket.on('close', () => end(undefined))
  })
}
