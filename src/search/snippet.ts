import type { ArchivedText } from './archived-text.ts'
import type { Query } from './query.ts'
import { TokenReader } from './tokens.ts'

/** Part of a text; whether it is what was looked for. */
export interface SnippetPiece {
  readonly text: string
  readonly isMatch: boolean
}

const SNIPPET_CHARS = 240
/** How much comes before the first match. */
const LEAD_CHARS = 60
/** How far a snippet goes back to the beginning of a word. */
const WORD_CHARS = 20
/** More matches of a page are not looked at. */
const MOST_MATCHES = 5000

/** Finds what was asked for in texts: where each word or phrase is. */
export class TextMatcher {
  private readonly query: Query
  private readonly reader = new TokenReader()

  constructor(query: Query) {
    this.query = query
  }

  /** The best part of a page's text; undefined: the page does not have all phrases, though it has their words. */
  snippet({ title, text, address }: ArchivedText): SnippetPiece[] | undefined {
    const missing = new Set(this.query.clauses.flatMap((clause, at) => (clause.length > 1 ? [at] : [])))
    const inText = this.matches(text, missing)
    if (missing.size > 0) this.matches(title, missing)
    if (missing.size > 0) this.matches(address, missing)
    return missing.size > 0 ? undefined : cut(text, inText)
  }

  /** The matches in a text, in their order. Phrases that it has are taken out of `missing`. */
  private matches(text: string, missing: Set<number>): Match[] {
    const { reader, query } = this
    const found: Match[] = []
    /** The latest words: their terms (-1: none that was asked for) and where they begin; the newest last. */
    const latest = new Int32Array(Math.max(...query.clauses.map(clause => clause.length))).fill(-1)
    const starts = new Int32Array(latest.length)
    reader.read(text)
    while (reader.next() && (found.length < MOST_MATCHES || missing.size > 0)) {
      latest.copyWithin(0, 1)
      starts.copyWithin(0, 1)
      const term = this.termAtHand()
      latest[latest.length - 1] = term
      starts[starts.length - 1] = reader.start
      if (term < 0) continue
      for (let at = 0; at < query.clauses.length; at++) {
        const clause = query.clauses[at]!
        if (!endsWith(latest, clause)) continue
        missing.delete(at)
        if (found.length < MOST_MATCHES)
          found.push({ clause: at, start: starts[starts.length - clause.length]!, end: reader.end })
      }
    }
    return found
  }

  /** Which term the reader has just read; -1: none. */
  private termAtHand(): number {
    const { bytes, length } = this.reader
    const { terms } = this.query
    for (let term = 0; term < terms.length; term++) {
      const wanted = terms[term]!
      if (wanted.length !== length || wanted[0] !== bytes[0]) continue
      let i = 1
      while (i < length && wanted[i] === bytes[i]) i++
      if (i === length) return term
    }
    return -1
  }
}

interface Match {
  readonly clause: number
  readonly start: number
  readonly end: number
}

function endsWith(latest: Int32Array, clause: readonly number[]): boolean {
  const from = latest.length - clause.length
  for (let at = clause.length - 1; at >= 0; at--) if (latest[from + at] !== clause[at]) return false
  return true
}

/** The part of a text with the most of what was asked for, the first of these. */
function cut(text: string, matches: readonly Match[]): SnippetPiece[] {
  const first = bestStart(matches)
  const start = first === undefined ? 0 : wordStart(text, Math.max(0, first.start - LEAD_CHARS))
  const end = wordEnd(text, Math.min(text.length, start + SNIPPET_CHARS))
  const pieces: SnippetPiece[] = []
  const add = (from: number, to: number, isMatch: boolean) => {
    if (to > from) pieces.push({ text: text.slice(from, to).replaceAll('\n', ' '), isMatch })
  }
  let at = start
  for (const match of matches) {
    if (match.start < at || match.end > end) continue
    add(at, match.start, false)
    add(match.start, match.end, true)
    at = match.end
  }
  add(at, end, false)
  if (start > 0) pieces.unshift({ text: '… ', isMatch: false })
  if (end < text.length) pieces.push({ text: ' …', isMatch: false })
  return pieces
}

/** The first match of the window that has the most different clauses; of equal ones, the most matches; of equal ones, the first. */
function bestStart(matches: readonly Match[]): Match | undefined {
  let best = matches[0]
  let bestCount = 0
  let different = 0
  /** How often each clause is in the window. */
  const inWindow = new Int32Array(Math.max(0, ...matches.map(({ clause }) => clause + 1)))
  for (let from = 0, to = 0; from < matches.length; from++) {
    const first = matches[from]!
    for (; to < matches.length && matches[to]!.end <= first.start + SNIPPET_CHARS - LEAD_CHARS; to++)
      if (inWindow[matches[to]!.clause]!++ === 0) different++
    const count = different + (to - from) / MOST_MATCHES
    if (count > bestCount) {
      best = first
      bestCount = count
    }
    // A long word may be wider than the window, and was never in it.
    if (to === from) to++
    else if (--inWindow[first.clause]! === 0) different--
  }
  return best
}

function wordStart(text: string, place: number): number {
  for (let at = place; at > 0 && at > place - WORD_CHARS; at--) if (/\s/.test(text[at - 1]!)) return at
  return wholeCharacter(text, place)
}

function wordEnd(text: string, place: number): number {
  if (place === text.length) return place
  for (let at = place; at > place - WORD_CHARS; at--) if (/\s/.test(text[at]!)) return at
  return wholeCharacter(text, place)
}

/** A place that is not between the halves of a character. */
function wholeCharacter(text: string, place: number): number {
  const unit = text.charCodeAt(place)
  return unit >= 0xdc00 && unit <= 0xdfff ? place + 1 : place
}
