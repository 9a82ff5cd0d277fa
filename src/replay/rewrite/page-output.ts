import { ByteWriter } from '../../base/structures/byte-writer.ts'
import { LESS } from '../../extract/markup-bytes.ts'

/** The page that is written. It ends at a number of bytes, whatever the original does. */
export class PageOutput {
  private readonly writer = new ByteWriter()
  private readonly mostBytes: number

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes
  }

  get bytes(): Buffer {
    return this.writer.bytes
  }

  get isFull(): boolean {
    return this.writer.length >= this.mostBytes
  }

  /** Text of our own, markup or not. */
  markup(text: string): void {
    if (!this.isFull) this.writer.raw(Buffer.from(text))
  }

  /** Part of the page that has no `<` in it. */
  copy(bytes: Buffer): void {
    if (!this.isFull) this.writer.raw(bytes)
  }

  /** Part of the page as text: whatever it says, it is no markup. References in it stay references. */
  text(bytes: Buffer): void {
    let start = 0
    for (let at = bytes.indexOf(LESS); at !== -1 && !this.isFull; at = bytes.indexOf(LESS, start)) {
      this.copy(bytes.subarray(start, at))
      this.markup('&lt;')
      start = at + 1
    }
    this.copy(bytes.subarray(start))
  }
}

/** A text as it may stand in HTML, between quotes too. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
}
