import { write } from 'node:fs'
import { EscalonaError } from '../../base/errors.ts'
import { reasonOf } from '../../base/system-error.ts'
import { useWords } from '../terminal/use-words.ts'

/** When this much output is waiting for the reader, the crawl waits too. */
const MOST_WAITING_BYTES = 1 << 20
const STANDARD_OUTPUT = 1

/**
 * Writes lines to standard output alongside the crawl. A slow reader slows the crawl down, a reader that never reads cannot
 * keep it from being stopped, and a reader that goes away ends it.
 */
export class DebugOutput {
  private readonly waiting: Buffer[] = []
  private waitingBytes = 0
  private isWriting = false
  private isGone = false
  private readonly onRoom: () => void
  private readonly onGone: (error: EscalonaError | undefined) => void
  private whenEmpty = () => {}

  /** `onGone`: the reader has gone away (undefined), or writing failed (the error). */
  constructor(onRoom: () => void, onGone: (error: EscalonaError | undefined) => void) {
    this.onRoom = onRoom
    this.onGone = onGone
  }

  get isFull(): boolean {
    return this.waitingBytes > MOST_WAITING_BYTES
  }

  add(line: string): void {
    if (this.isGone) return
    const bytes = Buffer.from(line)
    this.waiting.push(bytes)
    this.waitingBytes += bytes.length
    if (!this.isWriting) this.writeNext()
  }

  /** Resolves when everything is written, when the reader has gone away, or after this time. */
  async flush(longestMs: number): Promise<void> {
    if (!this.isWriting) return
    await new Promise<void>(resolve => {
      this.whenEmpty = resolve
      if (longestMs < Infinity) setTimeout(resolve, longestMs)
    })
  }

  private writeNext(): void {
    const next = this.waiting[0]
    this.isWriting = next !== undefined
    if (next === undefined) {
      this.whenEmpty()
      return
    }
    write(STANDARD_OUTPUT, next, (error, written) => {
      if (error !== null) {
        // A non-blocking standard output reports that it is full.
        if (error.code === 'EAGAIN') setTimeout(() => this.writeNext(), 10)
        else this.end(error)
        return
      }
      const wasFull = this.isFull
      this.waitingBytes -= written
      if (written < next.length) this.waiting[0] = next.subarray(written)
      else this.waiting.shift()
      if (wasFull && !this.isFull) this.onRoom()
      this.writeNext()
    })
  }

  private end(error: NodeJS.ErrnoException): void {
    this.isGone = true
    this.isWriting = false
    this.waiting.length = 0
    this.waitingBytes = 0
    this.whenEmpty()
    const message = useWords().cannotWriteOutput(reasonOf(error))
    this.onGone(error.code === 'EPIPE' ? undefined : new EscalonaError('FILE_UNWRITABLE', message, { cause: error }))
  }
}
