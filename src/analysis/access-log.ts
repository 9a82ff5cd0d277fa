import type { Clock } from '../base/clock.ts'

export interface LogSink {
  write(bytes: Uint8Array): void
}

const BUFFER_BYTES = 1 << 18
/** The most bytes that a line can have. */
const MOST_LINE_BYTES = 160
const NANOSECONDS_A_MS = 1e6
const NANOSECONDS_A_SECOND = 1e9
const BLANK = 0x20
const LF = 0x0a
const DOT = 0x2e
const DIGIT_0 = 0x30
const LETTER = { read: 0x4c, write: 0x45, begin: 0x49, end: 0x46 } as const

/** Writes memory accesses in the course's format (docs/rules.md, 4.2). Times never go back, even if the clock does. */
export class AccessLog {
  /** The phase that the program is in; written on every line. */
  phase = 0
  private readonly sink: LogSink
  private readonly clock: Clock
  private readonly startNs: number
  private lastNs: number
  private count = 0
  private readonly bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES + MOST_LINE_BYTES)
  private at = 0

  constructor(sink: LogSink, clock: Clock) {
    this.sink = sink
    this.clock = clock
    this.lastNs = 0
    this.startNs = this.lastNs = this.nowNs()
    this.begin(LETTER.begin)
    this.number(++this.count)
    this.time(this.startNs)
    this.endLine()
  }

  access(kind: 'read' | 'write', id: number, address: number, bytes: number): void {
    this.begin(LETTER[kind])
    this.number(this.phase)
    this.number(++this.count)
    this.number(id)
    this.time(this.nowNs() - this.startNs)
    this.number(address)
    this.number(bytes)
    this.endLine()
  }

  /** Writes the last line. */
  end(): void {
    const nowNs = this.nowNs()
    this.begin(LETTER.end)
    this.number(++this.count)
    this.time(nowNs)
    this.time(nowNs - this.startNs)
    this.endLine()
    this.flush()
  }

  private nowNs(): number {
    this.lastNs = Math.max(this.lastNs, Math.round(this.clock() * NANOSECONDS_A_MS))
    return this.lastNs
  }

  private begin(letter: number): void {
    this.bytes[this.at++] = letter
  }

  private number(value: number): void {
    this.bytes[this.at++] = BLANK
    this.digits(value, digitsIn(value))
  }

  private time(ns: number): void {
    this.number(Math.floor(ns / NANOSECONDS_A_SECOND))
    this.bytes[this.at++] = DOT
    this.digits(ns % NANOSECONDS_A_SECOND, 9)
  }

  private digits(value: number, width: number): void {
    let left = value
    for (let at = this.at + width - 1; at >= this.at; at--) {
      this.bytes[at] = DIGIT_0 + (left % 10)
      left = Math.floor(left / 10)
    }
    this.at += width
  }

  private endLine(): void {
    this.bytes[this.at++] = LF
    if (this.at >= BUFFER_BYTES) this.flush()
  }

  private flush(): void {
    this.sink.write(this.bytes.subarray(0, this.at))
    this.at = 0
  }
}

function digitsIn(value: number): number {
  let width = 1
  for (let limit = 10; value >= limit; limit *= 10) width++
  return width
}
