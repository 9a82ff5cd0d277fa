import { statSync } from 'node:fs'
import { join } from 'node:path'
import { archiveFiles, PAGES_FILE } from '../archive/names.ts'
import { type PageLine, parsePageLine } from '../archive/pages-file.ts'
import { EscalonaError } from '../base/errors.ts'
import { said } from '../base/messages/message.ts'
import { unpredictableSeed } from '../base/random.ts'
import { seededHash } from '../base/structures/hash-index.ts'
import { type ReadLine, readLines } from '../folder/json-lines-file.ts'

/** A visit of a page whose answer is in the archive: what a line of `pages.jsonl` says that the archive does not, and its place. */
export type ExportedVisit = Pick<
  PageLine,
  'url' | 'status' | 'hops' | 'language' | 'dateMs' | 'change' | 'file' | 'offset' | 'length'
>

/** Visits that one thread reads, in the order of `pages.jsonl`. */
export interface VisitBatch {
  readonly visits: readonly ExportedVisit[]
  /** How much of `pages.jsonl` comes before the next one, from 0 to 1. */
  readonly share: number
}

/** The visits of a crawl in batches. `isNewestOnly`: of each page only the newest visit, and none of a page that is gone. */
export function* visitBatches(
  lines: PageLines,
  { visitsEach, isNewestOnly }: { readonly visitsEach: number; readonly isNewestOnly: boolean },
): Generator<VisitBatch, void, undefined> {
  const isWanted = isNewestOnly ? newestVisits(lines.path, lines.size) : () => true
  let visits: ExportedVisit[] = []
  for (const { line, end } of lines.read()) {
    if (!isWanted(line, end)) continue
    const { url, status, hops, language, dateMs, change, file, offset, length } = line
    visits.push({ url, status, hops, language, dateMs, change, file, offset, length })
    if (visits.length < visitsEach) continue
    yield { visits, share: end / lines.size }
    visits = []
  }
  if (visits.length > 0) yield { visits, share: 1 }
}

/** `pages.jsonl` as it is at one moment: what is appended later is left out, so reading it ends even if the crawl goes on. */
export class PageLines {
  readonly path: string
  readonly size: number
  private readonly onUnread: (why: string) => void

  /** Throws when the file is missing though something is archived. `onUnread` gets why a line cannot be read. */
  constructor(folder: string, onUnread: (why: string) => void) {
    this.path = join(folder, PAGES_FILE)
    this.onUnread = onUnread
    const found = statSync(this.path, { throwIfNoEntry: false })
    this.size = found?.size ?? 0
    if (found !== undefined || archiveFiles(folder).length === 0) return
    throw new EscalonaError('ARCHIVE_UNREADABLE/no-pages-file', { path: this.path, folder })
  }

  /** Each line, and the byte after it. */
  *read(): Generator<ReadLine<PageLine>, void, undefined> {
    const unread = (offset: number) => this.onUnread(said('export/no-line', { path: this.path, offset }))
    for (const one of readLines(this.path, soundLine, 0, at => at < this.size && unread(at))) {
      if (one.end > this.size) return
      yield one
    }
  }
}

/** Undefined when what a line says can't be: anyone may have written it. */
function soundLine(text: string): PageLine | undefined {
  const line = parsePageLine(text)
  if (line === undefined) return undefined
  const { url, dateMs, status, bytes, hops, offset, length } = line
  const isCounted = [status, bytes, hops, offset, length].every(count => count >= 0)
  return isCounted && !Number.isNaN(dateMs) && /^https?:/.test(url) && URL.canParse(url) ? line : undefined
}

const [SEED, CHECK_SEED] = unpredictableSeed()
/** In the line of a visit that was not the first one. A quote inside of a title or URL has a backslash before it. */
const AGAIN = /"change":"(?!new")/

/**
 * Reads `pages.jsonl` up to `size` once, and returns whether a visit, whose line ends at `end`, is the newest of a page that is
 * not gone. Only pages that were visited again take memory, about 50 bytes each.
 */
export function newestVisits(
  path: string,
  size: number,
): (visit: Pick<ExportedVisit, 'url' | 'change'>, end: number) => boolean {
  const newest = new Map<number, number>()
  const parse = (text: string) => (AGAIN.test(text) ? parsePageLine(text) : undefined)
  for (const { line, end } of readLines(path, parse)) {
    if (end > size) break
    newest.set(keyOf(line.url), end)
  }
  if (newest.size === 0) return () => true
  return ({ url, change }, end) => change !== 'gone' && (newest.get(keyOf(url)) ?? end) === end
}

/** A number of 53 bits that no other URL is likely to have, nor can be made to have. */
function keyOf(url: string): number {
  const bytes = Buffer.from(url)
  const check = seededHash(CHECK_SEED, bytes, 0, bytes.length) >>> 11
  return (seededHash(SEED, bytes, 0, bytes.length) >>> 0) * 2 ** 21 + check
}
