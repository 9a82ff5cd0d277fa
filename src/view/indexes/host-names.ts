import { domainToASCII } from 'node:url'
import { unpredictableSeed } from '../../base/random.ts'
import { SplitIndex, seededHash } from '../../base/structures/hash-index.ts'
import type { OrderKeys } from '../../base/structures/ordered-part.ts'

const [SEED] = unpredictableSeed()
const FEWEST = 1024
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

/** No name of a host is longer. */
const MOST_CHARS = 300

/**
 * What people type to find hosts: a part of their names or, with a `*` in it, which matches any text, a pattern for whole names.
 * The bytes of all names are searched as one text for the longest part of it, which few names have, and only those are compared.
 */
export class NamePattern {
  private readonly hasStar: boolean
  private readonly longest: Part
  private readonly first: Part
  private readonly inner: readonly Part[]
  private readonly last: Part

  constructor(q: string) {
    const pattern = asciiOf(q.trim().toLowerCase().slice(0, MOST_CHARS))
    this.hasStar = pattern.includes('*')
    const parts = pattern.split('*').map(part => new Part(part))
    this.longest = parts.reduce((longest, part) => (part.length > longest.length ? part : longest))
    this.first = parts[0]!
    this.last = parts.at(-1)!
    this.inner = parts.slice(1, -1)
  }

  /** The hosts from `from` on whose names match, in their order. */
  find(names: HostNames, from: number): Uint32Array {
    const { bytes, starts, count } = names
    const found = new Uint32Array(count - from)
    let matches = 0
    const { longest } = this
    const end = starts[count]!
    let at = starts[from]!
    for (let host = from; host < count; host++) {
      at = longest.placeIn(bytes, at, end)
      if (at < 0) break
      while (starts[host + 1]! <= at && host < count - 1) host++
      const nameEnd = starts[host + 1]!
      // What begins in one name may go on into the next.
      const isWithin = at + longest.length <= nameEnd
      if (isWithin && (!this.hasStar || this.matches(bytes, starts[host]!, nameEnd))) found[matches++] = host
      at = nameEnd
    }
    return found.slice(0, matches)
  }

  /** Whether the name in these bytes matches the whole pattern. */
  private matches(bytes: Uint8Array, start: number, end: number): boolean {
    const { first, last } = this
    const lastAt = end - last.length
    if (start + first.length > lastAt || !first.isAt(bytes, start) || !last.isAt(bytes, lastAt)) return false
    let at = start + first.length
    for (const part of this.inner) {
      at = part.placeIn(bytes, at, lastAt)
      if (at < 0) return false
      at += part.length
    }
    return true
  }
}

/**
 * A part of a pattern. It is looked for from its end (Horspool): a byte that it does not have lets the search move on by its whole
 * length.
 */
class Part {
  readonly bytes: Uint8Array
  /** How far to move on when this byte is where the part would end. */
  private readonly steps: Uint16Array

  constructor(text: string) {
    this.bytes = Uint8Array.from(Buffer.from(text))
    const { length } = this.bytes
    this.steps = new Uint16Array(256).fill(length)
    for (let i = 0; i < length - 1; i++) this.steps[this.bytes[i]!] = length - 1 - i
  }

  get length(): number {
    return this.bytes.length
  }

  isAt(text: Uint8Array, at: number): boolean {
    const { bytes } = this
    for (let i = 0; i < bytes.length; i++) if (text[at + i] !== bytes[i]) return false
    return true
  }

  /** Where it is first, from `from` to `end`; -1 when it does not. */
  placeIn(text: Uint8Array, from: number, end: number): number {
    const { bytes, steps } = this
    const { length } = bytes
    if (length === 0) return from
    if (length <= 2) return placeOfFew(bytes, text, from, end)
    const last = length - 1
    const lastByte = bytes[last]
    for (let at = from + last; at < end; ) {
      const byte = text[at]!
      if (byte === lastByte && this.isAt(text, at - last)) return at - last
      at += steps[byte]!
    }
    return -1
  }
}

/** The same for one or two bytes, where there is nothing to skip. */
function placeOfFew(few: Uint8Array, text: Uint8Array, from: number, end: number): number {
  const first = few[0]!
  const second = few[1]
  const last = end - few.length
  for (let at = from; at <= last; at++)
    if (text[at] === first && (second === undefined || text[at + 1] === second)) return at
  return -1
}

/** Hosts are known by their ASCII names: `münchen.example` as `xn--mnchen-3ya.example`. */
function asciiOf(pattern: string): string {
  const ascii = (part: string) => (/[^\x21-\x7e]/.test(part) ? domainToASCII(part) || part : part)
  return pattern.split('*').map(ascii).join('*')
}
