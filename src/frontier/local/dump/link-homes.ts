import { grown } from '../../../base/structures/grow.ts'
import { LedgerFile, type LedgerMark, type LinkEntry } from '../journal/ledger.ts'
import type { HostId } from '../memory/hosts.ts'
import type { LinkId } from '../memory/links.ts'

const AT_FIRST = 1 << 12

/**
 * A ledger that is only read, and remembers what a frontier in use does not need in memory: each link's host, and its whole
 * fingerprint. 12 bytes per link.
 */
export class LinkHomes extends LedgerFile {
  private hosts: Int32Array = new Int32Array(AT_FIRST)
  private lows: Int32Array = new Int32Array(AT_FIRST)
  private highs: Int32Array = new Int32Array(AT_FIRST)
  private last: LinkId = 0

  host(link: LinkId): HostId {
    return this.hosts[link]!
  }

  low(link: LinkId): number {
    return this.lows[link]!
  }

  high(link: LinkId): number {
    return this.highs[link]!
  }

  override add({ host, low, high }: LinkEntry): void {
    const link = ++this.last
    if (link >= this.hosts.length) {
      this.hosts = grown(this.hosts, this.hosts.length)
      this.lows = grown(this.lows, this.lows.length)
      this.highs = grown(this.highs, this.highs.length)
    }
    this.hosts[link] = host
    this.lows[link] = low
    this.highs[link] = high
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
