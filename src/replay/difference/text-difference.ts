import { commonRuns } from './common-runs.ts'

export interface TextPiece {
  readonly text: string
  /** The other side doesn't have it. */
  readonly isChanged: boolean
}

export type DifferenceRow =
  | { readonly kind: 'same'; readonly before: readonly TextPiece[] }
  | { readonly kind: 'changed'; readonly before: readonly TextPiece[]; readonly after: readonly TextPiece[] }
  | { readonly kind: 'removed'; readonly before: readonly TextPiece[] }
  | { readonly kind: 'added'; readonly after: readonly TextPiece[] }
  /** Not shown. */
  | { readonly kind: 'skipped'; readonly lines: number }

export interface TextDifference {
  readonly rows: readonly DifferenceRow[]
  readonly removedWords: number
  readonly addedWords: number
  /** More text, or more change, than was compared or is shown. */
  readonly isCut: boolean
}

const MOST_LINES = 20_000
const MOST_ROWS = 2000
const MOST_LINE_CHARS = 4000
const AROUND = 2
/** A longer changed line is shown as removed and added as a whole. */
const MOST_WORDS = 2000
/** Lines with less in common are two lines, not one that changed. */
const ALIKE = 0.3

/** Line by line, and in changed lines word by word. Bounded. */
export function textDifference(before: string, after: string): TextDifference {
  return new Comparison(linesOf(before), linesOf(after)).result()
}

interface Lines {
  readonly lines: readonly string[]
  readonly isCut: boolean
}

function linesOf(text: string): Lines {
  const lines = text === '' ? [] : text.split('\n', MOST_LINES + 1)
  return { lines: lines.slice(0, MOST_LINES), isCut: lines.length > MOST_LINES }
}

class Comparison {
  private readonly before: readonly string[]
  private readonly after: readonly string[]
  private readonly rows: DifferenceRow[] = []
  private removedWords = 0
  private addedWords = 0
  private isCut: boolean

  constructor(before: Lines, after: Lines) {
    this.before = before.lines
    this.after = after.lines
    this.isCut = before.isCut || after.isCut
  }

  result(): TextDifference {
    const numbers = new Map<string, number>()
    const runs = commonRuns(numbered(this.before, numbers), numbered(this.after, numbers))
    let [before, after] = [0, 0]
    for (const run of runs) {
      this.change(before, run.before, after, run.after)
      before = run.before + run.length
      after = run.after + run.length
      this.same(run.before, before, after === this.after.length && before === this.before.length)
    }
    this.change(before, this.before.length, after, this.after.length)
    const { removedWords, addedWords, isCut } = this
    return { rows: this.rows, removedWords, addedWords, isCut }
  }

  private same(start: number, end: number, isLast: boolean): void {
    const isFirst = this.rows.length === 0
    const head = isFirst ? start : Math.min(end, start + AROUND)
    const tail = isLast ? end : Math.max(head, end - AROUND)
    const skipped = tail - head
    for (let at = start; at < head; at++) this.push(sameRow(this.before[at]!))
    // A mark instead of a single line would save nothing.
    if (skipped === 1) this.push(sameRow(this.before[head]!))
    else if (skipped > 1) this.push({ kind: 'skipped', lines: skipped })
    for (let at = tail; at < end; at++) this.push(sameRow(this.before[at]!))
  }

  private change(beforeStart: number, beforeEnd: number, afterStart: number, afterEnd: number): void {
    const pairs = Math.min(beforeEnd - beforeStart, afterEnd - afterStart)
    for (let i = 0; i < pairs; i++) this.pair(this.before[beforeStart + i]!, this.after[afterStart + i]!)
    for (let at = beforeStart + pairs; at < beforeEnd; at++) this.removed(this.before[at]!)
    for (let at = afterStart + pairs; at < afterEnd; at++) this.added(this.after[at]!)
  }

  private pair(before: string, after: string): void {
    const [old, fresh] = [before.split(' '), after.split(' ')]
    const isLong = old.length > MOST_WORDS || fresh.length > MOST_WORDS
    const numbers = new Map<string, number>()
    const runs = isLong ? [] : commonRuns(numbered(old, numbers), numbered(fresh, numbers))
    const common = runs.reduce((sum, run) => sum + run.length, 0)
    if (common < ALIKE * Math.max(old.length, fresh.length)) {
      this.removed(before)
      this.added(after)
      return
    }
    this.removedWords += old.length - common
    this.addedWords += fresh.length - common
    this.push({
      kind: 'changed',
      before: piecesOf(
        old,
        runs.map(run => [run.before, run.length]),
      ),
      after: piecesOf(
        fresh,
        runs.map(run => [run.after, run.length]),
      ),
    })
  }

  private removed(line: string): void {
    this.removedWords += wordsIn(line)
    this.push({ kind: 'removed', before: [{ text: cut(line), isChanged: true }] })
  }

  private added(line: string): void {
    this.addedWords += wordsIn(line)
    this.push({ kind: 'added', after: [{ text: cut(line), isChanged: true }] })
  }

  private push(row: DifferenceRow): void {
    if (this.rows.length < MOST_ROWS) this.rows.push(row)
    else this.isCut = true
  }
}

function numbered(items: readonly string[], numbers: Map<string, number>): number[] {
  return items.map(item => {
    const known = numbers.get(item)
    if (known !== undefined) return known
    numbers.set(item, numbers.size)
    return numbers.size - 1
  })
}

function sameRow(line: string): DifferenceRow {
  return { kind: 'same', before: [{ text: cut(line), isChanged: false }] }
}

/** Those in runs are common to both sides. */
function piecesOf(words: readonly string[], runs: readonly (readonly [start: number, length: number])[]): TextPiece[] {
  const pieces: TextPiece[] = []
  let chars = 0
  const add = (from: number, to: number, isChanged: boolean): void => {
    if (from === to || chars >= MOST_LINE_CHARS) return
    const text = cut(words.slice(from, to).join(' '))
    chars += text.length
    pieces.push({ text, isChanged })
  }
  let at = 0
  for (const [start, length] of runs) {
    add(at, start, true)
    add(start, start + length, false)
    at = start + length
  }
  add(at, words.length, true)
  return pieces
}

function wordsIn(line: string): number {
  return line === '' ? 0 : line.split(' ').length
}

function cut(line: string): string {
  return line.length <= MOST_LINE_CHARS ? line : `${line.slice(0, MOST_LINE_CHARS)}…`
}
