import { type Chunk, copyBytes, hashBytes, newChunk, SPARE_BYTES, sameBytes } from '../base/bytes.ts'
import { HashIndex } from '../base/hash-index.ts'
import { Records } from '../base/records.ts'
import { type HostId, LIST_WORDS } from './depth-lists.ts'

const NAME_CHUNK = LIST_WORDS
const NAME_OFFSET = LIST_WORDS + 1
const NAME_LENGTH = LIST_WORDS + 2
const HOST_WORDS = 8

const NAMES_CHUNK_BYTES = 1 << 16

/** The known hosts, in the order in which they became known, found by name. A host stays until all are forgotten. */
export class Hosts {
  readonly records = new Records(HOST_WORDS)
  private readonly index = new HashIndex()
  private readonly seed: number
  private names: Chunk[] = []
  private namesEnd = NAMES_CHUNK_BYTES

  constructor(seed: number) {
    this.seed = seed
  }

  /** How many hosts are known; their ids run from 1 to this. */
  get known(): number {
    return this.records.last
  }

  hash(view: DataView, start: number, end: number): number {
    return hashBytes(view, start, end, this.seed)
  }

  /** Reads ahead: see {@link HashIndex.touch}. */
  touch(hash: number): number {
    return this.index.touch(hash)
  }

  /** The host with this name, or 0. */
  find(hash: number, view: DataView, start: number, length: number): HostId {
    for (let place = this.index.first(hash); place >= 0; place = this.index.after(place, hash)) {
      const host = this.index.id(hash, place)
      const page = this.records.page(host)
      const at = this.records.at(host)
      if (page[at + NAME_LENGTH] !== length) continue
      if (sameBytes(this.names[page[at + NAME_CHUNK]!]!.view, page[at + NAME_OFFSET]!, view, start, length)) return host
    }
    return 0
  }

  /** Makes a host known; it must not be. */
  add(hash: number, view: DataView, start: number, length: number): HostId {
    const last = this.names.at(-1)
    if (last === undefined || this.namesEnd + length > last.bytes.length - SPARE_BYTES) {
      this.names.push(newChunk(Math.max(length, NAMES_CHUNK_BYTES)))
      this.namesEnd = 0
    }
    copyBytes(view, start, length, this.names.at(-1)!.view, this.namesEnd)
    const host = this.records.allot()
    const page = this.records.page(host)
    const at = this.records.at(host)
    page[at + NAME_CHUNK] = this.names.length - 1
    page[at + NAME_OFFSET] = this.namesEnd
    page[at + NAME_LENGTH] = length
    this.namesEnd += length
    this.index.put(hash, host)
    return host
  }

  nameChunk(host: HostId): Chunk {
    return this.names[this.records.page(host)[this.records.at(host) + NAME_CHUNK]!]!
  }

  nameOffset(host: HostId): number {
    return this.records.page(host)[this.records.at(host) + NAME_OFFSET]!
  }

  nameLength(host: HostId): number {
    return this.records.page(host)[this.records.at(host) + NAME_LENGTH]!
  }

  clear(): void {
    this.index.clear()
    this.records.forget(this.records.last)
    this.names.length = Math.min(this.names.length, 1)
    this.namesEnd = 0
  }
}
