import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ARCHIVE_FOLDER } from './names.ts'

/** The size of all WARC files of a crawl, the one in progress included. */
export function archiveBytes(crawl: string): number {
  const folder = join(crawl, ARCHIVE_FOLDER)
  const names = readdirSync(folder).filter(name => name.includes('.warc.gz'))
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}
