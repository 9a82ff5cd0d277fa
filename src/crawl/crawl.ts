import type { PageLine } from '../archive/pages-file.ts'
import { readRecord } from '../archive/read.ts'
import { httpOf } from '../archive/warc-record.ts'
import { unixClock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { version } from '../base/version.ts'
import { lastHeaderOf } from '../base/words/raw-headers.ts'
import { decodePage } from '../extract/charset.ts'
import { type WebUrl, webUrl } from '../url/web.ts'
import type { FilterLink } from './conductor/filtered-links.ts'
import type { CrawlEvent } from './events.ts'
import { type CrawlEnd, Session } from './session.ts'
import type { CrawlSettings } from './settings.ts'
import type { Stats } from './stats/stats.ts'

export interface CrawlOptions extends Partial<CrawlSettings> {
  readonly seeds: readonly string[]
  /** Where everything is kept; `crawl` when nothing is said. A crawl that was begun there goes on. */
  readonly folder?: string
  /** Called with each page before it is handed out; the crawl waits for it. */
  onPage?(page: Page): void | Promise<void>
  /** Whether a link is followed that scope and limits allow. `hops`: links from a seed. */
  readonly filterLink?: FilterLink
  /** A side stream of all that happens; nobody waits for it. */
  onEvent?(event: CrawlEvent): void
  onRepair?(message: string): void
  /** Ends the crawl in good order when it is aborted. */
  readonly signal?: AbortSignal
}

/** So many pages wait for whoever reads them; then the crawl waits too. */
const MOST_WAITING = 500

/** A page in the archive. */
export class Page implements PageLine {
  readonly url: string
  readonly status: number
  readonly title: string
  /** The first 20 words of visible text. */
  readonly text: string
  readonly bytes: number
  readonly tokens: number
  /** Links from a seed. */
  readonly hops: number
  readonly linksOut: number
  readonly dateMs: number
  readonly file: string
  readonly offset: number
  readonly length: number
  private readonly folder: string

  constructor(line: PageLine, text: string, folder: string) {
    this.url = line.url
    this.status = line.status
    this.title = line.title
    this.text = text
    this.bytes = line.bytes
    this.tokens = line.tokens
    this.hops = line.hops
    this.linksOut = line.linksOut
    this.dateMs = line.dateMs
    this.file = line.file
    this.offset = line.offset
    this.length = line.length
    this.folder = folder
  }

  /** The page itself, read back from the archive: as bytes after decompression, */
  body(): Uint8Array {
    return this.message().body
  }

  /** or as text, by its charset. */
  html(): string {
    const { headers, body } = this.message()
    return Buffer.from(decodePage(body, lastHeaderOf(headers, 'content-type')).bytes).toString()
  }

  private message() {
    return httpOf(readRecord(this.folder, this.file, this.offset))
  }
}

/**
 * Collects pages, and hands them out as they come: `for await (const page of crawl({ seeds, limit: 100 })) …`. Leaving the
 * loop ends the crawl in good order; the same call goes on later.
 */
export function crawl(options: CrawlOptions): Crawl {
  return new Crawl(options)
}

export class Crawl implements AsyncIterable<Page> {
  /** Why it ended; undefined before that. */
  end: CrawlEnd | undefined
  private readonly options: CrawlOptions
  private session: Session | undefined
  private readonly waiting: Page[] = []
  private wake = () => {}
  private isStopped = false

  constructor(options: CrawlOptions) {
    this.options = options
  }

  /** What was counted, over all runs of this crawl. Undefined before it has begun. */
  get stats(): Stats | undefined {
    return this.session?.stats
  }

  /** Runs to the end for those who need no pages in hand. */
  async run(): Promise<CrawlEnd> {
    for await (const _ of this) {
      // Whoever wants the pages has a hook.
    }
    return this.end!
  }

  /** Finishes the open requests, and ends. */
  stop(): void {
    this.isStopped = true
    this.session?.stop()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Page> {
    if (this.session !== undefined) throw new EscalonaError('CRAWL_BEGUN', 'a crawl can be read once; call crawl again')
    const session = await this.open()
    const stop = () => session.stop()
    this.options.signal?.addEventListener('abort', stop)
    if (this.isStopped || this.options.signal?.aborted) stop()
    const running = this.follow(session)
    try {
      while (this.end === undefined || this.waiting.length > 0) {
        const page = this.waiting.shift()
        if (page === undefined) await new Promise<void>(resolve => (this.wake = resolve))
        else {
          session.goOn()
          await this.options.onPage?.(page)
          yield page
        }
        if (running.hasFailed) break
      }
    } finally {
      this.options.signal?.removeEventListener('abort', stop)
      session.stop()
      this.waiting.length = 0
      session.goOn()
      await running.ended
    }
  }

  private follow(session: Session): { hasFailed: boolean; readonly ended: Promise<void> } {
    const running = { hasFailed: false, ended: Promise.resolve() }
    running.ended = session.run().then(
      end => {
        this.end = end
        this.wake()
      },
      error => {
        running.hasFailed = true
        this.wake()
        throw error
      },
    )
    running.ended.catch(() => {})
    return running
  }

  private async open(): Promise<Session> {
    const { seeds, folder = 'crawl', onPage: _, onEvent, filterLink, onRepair, signal: __, ...own } = this.options
    this.session = await Session.open({
      folder,
      seeds: seeds.map(seedOf),
      add: false,
      retry: [],
      given: own,
      version: version(),
      clock: unixClock,
      ...(filterLink !== undefined && { filterLink }),
      ...(onRepair !== undefined && { onRepair }),
      isHeldUp: () => this.waiting.length >= MOST_WAITING,
      onEvent: event => {
        if (event.kind === 'page') {
          this.waiting.push(new Page(event.page, event.opening, folder))
          this.wake()
        }
        onEvent?.(event)
      },
    })
    return this.session
  }
}

function seedOf(text: string): WebUrl {
  const seed = webUrl(text)
  if (typeof seed !== 'string') return seed
  throw new EscalonaError(
    'CRAWL_BAD_SEED',
    `${JSON.stringify(text)} is no web address (${seed}); write https://host/path`,
  )
}
