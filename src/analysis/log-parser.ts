import { EscalonaError } from '../base/errors.ts'
import { BLANK, CR, LF } from '../base/structures/bytes.ts'
import { catalogue } from '../base/words/language.ts'
import { quoted } from '../base/words/printable.ts'
import { shownCount } from '../base/words/quantity.ts'

/** Receives the accesses of a log. */
export interface AccessSink {
  access(kind: 'read' | 'write', phase: number, id: number, address: number, bytes: number): void
}

/** The file is not an access log, or is damaged. */
export class BadLog extends EscalonaError {
  readonly line: number

  constructor(line: number, message: string) {
    super('ANALYSIS_BAD_LOG', message)
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
    if (end - at > LONGEST_LINE_BYTES) throw this.bad(logWords().endless, 1)
    return at
  }

  /**
   * Parses the rest, which has no line end. If it can't be parsed, it was cut off, and the log ends with the line before.
   */
  end(rest: Buffer): void {
    try {
      if (rest.length > 0) this.readLine(rest, 0, rest.length)
    } catch (error) {
      if (!(error instanceof BadLog) || this.line === 1 || this.isWhole) throw error
    }
    if (this.line === 0) throw this.bad(logWords().empty, 1)
  }

  private readLine(bytes: Buffer, from: number, to: number): void {
    this.line++
    const end = to > from && bytes[to - 1] === CR ? to - 1 : to
    const letter = bytes[from]
    if (this.line === 1) {
      if (letter !== I) throw this.bad(logWords().notALog)
      this.readFields(bytes, from, end, BEGIN)
      return
    }
    if (this.isWhole) throw this.bad(logWords().afterEnd)
    if (letter === L || letter === E) {
      this.readFields(bytes, from, end, ACCESS)
      this.access(letter === L ? 'read' : 'write')
    } else if (letter === F) {
      this.readFields(bytes, from, end, END)
      this.isWhole = true
    } else if (letter === I) throw this.bad(logWords().secondLog)
    else throw this.bad(logWords().badLetter(quoted(bytes.subarray(from, Math.min(end, from + 20)))))
  }

  private access(kind: 'read' | 'write'): void {
    const { fields } = this
    const phase = fields[1]!
    const id = fields[3]!
    if (phase >= MOST_PHASES) throw this.bad(logWords().noPhase(phase))
    if (id >= MOST_IDS) throw this.bad(logWords().noId(id))
    this.accesses++
    this.sink.access(kind, phase, id, fields[5]!, fields[6]!)
  }

  /** Every field but the first is a space and a whole number; a time has a dot and more digits. */
  private readFields(bytes: Buffer, from: number, to: number, { fields: wanted, times }: LineShape): void {
    let at = from + 1
    for (let field = 1; field < wanted; field++) {
      if (at >= to) throw this.bad(logWords().fewFields(field, wanted))
      if (bytes[at] !== BLANK) throw this.bad(logWords().damagedField(field))
      const start = ++at
      let value = 0
      for (let digit = 0; at < to && (digit = bytes[at]! - DIGIT_0) >= 0 && digit <= 9; at++) value = value * 10 + digit
      if (at === start) throw this.bad(logWords().notANumber(field + 1))
      if (value > Number.MAX_SAFE_INTEGER) throw this.bad(logWords().tooLarge(field + 1))
      if (((times >> field) & 1) === 1 && bytes[at] === DOT) at = endOfDigits(bytes, at + 1, to)
      this.fields[field] = value
    }
    if (at === to) return
    throw this.bad(bytes[at] === BLANK ? logWords().manyFields(wanted) : logWords().damagedField(wanted))
  }

  private bad(message: string, ahead = 0): BadLog {
    return new BadLog(this.line + ahead, message)
  }
}

function endOfDigits(bytes: Buffer, from: number, to: number): number {
  let at = from
  while (at < to && bytes[at]! >= DIGIT_0 && bytes[at]! <= DIGIT_0 + 9) at++
  return at
}

/** Errors in an access log. Texts from outside are printable already. */
export const logWords = catalogue({
  en: {
    endless: 'the line does not end',
    empty: 'it is empty; record one with escalona FILE -l access.log',
    notALog: 'an access log begins with I; record one with escalona FILE -l access.log',
    afterEnd: 'there is more after the line F',
    secondLog: 'I again: these are two logs',
    badLetter: (line: string) => `a line begins with L, E or F, not with ${line}`,
    noPhase: (phase: number) => `there is no phase ${phase}`,
    noId: (id: number) => `there is no id ${id}`,
    fewFields: (fields: number, wanted: number) => `it has ${fields} fields instead of ${wanted}`,
    manyFields: (wanted: number) => `it has more than ${wanted} fields`,
    damagedField: (field: number) => `field ${field} is damaged`,
    notANumber: (field: number) => `field ${field} is not a number`,
    tooLarge: (field: number) => `field ${field} is too large`,
    tooManyStacks: (most: number) =>
      `the log has more than ${shownCount(most)} pairs of phase and id; record fewer structures`,
  },
  pt: {
    endless: 'a linha não termina',
    empty: 'está vazio; grave um com escalona ARQUIVO -l access.log',
    notALog: 'um registro de acessos começa com I; grave um com escalona ARQUIVO -l access.log',
    afterEnd: 'há mais linhas depois da linha F',
    secondLog: 'I de novo: são dois registros',
    badLetter: line => `uma linha começa com L, E ou F, não com ${line}`,
    noPhase: phase => `não existe a fase ${phase}`,
    noId: id => `não existe o id ${id}`,
    fewFields: (fields, wanted) => `tem ${fields} campos em vez de ${wanted}`,
    manyFields: wanted => `tem mais de ${wanted} campos`,
    damagedField: field => `o campo ${field} está danificado`,
    notANumber: field => `o campo ${field} não é um número`,
    tooLarge: field => `o campo ${field} é grande demais`,
    tooManyStacks: most => `o registro tem mais de ${shownCount(most)} pares de fase e id; registre menos estruturas`,
  },
})
