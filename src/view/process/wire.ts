import type { Bilingual } from '../../base/words/language.ts'
import type { Cursor, LinkFilter } from '../../frontier/frontier.ts'

/**
 * The desk's wire: JSON, one object per line. A question is `{"id":1,"ask":"hosts","with":{…}}`; its answer is
 * `{"id":1,"answer":…}` or `{"id":1,"error":{"code":…,"message":{"en":…,"pt":…}}}`. Short questions are answered before long ones that were asked
 * earlier, also on the same connection.
 */
export interface Question {
  readonly id: number
  readonly ask: Asked
  readonly with?: unknown
}

export type Asked = 'status' | 'series' | 'events' | 'named' | 'explain' | 'act' | 'hosts' | 'links' | 'rows'

/** Whether a question may have to wait until the crawl spares the time. All others are answered at once. */
export function isLong({ ask, with: given }: Partial<Question>): boolean {
  return ask === 'hosts' || ask === 'rows' || (ask === 'links' && !isBeginningOfQueue(given))
}

/** The first waiting links of one host are found without a search. */
function isBeginningOfQueue(given: unknown): boolean {
  const { which, page } = (given ?? {}) as { which?: Partial<LinkFilter> | null; page?: Partial<Cursor> | null }
  return which?.state === 'waiting' && typeof which.host === 'string' && page?.after === undefined
}

export type Answer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: AnsweredError }

export interface AnsweredError {
  readonly code: string
  readonly message: Bilingual
}

/** The longest question, in characters: a thousand seeds fit. */
export const MOST_QUESTION_CHARS = 1 << 21
/** The longest answer: far more than 2,000 hosts or 500 links take. */
export const MOST_ANSWER_CHARS = 1 << 27

/** Assembles pieces of text into lines. */
export class LineReader {
  private pieces: string[] = []
  private chars = 0
  private readonly mostChars: number

  /** `mostChars`: the maximum length of a line. */
  constructor(mostChars: number) {
    this.mostChars = mostChars
  }

  /** The lines completed by this piece; undefined when a line is too long. */
  read(piece: string): string[] | undefined {
    this.chars += piece.length
    this.pieces.push(piece)
    if (!piece.includes('\n')) return this.chars > this.mostChars ? undefined : []
    const lines = this.pieces.join('').split('\n')
    const begun = lines.pop()!
    this.pieces = [begun]
    this.chars = begun.length
    return this.chars > this.mostChars || lines.some(line => line.length > this.mostChars) ? undefined : lines
  }
}
