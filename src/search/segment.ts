import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { EscalonaError } from '../base/errors.ts'
import { ByteReader } from '../base/structures/byte-reader.ts'
import { READ_AHEAD } from './bits.ts'
import { CHUNK, ListReader } from './postings.ts'
import { type DocumentTable, FOOT_BYTES, GROUP_TERMS, KEY_BYTES, MAGIC, type SegmentFoot } from './segment-file.ts'

/** Where the list of a term is, and how long. */
export interface TermEntry {
  readonly at: number
  readonly bytes: number
  /** Documents that have the term. */
  readonly count: number
  /** Bytes of the part of a long list that comes before the notes. */
  readonly documentBytes: number
}

/** An open segment. Its index of terms and its table of documents are in memory; lists are read on demand. */
export class Segment {
  readonly documents: number
  readonly tokens: number
  readonly table: DocumentTable
  private readonly fd: number
  /** The first terms of the dictionary blocks, one after the other; where each begins; where each block is, and how long. */
  private readonly firsts: Buffer
  private readonly firstAt: Int32Array
  private readonly blockAt: Float64Array
  private readonly blockBytes: Int32Array

  /** Throws `SEARCH_DAMAGED` when it is not whole, or not the one of which the manifest has the CRC-32. */
  constructor(path: string, crc: number) {
    this.fd = openSync(path, 'r')
    try {
      const foot = this.readFoot(crc)
      const rest = this.bytesAt(foot.indexAt, foot.footAt - foot.indexAt)
      if (crc32(rest) !== foot.crc) throw new EscalonaError('SEARCH_DAMAGED')
      this.documents = foot.documents
      this.tokens = foot.tokens
      const index = rest.subarray(0, foot.tableAt - foot.indexAt)
      const blocks = Math.ceil(foot.terms / GROUP_TERMS)
      this.firsts = index
      this.firstAt = new Int32Array(2 * blocks)
      this.blockAt = new Float64Array(blocks)
      this.blockBytes = new Int32Array(blocks)
      this.readIndex(new ByteReader(index), blocks)
      this.table = readTable(rest.subarray(foot.tableAt - foot.indexAt), foot)
    } catch (error) {
      closeSync(this.fd)
      throw error instanceof RangeError ? new EscalonaError('SEARCH_DAMAGED') : error
    }
  }

  close(): void {
    closeSync(this.fd)
  }

  find(term: Uint8Array): TermEntry | undefined {
    const block = this.blockOf(term)
    if (block < 0) return undefined
    const terms = this.termsOf(block)
    while (terms.next()) {
      const order = Buffer.compare(terms.term.subarray(0, terms.length), term)
      if (order === 0) return terms.entry
      if (order > 0) return undefined
    }
    return undefined
  }

  /** `withNotes`: also what is beside the term. */
  list(entry: TermEntry, withNotes: boolean): ListReader {
    const end = withNotes || entry.count < CHUNK ? entry.bytes : entry.documentBytes
    const bytes = Buffer.allocUnsafe(end + READ_AHEAD).fill(0, end)
    if (readSync(this.fd, bytes, 0, end, entry.at) !== end) throw new EscalonaError('SEARCH_DAMAGED')
    const list = this.newReader()
    list.open(bytes, end, entry)
    return list
  }

  newReader(): ListReader {
    return new ListReader(this.documents)
  }

  /** Groups of terms, in ascending order, with their lists. */
  get groups(): number {
    return this.blockAt.length
  }

  /** The terms of a group; the bytes of the group, with its lists, and a few more; and where these bytes are in the file. */
  group(group: number): { readonly terms: TermsOfBlock; readonly bytes: Buffer; readonly at: number } {
    const at = group === 0 ? 0 : this.blockAt[group - 1]! + this.blockBytes[group - 1]!
    const block = this.blockAt[group]! - at
    const end = block + this.blockBytes[group]!
    const bytes = Buffer.allocUnsafe(end + READ_AHEAD)
    if (readSync(this.fd, bytes, 0, end, at) !== end) throw new EscalonaError('SEARCH_DAMAGED')
    return { terms: new TermsOfBlock(bytes.subarray(block, end)), bytes, at }
  }

  private termsOf(block: number): TermsOfBlock {
    return new TermsOfBlock(this.bytesAt(this.blockAt[block]!, this.blockBytes[block]!))
  }

