import { SplitIndex } from '../../base/structures/hash-index.ts'
import { WideColumn } from '../../base/structures/wide-column.ts'
import type { LineKeys } from './line-keys.ts'

/**
 * The lines of each host, chained from the newest to the oldest, and a count per host. Lines are added at either end of a chain.
 * A host takes about 35 bytes, a line 4.
 */
export class HostChains {
  private readonly hosts = new SplitIndex()
  private known = 0
  private readonly checks = new WideColumn(int32s)
  private readonly newest = new WideColumn(int32s)
  private readonly oldest = new WideColumn(int32s)
  private readonly counts = new WideColumn(int32s)
  /** The next older line of the same host; 0: none. */
  private readonly older = new WideColumn(int32s)

  /** Adds a line that is newer than all lines of its host so far, or older than all. Lines are numbers from 1. */
  add(line: number, keys: LineKeys, isNewer: boolean): void {
    const host = this.hostOf(keys) || this.addHost(keys)
    if (this.newest.get(host) === 0) {
      this.newest.set(host, line)
      this.oldest.set(host, line)
    } else if (isNewer) {
      this.older.set(line, this.newest.get(host))
      this.newest.set(host, line)
    } else {
      this.older.set(this.oldest.get(host), line)
      this.oldest.set(host, line)
    }
  }

  /** Adds to the count of a host. */
  count(keys: LineKeys, more: number): void {
    const host = this.hostOf(keys) || this.addHost(keys)
    this.counts.set(host, this.counts.get(host) + more)
  }

  countOf(keys: LineKeys): number {
    return this.counts.get(this.hostOf(keys))
  }

  /** The lines of a host, newest first. */
  *linesOf(keys: LineKeys): Generator<number, void, undefined> {
    for (let line = this.newest.get(this.hostOf(keys)); line !== 0; line = this.older.get(line)) yield line
  }

  /** 0: not known. */
  private hostOf({ hostHash, hostCheck }: LineKeys): number {
    const part = this.hosts.part(hostHash)
    let place = part.search(hostHash)
    while (place >= 0 && this.checks.get(part.id(place)) !== hostCheck) place = part.searchOn(place, hostHash)
    return place < 0 ? 0 : part.id(place)
  }

  private addHost({ hostHash, hostCheck }: LineKeys): number {
    const host = ++this.known
    this.checks.set(host, hostCheck)
    this.hosts.add(hostHash, host)
    return host
  }
}

function int32s(cells: number): Int32Array {
  return new Int32Array(cells)
}
