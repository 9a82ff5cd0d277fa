import { type DumpOver, MOST_OVER } from './dump.ts'

/** Links of one part of which only the fingerprint is left: 8 bytes each. */
export class OverLinks {
  private readonly ends = new Map<string, Ended>()

  add(end: DumpOver['end'], low: number, high: number): void {
    const name = 'done' in end ? end.done : `refused ${end.refused}`
    let ended = this.ends.get(name)
    if (ended === undefined) this.ends.set(name, (ended = new Ended(end)))
    ended.add(low, high)
  }

  /** All of them, ordered by end (pages, others, then the reasons by name) and fingerprint. */
  *records(part: number): Generator<DumpOver> {
    const names = [...this.ends.keys()].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    for (const name of names) yield* this.ends.get(name)!.records(part)
  }
}

function rank(name: string): number {
  return name === 'page' ? 0 : name === 'other' ? 1 : 2
}

class Ended {
  private readonly end: DumpOver['end']
  private fingerprints = new BigUint64Array(16)
  private count = 0

  constructor(end: DumpOver['end']) {
    this.end = end
  }

  add(low: number, high: number): void {
    if (this.count === this.fingerprints.length) {
      const larger = new BigUint64Array(2 * this.count)
      larger.set(this.fingerprints)
      this.fingerprints = larger
    }
    this.fingerprints[this.count++] = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
  }

  *records(part: number): Generator<DumpOver> {
    const sorted = this.fingerprints.subarray(0, this.count).sort()
    for (let at = 0; at < sorted.length; at += MOST_OVER) {
      const some = sorted.subarray(at, at + MOST_OVER)
      const bytes = Buffer.allocUnsafe(8 * some.length)
      for (let n = 0; n < some.length; n++) bytes.writeBigUInt64LE(some[n]!, 8 * n)
      yield { kind: 'over', part, end: this.end, fingerprints: bytes }
    }
  }
}