  /** The last block whose first term is not after this one; -1: there is none. */
  private blockOf(term: Uint8Array): number {
    let [low, high] = [0, this.blockAt.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = this.firsts.compare(term, 0, term.length, this.firstAt[2 * middle], this.firstAt[2 * middle + 1])
      if (order <= 0) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  private readFoot(expected: number): SegmentFoot {
    const { size } = fstatSync(this.fd)
    if (size < FOOT_BYTES) throw new EscalonaError('SEARCH_DAMAGED')
    const foot = this.bytesAt(size - FOOT_BYTES, FOOT_BYTES)
    const crc = crc32(foot.subarray(0, FOOT_BYTES - 4))
    const isOurs = foot.subarray(0, MAGIC.length).equals(MAGIC)
    if (!isOurs || crc !== foot.readUInt32LE(FOOT_BYTES - 4) || crc !== expected)
      throw new EscalonaError('SEARCH_DAMAGED')
    const [tokens, terms, indexAt, tableAt, footAt] = [8, 16, 24, 32, 40].map(at => foot.readDoubleLE(at)) as never as [
      number,
      number,
      number,
      number,
      number,
    ]
    if (footAt !== size - FOOT_BYTES || indexAt > tableAt || tableAt > footAt) throw new EscalonaError('SEARCH_DAMAGED')
    return { documents: foot.readUInt32LE(48), crc: foot.readUInt32LE(52), tokens, terms, indexAt, tableAt, footAt }
  }

  private readIndex(index: ByteReader, blocks: number): void {
    let end = 0
    for (let block = 0; block < blocks; block++) {
      const length = index.varint()
      this.firstAt[2 * block] = index.at
      index.raw(length)
      this.firstAt[2 * block + 1] = index.at
      const at = end + index.varint()
      const bytes = index.varint()
      this.blockAt[block] = at
      this.blockBytes[block] = bytes
      end = at + bytes
    }
  }

  private bytesAt(at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    if (readSync(this.fd, bytes, 0, length, at) !== length) throw new EscalonaError('SEARCH_DAMAGED')
    return bytes
  }
}

/** The terms of a dictionary block, one after the other. */
export class TermsOfBlock {
  /** The term at hand: its first `length` bytes. */
  readonly term = new Uint8Array(1024)
  length = 0
  private readonly block: ByteReader
  private listAt: number
  private bytes = 0
  private count = 0
  private documentBytes = 0

  constructor(block: Buffer) {
    this.block = new ByteReader(block)
    this.listAt = this.block.varint()
  }

  get entry(): TermEntry {
    const { bytes, count, documentBytes } = this
    return { at: this.listAt, bytes, count, documentBytes }
  }

  /** Goes to the next one; false: there is none. */
  next(): boolean {
    const { block } = this
    if (block.isAtEnd) return false
    const lengths = block.u8()
    let shared = lengths >> 4
    let own = lengths & 15
    if (shared === 15) shared += block.varint()
    if (own === 15) own += block.varint()
    if (shared > this.length || shared + own > this.term.length) throw new EscalonaError('SEARCH_DAMAGED')
    for (let i = shared; i < shared + own; i++) this.term[i] = block.u8()
    this.length = shared + own
    this.listAt += this.bytes
    this.count = block.varint()
    this.bytes = block.varint()
    this.documentBytes = this.count < CHUNK ? this.bytes : block.varint()
    return true
  }
}

function readTable(bytes: Buffer, { documents: count, tokens }: SegmentFoot): DocumentTable {
  const reader = new ByteReader(bytes)
  const lengths = reader.raw(count)
  const keyBytes = reader.raw(count * KEY_BYTES)
  const keys = new Float64Array(count)
  const lines = new Float64Array(count)
  const seconds = new Float64Array(count)
  let [line, second] = [0, 0]
  for (let i = 0; i < count; i++) {
    keys[i] = keyBytes.readUIntLE(KEY_BYTES * i, KEY_BYTES)
    line += reader.varint()
    const change = reader.varint()
    second += change % 2 === 0 ? change / 2 : -(change + 1) / 2
    lines[i] = line
    seconds[i] = second
  }
  return { count, tokens, lengths, keys, lines, seconds }
}
