import type { Dispatcher } from 'undici'
import type { Clock } from '../base/clock.ts'
import { type AnswerHead, cleanStatusText, readHead } from './answer-head.ts'
import { BodyBuffer, EMPTY } from './body-buffer.ts'
import { type BodyPlan, bodyPlan, limitOf, SHORT_BYTES } from './body-plan.ts'
import type { Connection } from './connection.ts'
import { looksLikeHtml, SNIFFED_BYTES } from './content-type.ts'
import { type Coding, codingsOf, type Decoded, decode } from './decode.ts'
import type { Exchange, Failure, Fetched, Wanted } from './exchange.ts'
import { failureOf } from './failure-of.ts'

export interface Question {
  readonly url: string
  readonly wanted: Wanted
  readonly requestHead: string
  readonly maxBodyBytes: number
}

const NOT_CODED: readonly Coding[] = []
/** A few compressed bytes may hide a lot of blanks in front of the first tag. */
const MOST_SNIFFED_BYTES = 1 << 20

/** Told once, when nothing more is read; a long body may still have to be decoded then. */
export type Ending = (asking: Asking, fetched: Fetched | Promise<Fetched>) => void

/**
 * One request while it is under way: takes the answer from undici piece by piece, and ends exactly once. Ending early also
 * ends the connection, since the rest of the answer would have to be read before the next one.
 */
export class Asking implements Dispatcher.DispatchHandler {
  readonly startedMs: number
  readonly connection: Connection
  private readonly question: Question
  private readonly clock: Clock
  private readonly end: Ending
  private sentAtMs = 0
  private isSent = false
  private isEnded = false
  private head: AnswerHead | undefined
  private status = 0
  private statusText = ''
  private plan: BodyPlan = 'drain'
  private codings: readonly Coding[] = NOT_CODED
  private isCodedStrangely = false
  private body: BodyBuffer | undefined
  private wireBytes = 0

  constructor(question: Question, connection: Connection, clock: Clock, end: Ending) {
    this.question = question
    this.connection = connection
    this.clock = clock
    this.end = end
    this.startedMs = clock()
  }

  onConnect(): void {
    // undici repeats a request whose connection was lost in certain ways; to a host that is a second request.
    if (this.isSent) this.fail('reset')
    this.isSent = true
    this.sentAtMs = this.clock()
  }

  onHeaders(status: number, raw: Buffer[], _resume: () => void, statusText: string): boolean {
    if (status < 200 || this.isEnded) return true
    const head = readHead(raw)
    this.head = head
    this.status = status
    this.statusText = statusText
    const { wanted, maxBodyBytes } = this.question
    const { kind, contentLength } = head
    this.plan = bodyPlan(wanted, { status, kind, contentLength })
    if (head.contentEncoding !== '') this.readCodings(head.contentEncoding)
    if (this.plan === 'refuse') this.cut()
    else if (this.isCodedStrangely && this.isBodyWanted) this.fail('encoding')
    else if (this.plan !== 'drain') this.body = new BodyBuffer(limitOf(this.plan, maxBodyBytes), contentLength ?? 0)
    return true
  }

  onData(piece: Buffer): boolean {
    if (this.isEnded) return true
    const before = this.wireBytes
    this.wireBytes += piece.length
    if (this.body === undefined) {
      if (this.wireBytes > SHORT_BYTES) this.cut()
      return true
    }
    const isWhole = this.body.add(piece)
    if (this.plan === 'sniff' && before < SNIFFED_BYTES && this.wireBytes >= SNIFFED_BYTES) this.sniff()
    if (!isWhole && !this.isEnded) this.cut()
    return true
  }

  onComplete(): void {
    if (!this.isEnded) this.answer(false)
  }

  onError(error: Error): void {
    if (this.isEnded) return
    const why = failureOf(error, this.head !== undefined)
    if (why === 'address') this.finish({ kind: 'refused', by: 'address' })
    else this.fail(why)
  }

  /** Ends it from outside: its time is over, or the fetcher is closed. */
  fail(why: Failure): void {
    if (this.isEnded) return
    this.isEnded = true
    void this.connection.destroy()
    this.end(this, { kind: 'failed', why, tookMs: this.clock() - this.startedMs })
  }

  private readCodings(contentEncoding: string): void {
    const codings = codingsOf(contentEncoding)
    if (codings === 'unknown') this.isCodedStrangely = true
    else this.codings = codings
  }

  /** Ends the answer here, and the connection with it. */
  private cut(): void {
    this.isEnded = true
    void this.connection.destroy()
    this.answer(this.body !== undefined)
  }

  /** Stops a body without a type as soon as its first bytes tell that it is not HTML; the end decides once more. */
  private sniff(): void {
    const { view } = this.body!
    const refuse = () => {
      if (this.isEnded) return
      this.body = undefined
      this.cut()
    }
    if (this.codings.length === 0) {
      if (!looksLikeHtml(view)) refuse()
      return
    }
    const opening = decode(view, this.codings, { maxBytes: MOST_SNIFFED_BYTES, isCut: true })
    void Promise.resolve(opening).then(step => {
      if (step === 'broken' || !looksLikeHtml(step.body)) refuse()
    })
  }

  private answer(isCut: boolean): void {
    const tookMs = this.clock() - this.sentAtMs
    const wire = this.body?.view ?? EMPTY
    if (this.isCodedStrangely) this.finish(this.answerWith(EMPTY, isCut, tookMs))
    else if (this.codings.length === 0 || wire.length === 0) this.finish(this.answerWith(wire, isCut, tookMs))
    else {
      const maxBytes = limitOf(this.plan, this.question.maxBodyBytes)
      const step = decode(wire, this.codings, { maxBytes, isCut })
      this.finish(step instanceof Promise ? step.then(late => this.decoded(late, tookMs)) : this.decoded(step, tookMs))
    }
  }

  private decoded(step: Decoded | 'broken', tookMs: number): Fetched {
    if (step !== 'broken') return this.answerWith(step.body, step.isCut, tookMs)
    if (this.isBodyWanted) return { kind: 'failed', why: 'encoding', tookMs: this.clock() - this.startedMs }
    return this.answerWith(EMPTY, false, tookMs)
  }

  private answerWith(decoded: Uint8Array, isCut: boolean, tookMs: number): Fetched {
    const isHtml = this.plan === 'page' || (this.plan === 'sniff' && looksLikeHtml(decoded))
    const isKept = this.plan !== 'sniff' || isHtml
    const exchange: Exchange = {
      url: this.question.url,
      ip: this.connection.ip,
      sentAtMs: this.sentAtMs,
      tookMs,
      requestHead: this.question.requestHead,
      status: this.status,
      statusText: cleanStatusText(this.statusText),
      headers: this.head!.headers,
      body: isKept ? decoded : EMPTY,
      wireBytes: this.wireBytes,
      truncated: isKept && isCut ? 'length' : undefined,
    }
    return { kind: 'answer', exchange, isHtml }
  }

  /** A body that can't be decoded is a failure only where the body is what was asked for. */
  private get isBodyWanted(): boolean {
    if (this.plan === 'robots') return this.status >= 200 && this.status < 300
    return this.plan === 'page' || this.plan === 'sniff'
  }

  private finish(fetched: Fetched | Promise<Fetched>): void {
    this.isEnded = true
    this.end(this, fetched)
  }
}
