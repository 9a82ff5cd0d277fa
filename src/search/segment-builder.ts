import { seedOfOneRun } from '../base/random.ts'
import { grown } from '../base/structures/grow.ts'
import { seededHash } from '../base/structures/hash-index.ts'
import { BLOCK_TOKENS, ListWriter, lengthCode } from './postings.ts'
import type { SegmentWriter } from './segment-writer.ts'
import { TokenReader } from './tokens.ts'

/** A segment is full when it has this many words or documents. */
const MOST_TOKENS = 1 << 21
const MOST_DOCUMENTS = 8192
const [SEED] = seedOfOneRun()
/** The first byte of a term that is a host; no word has it. */
export const HOST_MARK = 1

/** A page to be indexed. */
export interface IndexedPage {
  readonly title: string
  readonly text: string
  readonly url: string
  /** Its host, and the domains that it is in. */
  readonly hosts: readonly string[]
  readonly key: number
  readonly line: number
  readonly seconds: number
}

/**
 * The words of pages, as a segment is made from them: the number of its term for each word, one after the other. They are sorted when the
 * segment is written. No object is made per word.
 */
export class SegmentBuilder {
  documents = 0
  tokens = 0
  private terms = new Int32Array(MOST_TOKENS + (1 << 16))
  private readonly table = new TermTable()
  private readonly reader = new TokenReader(SEED)
  /** Of each document: where its words begin, and how many its title and its text have. */
  private readonly starts = new Int32Array(MOST_DOCUMENTS + 1)
  private readonly titleTokens = new Int32Array(MOST_DOCUMENTS)
  private readonly textTokens = new Int32Array(MOST_DOCUMENTS)
  private readonly lengths = new Uint8Array(MOST_DOCUMENTS)
  private readonly keys = new Float64Array(MOST_DOCUMENTS)
  private readonly lines = new Float64Array(MOST_DOCUMENTS)
  private readonly seconds = new Float64Array(MOST_DOCUMENTS)

  get isFull(): boolean {
    return this.tokens >= MOST_TOKENS || this.documents === MOST_DOCUMENTS || this.table.isFull
  }

  add({ title, text, url, hosts, key, line, seconds }: IndexedPage): void {
    const document = this.documents++
    const start = this.tokens
    this.addWords(title)
    this.titleTokens[document] = this.tokens - start
    const textStart = this.tokens
    this.addWords(text)
    this.textTokens[document] = this.tokens - textStart
    this.addWords(url)
    for (const host of hosts) {
      const term = hostTerm(host)
      this.addTerm(term, term.length, seededHash(SEED, term, 0, term.length))
    }
    this.starts[document + 1] = this.tokens
    this.lengths[document] = lengthCode(this.tokens - start)
    this.keys[document] = key
    this.lines[document] = line
    this.seconds[document] = seconds
  }

  /** Writes everything as a segment, and begins anew. */
  write(writer: SegmentWriter): { readonly bytes: number; readonly crc: number } {
    const order = this.table.sorted()
    const { places, ends } = this.byTerm()
    const lists = new ListWriter(this.documents, this.lengths)
    const term = new Uint8Array(1024)
    for (let at = 0; at < order.length; at++) {
      const id = order[at]!
      lists.begin()
      this.putList(lists, places, id === 0 ? 0 : ends[id - 1]!, ends[id]!)
      writer.add(term, this.table.copy(id, term), lists)
    }
    const { documents: count, tokens, lengths, keys, lines, seconds } = this
    const written = writer.finish({ count, tokens, lengths, keys, lines, seconds })
    this.documents = 0
    this.tokens = 0
    this.table.clear()
    return written
  }

  private addWords(text: string): void {
    const { reader } = this
    reader.read(text)
    while (reader.next()) this.addTerm(reader.bytes, reader.length, reader.hash)
  }

  private addTerm(bytes: Uint8Array, length: number, hash: number): void {
    if (this.tokens === this.terms.length) this.terms = grown(this.terms, this.tokens) as typeof this.terms
    this.terms[this.tokens++] = this.table.idOf(bytes, length, hash)
  }

  /** The places of all words, ordered by term and then by place; and where the places of each term end. */
  private byTerm(): { readonly places: Int32Array; readonly ends: Int32Array } {
    const { terms, tokens } = this
    const ends = new Int32Array(this.table.size)
    for (let i = 0; i < tokens; i++) ends[terms[i]!]!++
    let sum = 0
    for (let id = 0; id < ends.length; id++) {
      const count = ends[id]!
      ends[id] = sum
      sum += count
    }
    const places = new Int32Array(tokens)
    for (let i = 0; i < tokens; i++) places[ends[terms[i]!]!++] = i
    return { places, ends }
  }

  private putList(lists: ListWriter, places: Int32Array, from: number, to: number): void {
    let document = -1
    for (let at = from; at < to; ) {
      document = this.documentOf(places[at]!, document + 1)
      const documentEnd = this.starts[document + 1]!
      let end = at + 1
      while (end < to && places[end]! < documentEnd) end++
      const start = this.starts[document]!
      lists.document(document, end - at, places[at]! - start < this.titleTokens[document]!)
      let last = -1
      for (; at < end; at++) {
        const block = this.blockOf(document, places[at]! - start)
        if (block !== last) lists.block(block)
        last = block
      }
    }
  }

