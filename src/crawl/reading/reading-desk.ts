import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Cursor, HostView, LinkFilter, LinkView, Page } from '../../frontier/frontier.ts'
import { isGone, RemoteDesk } from '../desk/ask-desk.ts'
import type { Desk, DeskStatus, DeskStory, HostFilter } from '../desk/desk.ts'

/** A desk, and how to leave it. */
interface OpenedDesk {
  readonly desk: Desk
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

  constructor(folder: string, clock: Clock) {
    this.folder = folder
    this.clock = clock
  }

  status(): Promise<DeskStatus> {
    return this.ask(desk => desk.status())
  }

  hosts(page: Cursor, filter?: HostFilter): Promise<Page<HostView>> {
    return this.ask(desk => desk.hosts(page, filter))
  }

  links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>> {
    return this.ask(desk => desk.links(which, page))
  }

  explain(url: string): Promise<DeskStory> {
    return this.ask(desk => desk.explain(url))
  }

  async close(): Promise<void> {
    const { opened } = this
    this.opened = undefined
    await opened?.then(one => one.close())
  }

  private async ask<Result>(question: (desk: Desk) => Promise<Result>): Promise<Result> {
    this.opened ??= this.open()
    try {
      return await question((await this.opened).desk)
    } catch (error) {
      if (!isGone(error)) throw error
      // It ended, or lost patience with somebody who read very slowly.
      this.opened = this.open()
      return question((await this.opened).desk)
    }
  }

  private async open(): Promise<OpenedDesk> {
    const remote = await RemoteDesk.of(this.folder)
    if (remote !== undefined) return { desk: remote, close: async () => remote.close() }
    // Most commands look at a running crawl, and need nothing of this.
    const { openFilesDesk } = await import('./files-desk.ts')
    return openFilesDesk(join(this.folder), this.clock)
  }
}
