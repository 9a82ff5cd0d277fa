import { closeSync, openSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import type { PageLine } from '../archive/pages-file.ts'
import { RecordReader } from '../archive/read.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { lineAt } from '../base/files/line-file.ts'
import { archivedText, soundLine } from './archived-text.ts'
import { pagesPath } from './manifest.ts'
import { indexStamp, OpenIndex } from './open-index.ts'
import { hasPhrases, parseQuery, type Query, type SearchQuestion } from './query.ts'
import { type Found, type Ranking, rank } from './ranking.ts'
import { type SnippetPiece, TextMatcher } from './snippet.ts'
import { indexState } from './update-index.ts'

export interface FindOptions {
  /** How many of the best pages to skip; 0 by default. */
  readonly offset?: number
  /** How many to return at most; 10 by default. */
  readonly limit?: number
}

/** A page that was found. */
export interface FoundPage extends Pick<PageLine, 'url' | 'title' | 'dateMs' | 'status' | 'language'> {
  /** BM25: higher is better; comparable only within one search. */
  readonly score: number
  /** A part of its text with what was asked for; empty when the archive does not have the text any more. */
  readonly snippet: readonly SnippetPiece[]
}

export interface SearchResult {
  /** The best first. */
  readonly items: readonly FoundPage[]
  /** Pages that were found. */
  readonly total: number
  /** Of a search with phrases: not all of the pages were read, so that some that are counted may not have the phrase. */
  readonly isEstimate: boolean
  /** There was no time to find all of the pages that were asked for. */
  readonly isCut: boolean
  /** Pages in the index. */
  readonly indexed: number
}

const LIMIT = 10
/** How long pages are read for one search, some of which do not have the phrase, before it returns what it has. */
const MOST_MS = 1000
/** How long it works before the event loop gets a turn. */
const SLICE_MS = 10
/** Of candidates for a phrase, how many more are looked at first than are wanted. */
const SPARE = 20

/** Searches the index of a crawl as it is at each search, even while it is brought up to date. */
export class Search {
  private readonly crawl: string
  private readonly clock: Clock
  private index: OpenIndex | undefined
  private stamp = ''

  constructor(crawl: string, clock: Clock = systemClock) {
    this.crawl = crawl
    this.clock = clock
  }

  /** Throws `SEARCH_BAD_QUERY` when the question cannot be understood, and `SEARCH_DAMAGED` when the index is damaged. */
  async find(question: SearchQuestion, { offset = 0, limit = LIMIT }: FindOptions = {}): Promise<SearchResult> {
    const query = parseQuery(question)
    const index = this.current()
    const ranking = rank(index, query)
    const pages = new FoundPages(this.crawl, index, query)
    try {
      const { items, dropped, isWhole, isCut } = await this.choose(ranking, pages, offset, limit)
      const total = ranking.length - dropped
      const indexed = index.manifest === undefined ? 0 : indexState(index.manifest).pages
      return { items, total, isEstimate: hasPhrases(query) && !isWhole, isCut, indexed }
    } finally {
      pages.close()
    }
  }

  close(): void {
    this.index?.close()
    this.index = undefined
    this.stamp = ''
  }

  private current(): OpenIndex {
    const stamp = indexStamp(this.crawl)
    if (this.index === undefined || stamp !== this.stamp) {
      const opened = OpenIndex.open(this.crawl)
      this.index?.close()
      this.index = opened
      this.stamp = stamp
    }
    return this.index
  }

  /** Reads candidates, the best first, until there are enough that have what was asked for. */
  private async choose(
    ranking: Ranking,
    pages: FoundPages,
    offset: number,
    limit: number,
  ): Promise<{ items: FoundPage[]; dropped: number; isWhole: boolean; isCut: boolean }> {
    const startMs = this.clock()
    let sliceMs = startMs
    const wanted = offset + limit
    const items: FoundPage[] = []
    let [accepted, dropped, looked] = [0, 0, 0]
    for (let most = wanted + SPARE; ; most *= 4) {
      const candidates = ranking.best(most)
      for (const found of candidates.slice(looked)) {
        if (accepted === wanted) break
        const page = pages.read(found, accepted >= offset)
        looked++
        if (page === undefined) dropped++
        else if (accepted++ >= offset) items.push(page)
        const nowMs = this.clock()
        if (dropped > 0 && nowMs - startMs > MOST_MS)
          return { items, dropped, isWhole: false, isCut: accepted < wanted }
        if (nowMs - sliceMs < SLICE_MS) continue
        await turn()
        sliceMs = this.clock()
      }
      const isWhole = looked === ranking.length
      if (accepted === wanted || isWhole) return { items, dropped, isWhole, isCut: false }
    }
  }
}

/** Reads what was found. */
class FoundPages {
  private readonly index: OpenIndex
  private readonly records: RecordReader
  private readonly matcher: TextMatcher
  private readonly hasPhrases: boolean
  private readonly fd: number
  private readonly urls = new Set<string>()

  constructor(crawl: string, index: OpenIndex, query: Query) {
    this.index = index
    this.records = new RecordReader(crawl)
    this.matcher = new TextMatcher(query)
    this.hasPhrases = hasPhrases(query)
    this.fd = index.segments.length === 0 ? -1 : openSync(pagesPath(crawl), 'r')
  }

  /** A page; undefined: it does not have all phrases, or was found already. `isShown`: it needs its snippet. */
  read({ segment, document, score }: Found, isShown: boolean): FoundPage | undefined {
    const { lines } = this.index.segments[segment]!.segment.table
    const line = soundLine(lineAt(this.fd, lines[document]!)?.text ?? '')
    if (line === undefined || this.urls.has(line.url)) return undefined
    const snippet = isShown || this.hasPhrases ? this.snippetOf(line) : []
    if (snippet === undefined) return undefined
    this.urls.add(line.url)
    const { url, title, dateMs, status, language } = line
    return { url, title, dateMs, status, ...(language !== undefined && { language }), score, snippet }
  }

  close(): void {
    this.records.close()
    if (this.fd >= 0) closeSync(this.fd)
  }

  private snippetOf(line: PageLine): readonly SnippetPiece[] | undefined {
    try {
      return this.matcher.snippet(archivedText(this.records, line))
    } catch (error) {
      if (!(error instanceof EscalonaError)) throw error
      return this.hasPhrases ? undefined : []
    }
  }
}
