import { EscalonaError } from '../base/errors.ts'
import { ByteReader } from '../base/structures/byte-reader.ts'
import { ByteWriter } from '../base/structures/byte-writer.ts'
import { grown } from '../base/structures/grow.ts'
import { BitReader, BitWriter, READ_AHEAD, riceOf } from './bits.ts'
import { hashOf } from './tokens.ts'

/**
 * A posting list: the documents that have a term, in ascending order; how often each has it, and whether its title does; in which blocks
 * of its text; and, where a document has it few times, a little about the words beside it.
 *
 *   list of fewer than 128 documents:  documents · blocks
 *   longer list:                       for each 128 documents: varint last document − last one before, varint bytes of documents,
 *                                      varint bytes of blocks; then all documents; then all blocks
 *   documents:                         Rice(gap − 1), gamma(count code); padded to a byte
 *   blocks:                            if the count is above 1: gamma(count − blocks + 1); the block, or Rice(gap − 1) of each; if the
 *                                      count is not above 4: for each time 6 bits, the classes of the words before and after; padded
 *
 * A block is {@link BLOCK_TOKENS} words. Exact positions would take more room than half of the compressed text. Blocks and classes leave
 * few documents that do not have a phrase; whether it is really there is seen in the page itself, which is read for its snippet
 * anyway (docs/decisions/0030-search.md).
 */
export const CHUNK = 128
export const BLOCK_SHIFT = 7
export const BLOCK_TOKENS = 1 << BLOCK_SHIFT
/** How often a document may have a term for which its neighbours are noted. */
export const FEW_TIMES = 4
const CLASS_BITS = 3
const NEIGHBOUR_BITS = 2 * CLASS_BITS
/** A count code that says: the title has it, too, and the count follows. The counts from here on are one higher. */
const IN_TITLE = 4

/** How long a document is, in one byte: each step is 9 % more, so that it is rounded up by less than that. */
export const LENGTHS = Float64Array.from({ length: 256 }, (_, code) => Math.ceil(2 ** (code / 8)))
const BLOCKS = Int32Array.from(LENGTHS, tokens => Math.min(tokens, 2 ** 30) / BLOCK_TOKENS + 3)

/** The code of a length. */
export function lengthCode(tokens: number): number {
  let code = Math.max(0, Math.floor(8 * Math.log2(Math.max(1, tokens))) - 1)
  while (LENGTHS[code]! < tokens) code++
  return code
}

/** How many blocks a document of this length code may have: its title, its text and its URL begin a block each. */
export function blocksOf(code: number): number {
  return BLOCKS[code]!
}

/** One of eight classes that a term belongs to; the same in every index. */
export function classOf(words: Int32Array, length: number): number {
  return hashOf(words, length, 0) & ((1 << CLASS_BITS) - 1)
}

/** What is beside a term, one of the few times that a document has it: the classes of the words before and after. */
export function neighboursOf(before: number, after: number, time: number): number {
  return ((before << CLASS_BITS) | after) << (NEIGHBOUR_BITS * time)
}

/** Whether words of these classes may be before and after a term, one of the `count` times; a class of -1 is any. */
export function mayNeighbour(neighbours: number, count: number, before: number, after: number): boolean {
  if (count > FEW_TIMES) return true
  const mask = (1 << CLASS_BITS) - 1
  for (let time = 0, rest = neighbours; time < count; time++, rest >>>= NEIGHBOUR_BITS) {
    const isAfter = after < 0 || (rest & mask) === after
    if (isAfter && (before < 0 || ((rest >>> CLASS_BITS) & mask) === before)) return true
  }
  return false
}

/** Encodes one list after the other. For each document: `begun`, `block` in ascending order, at least one, and `ended`. */
export class ListWriter {
  /** After `finish`: documents of the list, its bytes, and those of the part without the blocks. */
  count = 0
  listBytes = 0
  documentBytes = 0
  private readonly documents: number
  private readonly lengths: Uint8Array
  private readonly ids = new Int32Array(CHUNK)
  private readonly counts = new Int32Array(CHUNK)
  private readonly titles = new Uint8Array(CHUNK)
  private readonly neighbours = new Int32Array(CHUNK)
  private readonly firstBlocks = new Int32Array(CHUNK + 1)
  private blocks = new Int32Array(1024)
  private inChunk = 0
  private blockCount = 0
  private last = -1
  private readonly documentBits = new BitWriter()
  private readonly blockBits = new BitWriter()
  private readonly table = new ByteWriter(256)

  /** For lists over this many documents, whose lengths have these codes. */
  constructor(documents: number, lengths: Uint8Array) {
    this.documents = documents
    this.lengths = lengths
  }

