/** What a style sheet consists of, as far as addresses are concerned. A `name` is one that is not followed by a parenthesis. */
type CssToken = 'end' | 'comment' | 'string' | 'url' | 'function' | 'at' | 'name' | 'other'

const BACKSLASH = 0x5c
const NAME_CHAR = /[\w\u0080-\uffff-]/
/** Runs of what never begins a token that matters. */
const PLAIN = /[^"'/@()[\]{};\w\u0080-\uffff\\-]+/y
/** Not all browsers agree on which letters beyond ASCII are part of a name: `url` may begin after any of them. */
const URL_NAME = /(?:^|[^\0-\x7f])url$/i
const NAME = /[\w\u0080-\uffff-]+/y
const BLANKS = /[ \t\n\r\f]*/y

/**
 * Reads a style sheet token by token (CSS Syntax 3, section 4). Where CSS has bad strings and bad URLs, which make a declaration
 * invalid, this takes what a careless browser might load. `url` is found in any spelling, `\75rl(` too.
 */
export class CssReader {
  /** The token as it is written; not set for a string, a comment and `url()`. */
  raw = ''
  /** Of a string and of `url()` what it says, of the others their name; without escapes. */
  value = ''
  private readonly text: string
  private at = 0

  constructor(text: string) {
    // CSS Syntax 3, 3.3.
    this.text = text.replaceAll('\0', '\ufffd')
  }

  next(): CssToken {
    const { text, at } = this
    if (at >= text.length) return 'end'
    const char = text[at]!
    if (char === '/' && text[at + 1] === '*') return this.comment()
    if (char === '"' || char === "'") return this.string(char)
    if (char === '@') return this.atRule()
    if (char === '\\' || NAME_CHAR.test(char)) return this.name()
    return this.take(matched(PLAIN, text, at) || char)
  }

  private comment(): CssToken {
    const end = this.text.indexOf('*/', this.at + 2)
    this.at = end === -1 ? this.text.length : end + 2
    return 'comment'
  }

  /** Ends at its quote, or where its line ends. */
  private string(quote: string): CssToken {
    const { text } = this
    const end = this.until(this.at + 1, char => char === quote || char === '\n' || char === '\r' || char === '\f')
    this.value = unescaped(text.slice(this.at + 1, end))
    this.at = text[end] === quote ? end + 1 : end
    return 'string'
  }

  private atRule(): CssToken {
    const end = this.nameEnd(this.at + 1)
    if (end === this.at + 1) return this.take('@')
    this.value = unescaped(this.text.slice(this.at + 1, end))
    this.take(this.text.slice(this.at, end))
    return 'at'
  }

  private name(): CssToken {
    const end = this.nameEnd(this.at)
    // A backslash that escapes nothing.
    if (end === this.at) return this.take('\\')
    const name = this.text.slice(this.at, end)
    this.value = unescaped(name)
    const isCall = this.text[end] === '('
    this.take(isCall ? `${name}(` : name)
    return !isCall ? 'name' : URL_NAME.test(this.value) ? this.url() : 'function'
  }

  /** After `url(`: a string and whatever follows it, or a bare address, up to the parenthesis. */
  private url(): CssToken {
    const { text } = this
    this.at += matched(BLANKS, text, this.at).length
    const quote = text[this.at]
    const isQuoted = quote === '"' || quote === "'"
    if (isQuoted) this.string(quote)
    const end = this.until(this.at, char => char === ')')
    if (!isQuoted) this.value = unescaped(text.slice(this.at, end))
    this.at = end + 1
    return 'url'
  }

  private nameEnd(from: number): number {
    const { text } = this
    let at = from
    for (;;) {
      at += matched(NAME, text, at).length
      if (text.charCodeAt(at) !== BACKSLASH || !/[^\n\r\f]/.test(text[at + 1] ?? '\n')) return at
      at += 1 + (/^[\da-f]{1,6}(?:\r\n|[ \t\n\r\f])?/i.exec(text.slice(at + 1, at + 9))?.[0].length ?? 1)
    }
  }

  /** Where the first character stands that ends it and is not escaped; the end of the text if there is none. */
  private until(from: number, ends: (char: string) => boolean): number {
    const { text } = this
    let at = from
    while (at < text.length && !ends(text[at]!)) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
    return Math.min(at, text.length)
  }

  private take(raw: string): 'other' {
    this.raw = raw
    this.at += raw.length
    return 'other'
  }
}

function matched(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

const LARGEST = 0x10ffff

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:([\da-f]{1,6})(?:\r\n|[ \t\n\r\f])?|\r\n|[\n\r\f]|([\s\S])|$)/gi, (_, hex, char) => {
    if (hex === undefined) return char ?? ''
    const codePoint = Number.parseInt(hex, 16)
    return codePoint === 0 || codePoint > LARGEST ? '\ufffd' : String.fromCodePoint(codePoint)
  })
}
