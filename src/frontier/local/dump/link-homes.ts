import { grown } from '../../../base/structures/grow.ts'
import { LedgerFile, type LedgerMark, type LinkEntry } from '../journal/ledger.ts'
import type { LinkId } from '../memory/links.ts'

const AT_FIRST = 1 << 12
const WORDS = 3

/**
 * A ledger that is only read, and remembers what a frontier in use does not need in memory: each link's host, and its whole
 * fingerprint. 12 bytes per link.
 */
export class LinkHomes extends LedgerFile {
  private words: Int32Array = new Int32Array(AT_FIRST)
  private last: LinkId = 0

  of(link: LinkId): Pick<LinkEntry, 'host' | 'low' | 'high'> {
    const at = WORDS * link
    return { host: this.words[at]!, low: this.words[at + 1]!, high: this.words[at + 2]! }
  }

  override add({ host, low, high }: LinkEntry): void {
    const at = WORDS * ++this.last
    if (at + WORDS > this.words.length) this.words = grown(this.words, this.words.length)
    this.words[at] = host
    this.words[at + 1] = low
    this.words[at + 2] = high
  }

  override restart(): void {
    this.last = 0
  }

  override read(mark: LedgerMark, count: number, onLink: (entry: Readonly<LinkEntry>) => void): void {
    super.read(mark, count, entry => {
      this.add(entry)
      onLink(entry)
    })
  }
}