  begin(): void {
    this.count = 0
    this.inChunk = 0
    this.blockCount = 0
    this.last = -1
    this.documentBits.clear()
    this.blockBits.clear()
    this.table.clear()
  }

  begun(id: number, isInTitle: boolean): void {
    if (this.inChunk === CHUNK) this.endChunk()
    const at = this.inChunk++
    this.count++
    this.ids[at] = id
    this.titles[at] = isInTitle ? 1 : 0
    this.firstBlocks[at] = this.blockCount
  }

  /** `times`: how often the document at hand has the term. `neighbours`: if that is not above {@link FEW_TIMES}, what is beside it. */
  ended(times: number, neighbours: number): void {
    this.counts[this.inChunk - 1] = times
    this.neighbours[this.inChunk - 1] = neighbours
  }

  block(block: number): void {
    if (this.blockCount === this.blocks.length) this.blocks = grown(this.blocks, this.blockCount) as typeof this.blocks
    this.blocks[this.blockCount++] = block
  }

  /** Writes the list. */
  finish(out: ByteWriter): void {
    const isLong = this.count >= CHUNK
    if (isLong) this.endChunk()
    else this.putChunk(riceOf(this.documents, this.count))
    const { table, documentBits, blockBits } = this
    const start = out.length
    if (isLong) out.raw(table.bytes)
    out.part(documentBits.bytes, 0, documentBits.length)
    this.documentBytes = out.length - start
    out.part(blockBits.bytes, 0, blockBits.length)
    this.listBytes = out.length - start
  }

  private endChunk(): void {
    const { documentBits, blockBits, table } = this
    if (this.inChunk === 0) return
    const [documentsAt, blocksAt, before] = [documentBits.length, blockBits.length, this.last]
    const span = this.ids[this.inChunk - 1]! - before
    const count = this.inChunk
    this.putChunk(riceOf(span, count))
    table.varint(span)
    table.varint(documentBits.length - documentsAt)
    table.varint(blockBits.length - blocksAt)
  }

  private putChunk(k: number): void {
    const { ids, counts, titles, neighbours, firstBlocks, blocks, documentBits, blockBits, lengths } = this
    firstBlocks[this.inChunk] = this.blockCount
    for (let i = 0; i < this.inChunk; i++) {
      const id = ids[i]!
      const count = counts[i]!
      documentBits.rice(id - this.last - 1, k)
      this.last = id
      if (titles[i] === 1) documentBits.gamma(IN_TITLE)
      documentBits.gamma(titles[i] === 1 || count < IN_TITLE ? count : count + 1)
      const from = firstBlocks[i]!
      putBlocks(blockBits, blocks, from, firstBlocks[i + 1]! - from, count, blocksOf(lengths[id]!))
      if (count <= FEW_TIMES) blockBits.put(neighbours[i]!, NEIGHBOUR_BITS * count)
    }
    documentBits.align()
    blockBits.align()
    this.inChunk = 0
    this.blockCount = 0
  }
}

function putBlocks(
  bits: BitWriter,
  blocks: Int32Array,
  from: number,
  held: number,
  count: number,
  possible: number,
): void {
  if (count > 1) bits.gamma(count - held + 1)
  if (held === 1) {
    bits.put(blocks[from]!, widthOf(possible))
    return
  }
  bits.riceGaps(blocks, from, from + held, riceOf(possible, held))
}

/** Bits of a number below this one. */
function widthOf(below: number): number {
  return 32 - Math.clz32(below - 1)
}

/** Reads lists of a segment, one after the other: each forwards, one chunk at a time, and over chunks that are not wanted. */
export class ListReader {
  /** The documents of the chunk, `size` of them, how often each has the term, and whether its title has it. */
  readonly ids = new Int32Array(CHUNK)
  readonly counts = new Int32Array(CHUNK)
  readonly titles = new Uint8Array(CHUNK)
  size = 0
  /** Documents of the whole list. */
  count = 0
  /** What is beside the term, as {@link readBlocks} read it, in a document that has it not more than {@link FEW_TIMES}. */
  neighbours = 0
  /** The blocks that {@link readBlocks} read. */
  blocks: Int32Array = new Int32Array(64)
  private readonly documents: number
  private readonly lengths: Uint8Array
  private readonly bits = new BitReader()
  private readonly blockBits = new BitReader()
  private chunks = 1
  /** Of each chunk: the last document, and where its documents and blocks begin. */
  private lasts = new Int32Array(1)
  private documentsAt = new Int32Array(1)
  private blocksAt = new Int32Array(1)
  private chunk = -1
  /** How far {@link find} has looked. */
  private found = 0
  /** The document of the chunk whose blocks come next; -1: those of the chunk are not begun. */
  private nextBlocks = -1

