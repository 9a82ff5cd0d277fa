import { ByteWriter } from '../../base/structures/byte-writer.ts'
import { LESS } from '../../extract/markup-bytes.ts'

/** Ends at a number of bytes, whatever the original does. */
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

  markup(text: string): void {
    if (!this.isFull) this.writer.raw(Buffer.from(text))
  }

  /** Without a `<`. */
  copy(bytes: Buffer): void {
    if (!this.isFull) this.writer.raw(bytes)
  }

  /** It can't become markup. References stay references. */
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

/** Also between quotes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
}
