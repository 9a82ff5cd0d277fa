import type { Clock } from '../base/clock.ts'
import { cleanStatusText, contentKind, looksLikeHtml, SNIFFED_BYTES } from './answer-head.ts'
import type { WireHead } from './answer-parser.ts'
import { type BodyPlan, bodyPlan, limitOf, SHORT_BYTES, STREAM_BYTES, wireLimitOf } from './body-plan.ts'
import type { HttpConnection, Requester } from './connection.ts'
import { type Coding, codingsOf, type Decoded, decode } from './decode.ts'
import type { Exchange, Failure, Fetched, FetchPurpose, ReadBody, SentRequest, Truncation } from './exchange.ts'
import type { Framing } from './framing.ts'
import { BodyBuffer, EMPTY, StreamedBody } from './streamed-body.ts'

export interface RequestDetails {
  readonly url: string
  readonly wanted: FetchPurpose
  readonly requestHead: string
  readonly maxBodyBytes: number
  readonly read: ReadBody
}

const NOT_CODED: readonly Coding[] = []
/** A few compressed bytes may hide a lot of blanks before the first tag. */
const MOST_SNIFFED_BYTES = 1 << 20

export interface TimeLimits {
  /** For a whole request, from the connection to the last byte. */
  readonly timeoutMs: number
  /** To make a connection: TCP, and TLS where it is used. */
  readonly connectTimeoutMs: number
  /** From sending the request to the first byte of an answer. */
  readonly firstByteTimeoutMs: number
}

type Failed = Fetched & { kind: 'failed' }

/** A long body may still have to be decoded after the last byte is read. */
export type Resolve = (fetched: Fetched | Promise<Fetched>) => void

export interface RequestOwner {
  /** Called before a request is judged: it may run first after a standstill, before any timer. */
  noticeStandstill(nowMs: number): void
  /** Called once, when nothing more is read. */
  ended(request: PendingRequest): void
}

/** After a standstill of our own, these aren't the other side's fault. */
const FORGIVEN: ReadonlySet<Failure> = new Set<Failure>(['connect', 'timeout', 'reset', 'length', 'proxy'])

/** These may happen when the head of an answer is there. */
const BODY_LOST: ReadonlySet<Failure> = new Set<Failure>(['timeout', 'reset', 'length'])

/** In all other cases it isn't known, or wasn't wanted. */
const MISSING: Readonly<Partial<Record<Failure, Truncation>>> = {
  timeout: 'time',
  reset: 'disconnect',
  length: 'disconnect',
  headers: 'length',
}

/** Where nothing came back, these mean that the other side was silent. */
const MAY_BE_SILENT: ReadonlySet<Failure> = new Set<Failure>(['connect', 'timeout', 'reset'])

/** A request under way: takes the answer piece by piece, and ends exactly once. Ending early also ends the connection. */
export class PendingRequest implements Requester {
  readonly startedMs: number
  readonly connection: HttpConnection
  private readonly details: RequestDetails
  private readonly clock: Clock
  private readonly owner: RequestOwner
  private readonly resolve: Resolve
  private sentAtMs = 0
  private isSent = false
  private isEnded = false
  private couldNotConnect = false
  /** Time in which this process stood still, before the request was sent and after it. */
  private lostBeforeMs = 0
  private lostMs = 0
  private hasStoodStill = false
  private wireHead: WireHead | undefined
  private plan: BodyPlan = 'drain'
  private codings: readonly Coding[] = NOT_CODED
  private isCodedStrangely = false
  private body: BodyBuffer | undefined
  private stream: StreamedBody | undefined
  private wireBytes = 0
  private missing: Truncation = 'length'
  private wireLimit = 0

  constructor(
    details: RequestDetails,
    connection: HttpConnection,
    clock: Clock,
    owner: RequestOwner,
    resolve: Resolve,
  ) {
    this.details = details
    this.connection = connection
    this.clock = clock
    this.owner = owner
    this.resolve = resolve
    this.startedMs = clock()
  }

  sent(): void {
    this.isSent = true
    this.sentAtMs = this.clock()
    this.lostBeforeMs = this.lostMs
    this.lostMs = 0
  }

