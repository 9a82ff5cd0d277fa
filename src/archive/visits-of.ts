import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { answersIn, openInProgress } from './answers-in-progress.ts'
import { visitsIn } from './index-search.ts'
import { mergedNames } from './index-state.ts'
import { archiveFiles, INDEX_FILE, indexedFiles, numberOf, partPath } from './names.ts'
import { type Place, placeOf } from './scan.ts'
import { targetUri } from './target-uri.ts'

/** An answer to a request for a URL, as the index knows it. */
export interface Visit extends Place {
  readonly kind: 'response' | 'revisit'
  /** As it is in the archive: `targetUri`. */
  readonly url: string
  /** Unix time of the request; of a finished file in whole seconds. */
  readonly dateMs: number
  /** Of the answer: 304 for one that says that nothing changed. */
  readonly status: number
  /** `warc/revisit` for a revisit. */
  readonly mime: string
  /** Of a response of which something is missing: why, as in its record. */
  readonly truncated: string | undefined
}

/** Whether the server failed to send all of an answer: its end is missing, and not because we did not want it. */
export function isBrokenOff({ truncated }: Pick<Visit, 'truncated'>): boolean {
  return truncated !== undefined && truncated !== 'length'
}

/** Of more visits, the newest are returned. */
const MOST_VISITS = 10_000

/**
 * All answers to requests for a URL, oldest first: a search in `index.cdxj`, in each part of the index that is not in it yet, and
 * a walk over the file in progress.
 */
export function visitsOf(crawl: string, url: string, most = MOST_VISITS): Visit[] {
  const found = new Map<string, Visit>()
  const add = (visit: Visit) => void found.set(`${visit.file} ${visit.offset}`, visit)
  // A file gets its part before it is finished: in this order, none is missed.
  for (const { name, isOpen } of archiveFiles(crawl)) if (isOpen) inProgress(crawl, name, url).forEach(add)
  for (const visits of indexed(crawl, url)) visits.forEach(add)
  return [...found.values()].sort(byTime).slice(-most)
}

/** Those of finished files only: a few searches. */
export function finishedVisitsOf(crawl: string, url: string): Visit[] {
  return [...indexed(crawl, url)].flat().sort(byTime)
}

/** Where the newest answer to a request for this URL lies, of whatever kind: page, redirect, failure or robots.txt. */
export function findAnswer(crawl: string, url: string): Place | undefined {
  for (const { name, isOpen } of archiveFiles(crawl).reverse()) {
    const newest = isOpen ? inProgress(crawl, name, url).at(-1) : undefined
    if (newest !== undefined) return placeOf(newest)
  }
  return findFinished(crawl, url)
}

/** The same in finished files only: a few searches. */
export function findFinished(crawl: string, url: string): Place | undefined {
  for (const visits of indexed(crawl, url)) {
    const newest = visits.sort(byTime).at(-1)
    if (newest !== undefined) return placeOf(newest)
  }
  return undefined
}

/** The newest answer in one part of the index. */
export function inPart(crawl: string, name: string, url: string): Place | undefined {
  const newest = visitsIn(partPath(crawl, name), url).at(-1)
  return newest && placeOf(newest)
}

/** The visits in each part that is not in `index.cdxj`, newest part first, then those in `index.cdxj`. */
function* indexed(crawl: string, url: string): Generator<Visit[], void, undefined> {
  const merged = mergedNames(crawl)
  for (const { name } of partsOf(crawl).reverse()) {
    if (!merged.has(name)) yield visitsIn(partPath(crawl, name), url)
  }
  if (merged.size > 0) yield visitsIn(join(crawl, INDEX_FILE), url)
}

function partsOf(crawl: string): ReturnType<typeof indexedFiles> {
  try {
    return indexedFiles(crawl)
  } catch {
    // A crawl that has not finished any file yet.
    return []
  }
}

function inProgress(crawl: string, name: string, url: string): Visit[] {
  const fd = openInProgress(crawl, name)
  if (fd === undefined) return []
  try {
    const target = targetUri(url)
    const found: Visit[] = []
    for (const answer of answersIn(fd, 0)) {
      if (answer.url === target || answer.url === url) found.push({ file: name, ...answer })
    }
    return found
  } finally {
    closeSync(fd)
  }
}

/** By the second, since the index knows no more; then in the order in which they were written. */
function byTime(a: Visit, b: Visit): number {
  const seconds = Math.floor(a.dateMs / 1000) - Math.floor(b.dateMs / 1000)
  return seconds || numberOf(a.file) - numberOf(b.file) || a.offset - b.offset
}