  constructor(segment: { readonly documents: number; readonly lengths: Uint8Array }) {
    this.documents = segment.documents
    this.lengths = segment.lengths
  }

  /**
   * `bytes`: the list, `end` bytes long (or only its first part, if its blocks are not wanted), and {@link READ_AHEAD} more.
   * `documentBytes`: of a long list, the length of its first part.
   */
  open(bytes: Buffer, end: number, list: { readonly count: number; readonly documentBytes: number }): void {
    const { count } = list
    if (count < 1 || count > this.documents || bytes.length < end + READ_AHEAD)
      throw new EscalonaError('SEARCH_DAMAGED')
    this.count = count
    this.bits.open(bytes, end)
    this.blockBits.open(bytes, end)
    this.chunk = -1
    this.size = 0
    this.chunks = Math.ceil(count / CHUNK)
    if (count >= CHUNK) this.readTable(new ByteReader(bytes, 0, end), list.documentBytes)
    else {
      this.lasts[0] = this.documents - 1
      this.documentsAt[0] = 0
    }
  }

  /** Reads the next chunk; false: there is none. */
  next(): boolean {
    return this.readChunk(this.chunk + 1)
  }

  /** Where a document is in its chunk, which is then the one at hand; -1: the list does not have it. In ascending order only. */
  find(id: number): number {
    let chunk = Math.max(0, this.chunk)
    while (chunk < this.chunks && this.lasts[chunk]! < id) chunk++
    if (chunk !== this.chunk) this.readChunk(chunk)
    const { ids, size } = this
    let at = this.found
    while (at < size && ids[at]! < id) at++
    this.found = at
    return at < size && ids[at] === id ? at : -1
  }

  /** The blocks of the `i`th document of the chunk, into `blocks`; returns how many. In ascending order of `i` only. */
  readBlocks(i: number): number {
    if (this.nextBlocks < 0) {
      this.blockBits.seek(this.count < CHUNK ? this.bits.byte : this.blocksAt[this.chunk]!)
      this.nextBlocks = 0
    }
    let held = 0
    while (this.nextBlocks <= i) held = this.readNextBlocks(this.nextBlocks++)
    return held
  }

  private readNextBlocks(i: number): number {
    const bits = this.blockBits
    const count = this.counts[i]!
    const possible = blocksOf(this.lengths[this.ids[i]!]!)
    const held = count > 1 ? count - bits.gamma() + 1 : 1
    if (held < 1 || held > possible) throw new EscalonaError('SEARCH_DAMAGED')
    if (held > this.blocks.length) this.blocks = new Int32Array(2 * held)
    if (held === 1) this.blocks[0] = bits.get(widthOf(possible))
    else bits.riceGaps(this.blocks, held, riceOf(possible, held))
    this.neighbours = count <= FEW_TIMES ? bits.get(NEIGHBOUR_BITS * count) : 0
    return held
  }

  private readChunk(chunk: number): boolean {
    this.chunk = chunk
    this.nextBlocks = -1
    this.found = 0
    this.size = 0
    if (chunk >= this.chunks) return false
    const { bits, ids, counts, titles, documents } = this
    const size = Math.min(CHUNK, this.count - chunk * CHUNK)
    let id = chunk === 0 ? -1 : this.lasts[chunk - 1]!
    const k = this.count < CHUNK ? riceOf(documents, size) : riceOf(this.lasts[chunk]! - id, size)
    bits.seek(this.documentsAt[chunk]!)
    for (let i = 0; i < size; i++) {
      id += bits.rice(k) + 1
      ids[i] = id
      let code = bits.gamma()
      titles[i] = code === IN_TITLE ? 1 : 0
      if (code === IN_TITLE) code = bits.gamma()
      else if (code > IN_TITLE) code--
      counts[i] = code
    }
    if (id >= documents || id < 0) throw new EscalonaError('SEARCH_DAMAGED')
    this.size = size
    return true
  }

  private readTable(table: ByteReader, documentBytes: number): void {
    const { chunks } = this
    if (this.lasts.length < chunks) {
      this.lasts = new Int32Array(chunks)
      this.documentsAt = new Int32Array(chunks)
      this.blocksAt = new Int32Array(chunks)
    }
    const { lasts, documentsAt, blocksAt } = this
    let [last, documents, blocks] = [-1, 0, documentBytes]
    try {
      for (let chunk = 0; chunk < chunks; chunk++) {
        last += table.varint()
        lasts[chunk] = last
        documentsAt[chunk] = documents
        blocksAt[chunk] = blocks
        documents += table.varint()
        blocks += table.varint()
      }
    } catch {
      throw new EscalonaError('SEARCH_DAMAGED')
    }
    for (let chunk = 0; chunk < chunks; chunk++) documentsAt[chunk]! += table.at
  }
}
