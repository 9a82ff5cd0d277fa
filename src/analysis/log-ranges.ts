import type { AccessSink } from './log-parser.ts'
import { UsedAddresses } from './used-addresses.ts'

/** The accesses of one id. */
export interface IdRange {
  readonly id: number
  accesses: number
  lowest: number
  highest: number
  readonly used: UsedAddresses
}

/** The ranges of a log, which must be known before it can be drawn. */
export class LogRanges implements AccessSink {
  lowest = Number.POSITIVE_INFINITY
  highest = 0
  private readonly ids: IdRange[] = []

  access(_kind: 'read' | 'write', _phase: number, id: number, address: number): void {
    const range = (this.ids[id] ??= { id, accesses: 0, lowest: address, highest: address, used: new UsedAddresses() })
    range.accesses++
    range.used.add(address)
    if (address < range.lowest) range.lowest = address
    if (address > range.highest) range.highest = address
    if (address < this.lowest) this.lowest = address
    if (address > this.highest) this.highest = address
  }

  /** In ascending order of id. */
  all(): IdRange[] {
    return this.ids.filter(range => range !== undefined)
  }
}
