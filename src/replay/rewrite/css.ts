import type { Addresses } from './addresses.ts'
import type { AddressUse } from './at-path.ts'

const MOST_CHARS = 1 << 25

/** Functions in which a string is an address: one without a slash, too, is looked for in the archive. */
const TAKE_ADDRESSES: ReadonlySet<string | undefined> = new Set(
  'image-set( -webkit-image-set( image( src( cross-fade( -webkit-cross-fade('.split(' '),
)
/** A string in these is never an address: attribute selectors, media types. What substitutes the string takes the block along. */
const TAKE_TEXT: ReadonlySet<string | undefined> = new Set(['[', 'type('])
/** Their strings are shown as part of `content`. */
const SHOW_TEXT: ReadonlySet<string> = new Set(['var(', 'counters('])
const CLOSED_BY: Readonly<Record<string, string>> = { '}': '{', ']': '[', ')': '(' }
/** Without one of these, an address is relative to the document, in the archive. */
const LEADS_OUT = /[/\\:]/

/**
 * A style sheet, or a `style` attribute, with all addresses leading into the archive. Linear time; what would become too long is cut.
 *
 * CSS takes strings as addresses in more and more places (`var()`, `env()`, `if()`, `@property`, `@function`), so every string is taken for one
 * unless it is known to be text, or could not lead out of the archive. The result means the same in a file, in `<style>`, and in the `<style>` of
 * SVG, where tags and references count: it has no comments, no `<`, and no `&` that could begin a reference.
 */
export function rewriteCss(text: string, addresses: Addresses): string {
  return new CssWriter(text, addresses).written
}

/** Something that is open (CSS Syntax 3, 5.4.8). */
interface Block {
  readonly start: string
  readonly showsText: boolean
}

class CssWriter {
  private readonly reader: CssReader
  private readonly addresses: Addresses
  private readonly pieces: string[] = []
  private chars = 0
  private readonly blocks: Block[] = []
  /** Until its block or semicolon. */
  private atRule = ''
  /** Open blocks in the current `@font-face`, or 0. */
  private fontBlocks = 0
  /** Undefined where a declaration may begin. */
  private property: string | undefined

  constructor(text: string, addresses: Addresses) {
    this.reader = new CssReader(text)
    this.addresses = addresses
    while (this.chars < MOST_CHARS && this.step());
  }

  get written(): string {
    return this.pieces.join('')
  }

  private step(): boolean {
    const { reader } = this
    switch (reader.next()) {
      case 'end':
        return false
      case 'comment':
        this.write('/**/')
        break
      case 'string':
        this.write(cssString(this.string(reader.value)))
        break
      case 'url':
        this.write(`url(${cssString(this.archived(reader.value))})`)
        break
      case 'function':
        this.call(`${reader.value.toLowerCase()}(`)
        break
      case 'at':
        this.atRule = reader.value.toLowerCase()
        this.write(reader.raw)
        break
      case 'name':
        this.property ??= reader.value.toLowerCase()
        this.write(reader.raw)
        break
      default:
        this.sign(reader.raw)
    }
    return true
  }

  private string(text: string): string {
    const start = this.blocks.at(-1)?.start
    if (this.atRule === 'import' || TAKE_ADDRESSES.has(start)) return this.archived(text)
    const isHarmless = !LEADS_OUT.test(text) || text.trim().length === 1
    return isHarmless || TAKE_TEXT.has(start) || this.isShown() ? text : this.archived(text)
  }

  private isShown(): boolean {
    return this.property === 'content' && (this.blocks.at(-1)?.showsText ?? true)
  }

  private call(start: string): void {
    // Elsewhere the attribute, which may be any text, could become an address.
    this.write(start === 'attr(' && !this.isShown() ? 'no-attr(' : this.reader.raw)
    this.open(start, (this.blocks.at(-1)?.showsText ?? true) && SHOW_TEXT.has(start))
  }

  private sign(raw: string): void {
    if (raw === '(' || raw === '[') this.open(raw, false)
    else if (raw === '{') {
      this.open(raw, true)
      if (this.atRule === 'font-face') this.fontBlocks = this.blocks.length
    } else if (raw in CLOSED_BY) this.close(CLOSED_BY[raw]!)
    const isBetween = raw === '{' || raw === '}' || raw === ';'
    if (isBetween) this.atRule = ''
    if (isBetween && (this.blocks.at(-1)?.start ?? '{') === '{') this.property = undefined
    else if (raw.trim() !== '') this.property ??= ''
    this.write(raw.replaceAll('&', '&/**/'))
  }

  private open(start: string, showsText: boolean): void {
    this.blocks.push({ start, showsText })
  }

  /** What doesn't end the innermost block ends nothing. */
  private close(start: string): void {
    if (!this.blocks.at(-1)?.start.endsWith(start)) return
    if (this.blocks.length === this.fontBlocks) this.fontBlocks = 0
    this.blocks.pop()
  }

  private archived(text: string): string {
    const use: AddressUse = this.atRule === 'import' ? 'style' : this.fontBlocks > 0 ? 'font' : 'image'
    return this.addresses.archived(text, use) ?? ''
  }

  private write(text: string): void {
    const safe = text.includes('<') ? text.replaceAll('<', '\\3c ') : text
    this.pieces.push(safe)
    this.chars += safe.length
  }
}

/** Escapes what could end it or means something in HTML. */
function cssString(text: string): string {
  return `"${text.replace(/["\\\n\r\f<>&]/g, char => `\\${char.charCodeAt(0).toString(16)} `)}"`
}

/** A `name` isn't followed by a parenthesis. */
type CssToken = 'end' | 'comment' | 'string' | 'url' | 'function' | 'at' | 'name' | 'other'

const BACKSLASH = 0x5c
const NAME_CHAR = /[\w\u0080-\uffff-]/
const PLAIN = /[^"'/@()[\]{};\w\u0080-\uffff\\-]+/y
/** Browsers disagree on which letters beyond ASCII are part of a name: `url` may begin after any of them. */
const URL_NAME = /(?:^|[^\0-\x7f])url$/i
const NAME = /[\w\u0080-\uffff-]+/y
const BLANKS = /[ \t\n\r\f]*/y

/**
 * Tokens of CSS Syntax 3, section 4. Where CSS has bad strings and bad URLs, this takes what a careless browser might load. `url` is found in any
 * spelling, `\75rl(` too.
 */
export class CssReader {
  /** Not set for a string, a comment and `url()`. */
  raw = ''
  /** Without escapes. */
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

  /** Ends at its quote, or with its line. */
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

  /** A string and whatever follows it, or a bare address, up to the parenthesis. */
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

  /** The first of these characters that isn't escaped, or the end of the text. */
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
