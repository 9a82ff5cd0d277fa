import { setImmediate as turn } from 'node:timers/promises'
import { type PageLine, parsePageLine } from '../../archive/pages-file.ts'
import type { Clock } from '../../base/clock.ts'
import { FoldedText } from '../../base/words/folded-text.ts'
import type { PageList } from '../questions/page-shapes.ts'
import type { LineIndex } from './line-index.ts'

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

/** The newest pages, or those whose URL or title has a text in it. */
export async function pagesFound(query: PageQuery, index: LineIndex, stopwatch: Clock): Promise<PageList> {
  const q = query.q?.trim().slice(0, MOST_CHARS) ?? ''
  return q === '' ? newest(query, index) : new PageSearch(q, index, stopwatch).find(query)
}

/** Of a page that was visited several times, the newest line. */
async function newest({ offset, limit }: PageQuery, index: LineIndex): Promise<PageList> {
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

class PageSearch {
  private readonly q: string
  private readonly inLine: FoldedText
  private readonly index: LineIndex
  private readonly stopwatch: Clock
  private readonly items: PageLine[] = []

  constructor(q: string, index: LineIndex, stopwatch: Clock) {
    this.q = q.toLowerCase()
    // As it is written in a line.
    this.inLine = new FoldedText(JSON.stringify(q).slice(1, -1))
    this.index = index
    this.stopwatch = stopwatch
  }

  async find({ offset, limit }: PageQuery): Promise<PageList> {
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
      if (this.inLine.isIn(bytes, start, end)) {
        const line = parsePageLine(bytes.toString('utf8', start, end - 1))
        const isNewest = () => this.index.isNewest(first + i, bytes.subarray(start, end - 1))
        if (line !== undefined && this.isFound(line) && isNewest()) this.items.push(line)
        if (this.items.length === limit) return starts.length - i
      }
      end = start
    }
    return starts.length
  }

  private isFound({ url, title }: PageLine): boolean {
    return url.toLowerCase().includes(this.q) || title.toLowerCase().includes(this.q)
  }
}