  head(wireHead: WireHead, framing: Framing): void {
    const { status } = wireHead
    if (this.isEnded) return
    if (status === 407 && this.connection.asksProxy !== undefined) {
      this.fail('proxy-login')
      return
    }
    this.wireHead = wireHead
    const { wanted, maxBodyBytes } = this.details
    const { contentLength } = framing
    this.plan = bodyPlan(wanted, { status, kind: contentKind(framing.contentType), contentLength })
    this.wireLimit = wireLimitOf(this.plan, maxBodyBytes)
    if (framing.contentCodings !== '' || framing.transferCodings !== '') this.readCodings(framing)
    if (this.plan === 'refuse') this.cut()
    else if (this.isCodedStrangely && this.isBodyWanted) this.fail('encoding')
    else if (this.plan === 'stream') this.stream = this.streamFrom()
    else if (this.plan !== 'drain') this.body = new BodyBuffer(limitOf(this.plan, maxBodyBytes), contentLength ?? 0)
  }

  piece(piece: Uint8Array): void {
    if (this.isEnded) return
    const before = this.wireBytes
    this.wireBytes += piece.length
    if (this.connection.receivedBytes > this.wireLimit) {
      this.cut()
      return
    }
    if (this.stream !== undefined) {
      this.stream.add(piece)
      if (this.wireBytes > STREAM_BYTES) this.cut()
      return
    }
    if (this.body === undefined) {
      if (this.wireBytes > SHORT_BYTES) this.cut()
      return
    }
    const isWhole = this.body.add(piece)
    if (this.plan === 'sniff' && before < SNIFFED_BYTES && this.wireBytes >= SNIFFED_BYTES) this.sniff()
    if (!isWhole && !this.isEnded) this.cut()
  }

  end(): void {
    if (!this.isEnded) this.answer(false)
  }

  lost(why: Failure | 'address', isUnconnected: boolean): void {
    if (this.isEnded) return
    this.couldNotConnect = isUnconnected
    if (why === 'address') this.finish({ kind: 'refused', by: 'address' })
    else this.fail(why)
  }

  /** Undefined while it may continue. */
  overdue(
    nowMs: number,
    { timeoutMs, connectTimeoutMs, firstByteTimeoutMs }: TimeLimits,
  ): 'timeout' | 'connect' | 'proxy' | undefined {
    const elapsedMs = (sinceMs: number) => nowMs - sinceMs - this.lostMs
    const { dialingSinceMs, isReachingProxy } = this.connection
    const unconnected = isReachingProxy ? 'proxy' : 'connect'
    if (elapsedMs(this.startedMs) - this.lostBeforeMs >= timeoutMs)
      return dialingSinceMs !== undefined && isReachingProxy ? 'proxy' : 'timeout'
    if (this.isSent) return !this.hasHeard && elapsedMs(this.sentAtMs) >= firstByteTimeoutMs ? 'timeout' : undefined
    return dialingSinceMs !== undefined && elapsedMs(dialingSinceMs) >= connectTimeoutMs ? unconnected : undefined
  }

  forgive(lostMs: number): void {
    this.hasStoodStill = true
    this.lostMs += lostMs
  }

  /** Its time is up, or the fetcher is closed. */
  fail(why: Failure): void {
    if (this.isEnded) return
    // The answer is there, and its body was for the archive only.
    if (this.plan === 'brief' && BODY_LOST.has(why)) {
      this.cut(MISSING[why])
      return
    }
    this.owner.noticeStandstill(this.clock())
    this.isEnded = true
    const isSilent = MAY_BE_SILENT.has(why) && (this.isSent ? !this.hasHeard : this.couldNotConnect || this.isDialing)
    const isForgiven = this.hasStoodStill && FORGIVEN.has(why)
    const missing = MISSING[why] ?? 'unspecified'
    const failed = isForgiven ? this.failed('stopped', false, missing) : this.failed(why, isSilent, missing)
    void this.connection.destroy()
    this.finish(this.withBody(failed))
  }

  private failed(why: Failure, isSilent: boolean, missing: Truncation = 'unspecified'): Failed {
    const tookMs = this.clock() - this.startedMs - this.lostBeforeMs - this.lostMs
    const head = this.wireHead ?? this.connection.answerBeginning
    const sent = head === undefined ? this.sentRequest() : this.exchange(head, EMPTY, tookMs, missing)
    return { kind: 'failed', why, isSilent, sent: this.isSent ? sent : undefined, tookMs }
  }

  private sentRequest(): SentRequest {
    const { url, requestHead } = this.details
    return { url, ip: this.connection.ip, sentAtMs: this.sentAtMs, requestHead }
  }

