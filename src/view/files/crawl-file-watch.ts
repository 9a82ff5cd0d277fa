import { type CrawlFile, crawlFileStamp, readCrawlFile } from '../../folder/crawl-file.ts'
import { runSettings } from '../../folder/run-plan.ts'
import type { CrawlSettings } from '../../settings/settings.ts'

/** The contents of `crawl.json`, read again when it has changed: when a run begins, ends, or gets other settings. */
export class CrawlFileWatch {
  private readonly folder: string
  private stamp: string | undefined
  private known: { readonly file: CrawlFile | undefined; readonly settings: CrawlSettings | undefined } = {
    file: undefined,
    settings: undefined,
  }

  constructor(folder: string) {
    this.folder = folder
  }

  /** Undefined in a folder made by an early version. */
  get file(): CrawlFile | undefined {
    return this.upToDate().file
  }

  /** The settings of the newest run. */
  get settings(): CrawlSettings | undefined {
    return this.upToDate().settings
  }

  private upToDate(): typeof this.known {
    const stamp = crawlFileStamp(this.folder)
    if (stamp !== this.stamp) {
      const file = readCrawlFile(this.folder)
      this.known = { file, settings: runSettings(file) }
      this.stamp = stamp
    }
    return this.known
  }
}
