import { statSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES_FILE } from '../archive/names.ts'
import { type PageLine, parsePageLine } from '../archive/pages-file.ts'
import { linesFrom } from '../base/files/line-file.ts'
import { newestVisits } from './newest-visits.ts'

/** A visit of a page whose answer is in the archive: what a line of `pages.jsonl` says that the archive does not, and its place. */
export type Visit = Pick<PageLine, 'url' | 'status' | 'hops' | 'dateMs' | 'change' | 'file' | 'offset' | 'length'>

/** Visits that one thread reads, in the order of `pages.jsonl`. */
export interface Batch {
  readonly visits: readonly Visit[]
  /** How much of `pages.jsonl` comes before the next one, from 0 to 1. */
  readonly share: number
}

/**
 * The visits of a crawl in batches. What is appended to `pages.jsonl` from now on is left out, so it ends even if the crawl goes on.
 * `isNewestOnly`: of each page only the newest visit, and none of a page that is gone.
 */
export function* visitBatches(
  folder: string,
  { visitsEach, isNewestOnly }: { readonly visitsEach: number; readonly isNewestOnly: boolean },
): Generator<Batch, void, undefined> {
  const path = join(folder, PAGES_FILE)
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const isWanted = isNewestOnly ? newestVisits(path, size) : () => true
  let visits: Visit[] = []
  for (const { text, end } of linesFrom(path)) {
    if (end > size) break
    const line = parsePageLine(text)
    if (line === undefined || !isWanted(line, end)) continue
    const { url, status, hops, dateMs, change, file, offset, length } = line
    visits.push({ url, status, hops, dateMs, change, file, offset, length })
    if (visits.length < visitsEach) continue
    yield { visits, share: end / size }
    visits = []
  }
  if (visits.length > 0) yield { visits, share: 1 }
}
