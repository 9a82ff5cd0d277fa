import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unixClock } from '../../base/clock.ts'
import { isCrawlFolder } from '../../folder/crawl-file.ts'
import { type DumpSource, MANIFEST, openDump } from '../../frontier/dump-files.ts'
import { FolderPlace } from './folder-place.ts'

/** What is to be imported: an export, or the folder of a crawl or of a frontier, as it is now. */
export async function sourceAt(folder: string): Promise<DumpSource> {
  const isFrontier = isCrawlFolder(folder) || existsSync(join(folder, 'frontier.txt'))
  if (existsSync(join(folder, MANIFEST)) || !isFrontier) return openDump(folder)
  return { ...(await new FolderPlace(folder).dump()), folder, madeAt: new Date(unixClock()).toISOString() }
}
