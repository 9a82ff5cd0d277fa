import { EscalonaError } from '../../base/errors.ts'
import type { FrontDesk } from './front-desk.ts'

/** How to open a crawl's front desk. */
export interface FrontDeskOptions {
  /** The password of a frontier that machines share; a folder never keeps it. */
  readonly frontierPassword?: string | undefined
}

/** Opens the front desk of the crawl in a folder, running or not. Throws `CRAWL_NOT_FOUND` when the folder holds no crawl. */
export async function openFrontDesk(folder: string, _options: FrontDeskOptions = {}): Promise<FrontDesk> {
  throw new EscalonaError('NOT_YET', folder)
}
