import { statSync } from 'node:fs'
import type { PageLine } from '../archive/pages-file.ts'
import { unixClock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { isCrawlFolder } from '../crawl/crawl-file.ts'
import { ReadingDesk } from './current-source.ts'
import type { Story } from './explanation.ts'
import type { ListedLink, ListFilter } from './listed-links.ts'
import type { Desk, DeskHost, HostFilter } from './questions/facts.ts'
import type { CrawlStatus } from './status.ts'

const HOSTS_AT_ONCE = 500

const words = catalogue({
  en: {
    noFolder: (path: string) => `there is no folder ${path}; name the folder of a crawl`,
    noCrawl: (path: string) => `${path} is not the folder of a crawl; name the folder that a crawl was written to`,
    noText: 'openCrawl takes the path of a folder; give it as a string',
    closed: 'this reader is closed; open the crawl again with openCrawl',
  },
  pt: {
    noFolder: path => `não existe a pasta ${path}; indique a pasta de uma coleta`,
    noCrawl: path => `${path} não é a pasta de uma coleta; indique a pasta em que uma coleta foi gravada`,
    noText: 'openCrawl recebe o caminho de uma pasta; dê-o como texto',
    closed: 'este leitor está fechado; abra a coleta de novo com openCrawl',
  },
})

/**
 * Reads a crawl's folder for the commands. Code is loaded when a question needs it: half of the time to the first row would
 * otherwise go into loading modules.
 */
export class CrawlLook {
  readonly folder: string
  private readonly desk: ReadingDesk
  private isClosed = false

  /** Throws `CRAWL_NOT_FOUND` when the folder holds no crawl. `frontierPassword`: of a frontier that machines share. */
  constructor(folder: string, frontierPassword?: string) {
    if (typeof folder !== 'string') throw new EscalonaError('CRAWL_BAD_OPTIONS', words().noText)
    checkCrawlFolder(folder)
    this.folder = folder
    this.desk = new ReadingDesk(folder, unixClock, { frontierPassword })
  }

  async status(): Promise<CrawlStatus> {
    this.checkOpen()
    const { statusOf } = await import('./status.ts')
    return statusOf(this.folder, this.desk)
  }

  hosts(filter: HostFilter = {}): AsyncGenerator<DeskHost> {
    return hostsOf(this.desk, filter, () => this.checkOpen())
  }

  async *list(which: ListFilter = {}): AsyncGenerator<ListedLink> {
    this.checkOpen()
    const { listed } = await import('./listed-links.ts')
    yield* listed(which, this.desk, () => this.pageLines())
  }

  async explain(url: string): Promise<Story> {
    this.checkOpen()
    const [{ storyOf }, { searchedPlaces }] = await Promise.all([
      import('./explanation.ts'),
      import('./files/lines-of.ts'),
    ])
    return storyOf(url, this.desk, { folder: this.folder, places: searchedPlaces(this.folder) })
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.desk.close()
  }

  protected checkOpen(): void {
    if (this.isClosed) throw new EscalonaError('CRAWL_READER_CLOSED', words().closed)
  }

  protected async *pageLines(): AsyncGenerator<PageLine> {
    const { pageLines } = await import('./files/lines-of.ts')
    for (const line of pageLines(this.folder)) {
      this.checkOpen()
      yield line
    }
  }
}

/** The hosts that a desk knows, page by page. `check` is called before each page. */
export async function* hostsOf(
  desk: Pick<Desk, 'hosts'>,
  filter: HostFilter,
  check: () => void = () => {},
): AsyncGenerator<DeskHost> {
  for (let after: string | undefined; ; ) {
    check()
    const page = await desk.hosts({ ...(after !== undefined && { after }), limit: HOSTS_AT_ONCE }, filter)
    yield* page.items
    after = page.next
    if (after === undefined) return
  }
}

/** Throws `CRAWL_NOT_FOUND` when the folder holds no crawl. */
export function checkCrawlFolder(folder: string): void {
  if (!isFolder(folder)) throw new EscalonaError('CRAWL_NOT_FOUND', words().noFolder(printable(folder)))
  if (!isCrawlFolder(folder)) throw new EscalonaError('CRAWL_NOT_FOUND', words().noCrawl(printable(folder)))
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
