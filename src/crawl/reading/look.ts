import { statSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES_FILE } from '../../archive/names.ts'
import { type PageLine, parsePageLine } from '../../archive/pages-file.ts'
import { unixClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { linesFrom } from '../../base/files/line-file.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import { isCrawlFolder } from '../crawl-file.ts'
import type { DeskHost, HostFilter } from '../desk/desk.ts'
import type { ListedLink, ListFilter } from './listed-links.ts'
import { ReadingDesk } from './reading-desk.ts'
import type { CrawlStatus } from './status.ts'
import type { Story } from './story.ts'

const HOSTS_AT_ONCE = 500

const words = catalogue({
  en: {
    noFolder: (path: string) => `there is no folder ${path}; name the folder that the crawl was given with -o`,
    noCrawl: (path: string) => `${path} is not the folder of a crawl; name the one that the crawl was given with -o`,
  },
  pt: {
    noFolder: path => `não existe a pasta ${path}; indique a pasta dada à coleta com -o`,
    noCrawl: path => `${path} não é a pasta de uma coleta; indique a que foi dada à coleta com -o`,
  },
})

/**
 * Reads a crawl's folder for the commands. Code is loaded when a question needs it: half of the time to the first row would
 * otherwise go into loading modules.
 */
export class CrawlLook {
  readonly folder: string
  private readonly desk: ReadingDesk

  /** Throws `CRAWL_NOT_FOUND` when the folder holds no crawl. */
  constructor(folder: string) {
    if (!isFolder(folder)) throw new EscalonaError('CRAWL_NOT_FOUND', words().noFolder(printable(folder)))
    if (!isCrawlFolder(folder)) throw new EscalonaError('CRAWL_NOT_FOUND', words().noCrawl(printable(folder)))
    this.folder = folder
    this.desk = new ReadingDesk(folder, unixClock)
  }

  async status(): Promise<CrawlStatus> {
    const { statusOf } = await import('./status.ts')
    return statusOf(this.folder, this.desk)
  }

  async *hosts(filter: HostFilter = {}): AsyncGenerator<DeskHost> {
    for (let after: string | undefined; ; ) {
      const page = await this.desk.hosts({ ...(after !== undefined && { after }), limit: HOSTS_AT_ONCE }, filter)
      yield* page.items
      after = page.next
      if (after === undefined) return
    }
  }

  async *list(which: ListFilter = {}): AsyncGenerator<ListedLink> {
    const { listed } = await import('./listed-links.ts')
    yield* listed(which, this.desk, () => this.pageLines())
  }

  async explain(url: string): Promise<Story> {
    const { storyOf } = await import('./story.ts')
    return storyOf(url, this.folder, this.desk)
  }

  async close(): Promise<void> {
    await this.desk.close()
  }

  protected *pageLines(): Generator<PageLine, void, undefined> {
    for (const { text } of linesFrom(join(this.folder, PAGES_FILE))) {
      const line = parsePageLine(text)
      if (line !== undefined) yield line
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
