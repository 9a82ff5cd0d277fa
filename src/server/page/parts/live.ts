import { useEffect, useState } from 'preact/hooks'
import type { CrawlNow, NumberedEvent } from '../../../view/questions/crawl-shapes.ts'
import { crawlPath } from './crawl-path.ts'

/** `lost`: no answer, and tried again. `denied`: the token is missing or wrong. */
type Connection = 'opening' | 'open' | 'lost' | 'denied'

/** What the server sends by itself. */
export interface Live {
  readonly connection: Connection
  readonly now: CrawlNow | undefined
  /** The latest events that people care about, newest first. */
  readonly events: readonly NumberedEvent[]
}

/** The crawl, if it can be steered from this page now. */
export function steerable({ connection, now }: Live): CrawlNow | undefined {
  return connection === 'open' && (now?.state === 'running' || now?.state === 'paused') ? now : undefined
}

/** What is listed as it happens; the others are only counted. */
export const SHOWN_EVENTS = ['page', 'failed', 'refused', 'gone', 'trouble', 'action'] as const
/** Pages come so often that they would hide everything else; hosts that are gone are shown as one. */
const MOST = { page: 8, gone: 500, other: 10 }
/** Between two messages about now. */
const MOST_FRESH = 1000
const RETRY_MS = 3000

/**
 * One stream of events for the whole page. It is closed while the page is hidden, so that a forgotten tab costs the crawl nothing.
 * Listeners hear about each change of `now`, about once per second; events wait for it.
 */
class LiveStream {
  private state: Live = { connection: 'opening', now: undefined, events: [] }
  private fresh: NumberedEvent[] = []
  private lastNumber = 0
  private readonly listeners = new Set<(live: Live) => void>()
  private source: EventSource | undefined
  private retry: ReturnType<typeof setTimeout> | undefined

  get current(): Live {
    return this.state
  }

  listen(listener: (live: Live) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  start(): void {
    document.addEventListener('visibilitychange', () => (document.hidden ? this.close() : this.open()))
    // Otherwise a page that the browser keeps for its "back" button would keep its stream as well.
    addEventListener('pagehide', () => this.close())
    addEventListener('pageshow', () => this.open())
    this.open()
  }

  /** What an action changed is seen at once, not with the next message. */
  async refresh(): Promise<void> {
    const response = await fetch(`${crawlPath()}/api/crawl`).catch(() => undefined)
    if (response?.ok === true) this.set({ connection: 'open', now: (await response.json()) as CrawlNow })
    else if (response?.status === 401) this.set({ connection: 'denied' })
  }

  private open(): void {
    if (this.source !== undefined || document.hidden) return
    clearTimeout(this.retry)
    const source = new EventSource(`${crawlPath()}/api/events?brief=true`)
    this.source = source
    source.addEventListener('now', ({ data }) => this.heard(JSON.parse(data) as CrawlNow))
    for (const kind of SHOWN_EVENTS) {
      source.addEventListener(kind, ({ data }) => this.keep(JSON.parse(data) as NumberedEvent))
    }
    // A browser repeats by itself only what broke, not what was refused; here both are the same.
    source.addEventListener('error', () => {
      this.close()
      this.set({ connection: this.state.connection === 'denied' ? 'denied' : 'lost' })
      this.retry = setTimeout(() => this.open(), RETRY_MS)
      void this.refresh()
    })
  }

  private close(): void {
    clearTimeout(this.retry)
    this.source?.close()
    this.source = undefined
  }

  private heard(now: CrawlNow): void {
    const events = this.kept()
    this.fresh = []
    this.set({ connection: 'open', now, events })
  }

  /** After a reconnection some come twice. Numbers grow, also from one process to the next. */
  private keep(event: NumberedEvent): void {
    if (event.number <= this.lastNumber) return
    this.lastNumber = event.number
    this.fresh.push(event)
    if (this.fresh.length > MOST_FRESH) this.fresh.shift()
  }

  /** The latest events, newest first: a few pages, and a few others. */
  private kept(): NumberedEvent[] {
    const counts = { page: 0, gone: 0, other: 0 }
    return [...this.fresh.toReversed(), ...this.state.events].filter(({ kind }) => {
      const type = kind === 'page' || kind === 'gone' ? kind : 'other'
      return ++counts[type] <= MOST[type]
    })
  }

  private set(change: Partial<Live>): void {
    this.state = { ...this.state, ...change }
    for (const listener of this.listeners) listener(this.state)
  }
}

export const liveStream = new LiveStream()

export function useLive(): Live {
  const [live, setLive] = useState(liveStream.current)
  useEffect(() => {
    setLive(liveStream.current)
    return liveStream.listen(setLive)
  }, [])
  return live
}
