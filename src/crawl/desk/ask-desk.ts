import { connect, type Socket } from 'node:net'
import { EscalonaError } from '../../base/errors.ts'
import { catalogue, language } from '../../base/words/language.ts'
import type { Cursor, LinkFilter, LinkView, Page } from '../../frontier/frontier.ts'
import type { Action, ActionResult } from '../../settings/actions.ts'
import type { CrawlDesk, DeskHost, DeskStatus, DeskStory, HostFilter, HostRows, NamedHost } from './desk.ts'
import { deskPath } from './desk-socket.ts'
import { type Answer, type AnsweredError, type Asked, LineReader, MOST_ANSWER_CHARS } from './desk-wire.ts'
import type { CrawlSeries, EventBatch } from './front-desk.ts'
import { type PackedRows, unpacked } from './host-rows.ts'

/** The kernel accepts connections even for a process that is stopped, so connecting alone proves nothing. */
const CONNECT_MS = 1000
const FIRST_ANSWER_MS = 3000
const ANSWER_MS = 30_000
/** A change of settings may have to wait for the slowest open request. */
const ACTION_MS = 10 * 60_000
/** How many questions may be unanswered; the others wait here. The crawl closes a connection that brings too many at once. */
const MOST_UNANSWERED = 32

const words = catalogue({
  en: { gone: 'the running crawl has stopped answering; try again' },
  pt: { gone: 'a coleta em execução parou de responder; tente de novo' },
})

interface Pending {
  readonly ask: Asked
  readonly given: unknown
  resolve(answer: unknown): void
  reject(error: unknown): void
}

/** The desk of a running crawl, in another process or in this one, asked over its socket. */
export class RemoteDesk implements CrawlDesk {
  private readonly socket: Socket
  private readonly waiting: Pending[] = []
  private readonly unanswered = new Map<number, Pending & { readonly late: NodeJS.Timeout }>()
  private lastId = 0
  private hasAnswered = false

  /** Undefined when nothing answers there: the crawl is not running, or was killed. */
  static async of(folder: string): Promise<RemoteDesk | undefined> {
    const socket = await connected(deskPath(folder))
    return socket && new RemoteDesk(socket)
  }

  private constructor(socket: Socket) {
    this.socket = socket
    const lines = new LineReader(MOST_ANSWER_CHARS)
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

  status(): Promise<DeskStatus> {
    return this.ask('status')
  }

  hosts(page: Cursor, filter?: HostFilter): Promise<Page<DeskHost>> {
    return this.ask('hosts', { page, filter })
  }

  links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>> {
    return this.ask('links', { which, page })
  }

  explain(url: string): Promise<DeskStory> {
    return this.ask('explain', { url })
  }

  named(hosts: readonly string[]): Promise<readonly NamedHost[]> {
    return this.ask('named', { hosts })
  }

  async rows(page: Cursor): Promise<HostRows> {
    return unpacked(await this.ask<PackedRows>('rows', { page }))
  }

  series(): Promise<CrawlSeries> {
    return this.ask('series')
  }

  events(after: number, isBrief?: boolean): Promise<EventBatch> {
    return this.ask('events', { after, isBrief })
  }

  act(action: Action): Promise<ActionResult> {
    return this.ask('act', { action })
  }

  close(): void {
    this.socket.destroy()
    for (const { late } of this.unanswered.values()) clearTimeout(late)
    const all = [...this.unanswered.values(), ...this.waiting.splice(0)]
    this.unanswered.clear()
    for (const { reject } of all) reject(gone())
  }

  private ask<Result>(ask: Asked, given?: unknown): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.socket.destroyed) {
        reject(gone())
        return
      }
      this.waiting.push({ ask, given, resolve: answer => resolve(answer as Result), reject })
      this.send()
    })
  }

  private send(): void {
    while (this.waiting.length > 0 && this.unanswered.size < MOST_UNANSWERED) {
      const question = this.waiting.shift()!
      const { ask, given } = question
      const id = ++this.lastId
      this.unanswered.set(id, { ...question, late: setTimeout(() => this.close(), this.patienceMs(ask)) })
      this.socket.write(`${JSON.stringify({ id, ask, with: given })}\n`)
    }
  }

  private patienceMs(ask: Asked): number {
    if (ask === 'act') return ACTION_MS
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
  return error instanceof EscalonaError && error.code === 'DESK_GONE'
}

function errorOf({ code, message }: AnsweredError): EscalonaError {
  return new EscalonaError(code, () => message[language()])
}

function gone(): EscalonaError {
  return new EscalonaError('DESK_GONE', () => words().gone)
}

function parsed(line: string): Answer | undefined {
  try {
    return JSON.parse(line) as Answer
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
