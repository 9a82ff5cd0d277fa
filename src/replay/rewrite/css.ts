import type { Use } from '../at-path.ts'
import type { Addresses } from './addresses.ts'
import { CssReader } from './css-reader.ts'

/** Functions in which a string is an address. */
const TAKE_ADDRESSES: ReadonlySet<string> = new Set([
  'image-set',
  '-webkit-image-set',
  'image',
  'src',
  'cross-fade',
  '-webkit-cross-fade',
])
const MOST_CHARS = 1 << 25

/**
 * A style sheet, or the value of a `style` attribute, with all addresses leading into the archive. Comments are left out, and every
 * `<` is written as an escape: so it may stand in a `<style>` whatever it contains. Linear time; what would become too long is cut.
 */
export function rewriteCss(text: string, addresses: Addresses): string {
  return new CssWriter(text, addresses).written
}

class CssWriter {
  private readonly reader: CssReader
  private readonly addresses: Addresses
  private readonly pieces: string[] = []
  private chars = 0
  /** For each open parenthesis, whether strings in it are addresses. */
  private readonly calls: boolean[] = []
  /** After `@import`, up to its semicolon. */
  private isImport = false
  private braces = 0
  /** How deep the declarations of the current `@font-face` are; 0: none. */
  private fontBraces = 0

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
        this.string()
        break
      case 'url':
        this.write(`url(${this.address(reader.value)})`)
        break
      case 'function':
        this.calls.push(TAKE_ADDRESSES.has(reader.value.toLowerCase()))
        this.write(reader.raw)
        break
      case 'at':
        this.atRule(reader.value.toLowerCase())
        break
      default:
        this.sign(reader.raw)
    }
    return true
  }

  private string(): void {
    const isAddress = this.isImport || this.calls.at(-1) === true
    this.write(isAddress ? this.address(this.reader.value) : this.reader.raw)
  }

  private atRule(name: string): void {
    this.isImport = name === 'import'
    if (name === 'font-face') this.fontBraces = this.braces + 1
    this.write(this.reader.raw)
  }

  private sign(raw: string): void {
    if (raw === '(') this.calls.push(false)
    else if (raw === ')') this.calls.pop()
    else if (raw === ';') this.isImport = false
    else if (raw === '{') this.open()
    else if (raw === '}') this.close()
    this.write(raw)
  }

  private open(): void {
    this.braces++
    this.isImport = false
  }

  private close(): void {
    if (this.braces === this.fontBraces) this.fontBraces = 0
    this.braces = Math.max(0, this.braces - 1)
  }

  private address(text: string): string {
    const isInFont = this.fontBraces > 0 && this.braces >= this.fontBraces
    const use: Use = this.isImport ? 'style' : isInFont ? 'font' : 'image'
    return cssString(this.addresses.archived(text, use) ?? '')
  }

  private write(text: string): void {
    const safe = text.includes('<') ? text.replaceAll('<', '\\3c ') : text
    this.pieces.push(safe)
    this.chars += safe.length
  }
}

/** A string of CSS: whatever could end it, or means something in HTML, as an escape. */
function cssString(text: string): string {
  return `"${text.replace(/["\\\n\r\f<>]/g, char => `\\${char.charCodeAt(0).toString(16)} `)}"`
}
