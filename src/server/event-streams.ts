import type { ServerResponse } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Language } from '../base/words/language.ts'
import type { View } from '../view/questions/questions.ts'

const MOST_STREAMS = 100
/**
 * A reader for whom more than this waits gets no more for now; if it still waits the next time, it is too slow, and is let go: it may
 * come back with the number of its last event.
 */
const MOST_WAITING_BYTES = 256 * 1024
/** How often the view is asked while there are listeners; every second time also for the state of the crawl. */
const ASK_MS = 500
/** Keeps the connection open through whatever is in between. */
const COMMENT_TICKS = 30
/** Readers that have come back catch up in turns, at most this many different ones at a time. */
const MOST_CURSORS = 5
/** How long the end of a crawl waits for its readers. */
const LONGEST_END_MS = 500
/** The view gives at most this many events at a time; when it does, it has more, and is asked again at once, up to all that it keeps. */
const FULL_BATCH = 200
const MOST_BATCHES = 5

interface Stream {
  readonly out: ServerResponse
  readonly language: Language
  /** Whether it wants only the latest events of each kind. */
  readonly isBrief: boolean
  after: number
}

/** Everyone who listens to what happens. The view is asked once for all of them, and not at all without listeners. */
export class EventStreams {
  private readonly view: View
  private readonly streams = new Set<Stream>()
  private timer: NodeJS.Timeout | undefined
  private isAsking = false
  private ticks = 0

  constructor(view: View) {
    this.view = view
  }

  get size(): number {
    return this.streams.size
  }

  get isFull(): boolean {
    return this.streams.size >= MOST_STREAMS
  }

  /** Sends events after number `after`; 0: the latest few and what follows. `isBrief`: only the latest of each kind. */
  add(out: ServerResponse, language: Language, after: number, isBrief: boolean): void {
    const stream = { out, language, isBrief, after }
    this.streams.add(stream)
    out.once('close', () => this.remove(stream))
    // A reader that goes away in the middle of a message is not an error.
    out.on('error', () => undefined)
    out.write('retry: 2000\n\n')
    this.timer ??= setInterval(() => void this.ask(), ASK_MS).unref()
    void this.sendNow([stream])
  }

  close(): void {
    for (const { out } of this.streams) out.destroy()
  }

  /** Sends the state in which the crawl has ended, and nothing after it. Resolves when it has gone out, or a reader is too slow. */
  async end(): Promise<void> {
    clearInterval(this.timer)
    const streams = [...this.streams]
    await this.sendNow(streams)
    const gone = streams.map(({ out }) => new Promise<void>(resolve => out.end(resolve)))
    await Promise.race([Promise.all(gone), setTimeout(LONGEST_END_MS, undefined, { ref: false })])
  }

  private remove(stream: Stream): void {
    this.streams.delete(stream)
    if (this.streams.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  /** One round; a crawl that is slow to answer is not asked again meanwhile. What it refuses to say now, it may say later. */
  private async ask(): Promise<void> {
    if (this.isAsking) return
    this.isAsking = true
    this.ticks++
    try {
      for (const stream of this.streams) if (isFull(stream)) stream.out.destroy()
      // In between, what was written goes out.
      for (let n = 0; n < MOST_BATCHES && (await this.sendEvents()); n++) await setImmediate()
      if (this.ticks % 2 === 0) await this.sendNow([...this.streams])
    } finally {
      this.isAsking = false
    }
    if (this.ticks % COMMENT_TICKS === 0) for (const stream of this.streams) send(stream, ':\n\n')
  }

  private async sendEvents(): Promise<boolean> {
    let isMore = false
    const streams = [...this.streams].filter(stream => !isFull(stream))
    const cursors = new Map(streams.map(({ after, isBrief }) => [`${after} ${isBrief}`, { after, isBrief }]))
    const newestFirst = [...cursors.values()].toSorted((a, b) => b.after - a.after)
    for (const { after, isBrief } of newestFirst.slice(0, MOST_CURSORS)) {
      const batch = await this.view.ask('events', { after, isBrief }).catch(() => undefined)
      if (batch === undefined) return false
      isMore ||= !isBrief && batch.items.length >= FULL_BATCH
      const skipped = batch.skipped > 0 ? frame('skipped', { events: batch.skipped }) : ''
      const text = skipped + batch.items.map(event => frame(event.kind, event, event.number)).join('')
      for (const stream of streams) {
        if (stream.after !== after || stream.isBrief !== isBrief) continue
        stream.after = batch.last
        if (text !== '') send(stream, text)
      }
    }
    return isMore
  }

  private async sendNow(streams: readonly Stream[]): Promise<void> {
    for (const language of new Set(streams.map(stream => stream.language))) {
      const now = await this.view.ask('crawl', {}, language).catch(() => undefined)
      if (now === undefined) return
      const text = frame('now', now)
      for (const stream of streams) if (stream.language === language) send(stream, text)
    }
  }
}

/** JSON has no line ends outside of strings, and none inside: it fits on one line. */
function frame(name: string, data: unknown, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

function isFull({ out }: Stream): boolean {
  return out.writableLength > MOST_WAITING_BYTES
}

function send({ out }: Stream, text: string): void {
  if (!out.destroyed) out.write(text)
}
