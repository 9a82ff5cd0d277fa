import type { Bilingual } from '../../base/words/language.ts'

/**
 * JSON, one object per line. A question is `{"id":1,"ask":"hostsNamed","with":{…}}`: a name and what the table of questions says under
 * it. Its answer is `{"id":1,"answer":…}` or `{"id":1,"error":{"code":…,"message":{"en":…,"pt":…}}}`. Short questions are answered
 * before long ones that were asked earlier, also on the same connection.
 */
export interface WireQuestion {
  readonly id: number
  readonly ask?: unknown
  readonly with?: unknown
}

export type WireAnswer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: WireError }

export interface WireError {
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