  private exchange(head: WireHead, body: Uint8Array, tookMs: number, truncated: Truncation | undefined): Exchange {
    const statusText = cleanStatusText(head.statusText)
    return { ...this.sentRequest(), ...head, statusText, tookMs, body, wireBytes: this.wireBytes, truncated }
  }

  private withBody(failed: Failed): Fetched | Promise<Fetched> {
    const { sent } = failed
    const add = (body: Uint8Array): Fetched => (sent === undefined ? failed : { ...failed, sent: { ...sent, body } })
    const { stream } = this
    if (stream !== undefined) return stream.end().then(() => add(stream.beginning))
    const wire = this.body?.view ?? EMPTY
    if (wire.length === 0 || this.isCodedStrangely) return failed
    if (this.codings.length === 0) return add(wire)
    const step = decode(wire, this.codings, { maxBytes: SHORT_BYTES, isCut: true })
    const taken = (step: Decoded | 'broken') => (step === 'broken' ? failed : add(step.body))
    return step instanceof Promise ? step.then(taken) : taken(step)
  }

  private get hasHeard(): boolean {
    return this.connection.receivedBytes > 0
  }

  private get isDialing(): boolean {
    return this.connection.dialingSinceMs !== undefined
  }

  private readCodings({ contentCodings, transferCodings }: Framing): void {
    const codings = codingsOf(contentCodings, transferCodings)
    if (codings === 'unknown') this.isCodedStrangely = true
    else this.codings = codings
  }

  private streamFrom(): StreamedBody {
    const stream = new StreamedBody(this.connection, this.codings, STREAM_BYTES, this.details.read)
    const stop = () => {
      if (!this.isEnded) this.cut()
    }
    stream.ended.then(stop, stop)
    return stream
  }

  private cut(missing: Truncation = 'length'): void {
    this.isEnded = true
    this.missing = missing
    if (this.stream !== undefined) this.stream.isCut = true
    void this.connection.destroy()
    this.answer(this.body !== undefined)
  }

  /** Stops a body without a type as soon as its first bytes show that it is not HTML; the end decides once more. */
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
    const nowMs = this.clock()
    this.owner.noticeStandstill(nowMs)
    const tookMs = nowMs - this.sentAtMs - this.lostMs
    const wire = this.body?.view ?? EMPTY
    if (this.stream !== undefined) this.finish(this.streamed(this.stream, tookMs))
    else if (this.isCodedStrangely) this.finish(this.answerWith(EMPTY, isCut, tookMs))
    else if (this.codings.length === 0 || wire.length === 0) this.finish(this.answerWith(wire, isCut, tookMs))
    else {
      const maxBytes = limitOf(this.plan, this.details.maxBodyBytes)
      const step = decode(wire, this.codings, { maxBytes, isCut })
      this.finish(step instanceof Promise ? step.then(late => this.decoded(late, tookMs)) : this.decoded(step, tookMs))
    }
  }

  private async streamed(stream: StreamedBody, tookMs: number): Promise<Fetched> {
    await stream.end()
    return stream.isBroken ? this.failed('encoding', false) : this.answerWith(stream.beginning, stream.isCut, tookMs)
  }

  private decoded(step: Decoded | 'broken', tookMs: number): Fetched {
    if (step !== 'broken') return this.answerWith(step.body, step.isCut, tookMs)
    if (this.isBodyWanted) return this.failed('encoding', false)
    return this.answerWith(EMPTY, false, tookMs)
  }

  private answerWith(decoded: Uint8Array, isCut: boolean, tookMs: number): Fetched {
    const isHtml = this.plan === 'page' || (this.plan === 'sniff' && looksLikeHtml(decoded))
    const isKept = this.plan !== 'sniff' || isHtml
    const body = isKept ? decoded : EMPTY
    const isDropped = body.length === 0 && (this.wireBytes > 0 || this.plan === 'refuse')
    const exchange = this.exchange(this.wireHead!, body, tookMs, isCut || isDropped ? this.missing : undefined)
    return { kind: 'answer', exchange, isHtml }
  }

  /** A body that can't be decoded is a failure only where the body is what was asked for. */
  private get isBodyWanted(): boolean {
    const { status } = this.wireHead!
    if (this.plan === 'robots') return status >= 200 && status < 300
    return this.plan === 'page' || this.plan === 'sniff' || this.plan === 'stream'
  }

  private finish(fetched: Fetched | Promise<Fetched>): void {
    this.isEnded = true
    this.owner.ended(this)
    this.resolve(fetched)
  }
}
