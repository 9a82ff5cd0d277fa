import { unpredictableSeed } from '../../base/random.ts'
import { SplitIndex, seededHash } from '../../base/structures/hash-index.ts'
import type { OrderKeys } from '../../base/structures/ordered-part.ts'

const [SEED] = unpredictableSeed()
const FEWEST = 1024
/** About how long a name is. */
const NAME_BYTES = 24
/** The longest name that is sorted by all of its bytes. */
const MOST_BYTES = 256

/** The names of hosts, numbered from 0 in the order in which they came, in one blob of bytes. */
export class HostNames implements OrderKeys {
  count = 0
  /** All names, one after the other; name n goes from `starts[n]` to below `starts[n + 1]`. */
  bytes: Buffer = Buffer.allocUnsafeSlow(FEWEST * NAME_BYTES)
  starts: Uint32Array = new Uint32Array(FEWEST + 1)
  /** Ids are numbers plus 1. */
  private readonly index = new SplitIndex()
  readonly levels = MOST_BYTES / 2

  nameOf(n: number): string {
    return this.bytes.toString('latin1', this.starts[n], this.starts[n + 1])
  }

  /** Whether name n is this one. */
  isName(n: number, name: string): boolean {
    const { bytes, starts } = this
    const start = starts[n]!
    if (starts[n + 1]! - start !== name.length) return false
    for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name.charCodeAt(i)) return false
    return true
  }

  /** The number of a name, which is added when it is not known. Names are ASCII. */
  take(name: string): number {
    const start = this.starts[this.count]!
    const end = start + name.length
    if (end > this.bytes.length) this.bytes = Buffer.concat([this.bytes], Math.max(end, this.bytes.length * 2))
    for (let i = 0; i < name.length; i++) this.bytes[start + i] = name.charCodeAt(i)
    const hash = seededHash(SEED, this.bytes, start, end)
    const part = this.index.part(hash)
    let place = part.search(hash)
    while (place >= 0 && !this.isName(part.id(place) - 1, name)) place = part.searchOn(place, hash)
    if (place >= 0) return part.id(place) - 1
    const n = this.count++
    if (n + 2 > this.starts.length) this.starts = larger(this.starts)
    this.starts[n + 1] = end
    this.index.add(hash, n + 1)
    return n
  }

  /** Alphabetical order: two bytes at a time. */
  read(level: number, hosts: Uint32Array, digits: Uint16Array): boolean {
    const { bytes, starts } = this
    let isSame = true
    for (let i = 0; i < hosts.length; i++) {
      const host = hosts[i]!
      const at = starts[host]! + 2 * level
      const end = starts[host + 1]!
      digits[i] = ((at < end ? bytes[at]! : 0) << 8) | (at + 1 < end ? bytes[at + 1]! : 0)
      isSame &&= digits[i] === digits[0]
    }
    return isSame
  }

  compare(a: number, b: number): number {
    const { bytes, starts } = this
    let i = starts[a]!
    let j = starts[b]!
    const iEnd = starts[a + 1]!
    const jEnd = starts[b + 1]!
    while (i < iEnd && j < jEnd) {
      const difference = bytes[i++]! - bytes[j++]!
      if (difference !== 0) return difference
    }
    return iEnd - i - (jEnd - j)
  }
}

function larger(numbers: Uint32Array): Uint32Array {
  const copy = new Uint32Array(numbers.length * 2)
  copy.set(numbers)
  return copy
}
