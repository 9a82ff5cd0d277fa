import { MOST_UNSETTLED_PAGES } from '../archive/archive-writer.ts'
import type { PageLine } from '../archive/pages-file.ts'
import type { RecordLocation } from '../archive/scan.ts'
import { EscalonaError } from '../base/errors.ts'
import type { PageScore, Scores } from '../run/live.ts'

/** With more pages waiting than this, a start might not find all of them in the newest files of the archive. */
const MOST_WAITING = 250

/**
 * The scores that `onPage` returns. Pages wait for theirs before their links are ranked: until `onPage` has returned for the first time, and from
 * the first score on. A program that returns none holds nothing up.
 */
export class PageScores implements Scores {
  private readonly waiting = new Map<string, (score: number | undefined) => void>()
  /**
   * Of pages that nobody waited for when they were handed out. A line can be read before its page is known to be safe, and only then `of` is called;
   * of the pages that were handed out, these are among the newest.
   */
  private readonly early = new Map<string, number | undefined>()
  private hasAnswered = false
  private hasScores = false
  /** Until the program returns from the page at hand. */
  private isReleased = false
  private isOver = false

  get areWanted(): boolean {
    return !this.isOver && !this.isReleased && (this.hasScores || !this.hasAnswered) && this.waiting.size < MOST_WAITING
  }

  of(page: PageLine): Promise<number | undefined> {
    const key = keyOf(page)
    if (this.isOver || this.isReleased || this.early.has(key)) return Promise.resolve(this.early.get(key))
    return new Promise(resolve => this.waiting.set(key, resolve))
  }

  /** What `onPage` returned for a page. */
  tell(page: PageLine, scored: unknown): void {
    const score = typeof scored === 'object' && scored !== null ? checked((scored as PageScore).score) : undefined
    this.hasAnswered = true
    if (score !== undefined) this.hasScores = true
    this.isReleased = false
    const key = keyOf(page)
    const resolve = this.waiting.get(key)
    if (resolve === undefined) this.hearEarly(key, score)
    else resolve(score)
    this.waiting.delete(key)
    if (!this.hasScores) this.resolveAll()
  }

  release(): void {
    this.isReleased = true
    this.resolveAll()
  }

  private hearEarly(key: string, score: number | undefined): void {
    this.early.set(key, score)
    if (this.early.size > MOST_UNSETTLED_PAGES) this.early.delete(this.early.keys().next().value!)
  }

  private resolveAll(): void {
    for (const resolve of this.waiting.values()) resolve(undefined)
    this.waiting.clear()
  }

  /** No page is handed out any more. */
  end(): void {
    this.isOver = true
    this.resolveAll()
  }
}

function checked(score: unknown): number | undefined {
  if (score === undefined) return undefined
  if (typeof score !== 'number' || !(score >= 0 && score <= 1))
    throw new EscalonaError('CRAWL_BAD_SCORE', { value: String(score) })
  return score
}

function keyOf({ file, offset }: RecordLocation): string {
  return `${file} ${offset}`
}
