import { MOST_LOC_CHARS, type SitemapEntry } from './sitemap-entry.ts'

/** After this many characters without a URL it is another kind of text. */
const MOST_OTHER_CHARS = 65_536

/** Reads a sitemap that is plain text: one URL per line. Other lines are skipped. */
export class LineReader {
  /** Complete entries; whoever reads them takes them away. */
  entries: SitemapEntry[] = []
  /** The line at hand, as far as it is kept. */
  private begun = ''
  private hasUrls = false
  private readChars = 0

  /** Whether it has to be something else. */
  get isNone(): boolean {
    return !this.hasUrls && this.readChars > MOST_OTHER_CHARS
  }

  push(piece: string): void {
    this.readChars += piece.length
    const lines = piece.split(/\r\n|\n|\r/)
    const last = lines.pop()!
    for (const line of lines) {
      this.add(this.begun + line)
      this.begun = ''
    }
    if (this.begun.length <= MOST_LOC_CHARS) this.begun += last.slice(0, MOST_LOC_CHARS + 1)
  }

  finish(): void {
    this.add(this.begun)
    this.begun = ''
  }

  private add(line: string): void {
    const loc = line.trim().slice(0, MOST_LOC_CHARS)
    if (!/^https?:/i.test(loc)) return
    this.hasUrls = true
    this.entries.push({ loc })
  }
}
