import { unixClock } from '../base/clock.ts'
import { FolderFrontDesk } from './crawl-view.ts'
import { checkCrawlFolder } from './look.ts'
import type { FrontDesk } from './questions/front-desk.ts'

/** How to open a crawl's front desk. */
export interface FrontDeskOptions {
  /** The password of a frontier that machines share; a folder never keeps it. */
  readonly frontierPassword?: string | undefined
}

/** Opens the front desk of the crawl in a folder, running or not. Throws `CRAWL_NOT_FOUND` when the folder holds no crawl. */
export async function openFrontDesk(folder: string, options: FrontDeskOptions = {}): Promise<FrontDesk> {
  checkCrawlFolder(folder)
  return new FolderFrontDesk(folder, unixClock, options.frontierPassword)
}
