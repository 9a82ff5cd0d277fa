/** Names are without prefix, in lower case. */
export interface MarkupListener {
  readonly wantsText: boolean
  /** `inside`: the tag after its name. */
  open(name: string, inside: string, isEmpty: boolean): void
  close(name: string): void
  /** `isPlain`: from a CDATA section. */
  text(text: string, isPlain: boolean): void
}

const MOST_TAG_CHARS = 16_384
const LT = 0x3c
const GT = 0x3e
const SLASH = 0x2f
const COLON = 0x3a
const QUOTE = 0x22
const APOSTROPHE = 0x27
const QUESTION_MARK = 0x3f
const EXCLAMATION_MARK = 0x21
const BRACKET = 0x5b

const COMMENT = '<!--'
const CDATA = '<![CDATA['
/** What ends parts that are skipped. */
const ENDS = {
  comment: '-->',
  cdata: ']]>',
  instruction: '?>',
  subset: ']',
  'long tag': '>',
} as const

type State = 'text' | 'markup' | 'declaration' | keyof typeof ENDS

/**
 * Reads XML as it arrives, in one pass and bounded memory. Not a parser: it checks nothing, skips DTDs, and continues after every mistake. What a
 * piece leaves unfinished, at most one tag, is read again with the next: give it some kilobytes at a time.
 */
export class MarkupScanner {
  private readonly listener: MarkupListener
  private state: State = 'text'
  private text = ''
  private at = 0

  constructor(listener: MarkupListener) {
    this.listener = listener
  }

  push(piece: string): void {
    this.text = this.text.slice(this.at) + piece
    this.at = 0
    while (this.at < this.text.length && this.step()) {
      // One part per step.
    }
  }

  /** False when more text is needed. */
  private step(): boolean {
    if (this.state === 'text') return this.readText()
    if (this.state === 'markup') return this.readMarkup()
    if (this.state === 'declaration') return this.skipDeclaration()
    return this.skip(this.state)
  }

  private readText(): boolean {
    const { listener, text, at } = this
    const found = text.indexOf('<', at)
    const end = found < 0 ? text.length : found
    if (end > at && listener.wantsText) listener.text(text.slice(at, end), false)
    return this.enter(found < 0 ? 'text' : 'markup', end)
  }

  private readMarkup(): boolean {
    const { text, at } = this
    const second = text.charCodeAt(at + 1)
    if (Number.isNaN(second)) return false
    if (second === SLASH || isNameStart(second)) return this.readTag(second === SLASH)
    if (second === QUESTION_MARK) return this.enter('instruction', at + 2)
    if (second !== EXCLAMATION_MARK) return this.enter('text', at + 1)
    const start = text.slice(at, at + CDATA.length)
    if (start.startsWith(COMMENT)) return this.enter('comment', at + COMMENT.length)
    if (start === CDATA) return this.enter('cdata', at + CDATA.length)
    if (COMMENT.startsWith(start) || CDATA.startsWith(start)) return false
    return this.enter('declaration', at + 2)
  }

  private readTag(isClosing: boolean): boolean {
    const { text, at, listener } = this
    const nameAt = at + (isClosing ? 2 : 1)
    const end = tagEnd(text, nameAt)
    if (end < 0) return text.length - at > MOST_TAG_CHARS && this.enter('long tag', text.length)
    let nameEnd = nameAt
    let localAt = nameAt
    for (; nameEnd < end; nameEnd++) {
      const code = text.charCodeAt(nameEnd)
      if (code <= 0x20 || code === SLASH) break
      if (code === COLON) localAt = nameEnd + 1
    }
    const name = text.slice(localAt, nameEnd).toLowerCase()
    if (isClosing) listener.close(name)
    else listener.open(name, text.slice(nameEnd, end), text.charCodeAt(end - 1) === SLASH)
    return this.enter('text', text.charCodeAt(end) === LT ? end : end + 1)
  }

  private skip(state: keyof typeof ENDS): boolean {
    const { listener, text, at } = this
    const ending = ENDS[state]
    const found = text.indexOf(ending, at)
    // The last characters may begin the ending.
    const end = found < 0 ? Math.max(at, text.length - ending.length + 1) : found
    if (state === 'cdata' && end > at && listener.wantsText) listener.text(text.slice(at, end), true)
    if (found >= 0) return this.enter(state === 'subset' ? 'declaration' : 'text', found + ending.length)
    this.at = end
    return false
  }

  /** Character by character: an end that was looked for first would be looked for again after each subset. */
  private skipDeclaration(): boolean {
    const { text } = this
    for (let at = this.at; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === BRACKET) return this.enter('subset', at + 1)
      if (code === GT) return this.enter('text', at + 1)
    }
    this.at = text.length
    return false
  }

  private enter(state: State, at: number): true {
    this.state = state
    this.at = at
    return true
  }
}

/** The first `>` or `<` that isn't in quotes; -1 if that is still to come. */
function tagEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // A `<`: this tag was never closed, and the next one begins here.
    if (code === GT || code === LT) return at
    if (code !== QUOTE && code !== APOSTROPHE) continue
    const close = text.indexOf(code === QUOTE ? '"' : "'", at + 1)
    if (close < 0) return -1
    at = close
  }
  return -1
}

function isNameStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code >= 0x80
}
