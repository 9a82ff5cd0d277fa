import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { loopMeter } from '../../base/event-loop.ts'
import { LineAssembler } from '../../base/files/line-file.ts'
import type { Message } from '../../base/messages/message.ts'
import { questionNamed, type Source, type SourceName } from '../questions/questions.ts'
import { matches } from '../questions/shape.ts'

/**
 * JSON, one object per line. A question is `{"id":1,"ask":"hostsNamed","with":{…}}`: a name and what the table of questions says under
 * it. Its answer is `{"id":1,"answer":…}` or `{"id":1,"error":{"code":…,"message":{"en":…,"pt":…}}}`. Short questions are answered
 * before long ones that were asked earlier, also on the same connection.
 */
export interface WireQuestion {
  readonly id: number
  readonly ask?: unknown
  readonly with?: unknown
}

export type WireAnswer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: Message }

/** A long answer is begun this long after its question, even if others take all the time that the crawl spares. */
const MOST_WAIT_MS = 5000
/** How long `close` waits for answers that are being prepared. */
const CLOSE_MS = 1000

/** How many questions may be unanswered before no more are read. */
const MOST_AHEAD = 64
/** A connection that is silent for this long, or does not read its answers, is closed. */
const IDLE_MS = 60_000
const DRAIN_MS = 10_000
/** The longest question, in characters: a thousand seeds fit. */
const MOST_QUESTION_CHARS = 1 << 21

/** Answers questions in the time that the crawl spares: short ones at once, long ones one at a time. */
export class PacedAnswers {
  private readonly source: Source
  private readonly spare: SpareTime
  private readonly begun = new Set<Promise<unknown>>()
  /** Long answers are prepared one after the other. */
  private turn: Promise<unknown> = Promise.resolve()
  private isClosed = false

  constructor(source: Source, spare = new SpareTime(systemClock, loopMeter())) {
    this.source = source
    this.spare = spare
  }

  /** The line that answers a line. Rejects when the crawl no longer answers. */
  answer(line: string): Promise<string> {
    const question = questionIn(line)
    const answer = isLong(question) ? this.inTurn(question) : Promise.resolve().then(() => this.prepared(question))
    this.begun.add(answer)
    const done = () => this.begun.delete(answer)
    answer.then(done, done)
    return answer
  }

  /** Waits a moment for the answers that are being prepared; no new ones are. */
  async close(): Promise<void> {
    this.isClosed = true
    const late = new AbortController()
    const all = Promise.allSettled(this.begun).finally(() => late.abort())
    await Promise.race([all, sleep(CLOSE_MS, undefined, { signal: late.signal }).catch(() => {})])
  }

  private inTurn(question: WireQuestion): Promise<string> {
    const endMs = systemClock() + MOST_WAIT_MS
    const answer = this.turn.then(() => this.spared(endMs)).then(() => this.prepared(question))
    this.turn = answer.catch(() => {})
    return answer
  }

  private async spared(endMs: number): Promise<void> {
    for (let ms = this.spare.waitMs(); ms > 0 && !this.isClosed && systemClock() < endMs; ms = this.spare.waitMs()) {
      await sleep(Math.min(ms, 100), undefined, { ref: false })
    }
  }

  private async prepared(question: WireQuestion): Promise<string> {
    if (this.isClosed) throw new Error('closed')
    const startMs = systemClock()
    try {
      return `${JSON.stringify(await answerTo(question, this.source))}\n`
    } finally {
      // What an action does is work for the crawl, which may take as long as its slowest request.
      if (question.ask !== 'act') this.spare.spend(systemClock() - startMs)
    }
  }
}

/** Reads a line. What is not a question at all becomes one that is not understood. */
function questionIn(line: string): WireQuestion {
  try {
    const { id, ask, with: given = {} } = JSON.parse(line) as Partial<WireQuestion>
    return { id: Number.isSafeInteger(id) ? id! : 0, ask, with: given }
  } catch {
    return { id: 0 }
  }
}

/** Whether it is a question of the table, in its shape. */
function isUnderstood({ ask, with: given }: WireQuestion): boolean {
  const row = questionNamed(ask)
  return row?.says !== undefined && matches(row.asks, given)
}