  /** The document of a word; it is not before `from`. */
  private documentOf(place: number, from: number): number {
    const { starts } = this
    let low = from
    // Frequent words are in the next document, or soon after.
    let step = 1
    while (low + step < this.documents && starts[low + step]! <= place) {
      low += step
      step *= 2
    }
    let high = Math.min(low + step, this.documents)
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (starts[middle]! <= place) low = middle
      else high = middle
    }
    return low
  }

  /** Title, text and URL begin a block each. */
  private blockOf(document: number, word: number): number {
    const title = this.titleTokens[document]!
    const text = this.textTokens[document]!
    if (word < title) return (word / BLOCK_TOKENS) | 0
    const titleBlocks = Math.ceil(title / BLOCK_TOKENS)
    if (word < title + text) return titleBlocks + (((word - title) / BLOCK_TOKENS) | 0)
    return titleBlocks + Math.ceil(text / BLOCK_TOKENS) + (((word - title - text) / BLOCK_TOKENS) | 0)
  }
}

export function hostTerm(host: string): Uint8Array {
  return Buffer.concat([Buffer.of(HOST_MARK), Buffer.from(host).subarray(0, 255)])
}

/** The different terms, numbered as they come. */
class TermTable {
  size = 0
  /** Pairs of a hash and the number of its term plus 1; 0: free. */
  private slots = new Int32Array(1 << 17)
  private hashes = new Int32Array(1 << 15)
  /** Where each term's bytes end; they begin where those of the one before end. */
  private ends = new Int32Array(1 << 15)
  private bytes = new Uint8Array(1 << 18)
  private used = 0

  /** Hostile pages may have nothing but different words. */
  get isFull(): boolean {
    return this.used >= 1 << 25
  }

  idOf(bytes: Uint8Array, length: number, hash: number): number {
    const { slots } = this
    const mask = slots.length - 2
    let slot = (hash << 1) & mask
    for (let next = slots[slot + 1]!; next !== 0; next = slots[slot + 1]!) {
      if (slots[slot] === hash && this.isTerm(next - 1, bytes, length)) return next - 1
      slot = (slot + 2) & mask
    }
    return this.add(bytes, length, hash, slot)
  }

  /** Copies a term; returns its length. */
  copy(id: number, to: Uint8Array): number {
    const start = this.startOf(id)
    const length = this.ends[id]! - start
    for (let i = 0; i < length; i++) to[i] = this.bytes[start + i]!
    return length
  }

  /** The numbers of all terms in the order of their bytes. */
  sorted(): Int32Array {
    // The first six bytes as a number decide nearly always.
    const keys = new Float64Array(this.size)
    for (let id = 0; id < this.size; id++) keys[id] = this.keyOf(id)
    const order = Int32Array.from({ length: this.size }, (_, id) => id)
    return order.sort((a, b) => keys[a]! - keys[b]! || this.compare(a, b))
  }

  clear(): void {
    this.size = 0
    this.used = 0
    this.slots.fill(0)
  }

  private add(bytes: Uint8Array, length: number, hash: number, slot: number): number {
    const id = this.size++
    if (id >= this.ends.length) {
      this.ends = grown(this.ends, id) as typeof this.ends
      this.hashes = grown(this.hashes, id) as typeof this.hashes
    }
    if (this.used + length > this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2)
      larger.set(this.bytes)
      this.bytes = larger
    }
    for (let i = 0; i < length; i++) this.bytes[this.used + i] = bytes[i]!
    this.used += length
    this.ends[id] = this.used
    this.hashes[id] = hash
    this.slots[slot] = hash
    this.slots[slot + 1] = id + 1
    if (4 * this.size > this.slots.length) this.rehash()
    return id
  }

  private rehash(): void {
    const slots = new Int32Array(2 * this.slots.length)
    const mask = slots.length - 2
    for (let id = 0; id < this.size; id++) {
      let slot = (this.hashes[id]! << 1) & mask
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask
      slots[slot] = this.hashes[id]!
      slots[slot + 1] = id + 1
    }
    this.slots = slots
  }

  private startOf(id: number): number {
    return id === 0 ? 0 : this.ends[id - 1]!
  }

  private isTerm(id: number, bytes: Uint8Array, length: number): boolean {
    const start = this.startOf(id)
    if (this.ends[id]! - start !== length) return false
    for (let i = 0; i < length; i++) if (this.bytes[start + i] !== bytes[i]) return false
    return true
  }

  private keyOf(id: number): number {
    const start = this.startOf(id)
    let key = 0
    for (let i = 0; i < 6; i++) key = key * 256 + (start + i < this.ends[id]! ? this.bytes[start + i]! : 0)
    return key
  }

  private compare(a: number, b: number): number {
    const [aStart, bStart] = [this.startOf(a), this.startOf(b)]
    const [aLength, bLength] = [this.ends[a]! - aStart, this.ends[b]! - bStart]
    for (let i = 0; i < Math.min(aLength, bLength); i++) {
      const difference = this.bytes[aStart + i]! - this.bytes[bStart + i]!
      if (difference !== 0) return difference
    }
    return aLength - bLength
  }
}
