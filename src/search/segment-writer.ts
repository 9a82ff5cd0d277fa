import { closeSync, fsyncSync, openSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { writeAll } from '../base/files/write-all.ts'
import { ByteWriter } from '../base/structures/byte-writer.ts'
import { CHUNK, type ListWriter } from './postings.ts'
import { type DocumentTable, FOOT_BYTES, GROUP_TERMS, MAGIC, tableBytes } from './segment-file.ts'

const BUFFERED_BYTES = 1 << 18

/** Writes a segment: its terms in ascending order, then its documents. Memory does not grow with the lists. */
export class SegmentWriter {
  private readonly fd: number
  private readonly out = new ByteWriter(2 * BUFFERED_BYTES)
  private flushed = 0
  private readonly index = new ByteWriter(1 << 12)
  private readonly block = new ByteWriter(1 << 12)
  private readonly previous = new Uint8Array(1024)
  private previousLength = 0
  private inGroup = 0
  private terms = 0
  private blockEnd = 0

  constructor(path: string) {
    this.fd = openSync(path, 'w')
  }

  /** Adds a term, the first `length` bytes of `term`, with the list at hand. */
  add(term: Uint8Array, length: number, list: ListWriter): void {
    const { block } = this
    if (this.inGroup === 0) {
      this.index.varint(length)
      this.index.part(term, 0, length)
      block.clear()
      block.varint(this.at)
      this.previousLength = 0
    }
    list.finish(this.out)
    this.putTerm(term, length)
    block.varint(list.count)
    block.varint(list.listBytes)
    if (list.count >= CHUNK) block.varint(list.documentBytes)
    this.terms++
    if (++this.inGroup === GROUP_TERMS) this.endGroup()
    if (this.out.length >= BUFFERED_BYTES) this.flush()
  }

  /** Writes the rest, and makes sure that it is on disk. Returns the size of the file and the CRC-32 of its foot. */
  finish(table: DocumentTable): { readonly bytes: number; readonly crc: number } {
    if (this.inGroup > 0) this.endGroup()
    this.flush()
    const indexAt = this.flushed
    const tableAt = indexAt + this.index.length
    const documents = tableBytes(table)
    const foot = Buffer.alloc(FOOT_BYTES)
    MAGIC.copy(foot)
    const numbers = [table.tokens, this.terms, indexAt, tableAt, tableAt + documents.length]
    for (const [i, number] of numbers.entries()) foot.writeDoubleLE(number, 8 + 8 * i)
    foot.writeUInt32LE(table.count, 48)
    foot.writeUInt32LE(crc32(documents, crc32(this.index.bytes)), 52)
    const crc = crc32(foot.subarray(0, FOOT_BYTES - 4))
    foot.writeUInt32LE(crc, FOOT_BYTES - 4)
    for (const bytes of [this.index.bytes, documents, foot]) writeAll(this.fd, bytes)
    fsyncSync(this.fd)
    this.close()
    return { bytes: tableAt + documents.length + FOOT_BYTES, crc }
  }

  close(): void {
    closeSync(this.fd)
  }

  private get at(): number {
    return this.flushed + this.out.length
  }

  private putTerm(term: Uint8Array, length: number): void {
    const { block, previous } = this
    let shared = 0
    const most = Math.min(length, this.previousLength)
    while (shared < most && previous[shared] === term[shared]) shared++
    const own = length - shared
    block.u8((Math.min(shared, 15) << 4) | Math.min(own, 15))
    if (shared >= 15) block.varint(shared - 15)
    if (own >= 15) block.varint(own - 15)
    block.part(term, shared, length)
    for (let i = shared; i < length; i++) previous[i] = term[i]!
    this.previousLength = length
  }

  private endGroup(): void {
    this.index.varint(this.at - this.blockEnd)
    this.index.varint(this.block.length)
    this.out.raw(this.block.bytes)
    this.blockEnd = this.at
    this.inGroup = 0
  }

  private flush(): void {
    writeAll(this.fd, this.out.bytes)
    this.flushed += this.out.length
    this.out.clear()
  }
}
