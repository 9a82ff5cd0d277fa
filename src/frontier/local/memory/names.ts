import { type ByteChunk, copyBytes, newChunk, sameBytes } from '../../../base/structures/bytes.ts'
import { SplitIndex } from '../../../base/structures/hash-index.ts'
import type { LookupKey } from './lookup-key.ts'
import { Rows } from './rows.ts'

/** Where a text begins. */
export type Name = number

const CHUNK_BITS = 18
const CHUNK_BYTES = 1 << CHUNK_BITS
const LENGTH_BYTES = 2

/** Short texts one after the other, each preceded by its length (16 bits). Nothing is removed, so a number is enough to find one. */
export class NameTable {
  private readonly chunks: ByteChunk[] = []
  private end = 0

  add(from: DataView, start: number, length: number): Name {
    const left = this.chunks.length * CHUNK_BYTES - this.end
    if (left < length + LENGTH_BYTES) {
      this.end = this.chunks.length * CHUNK_BYTES
      this.chunks.push(newChunk(CHUNK_BYTES))
    }
    const name = this.end
    const at = name & (CHUNK_BYTES - 1)
    const { view } = this.chunkOf(name)
    view.setUint16(at, length, true)
    copyBytes(from, start, length, view, at + LENGTH_BYTES)
    this.end += LENGTH_BYTES + length
    return name
  }

  /** A name is the `lengthOf(name)` bytes of `viewOf(name)` from `startOf(name)` on. */
  viewOf(name: Name): DataView {
    return this.chunkOf(name).view
  }

  startOf(name: Name): number {
    return (name & (CHUNK_BYTES - 1)) + LENGTH_BYTES
  }

  lengthOf(name: Name): number {
    return this.chunkOf(name).view.getUint16(name & (CHUNK_BYTES - 1), true)
  }

  textOf(name: Name): string {
    const start = this.startOf(name)
    return this.chunkOf(name).bytes.toString('utf8', start, start + this.lengthOf(name))
  }

  is(name: Name, view: DataView, start: number, length: number): boolean {
    return this.lengthOf(name) === length && sameBytes(this.viewOf(name), this.startOf(name), view, start, length)
  }

  private chunkOf(name: Name): ByteChunk {
    return this.chunks[Math.floor(name / CHUNK_BYTES)]!
  }
}

/** The first word of a named row: its name. */
const NAME = 0

/** Rows with names: the known hosts, or the known servers. They are numbered from 1 up in the order in which they became known. */
export class NamedRows {
  /** How many are known; their numbers run from 1 to this. */
  known = 0
  rows: Rows
  names = new NameTable()
  private readonly width: number
  private readonly bits: number
  private index = new SplitIndex()

  /** See {@link Rows}. */
  constructor(width: number, bits: number) {
    this.width = width
    this.bits = bits
    this.rows = new Rows(width, bits)
  }

  /** The row with the name in `key`, or 0. */
  find({ hostHash, view, hostStart, hostLength }: LookupKey): number {
    const part = this.index.part(hostHash)
    let slot = part.search(hostHash)
    while (slot >= 0 && !this.names.is(this.nameOf(part.id(slot)), view, hostStart, hostLength)) {
      slot = part.searchOn(slot, hostHash)
    }
    return slot >= 0 ? part.id(slot) : 0
  }

  /** See {@link FrontierState.readAhead}: the index, and most often the record and the name that will be looked up. */
  touch(hash: number): number {
    const id = this.index.firstId(hash)
    return id === 0 ? 0 : this.names.lengthOf(this.nameOf(id))
  }

  /** Adds a row with the name in `key`, which must not be known yet. */
  add({ hostHash, view, hostStart, hostLength }: LookupKey): number {
    const id = ++this.known
    this.rows.reach(id)
    this.rows.set(id, NAME, this.names.add(view, hostStart, hostLength))
    this.index.add(hostHash, id)
    return id
  }

  expect(count: number): void {
    this.index = new SplitIndex(count)
  }

  nameOf(id: number): Name {
    return this.rows.get(id, NAME) >>> 0
  }

  text(id: number): string {
    return this.names.textOf(this.nameOf(id))
  }

  clear(): void {
    this.known = 0
    this.rows = new Rows(this.width, this.bits)
    this.names = new NameTable()
    this.index = new SplitIndex()
  }

  /** Makes `copy` what a snapshot needs: all rows as they are now. See {@link Rows.letGo}. */
  protected keepIn<Copy extends NamedRows>(copy: Copy): Copy {
    copy.known = this.known
    copy.rows = this.rows.keep()
    copy.names = this.names
    return copy
  }

  protected setBits(id: number, word: number, bits: number, isSet: boolean): void {
    const before = this.rows.get(id, word)
    this.rows.set(id, word, isSet ? before | bits : before & ~bits)
  }
}
