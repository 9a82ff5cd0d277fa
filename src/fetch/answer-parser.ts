import { BadAnswer, type Framing, framingOf } from './framing.ts'

/** For status lines and headers of one answer, interim answers included; for trailers; and for a line between chunks. */
export const MOST_HEAD_BYTES = 32 << 10

/** As received, one character per byte. */
export interface WireHead {
  readonly status: number
  readonly statusText: string
  /** `1.0`, `1.1`. */
  readonly httpVersion: string
  /** Name, value, name, value, … */
  readonly headers: readonly string[]
}

export interface AnswerTaker {
  head(head: WireHead, framing: Framing): void
  /** Valid during the call only. */
  piece(bytes: Uint8Array): void
  end(): void
}

/** What comes next. In `over`, nothing is expected. */
type State = 'status' | 'headers' | 'body' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'over'

/** Versions as llhttp knows them, in any case. A reason may be left out, with its blank. Some servers end this line with CR CR LF. */
const STATUS_LINE = /^HTTP\/(1\.1|1\.0|2\.0|0\.9) (\d{3})(?: (.*))?\r*$/i
/** RFC 9110 5.1 and 5.5: a token, and visible characters with blanks between them. Blanks belong to one part only, or many would take long. */
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*((?![\t ])[\t\x20-\x7e\x80-\xff]*)$/
/** They have to be well-formed, or something on the way may read the body's length otherwise. */
const FRAMING_NAME = /content-length|transfer-encoding/i
/** RFC 9110 5.5: these make a value dangerous; other control characters are replaced by blanks. */
const DANGEROUS = /[\0\r]/
const CONTROLS = /[^\t\x20-\x7e\x80-\xff]/g
/** RFC 9112 7.1: at most 12 digits. Some servers pad with blanks. */
const CHUNK_LINE = /^0*([0-9A-Fa-f]{1,12})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/
const START = 'HTTP/'

const CR = 13
const LF = 10

/**
 * Reads answers from the bytes of a connection, one for each `begin` (RFC 9112). Takes what browsers and curl take where that leaves no doubt
 * about where the body ends: see docs/fetch.md. After an answer that isn't well-formed, the connection is not used again.
 */
export class AnswerParser {
  /** Undefined until the head is complete. */
  framing: Framing | undefined
  /** As RFC 9112 wants it. */
  private isWellFormed = true
  private readonly taker: AnswerTaker
  private state: State = 'over'
  private lineStart = ''
  private lineBytes = 0
  private status = 0
  private statusText = ''
  private httpVersion = ''
  private headers: string[] = []
  /** A folded line belongs to a header that came after these; otherwise, to a line that was dropped. */
  private foldableFrom = 0
  private leftBytes = 0

  constructor(taker: AnswerTaker) {
    this.taker = taker
  }

  begin(): void {
    this.state = 'status'
    this.lineStart = ''
    this.lineBytes = 0
    this.status = 0
    this.framing = undefined
    this.isWellFormed = true
  }

  get isReusable(): boolean {
    return this.isWellFormed && this.framing?.isReusable === true
  }

  get isOver(): boolean {
    return this.state === 'over'
  }

  /** Undefined without a whole status line. */
  get beginning(): WireHead | undefined {
    const { status, statusText, httpVersion, headers } = this
    return status < 200 ? undefined : { status, statusText, httpVersion, headers }
  }

  stop(): void {
    this.state = 'over'
  }

  /** Returns how many bytes belong to the answer: if fewer, it is over. Throws `BadAnswer`. */
  feed(bytes: Buffer): number {
    let at = 0
    while (at < bytes.length && this.state !== 'over') {
      at = this.state === 'body' || this.state === 'chunk' ? this.feedBody(bytes, at) : this.feedLine(bytes, at)
    }
    return at
  }

