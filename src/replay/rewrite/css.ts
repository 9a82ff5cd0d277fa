import type { Addresses } from './addresses.ts'
import type { Use } from './at-path.ts'
import { CssReader } from './css-reader.ts'

const MOST_CHARS = 1 << 25

/** Functions in which a string is an address: one without a slash, too, is looked for in the archive. */
const TAKE_ADDRESSES: ReadonlySet<string | undefined> = new Set(
  'image-set( -webkit-image-set( image( src( cross-fade( -webkit-cross-fade('.split(' '),
)
/** Blocks in which a string is never an address: attribute selectors, media types. What substitutes the string takes the block along. */
const TAKE_TEXT: ReadonlySet<string | undefined> = new Set(['[', 'type('])
/** Functions whose strings are shown when they are in the value of `content`. */
const SHOW_TEXT: ReadonlySet<string> = new Set(['var(', 'counters('])
const CLOSED_BY: Readonly<Record<string, string>> = { '}': '{', ']': '[', ')': '(' }
/** Without one of these, an address names something beside the document, which is in the archive. */
const LEADS_OUT = /[/\\:]/

/**
 * A style sheet, or the value of a `style` attribute, with all addresses leading into the archive. Linear time; what would become too
 * long is cut.
 *
 * CSS takes strings as addresses in more and more places, even from far away (`var()`, `env()`, `if()`, `@property`, `@function`). So
 * every string is taken for an address unless its place is known to be one of text, or it could not lead out of the archive.
 *
 * The result means the same in a file, in `<style>`, and in the `<style>` of SVG, in which tags and references count: there are no
 * comments in it, no `<`, and no `&` that could begin a reference.
 */
export function rewriteCss(text: string, addresses: Addresses): string {
  return new CssWriter(text, addresses).written
}

/** Something that is open (CSS Syntax 3, 5.4.8). */
interface Block {
  /** `{`, `[`, `(`, or the name of a function with its parenthesis. */
  readonly start: string
  /** Whether a string in it is shown if it is part of the value of `content`. */
  readonly showsText: boolean
}

class CssWriter {
  private readonly reader: CssReader
  private readonly addresses: Addresses
  private readonly pieces: string[] = []
  private chars = 0
  private readonly blocks: Block[] = []
  /** The name of the at-rule whose block or semicolon has not come yet. */
  private atRule = ''
  /** How many blocks are open in the current `@font-face`; 0: there is none. */
  private fontBlocks = 0
  /** The name that a declaration begins with; undefined where one may begin. */
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

  /** Whether a string here is part of the text that `content` shows. */
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

  /** Whatever does not end the innermost block ends nothing. */
  private close(start: string): void {
    if (!this.blocks.at(-1)?.start.endsWith(start)) return
    if (this.blocks.length === this.fontBlocks) this.fontBlocks = 0
    this.blocks.pop()
  }

  private archived(text: string): string {
    const use: Use = this.atRule === 'import' ? 'style' : this.fontBlocks > 0 ? 'font' : 'image'
    return this.addresses.archived(text, use) ?? ''
  }

  private write(text: string): void {
    const safe = text.includes('<') ? text.replaceAll('<', '\\3c ') : text
    this.pieces.push(safe)
    this.chars += safe.length
  }
}

/** A string of CSS: whatever could end it, or means something in HTML, as an escape. */
function cssString(text: string): string {
  return `"${text.replace(/["\\\n\r\f<>&]/g, char => `\\${char.charCodeAt(0).toString(16)} `)}"`
}
