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
  private hasAnswered = false
  private hasScores = false
  private isOver = false

  get areWanted(): boolean {
    return !this.isOver && (this.hasScores || !this.hasAnswered) && this.waiting.size < MOST_WAITING
  }

  of(page: PageLine): Promise<number | undefined> {
    return new Promise(resolve => this.waiting.set(keyOf(page), resolve))
  }

  /** What `onPage` returned for a page. */
  tell(page: PageLine, scored: unknown): void {
    const score = typeof scored === 'object' && scored !== null ? checked((scored as PageScore).score) : undefined
    this.hasAnswered = true
    if (score !== undefined) this.hasScores = true
    const key = keyOf(page)
    this.waiting.get(key)?.(score)
    this.waiting.delete(key)
    if (!this.hasScores) this.release()
  }

  release(): void {
    for (const resolve of this.waiting.values()) resolve(undefined)
    this.waiting.clear()
  }

  /** No page is handed out any more. */
  end(): void {
    this.isOver = true
    this.release()
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
