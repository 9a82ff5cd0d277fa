import { EscalonaError } from '../base/errors.ts'
import { ReadingRoom } from '../replay/reading-room.ts'
import type { CrawlList } from '../view/crawl-list.ts'
import type { ListedCrawls } from '../view/questions/crawl-shapes.ts'
import type { View } from '../view/questions/questions.ts'
import { EventStreams } from './event-streams.ts'

/** What is shown of a crawl: its view, its archived pages, and the streams of those who listen to it. */
export interface ShownCrawl {
  /** Stays the same while the server runs. */
  readonly id: number
  readonly view: View
  readonly room: ReadingRoom
  readonly streams: EventStreams
}

/** The crawls that a server shows. */
export interface ShownCrawls {
  /** Each is under its own path, `/crawls/NAME`. */
  readonly areSeveral: boolean
  /** `name`: from the path, `/crawls/NAME/…`; undefined: the path names none. Throws when there is no such crawl. */
  named(name: string | undefined): ShownCrawl
  withId(id: number): ShownCrawl
  list(): Promise<ListedCrawls>
  /** The crawl that is shown has ended: those who watch it hear of it. */
  end(): Promise<void>
  close(): Promise<void>
}

export function shown(id: number, view: View): ShownCrawl {
  return { id, view, room: new ReadingRoom(view.folder), streams: new EventStreams(view) }
}

/** The only crawl of a server. Its view is closed by whoever opened it. */
export class OneCrawl implements ShownCrawls {
  readonly areSeveral = false
  private readonly crawl: ShownCrawl
  private listed: Promise<CrawlList> | undefined

  constructor(view: View) {
    this.crawl = shown(0, view)
  }

  named(name: string | undefined): ShownCrawl {
    if (name !== undefined) throw new EscalonaError('UI_NO_SUCH_CRAWL')
    return this.crawl
  }

  withId(): ShownCrawl {
    return this.crawl
  }

  async list(): Promise<ListedCrawls> {
    // Loaded on demand: each file that a crawl loads takes a file descriptor at the start.
    this.listed ??= import('../view/crawl-list.ts').then(
      ({ CrawlList }) => new CrawlList(() => [this.crawl.view.folder]),
    )
    return (await this.listed).get()
  }

  end(): Promise<void> {
    return this.crawl.streams.end()
  }

  async close(): Promise<void> {
    this.crawl.streams.close()
  }
}