function isLong(question: WireQuestion): boolean {
  return isUnderstood(question) && (questionNamed(question.ask)!.isLong?.(question.with as never) ?? false)
}

/** Never rejects: errors are answers too. */
async function answerTo(question: WireQuestion, source: Source): Promise<WireAnswer> {
  const { id, ask, with: given } = question
  try {
    if (!isUnderstood(question)) throw new EscalonaError('RUN_BAD_QUESTION')
    const answer = await source.ask(ask as SourceName, given as never)
    const pack = questionNamed(ask)!.says?.pack
    return { id, answer: pack === undefined ? answer : pack(answer as never) }
  } catch (error) {
    const known =
      error instanceof EscalonaError ? error : new EscalonaError('RUN_FAILED', { reason: (error as Error).message })
    return { id, error: known.said }
  }
}

/** A client. Answers go out as they become ready. */
export class ClientConnection {
  private readonly socket: Socket
  private readonly answer: (line: string) => Promise<string>
  private readonly lines = new LineAssembler(MOST_QUESTION_CHARS)
  private unanswered = 0
  private drain: NodeJS.Timeout | undefined

  constructor(socket: Socket, answer: (line: string) => Promise<string>) {
    this.socket = socket
    this.answer = answer
    socket.unref()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => clearTimeout(this.drain))
    socket.on('drain', () => this.drained())
    socket.setTimeout(IDLE_MS, () => this.unanswered === 0 && socket.destroy())
    socket.setEncoding('utf8').on('data', piece => this.hear(String(piece)))
  }

  private hear(piece: string): void {
    const asked = this.lines.read(piece)
    if (asked === undefined || asked.length > MOST_AHEAD) {
      this.socket.destroy()
      return
    }
    this.unanswered += asked.length
    if (this.unanswered >= MOST_AHEAD) this.socket.pause()
    for (const line of asked)
      this.answer(line).then(
        text => this.reply(text),
        () => this.socket.destroy(),
      )
  }

  private reply(text: string): void {
    if (this.socket.destroyed) return
    this.unanswered--
    if (!this.socket.write(text) && this.drain === undefined) {
      this.socket.pause()
      this.drain = setTimeout(() => this.socket.destroy(), DRAIN_MS).unref()
    }
    this.resume()
  }

  private drained(): void {
    clearTimeout(this.drain)
    this.drain = undefined
    this.resume()
  }

  private resume(): void {
    if (this.drain === undefined && this.unanswered < MOST_AHEAD && this.socket.isPaused()) this.socket.resume()
  }
}

/** The share of the process's time that answers may use while the crawl needs all of it, */
const BUSY_SHARE = 0.012
/** and its share of the time that the crawl leaves idle. */
const IDLE_SHARE = 0.3
/** Time saved up while there are no questions, so that the first pages of a list come at once. */
const MOST_SAVED_MS = 60
/** No debt is larger: a long answer waits for at most four seconds, whatever short ones, which never wait, have cost before. */
const MOST_OWED_MS = 50

/** Keeps questions from slowing the crawl down: the time that an answer took is waited out before the next one. */
export class SpareTime {
  private savedMs = MOST_SAVED_MS
  private countedAtMs: number
  private readonly stopwatch: Clock
  private readonly busy: () => number

  /** `busy`: how busy the thread was since the last call, from 0 to 1. */
  constructor(stopwatch: Clock, busy: () => number) {
    this.stopwatch = stopwatch
    this.busy = busy
    this.countedAtMs = stopwatch()
  }

  spend(ms: number): void {
    this.savedMs = Math.max(this.savedMs - ms, -MOST_OWED_MS)
  }

  /** How long the next long answer has to wait; 0 when it may be given now. */
  waitMs(): number {
    const nowMs = this.stopwatch()
    const passedMs = nowMs - this.countedAtMs
    this.countedAtMs = nowMs
    const share = Math.max(BUSY_SHARE, (1 - this.busy()) * IDLE_SHARE)
    this.savedMs = Math.min(this.savedMs + passedMs * share, MOST_SAVED_MS)
    return this.savedMs > 0 ? 0 : Math.max(1, -this.savedMs / share)
  }
}
