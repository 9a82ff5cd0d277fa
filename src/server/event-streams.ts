import type { ServerResponse } from 'node:http'
import type { Language } from '../base/words/language.ts'
import type { FrontDesk } from '../crawl/desk/front-desk.ts'
import { crawlNow } from './answers.ts'

const MOST_STREAMS = 100
/** A reader for whom more than this waits is too slow, and is let go; it may come back with the number of its last event. */
const MOST_WAITING_BYTES = 256 * 1024
/** How often the desk is asked while somebody listens; every second time also for where the crawl stands. */
const ASK_MS = 500
/** Keeps the connection open through whatever lies in between. */
const COMMENT_TICKS = 30
/** Readers that have come back catch up in turns, at most so many different ones at a time. */
const MOST_CURSORS = 5

interface Stream {
  readonly out: ServerResponse
  readonly language: Language
  /** The number of its last event. */
  after: number
}

/** Everyone who listens to what happens. The desk is asked once for all of them, and not at all when nobody listens. */
export class EventStreams {
  private readonly desk: FrontDesk
  private readonly streams = new Set<Stream>()
  private timer: NodeJS.Timeout | undefined
  private isAsking = false
  private ticks = 0

  constructor(desk: FrontDesk) {
    this.desk = desk
  }

  get isFull(): boolean {
    return this.streams.size >= MOST_STREAMS
  }

  /** Sends events after number `after`; 0: the latest few and what follows. */
  add(out: ServerResponse, language: Language, after: number): void {
    const stream = { out, language, after }
    this.streams.add(stream)
    out.once('close', () => this.remove(stream))
    // A reader that goes away in the middle of a message is no news.
    out.on('error', () => undefined)
    out.write('retry: 2000\n\n')
    this.timer ??= setInterval(() => void this.ask(), ASK_MS).unref()
    void this.tellWhereItStands([stream])
  }

  close(): void {
    for (const { out } of this.streams) out.destroy()
  }

  private remove(stream: Stream): void {
    this.streams.delete(stream)
    if (this.streams.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  /** One round; a desk that is slow to answer is not asked again meanwhile. What it refuses to say now, it may say later. */
  private async ask(): Promise<void> {
    if (this.isAsking) return
    this.isAsking = true
    this.ticks++
    try {
      await this.tellEvents()
      if (this.ticks % 2 === 0) await this.tellWhereItStands([...this.streams])
    } finally {
      this.isAsking = false
    }
    if (this.ticks % COMMENT_TICKS === 0) for (const stream of this.streams) send(stream, ':\n\n')
  }

  private async tellEvents(): Promise<void> {
    const cursors = [...new Set([...this.streams].map(({ after }) => after))].toSorted((a, b) => b - a)
    for (const after of cursors.slice(0, MOST_CURSORS)) {
      const batch = await this.desk.events(after).catch(() => undefined)
      if (batch === undefined) return
      const skipped = batch.skipped > 0 ? frame('skipped', { events: batch.skipped }) : ''
      const text = skipped + batch.items.map(event => frame(event.kind, event, event.number)).join('')
      for (const stream of this.streams) {
        if (stream.after !== after) continue
        stream.after = batch.last
        if (text !== '') send(stream, text)
      }
    }
  }

  private async tellWhereItStands(streams: readonly Stream[]): Promise<void> {
    for (const language of new Set(streams.map(stream => stream.language))) {
      const now = await crawlNow(this.desk, language).catch(() => undefined)
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

function send({ out }: Stream, text: string): void {
  if (out.destroyed) return
  out.write(text)
  if (out.writableLength > MOST_WAITING_BYTES) out.destroy()
}
