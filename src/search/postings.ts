import { EscalonaError } from '../base/errors.ts'
import { ByteReader } from '../base/structures/byte-reader.ts'
import { ByteWriter } from '../base/structures/byte-writer.ts'
import { BitReader, BitWriter, READ_AHEAD, riceOf } from './bits.ts'
import { MOST_PIECES, noteBits } from './neighbours.ts'

/**
 * A posting list: the documents that have a term, in ascending order; how often each has it, whether its title does, and a note about the
 * words beside it.
 *
 *   list of fewer than 128 documents:  documents · notes
 *   longer list:                       for each 128 documents: varint last document − last one before, varint bytes of documents,
 *                                      varint bytes of notes; then all documents; then all notes
 *   documents:                         Rice(gap − 1), gamma(count code); padded to a byte
 *   notes:                             as neighbours.ts says; padded to a byte
 *
 * Exact positions would take more room than half of the compressed text. The notes leave few documents that do not have a phrase; whether it
 * is really there is seen in the page itself, which is read for its snippet anyway (docs/decisions/0030-search.md).
 */
export const CHUNK = 128
/** A count code that says: the title has it, too, and the count follows. The counts from here on are one higher. */
const IN_TITLE = 4

/** How long a document is, in one byte: each step is 9 % more, so that it is rounded up by less than that. */
export const LENGTHS = Float64Array.from({ length: 256 }, (_, code) => Math.ceil(2 ** (code / 8)))

/** The code of a length. */
export function lengthCode(tokens: number): number {
  let code = Math.max(0, Math.floor(8 * Math.log2(Math.max(1, tokens))) - 1)
  while (LENGTHS[code]! < tokens) code++
  return code
}

/** Encodes one list after the other. */
export class ListWriter {
  /** After `finish`: documents of the list, its bytes, and those of the part without the notes. */
  count = 0
  listBytes = 0
  documentBytes = 0
  private readonly documents: number
  private readonly ids = new Int32Array(CHUNK)
  private readonly counts = new Int32Array(CHUNK)
  private readonly titles = new Uint8Array(CHUNK)
  private inChunk = 0
  private last = -1
  private readonly documentBits = new BitWriter()
  private readonly noteBits = new BitWriter()
  /** Where the notes of the chunk begin. */
  private notesAt = 0
  private readonly table = new ByteWriter(256)

  /** For lists over this many documents. */
  constructor(documents: number) {
    this.documents = documents
  }

  begin(): void {
    this.count = 0
    this.inChunk = 0
    this.last = -1
    this.notesAt = 0
    this.documentBits.clear()
    this.noteBits.clear()
    this.table.clear()
  }

  /** Adds a document, which has the term `times`, with the note about that. */
  document(id: number, times: number, isInTitle: boolean, note: Int32Array): void {
    if (this.inChunk === CHUNK) this.endChunk()
    const at = this.inChunk++
    this.count++
    this.ids[at] = id
    this.counts[at] = times
    this.titles[at] = isInTitle ? 1 : 0
    let bits = noteBits(times)
    for (let piece = 0; bits > 0; piece++, bits -= 16) this.noteBits.put(note[piece]!, Math.min(16, bits))
  }

  /** Writes the list. */
  finish(out: ByteWriter): void {
    const isLong = this.count >= CHUNK
    if (isLong) this.endChunk()
    else this.putChunk(riceOf(this.documents, this.count))
    const { table, documentBits, noteBits } = this
    const start = out.length
    if (isLong) out.raw(table.bytes)
    out.part(documentBits.bytes, 0, documentBits.length)
    this.documentBytes = out.length - start
    out.part(noteBits.bytes, 0, noteBits.length)
    this.listBytes = out.length - start
  }

  private endChunk(): void {
    const { documentBits, noteBits, table } = this
    if (this.inChunk === 0) return
    const documentsAt = documentBits.length
    const span = this.ids[this.inChunk - 1]! - this.last
    this.putChunk(riceOf(span, this.inChunk))
    table.varint(span)
    table.varint(documentBits.length - documentsAt)
    table.varint(noteBits.length - this.notesAt)
    this.notesAt = noteBits.length
  }

  private putChunk(k: number): void {
    const { ids, counts, titles, documentBits } = this
    for (let i = 0; i < this.inChunk; i++) {
      const id = ids[i]!
      const count = counts[i]!
      documentBits.rice(id - this.last - 1, k)
      this.last = id
      if (titles[i] === 1) documentBits.gamma(IN_TITLE)
      documentBits.gamma(titles[i] === 1 || count < IN_TITLE ? count : count + 1)
    }
    documentBits.align()
    this.noteBits.align()
    this.inChunk = 0
  }
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
  /** The note that {@link readNote} read. */
  readonly note = new Int32Array(MOST_PIECES)
  private readonly documents: number
  private readonly bits = new BitReader()
  private readonly noteBits = new BitReader()
  private chunks = 1
  /** Of each chunk: the last document, and where its documents and notes begin. */
  private lasts = new Int32Array(1)
  private documentsAt = new Int32Array(1)
  private notesAt = new Int32Array(1)
  private chunk = -1
  /** How far {@link find} has looked. */
  private found = 0
  /** The document of the chunk whose note comes next; -1: those of the chunk are not begun. */
  private nextNote = -1

  /** `documents`: of the segment. */
  constructor(documents: number) {
    this.documents = documents
  }

  /**
   * `bytes`: the list, `end` bytes long (or only its first part, if its notes are not wanted), and {@link READ_AHEAD} more.
   * `documentBytes`: of a long list, the length of its first part.
   */
  open(bytes: Buffer, end: number, list: { readonly count: number; readonly documentBytes: number }): void {
    const { count } = list
    if (count < 1 || count > this.documents || bytes.length < end + READ_AHEAD)
      throw new EscalonaError('SEARCH_DAMAGED')
    this.count = count
    this.bits.open(bytes, end)
    this.noteBits.open(bytes, end)
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

  /** The note about the `i`th document of the chunk, into `note`. In ascending order of `i` only. */
  readNote(i: number): void {
    const { noteBits: notes, counts, note } = this
    if (this.nextNote < 0) {
      notes.seek(this.count < CHUNK ? this.bits.byte : this.notesAt[this.chunk]!)
      this.nextNote = 0
    }
    while (this.nextNote < i) notes.skip(noteBits(counts[this.nextNote++]!))
    this.nextNote++
    let bits = noteBits(counts[i]!)
    note[1] = 0
    for (let piece = 0; bits > 0; piece++, bits -= 16) note[piece] = notes.get(Math.min(16, bits))
  }

  private readChunk(chunk: number): boolean {
    this.chunk = chunk
    this.nextNote = -1
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
      this.notesAt = new Int32Array(chunks)
    }
    const { lasts, documentsAt, notesAt } = this
    let [last, documents, notes] = [-1, 0, documentBytes]
    try {
      for (let chunk = 0; chunk < chunks; chunk++) {
        last += table.varint()
        lasts[chunk] = last
        documentsAt[chunk] = documents
        notesAt[chunk] = notes
        documents += table.varint()
        notes += table.varint()
      }
    } catch {
      throw new EscalonaError('SEARCH_DAMAGED')
    }
    for (let chunk = 0; chunk < chunks; chunk++) documentsAt[chunk]! += table.at
  }
}
