import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { PAGES_FILE } from '../../archive/names.ts'
import { type PageLine, parsePageLine } from '../../archive/pages-file.ts'
import { type Clock, systemClock } from '../../base/clock.ts'
import { FoldedText } from '../../base/words/folded-text.ts'
import { type Bilingual, inBothLanguages } from '../../base/words/language.ts'
import { FAILURES_FILE, type FailureLine } from '../../folder/failures-file.ts'
import { parseFailureLine } from '../../folder/lines-of.ts'
import { aboutReason, isHeld } from '../../settings/reasons.ts'
import { hostOf } from '../../url/host-of.ts'
import type { ListedPages } from '../questions/page-shapes.ts'
import { LineIndex } from './line-index.ts'
import type { LineKind } from './line-table.ts'

/** How long an answer about a host waits for the rest of the files to be read. */
const PATIENCE_MS = 30
/** How long the counts of hosts wait for them. */
const FAILURES_MS = 10
const REQUEUED = Buffer.from('","requeued":true')
const REASON = Buffer.from('"reason":"')
const QUOTE = 0x22

export type HostOutcome =
  | { readonly kind: 'page'; readonly page: PageLine }
  | { readonly kind: 'ended'; readonly failure: FailureLine; readonly sentence: Bilingual }

/** How the links of a crawl ended: its pages and failures, by URL, by host and by time. */
export class OutcomeIndex {
  private readonly pages: LineIndex
  private readonly failures: LineIndex
  private readonly stopwatch: Clock

  constructor(folder: string, stopwatch: Clock = systemClock) {
    this.pages = new LineIndex(join(folder, PAGES_FILE), () => 'outcome', stopwatch)
    this.failures = new LineIndex(join(folder, FAILURES_FILE), kindOfFailure, stopwatch)
    this.stopwatch = stopwatch
  }

  find(query: PageQuery): Promise<ListedPages> {
    return pagesFound(query, this.pages, this.stopwatch)
  }

  /** Visits again that found a change. */
  changes(query: PageQuery): Promise<ListedPages> {
    return new LineSearch(CHANGES, ({ change }) => change === 'changed' || change === 'gone', this.pages, {
      stopwatch: this.stopwatch,
    }).find(query)
  }

  async pageLineOf(url: string): Promise<PageLine | undefined> {
    const text = await this.pages.newestOf(url)
    return text === undefined ? undefined : parsePageLine(text)
  }

  /** Undefined also when the link is back in the queue. */
  async failureLineOf(url: string): Promise<FailureLine | undefined> {
    const text = await this.failures.newestOf(url)
    return text === undefined ? undefined : parseFailureLine(text)
  }

  /** Waits a moment until all failures have been read, so that their counts are right; those of millions take longer. */
  async readFailures(): Promise<void> {
    const startMs = this.stopwatch()
    await this.failures.catchUp()
    while (!this.failures.isComplete && this.stopwatch() - startMs < FAILURES_MS) await turn()
  }

  /** How many links of a host ended by an error or by its refusal. */
  failedOf(host: string): number {
    return this.failures.countOf(host)
  }

  /** How links of a host ended, newest first. */
  async latest(host: string, most: number): Promise<HostOutcome[]> {
    const startMs = this.stopwatch()
    await Promise.all([this.pages.catchUp(), this.failures.catchUp()])
    for (;;) {
      const outcomes = [...first(most, this.merged(host))]
      const isComplete = this.pages.isComplete && this.failures.isComplete
      if (isComplete || outcomes.length === most || this.stopwatch() - startMs > PATIENCE_MS) return outcomes
      await turn()
    }
  }

  close(): void {
    this.pages.close()
    this.failures.close()
  }

  /** Both files are in the order of time. */
  private *merged(host: string): Generator<HostOutcome, void, undefined> {
    const pages = parsedWith(parsePageLine, this.pages.outcomesAt(host), host)
    const failures = parsedWith(parseFailureLine, this.failures.outcomesAt(host), host)
    let page = pages.next().value
    let failure = failures.next().value
    while (page !== undefined || failure !== undefined) {
      if (failure === undefined || (page !== undefined && page.dateMs >= failure.atMs)) {
        yield { kind: 'page', page: page! }
        page = pages.next().value
      } else {
        yield endedBy(failure)
        failure = failures.next().value
      }
    }
  }
}

function endedBy(failure: FailureLine): HostOutcome {
  const sentence = () => aboutReason(failure.reason).sentence
  return { kind: 'ended', failure, sentence: inBothLanguages(sentence) }
}

/** Two hosts could have the same hashes. */
function* parsedWith<Line extends { readonly url: string }>(
  parse: (text: string) => Line | undefined,
  texts: Iterable<string>,
  host: string,
): Generator<Line, undefined, undefined> {
  for (const text of texts) {
    const line = parse(text)
    if (line !== undefined && hostOf(line.url) === host) yield line
  }
  return undefined
}

function* first<Item>(most: number, items: Iterable<Item>): Generator<Item, void, undefined> {
  let left = most
  if (left === 0) return
  for (const item of items) {
    yield item
    if (--left === 0) return
  }
}

