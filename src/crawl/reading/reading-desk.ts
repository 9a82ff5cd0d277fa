import type { Clock } from '../../base/clock.ts'
import type { Cursor, LinkFilter, LinkView, Page } from '../../frontier/frontier.ts'
import { isGone, RemoteDesk } from '../desk/ask-desk.ts'
import type { Desk, DeskHost, DeskStatus, DeskStory, HostFilter } from '../desk/desk.ts'

/** Lists of more pages than this are read from the files, so that this process does the work and not the crawl's. */
const MOST_PAGES = 6
/** A frontier with more links than this would take too much memory to read: about 45 bytes each. */
const MOST_READ = 2_000_000

/** A desk, and how to close it. */
interface OpenedDesk {
  readonly desk: Desk
  readonly isRemote: boolean
  close(): Promise<void>
}

/**
 * Asks the running crawl, or reads the files when nothing answers. Cursors are the same in both, so when the crawl ends in the
 * middle of a list, the list continues from the files.
 */
export class ReadingDesk implements Desk {
  private readonly folder: string
  private readonly clock: Clock
  private readonly frontierPassword: string | undefined
  private opened: Promise<OpenedDesk> | undefined
  /** The desk for long lists of a running crawl; undefined until it is needed. */
  private files: Promise<OpenedDesk | undefined> | undefined
  private pages = 0

  /** `frontierPassword`: of a frontier that machines share. */
  constructor(folder: string, clock: Clock, frontierPassword?: string) {
    this.folder = folder
    this.clock = clock
    this.frontierPassword = frontierPassword
  }

  status(): Promise<DeskStatus> {
    return this.ask(desk => desk.status())
  }

  hosts(page: Cursor, filter?: HostFilter): Promise<Page<DeskHost>> {
    return this.list(desk => desk.hosts(page, filter))
  }

  links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>> {
    const question = (desk: Desk) => desk.links(which, page)
    // The cursor in a host's queue is a position, which shifts while the crawl runs.
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

  /** If the crawl ends, or drops a very slow reader, asks it once more and then falls back to the files. */
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
    // Loaded on demand, since most commands look at a running crawl and do not need it.
    const { openFilesDesk } = await import('./files-desk.ts')
    return { ...(await openFilesDesk(this.folder, this.clock, this.frontierPassword)), isRemote: false }
  }

  private async openFilesIfSmall(): Promise<OpenedDesk | undefined> {
    if (!(await this.opened)?.isRemote || (await this.status()).frontier.known > MOST_READ) return undefined
    // The crawl is writing at the same time; if that gets in the way, the crawl can still be asked.
    return this.openFiles().catch(() => undefined)
  }
}
