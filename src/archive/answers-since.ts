import { archiveFiles, finishedPath, openPath } from './names.ts'
import { type Archived, type Contents, scanFile } from './scan.ts'

/**
 * The answers in the archive to requests that were made since this time (ms since 1970), a file at a time, the newest file first. Of
 * the file in progress, what is on disk. Files are written one after the other, so the first that has none ends the search.
 */
export function* answersSince(crawl: string, sinceMs: number): Generator<readonly Archived[]> {
  for (const { name, isOpen } of archiveFiles(crawl).toReversed()) {
    const { archived } = isOpen ? inProgress(crawl, name) : scanFile(finishedPath(crawl, name), name)
    const some = archived.filter(({ dateMs }) => dateMs >= sinceMs)
    if (some.length === 0 && archived.length > 0) return
    yield some
  }
}

/** Somebody may just finish it. */
function inProgress(crawl: string, name: string): Contents {
  try {
    return scanFile(openPath(crawl, name), name, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return scanFile(finishedPath(crawl, name), name)
  }
}