/** Links that a setting keeps out have not failed. A quote inside of a URL is escaped, so what is found here are keys. */
function kindOfFailure(bytes: Buffer, urlEnd: number, end: number): LineKind {
  if (REQUEUED.equals(bytes.subarray(urlEnd, urlEnd + REQUEUED.length))) return 'undone'
  const start = bytes.subarray(urlEnd, end).indexOf(REASON) + urlEnd + REASON.length
  const reason = bytes.toString('latin1', start, bytes.indexOf(QUOTE, start))
  return isHeld(reason) ? 'outcome' : 'counted'
}

/** Which pages to list; see the question `pages`. */
export interface PageQuery {
  readonly q?: string | undefined
  readonly offset: number
  readonly limit: number
}

/** How much time a search takes before it returns what it found. */
const MOST_MS = 40
/** How long it searches before the event loop gets a turn. */
const SLICE_MS = 5
/** How many lines of pages that were visited since are passed over for one answer. */
const MOST_PASSED = 2000
const PIECE_BYTES = 1 << 18
/** A longer text is cut: no URL or title that people look for is longer. */
const MOST_CHARS = 500
const CHANGES = ['"change":"changed"', '"change":"gone"'].map(text => new FoldedText(text))

/** The newest pages, or those whose URL or title has a text in it. */
async function pagesFound(query: PageQuery, index: LineIndex, stopwatch: Clock): Promise<ListedPages> {
  const q = query.q?.trim().slice(0, MOST_CHARS) ?? ''
  if (q === '') return newest(query, index)
  const wanted = q.toLowerCase()
  // As it is written in a line.
  const inLine = [new FoldedText(JSON.stringify(q).slice(1, -1))]
  const isFound = ({ url, title }: PageLine) =>
    url.toLowerCase().includes(wanted) || title.toLowerCase().includes(wanted)
  return new LineSearch(inLine, isFound, index, { stopwatch, isNewestOnly: true }).find(query)
}

/** Of a page that was visited several times, the newest line. */
async function newest({ offset, limit }: PageQuery, index: LineIndex): Promise<ListedPages> {
  const items: PageLine[] = []
  let next = offset
  let isAtEnd = limit === 0
  while (items.length < limit && !isAtEnd && next < offset + limit + MOST_PASSED) {
    const lines = await index.newest(next, limit - items.length)
    next += lines.length
    isAtEnd = lines.length === 0
    for (const { text, isNewest } of lines) {
      const line = isNewest ? parsePageLine(text) : undefined
      if (line !== undefined) items.push(line)
    }
  }
  return { items, total: index.urls, nextOffset: next > offset && next < index.lines ? next : undefined }
}

interface SearchOptions {
  readonly stopwatch: Clock
  /** Only lines that are the newest of their URL. */
  readonly isNewestOnly?: boolean
}

/** Searches lines from the newest on: those with one of these texts in them, in any case, that are what is wanted. */
class LineSearch {
  private readonly inLine: readonly FoldedText[]
  private readonly isFound: (line: PageLine) => boolean
  private readonly index: LineIndex
  private readonly stopwatch: Clock
  private readonly isNewestOnly: boolean
  private readonly items: PageLine[] = []

  constructor(
    inLine: readonly FoldedText[],
    isFound: (line: PageLine) => boolean,
    index: LineIndex,
    { stopwatch, isNewestOnly = false }: SearchOptions,
  ) {
    this.inLine = inLine
    this.isFound = isFound
    this.index = index
    this.stopwatch = stopwatch
    this.isNewestOnly = isNewestOnly
  }

  async find({ offset, limit }: PageQuery): Promise<ListedPages> {
    await this.index.catchUp()
    const startMs = this.stopwatch()
    let sliceMs = startMs
    let next = offset
    for (;;) {
      const piece = this.index.piece(next, PIECE_BYTES)
      if (piece !== undefined) next += this.search(piece, limit)
      const isAtEnd = piece === undefined && this.index.isComplete
      const nowMs = this.stopwatch()
      if (isAtEnd || this.items.length === limit || nowMs - startMs >= MOST_MS) {
        const { lines, urls } = this.index
        return { items: this.items, total: urls, nextOffset: isAtEnd || next >= lines ? undefined : next }
      }
      if (piece !== undefined && nowMs - sliceMs < SLICE_MS) continue
      await turn()
      sliceMs = this.stopwatch()
    }
  }

  /** Returns how many lines were searched. */
  private search({ bytes, starts, first }: NonNullable<ReturnType<LineIndex['piece']>>, limit: number): number {
    let end = bytes.length
    for (let i = starts.length - 1; i >= 0; i--) {
      const start = starts[i]!
      if (this.inLine.some(text => text.isIn(bytes, start, end))) {
        const line = parsePageLine(bytes.toString('utf8', start, end - 1))
        const isWanted = () => !this.isNewestOnly || this.index.isNewest(first + i, bytes.subarray(start, end - 1))
        if (line !== undefined && this.isFound(line) && isWanted()) this.items.push(line)
        if (this.items.length === limit) return starts.length - i
      }
      end = start
    }
    return starts.length
  }
}