  private feedBody(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.leftBytes)
    this.leftBytes -= end - from
    this.taker.piece(bytes.subarray(from, end))
    if (this.leftBytes > 0) return end
    if (this.state === 'body') this.end()
    else if (this.state === 'chunk') this.state = 'chunk end'
    return end
  }

  private feedLine(bytes: Buffer, from: number): number {
    const lf = bytes.indexOf(LF, from)
    const end = lf < 0 ? bytes.length : lf + 1
    this.lineBytes += end - from
    if (this.lineBytes > MOST_HEAD_BYTES) throw new BadAnswer('headers')
    const isWhole = this.lineStart === '' && lf > from && bytes[lf - 1] === CR
    if (isWhole) this.readLine(bytes.toString('latin1', from, lf - 1))
    else if (lf < 0) this.keepLineStart(bytes.toString('latin1', from))
    else this.readPiecedLine(bytes.toString('latin1', from, lf))
    return end
  }

  private keepLineStart(text: string): void {
    this.lineStart += text
    // A peer that speaks something else, or miscounts, may wait for us without ending a line.
    const isHttp = this.state !== 'status' || START.startsWith(this.lineStart.slice(0, START.length).toUpperCase())
    const isWrong = !isHttp || this.state === 'chunk end'
    if (isWrong && this.lineStart !== '\r') throw new BadAnswer('protocol')
  }

  private readPiecedLine(rest: string): void {
    const line = this.lineStart + rest
    this.lineStart = ''
    // RFC 9112 2.2: a single LF may be taken for the end of a line.
    const hasCr = line.endsWith('\r')
    if (!hasCr) this.isWellFormed = false
    this.readLine(hasCr ? line.slice(0, -1) : line)
  }

  private readLine(line: string): void {
    switch (this.state) {
      case 'status':
        // RFC 9112 2.2: empty lines before it do no harm.
        if (line !== '') this.readStatus(line)
        break
      case 'headers':
        if (line === '') this.endHead()
        else this.readHeader(line)
        break
      case 'chunk size':
        this.readChunkSize(line)
        break
      case 'chunk end':
        if (line !== '') throw new BadAnswer('protocol')
        this.state = 'chunk size'
        break
      case 'trailers':
        if (line === '') this.end()
        else this.readTrailer(line)
        break
    }
  }

  private readStatus(line: string): void {
    const [, httpVersion, status, statusText = ''] = STATUS_LINE.exec(line) ?? []
    if (httpVersion === undefined) throw new BadAnswer('protocol')
    this.httpVersion = httpVersion
    this.status = Number(status)
    this.statusText = statusText
    this.headers = []
    this.foldableFrom = 0
    this.state = 'headers'
  }

  private readHeader(line: string): void {
    const match = HEADER_LINE.exec(line)
    if (match === null) this.readOddHeader(line)
    else this.headers.push(match[1]!, match[2]!)
  }

  /** Continues the line before, or has control characters; a line whose name isn't one is dropped. */
  private readOddHeader(line: string): void {
    const clean = this.cleaned(line)
    const { headers } = this
    if (/^[\t ]/.test(line)) {
      if (headers.length === 0 || FRAMING_NAME.test(headers.at(-2)!)) throw new BadAnswer('protocol')
      // RFC 9112 5.2: the line break and the blanks around it are one blank.
      if (headers.length > this.foldableFrom) headers.push(`${headers.pop()} ${clean.trim()}`.trim())
      return
    }
    const match = HEADER_LINE.exec(clean)
    if (match !== null) headers.push(match[1]!, match[2]!)
    else if (FRAMING_NAME.test(clean)) throw new BadAnswer('protocol')
    else this.foldableFrom = headers.length
  }

  private readTrailer(line: string): void {
    if (!HEADER_LINE.test(line)) this.cleaned(line)
  }

  private cleaned(line: string): string {
    if (DANGEROUS.test(line) || !(/^[\t ]/.test(line) || line.includes(':'))) throw new BadAnswer('protocol')
    this.isWellFormed = false
    return line.replace(CONTROLS, ' ')
  }

  private endHead(): void {
    const { status, statusText, httpVersion, headers } = this
    if (status < 200) {
      // RFC 9110 15.2: interim answers may come unasked; but after 101 the connection speaks something else.
      if (status < 100 || status === 101) throw new BadAnswer('protocol')
      this.state = 'status'
      return
    }
    const framing = framingOf(status, httpVersion, headers)
    this.framing = framing
    const { bodyEnd } = framing
    this.state = bodyEnd.kind === 'chunks' ? 'chunk size' : 'body'
    this.leftBytes = bodyEnd.kind === 'length' ? bodyEnd.bytes : Number.POSITIVE_INFINITY
    this.lineBytes = 0
    this.taker.head({ status, statusText, httpVersion, headers }, framing)
    if (this.leftBytes === 0 && this.state === 'body') this.end()
  }

  private readChunkSize(line: string): void {
    const digits = CHUNK_LINE.exec(line)?.[1]
    if (digits === undefined) throw new BadAnswer('protocol')
    this.leftBytes = Number.parseInt(digits, 16)
    this.lineBytes = 0
    this.state = this.leftBytes === 0 ? 'trailers' : 'chunk'
  }

  private end(): void {
    this.state = 'over'
    this.taker.end()
  }
}
