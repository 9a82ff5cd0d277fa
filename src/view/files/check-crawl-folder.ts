import { statSync } from 'node:fs'
import { EscalonaError } from '../../base/errors.ts'
import { isCrawlFolder } from '../../folder/crawl-file.ts'

/** Throws `CRAWL_NOT_FOUND` when the folder holds no crawl. */
export function checkCrawlFolder(folder: string): void {
  if (typeof folder !== 'string') throw new EscalonaError('CRAWL_BAD_OPTIONS/no-text')
  if (!isFolder(folder)) throw new EscalonaError('CRAWL_NOT_FOUND/no-folder', { path: folder })
  if (!isCrawlFolder(folder)) throw new EscalonaError('CRAWL_NOT_FOUND/no-crawl', { path: folder })
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
