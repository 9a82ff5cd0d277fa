import type { Clock } from '../../base/clock.ts'
import type { Cursor, HostView, LinkFilter, LinkView, Page } from '../../frontier/frontier.ts'
import { isGone, RemoteDesk } from '../desk/ask-desk.ts'
import type { Desk, DeskStatus, DeskStory, HostFilter } from '../desk/desk.ts'

/** A list of more pages than this is read from the files: by this process, and not by that of the crawl. */
const MOST_PAGES = 6
/** A frontier of more links than this takes too much memory to be read for that: about 45 bytes each. */
const MOST_READ = 2_000_000

/** A desk, and how to leave it. */
interface OpenedDesk {
  readonly desk: Desk
  readonly isRemote: boolean
  close(): Promise<void>
}

/**
 * Asks the running crawl, or reads the files when nobody answers. Places in lists are the same in both, so when the crawl ends
 * in the middle of a list, the list goes on from the files.
 */
export class ReadingDesk implements Desk {
  private readonly folder: string
  private readonly clock: Clock
  private opened: Promise<OpenedDesk> | undefined
  /** For long lists of a running crawl; undefined: not needed so far. */
  private files: Promise<OpenedDesk | undefined> | undefined
  private pages = 0

  constructor(folder: string, clock: Clock) {
    this.folder = folder
    this.clock = clock
  }

  status(): Promise<DeskStatus> {
    return this.ask(desk => desk.status())
  }

  hosts(page: Cursor, filter?: HostFilter): Promise<Page<HostView>> {
    return this.list(desk => desk.hosts(page, filter))
  }

  links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>> {
    const question = (desk: Desk) => desk.links(which, page)
    // Of a host's queue the cursor is a place, which moves while the crawl runs.
    return which.state === 'waiting' && which.host !== undefined ? this.ask(question) : this.list(question)
  }

  explain(url: string): Promise<DeskStory> {
    return this.ask(desk => desk.explain(url))
  }

  async close(): Promise<void> {
    const { opened, files } = this
    this.opened = undefined
    this.files = undefined
    for (const one of [await opened, await files]) await one?.close()
  }

  private async list<Result>(question: (desk: Desk) => Promise<Result>): Promise<Result> {
    if (this.pages++ < MOST_PAGES) return this.ask(question)
    this.files ??= this.openFilesIfSmall()
    const files = await this.files
    return files === undefined ? this.ask(question) : question(files.desk)
  }

  /** When the crawl ends, or loses patience with somebody who reads very slowly, it is asked once more, and then the files are. */
  private async ask<Result>(question: (desk: Desk) => Promise<Result>): Promise<Result> {
    this.opened ??= this.open()
    for (const again of [() => this.open(), () => this.openFiles()]) {
      try {
        return await question((await this.opened).desk)
      } catch (error) {
        if (!isGone(error)) throw error
        this.opened = again()
      }
    }
    return question((await this.opened).desk)
  }

  private async open(): Promise<OpenedDesk> {
    const remote = await RemoteDesk.of(this.folder)
    if (remote !== undefined) return { desk: remote, isRemote: true, close: async () => remote.close() }
    return this.openFiles()
  }

  private async openFiles(): Promise<OpenedDesk> {
    // Most commands look at a running crawl, and need nothing of this.
    const { openFilesDesk } = await import('./files-desk.ts')
    return { ...(await openFilesDesk(this.folder, this.clock)), isRemote: false }
  }

  private async openFilesIfSmall(): Promise<OpenedDesk | undefined> {
    if (!(await this.opened)?.isRemote || (await this.status()).frontier.known > MOST_READ) return undefined
    // The crawl writes at the same time; if that gets in the way, it can still be asked.
    return this.openFiles().catch(() => undefined)
  }
}
