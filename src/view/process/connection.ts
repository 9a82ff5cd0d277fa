import type { Socket } from 'node:net'
import { LineReader, MOST_QUESTION_CHARS } from './wire.ts'

/** How many questions may be unanswered before no more are read. */
const MOST_AHEAD = 64
/** A connection that is silent for this long, or does not read its answers, is closed. */
const IDLE_MS = 60_000
const DRAIN_MS = 10_000

/** Somebody who asks over a socket. Answers go out as they become ready. */
export class Connection {
  private readonly socket: Socket
  private readonly answer: (line: string) => Promise<string>
  private readonly lines = new LineReader(MOST_QUESTION_CHARS)
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
    this.goOn()
  }

  private drained(): void {
    clearTimeout(this.drain)
    this.drain = undefined
    this.goOn()
  }

  private goOn(): void {
    if (this.drain === undefined && this.unanswered < MOST_AHEAD && this.socket.isPaused()) this.socket.resume()
  }
}
