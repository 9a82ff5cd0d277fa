import type { PageLine } from '../archive/pages-file.ts'
import { newestVisits } from './newest-visits.ts'
import type { PageLines } from './page-lines.ts'

/** A visit of a page whose answer is in the archive: what a line of `pages.jsonl` says that the archive does not, and its place. */
export type Visit = Pick<PageLine, 'url' | 'status' | 'hops' | 'dateMs' | 'change' | 'file' | 'offset' | 'length'>

/** Visits that one thread reads, in the order of `pages.jsonl`. */
export interface Batch {
  readonly visits: readonly Visit[]
  /** How much of `pages.jsonl` comes before the next one, from 0 to 1. */
  readonly share: number
}

/** The visits of a crawl in batches. `isNewestOnly`: of each page only the newest visit, and none of a page that is gone. */
export function* visitBatches(
  lines: PageLines,
  { visitsEach, isNewestOnly }: { readonly visitsEach: number; readonly isNewestOnly: boolean },
): Generator<Batch, void, undefined> {
  const isWanted = isNewestOnly ? newestVisits(lines.path, lines.size) : () => true
  let visits: Visit[] = []
  for (const { line, end } of lines.read()) {
    if (!isWanted(line, end)) continue
    const { url, status, hops, dateMs, change, file, offset, length } = line
    visits.push({ url, status, hops, dateMs, change, file, offset, length })
    if (visits.length < visitsEach) continue
    yield { visits, share: end / lines.size }
    visits = []
  }
  if (visits.length > 0) yield { visits, share: 1 }
}
