import { copyBytes, newChunk, sameBytes } from '../base/structures/bytes.ts'
import { grown } from '../base/structures/grow.ts'
import { HashIndex } from '../base/structures/hash-index.ts'
import { type ClassicKernel, LONGEST_NAME_BYTES, NAME_WORDS, ROWS } from '../url/classic-kernel.ts'
import { lengthOf, regionAndLength, type Stretch, TextArena } from './text-arena.ts'

/** A known host's number, counted from 1 in the order in which the hosts became known; 0 means "none". */
export type HostId = number

/**
 * A host's record is two cache lines. The first belongs to this file, but for its first four words; those and the second
 * line belong to the host's lists. So whoever finds a host has all of it at hand.
 */
export const HOST_WORDS = 32
const NAME_AT = 4
const NAME_WHERE = 5
/** A short name stands in the record itself, filled up with zeros; a longer one in an arena. */
const NAME = 6

/** No word of a name: the guess is wrong for sure. */
const NONE = 1 << 30

/** The known hosts, found by name. A host stays until all are forgotten. */
export class Hosts {
  /** How many hosts are known; their ids run from 1 to this. */
  known: HostId = 0
  /** The hosts' records, at their id. */
  words: Int32Array
  /** The records' own memory, for the names in them. Never as bytes: those end at 4 GiB. */
  private ownNames: DataView
  private readonly longNames = new TextArena()
  private stretch: Stretch
  private longNamesEnd: number
  private readonly index: HashIndex
  private readonly found = new Int32Array(ROWS)
  /** See {@link TextArena.readAhead}. */
  protected readSum = 0

  constructor(expectedHosts: number) {
    this.words = new Int32Array((64 + Math.ceil(expectedHosts)) * HOST_WORDS)
    this.index = new HashIndex(expectedHosts)
    this.ownNames = new DataView(this.words.buffer)
    this.stretch = this.longNames.open()
    this.longNamesEnd = this.stretch.start
  }

  /**
   * Finds the host of each row of the kernel; hosts that are new become known. Most are found where the search begins,
   * and have a short name: for them the loop calls nothing.
   */
  know(kernel: ClassicKernel, rows: number): Int32Array {
    const { hostLength, names } = kernel
    const { found } = this
    this.index.reserve(rows)
    this.index.guess(kernel.hostHash, rows, found)
    this.readAhead(found, rows)
    for (let row = 0; row < rows; row++) {
      const { words } = this
      const length = hostLength[row]!
      const at = found[row]! * HOST_WORDS
      const end = (length + 3) >> 2
      let word = length <= LONGEST_NAME_BYTES && lengthOf(words[at + NAME_WHERE]!) === length ? 0 : NONE
      while (word < end && words[at + NAME + word] === names[row * NAME_WORDS + word]) word++
      if (word !== end) found[row] = this.findOrAdd(kernel.hostHash[row]!, kernel.view, kernel.at[row]!, length)
    }
    return found
  }

  /** The host with this name; it becomes known if it is not. */
  findOrAdd(hash: number, view: DataView, start: number, length: number): HostId {
    const place = this.search(hash, view, start, length)
    if (place >= 0) return this.index.id(place)
    const host = this.add(view, start, length)
    this.index.fill(place, hash, host)
    return host
  }

  /** Makes room for this many more hosts; see {@link findOrAdd}. */
  reserve(more: number): void {
    this.index.reserve(more)
  }

  name(host: HostId): string {
    const length = this.nameLength(host)
    const name = newChunk(length)
    copyBytes(this.nameView(host), this.nameAt(host), length, name.view, 0)
    return name.bytes.toString('utf8', 0, length)
  }

  /** The host with this name, or 0. */
  find(hash: number, view: DataView, start: number, length: number): HostId {
    const place = this.search(hash, view, start, length)
    return place >= 0 ? this.index.id(place) : 0
  }

  private search(hash: number, view: DataView, start: number, length: number): number {
    let place = this.index.search(hash)
    while (place >= 0 && !this.isNamed(this.index.id(place), view, start, length)) {
      place = this.index.searchOn(place, hash)
    }
    return place
  }

  private isNamed(host: HostId, view: DataView, start: number, length: number): boolean {
    const at = host * HOST_WORDS
    if (lengthOf(this.words[at + NAME_WHERE]!) !== length) return false
    if (length > LONGEST_NAME_BYTES) return sameBytes(this.nameView(host), this.nameAt(host), view, start, length)
    return sameBytes(this.ownNames, (at + NAME) * 4, view, start, length)
  }

  /** A host's name stands in `nameView(host)`, from `nameAt(host)` on, `nameLength(host)` bytes long. */
  nameView(host: HostId): DataView {
    const where = this.words[host * HOST_WORDS + NAME_WHERE]!
    return lengthOf(where) <= LONGEST_NAME_BYTES ? this.ownNames : this.longNames.regionOf(where).view
  }

  nameAt(host: HostId): number {
    const where = this.words[host * HOST_WORDS + NAME_WHERE]!
    return lengthOf(where) <= LONGEST_NAME_BYTES
      ? (host * HOST_WORDS + NAME) * 4
      : this.words[host * HOST_WORDS + NAME_AT]!
  }

  nameLength(host: HostId): number {
    return lengthOf(this.words[host * HOST_WORDS + NAME_WHERE]!)
  }

  clear(): void {
    this.index.clear()
    this.known = 0
    this.longNames.releaseAllUnheld()
    this.stretch = this.longNames.open()
    this.longNamesEnd = this.stretch.start
  }

  private add(view: DataView, start: number, length: number): HostId {
    const host = ++this.known
    const at = host * HOST_WORDS
    if (at + HOST_WORDS > this.words.length) {
      this.words = grown(this.words, at + HOST_WORDS)
      this.ownNames = new DataView(this.words.buffer)
    }
    this.words.fill(0, at, at + HOST_WORDS)
    if (length > LONGEST_NAME_BYTES) this.words[at + NAME_AT] = this.roomForLongName(length)
    this.words[at + NAME_WHERE] = regionAndLength(this.stretch.region, length)
    copyBytes(view, start, length, this.nameView(host), this.nameAt(host))
    if (length <= LONGEST_NAME_BYTES) this.padName(this.nameAt(host), length)
    return host
  }

  /** Writes zeros after a name that stands in its record, where copying may have written too much. */
  private padName(at: number, length: number): void {
    for (let i = length; i < LONGEST_NAME_BYTES; i++) this.ownNames.setUint8(at + i, 0)
  }

  private roomForLongName(length: number): number {
    if (this.longNamesEnd + length > this.stretch.end) {
      this.stretch = this.longNames.open(length)
      this.longNamesEnd = this.stretch.start
    }
    const at = this.longNamesEnd
    this.longNamesEnd += length
    return at
  }

  /** See {@link TextArena.readAhead}. */
  private readAhead(hosts: Int32Array, count: number): void {
    const { words } = this
    let sum = 0
    for (let i = 0; i + 1 < count; i += 2) {
      const a = hosts[i]! * HOST_WORDS
      const b = hosts[i + 1]! * HOST_WORDS
      sum = (sum + words[a]! + words[a + 16]! + words[b]! + words[b + 16]!) | 0
    }
    this.readSum = sum
  }
}
