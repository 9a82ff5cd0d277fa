import { EscalonaError } from '../base/errors.ts'
import { type Message, message } from '../base/messages/message.ts'
import { BLANK, CR, LF } from '../base/structures/bytes.ts'
import { quoted } from '../base/words/printable.ts'

/** Receives the accesses of a log. */
export interface AccessSink {
  access(kind: 'read' | 'write', phase: number, id: number, address: number, bytes: number): void
}

/** The file is not an access log, or is damaged. */
export class BadLog extends EscalonaError<'ANALYSIS_BAD_LOG'> {
  readonly line: number

  constructor(line: number, what: Message) {
    super('ANALYSIS_BAD_LOG', { what })
    this.line = line
  }
}

const LONGEST_LINE_BYTES = 1000
const MOST_FIELDS = 7
/** More phases and ids than any program has; each may cost a stack and a picture. */
const MOST_PHASES = 1000
const MOST_IDS = 10_000

/** How many fields a line has, its letter included, and a bit for each that is a time. */
interface LineShape {
  readonly fields: number
  readonly times: number
}
const BEGIN: LineShape = { fields: 3, times: 1 << 2 }
const ACCESS: LineShape = { fields: 7, times: 1 << 4 }
const END: LineShape = { fields: 4, times: (1 << 2) | (1 << 3) }

const L = 0x4c
const E = 0x45
const I = 0x49
const F = 0x46
const DOT = 0x2e
const DIGIT_0 = 0x30

/**
 * Parses the lines of an access log (docs/rules.md, 4.2), including logs of the course's own library, which does not zero-pad the
 * nanoseconds; times are not used here. A log without its last line was cut off; what is there counts.
 */
export class LogParser {
  accesses = 0
  /** Whether the log has its last line, F. */
  isWhole = false
  private line = 0
  private readonly sink: AccessSink
  /** The numbers of the line; for a time, only its seconds. */
  private readonly fields = new Float64Array(MOST_FIELDS)

  constructor(sink: AccessSink) {
    this.sink = sink
  }

  /** Parses the complete lines of these bytes, up to `end`; returns where the first incomplete one begins. */
  feed(bytes: Buffer, end: number): number {
    let at = 0
    for (;;) {
      const lf = bytes.indexOf(LF, at)
      if (lf < 0 || lf >= end) break
      this.readLine(bytes, at, lf)
      at = lf + 1
    }
    if (end - at > LONGEST_LINE_BYTES) throw this.bad(message('analysis/endless'), 1)
    return at
  }

  /** Parses the rest, which has no line end. If it can't be parsed, it was cut off, and the log ends with the line before. */
  end(rest: Buffer): void {
    try {
      if (rest.length > 0) this.readLine(rest, 0, rest.length)
    } catch (error) {
      if (!(error instanceof BadLog) || this.line === 1 || this.isWhole) throw error
    }
    if (this.line === 0) throw this.bad(message('analysis/empty'), 1)
  }

  private readLine(bytes: Buffer, from: number, to: number): void {
    this.line++
    const end = to > from && bytes[to - 1] === CR ? to - 1 : to
    const letter = bytes[from]
    if (this.line === 1) {
      if (letter !== I) throw this.bad(message('analysis/not-a-log'))
      this.readFields(bytes, from, end, BEGIN)
      return
    }
    if (this.isWhole) throw this.bad(message('analysis/after-end'))
    if (letter === L || letter === E) {
      this.readFields(bytes, from, end, ACCESS)
      this.access(letter === L ? 'read' : 'write')
    } else if (letter === F) {
      this.readFields(bytes, from, end, END)
      this.isWhole = true
    } else if (letter === I) throw this.bad(message('analysis/second-log'))
    else
      throw this.bad(message('analysis/bad-letter', { line: quoted(bytes.subarray(from, Math.min(end, from + 20))) }))
  }

  private access(kind: 'read' | 'write'): void {
    const { fields } = this
    const phase = fields[1]!
    const id = fields[3]!
    if (phase >= MOST_PHASES) throw this.bad(message('analysis/no-phase', { phase }))
    if (id >= MOST_IDS) throw this.bad(message('analysis/no-id', { id }))
    this.accesses++
    this.sink.access(kind, phase, id, fields[5]!, fields[6]!)
  }

  /** Every field but the first is a space and a whole number; a time has a dot and more digits. */
  private readFields(bytes: Buffer, from: number, to: number, { fields: wanted, times }: LineShape): void {
    let at = from + 1
    for (let field = 1; field < wanted; field++) {
      if (at >= to) throw this.bad(message('analysis/few-fields', { fields: field, wanted }))
      if (bytes[at] !== BLANK) throw this.bad(message('analysis/damaged-field', { field }))
      const start = ++at
      let value = 0
      for (let digit = 0; at < to && (digit = bytes[at]! - DIGIT_0) >= 0 && digit <= 9; at++) value = value * 10 + digit
      if (at === start) throw this.bad(message('analysis/not-a-number', { field: field + 1 }))
      if (value > Number.MAX_SAFE_INTEGER) throw this.bad(message('analysis/too-large', { field: field + 1 }))
      if (((times >> field) & 1) === 1 && bytes[at] === DOT) at = endOfDigits(bytes, at + 1, to)
      this.fields[field] = value
    }
    if (at === to) return
    throw this.bad(
      bytes[at] === BLANK
        ? message('analysis/many-fields', { wanted })
        : message('analysis/damaged-field', { field: wanted }),
    )
  }

  private bad(what: Message, ahead = 0): BadLog {
    return new BadLog(this.line + ahead, what)
  }
}

function endOfDigits(bytes: Buffer, from: number, to: number): number {
  let at = from
  while (at < to && bytes[at]! >= DIGIT_0 && bytes[at]! <= DIGIT_0 + 9) at++
  return at
}
