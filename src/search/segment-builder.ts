import { seedOfOneRun } from '../base/random.ts'
import { grown } from '../base/structures/grow.ts'
import { classOf, MOST_PIECES, note, noteBits } from './neighbours.ts'
import { ListWriter, lengthCode } from './postings.ts'
import type { SegmentWriter } from './segment-writer.ts'
import { hashOf, TokenReader } from './tokens.ts'

/** A segment is full when it has this many words or documents. */
const MOST_TOKENS = 1 << 21
const MOST_DOCUMENTS = 8192
/** In fours of bytes; each term has one at least, so that there are fewer than 2 ** 24 terms. */
const MOST_TERM_WORDS = 1 << 21
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
  /** Classes of the words; that of the first one is the second here. */
  private classes = new Uint8Array(this.terms.length + 2)
  private readonly note = new Int32Array(MOST_PIECES)
  private readonly table = new TermTable()
  private readonly reader = new TokenReader(SEED)
  /** Of each document: where its words begin, and how many its title has. */
  private readonly starts = new Int32Array(MOST_DOCUMENTS + 1)
  private readonly titleTokens = new Int32Array(MOST_DOCUMENTS)
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
    this.addWords(text)
    this.addWords(url)
    for (const host of hosts) this.addHost(host)
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
    const lists = new ListWriter(this.documents)
    const term = new Uint8Array(1024)
    const bytes = this.table.bytes()
    for (let at = 0; at < order.length; at++) {
      const id = order[at]!
      lists.begin()
      this.putList(lists, places, id === 0 ? 0 : ends[id - 1]!, ends[id]!)
      writer.add(term, this.table.copy(bytes, id, term), lists)
    }
    const { documents: count, tokens, lengths, keys, lines, seconds } = this
    const written = writer.finish({ count, tokens, lengths, keys, lines, seconds })
    this.documents = 0
    this.tokens = 0
    this.table.clear()
    return written
  }

  private addWords(text: string): void {
    const { reader, table } = this
    // Each unit may be a word of its own.
    this.makeRoom(text.length)
    const { terms, classes } = this
    let { tokens } = this
    reader.read(text)
    while (reader.next()) {
      const id = table.idOf(reader.words, reader.length, reader.hash)
      terms[tokens++] = id
      classes[tokens] = table.classes[id]!
    }
    this.tokens = tokens
  }

  private addHost(host: string): void {
    const term = hostTerm(host)
    const words = new Int32Array((term.length + 3) >> 2)
    new Uint8Array(words.buffer).set(term)
    this.makeRoom(1)
    this.terms[this.tokens++] = this.table.idOf(words, term.length, hashOf(words, term.length, SEED))
    this.classes[this.tokens] = 0
  }

  /** For this many words more. */
  private makeRoom(words: number): void {
    const last = this.tokens + words
    if (last < this.terms.length) return
    this.terms = grown(this.terms, last) as typeof this.terms
    const classes = new Uint8Array(this.terms.length + 2)
    classes.set(this.classes)
    this.classes = classes
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
    const { classes, note: about } = this
    let document = -1
    for (let at = from; at < to; ) {
      document = this.documentOf(places[at]!, document + 1)
      const documentEnd = this.starts[document + 1]!
      const first = at
      while (at < to && places[at]! < documentEnd) at++
      const times = at - first
      about.fill(0, 0, (noteBits(times) + 15) >> 4)
      // What is at the other side of the end of a title or a text does not matter: no phrase is there.
      for (let i = first; i < at; i++) note(about, times, i - first, classes[places[i]!]!, classes[places[i]! + 2]!)
      lists.document(document, times, places[first]! - this.starts[document]! < this.titleTokens[document]!, about)
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
}

export function hostTerm(host: string): Uint8Array {
  return Buffer.concat([Buffer.of(HOST_MARK), Buffer.from(host).subarray(0, 255)])
}

/** The different terms, numbered as they come; all are filled up with zeros to multiples of four bytes. */
class TermTable {
  size = 0
  /** Four cells for each: hash, number of the term plus 1 (0: free), where it is in `words`, and its length in bytes. */
  private slots = new Int32Array(1 << 18)
  /** The same of words that came lately, four of five: few enough to stay in the processor's cache. */
  private readonly recent = new Int32Array(1 << 14)
  private hashes = new Int32Array(1 << 15)
  private starts = new Int32Array(1 << 15)
  private lengths = new Int32Array(1 << 15)
  /** See `classOf`. */
  classes = new Uint8Array(1 << 15)
  private words = new Int32Array(1 << 16)
  private used = 0

  /** Hostile pages may have nothing but different words. */
  get isFull(): boolean {
    return this.used >= MOST_TERM_WORDS
  }

  idOf(term: Int32Array, length: number, hash: number): number {
    const { recent } = this
    const at = (hash << 2) & (recent.length - 4)
    if (recent[at] === hash && recent[at + 3] === length && this.isAt(recent[at + 2]!, term, length))
      return recent[at + 1]! - 1
    const slot = this.slotOf(term, length, hash)
    recent[at] = hash
    recent[at + 1] = this.slots[slot + 1]!
    recent[at + 2] = this.slots[slot + 2]!
    recent[at + 3] = length
    return this.slots[slot + 1]! - 1
  }

  /** Copies a term out of all `bytes`; returns its length. */
  copy(bytes: Uint8Array, id: number, to: Uint8Array): number {
    const start = 4 * this.starts[id]!
    const length = this.lengths[id]!
    for (let i = 0; i < length; i++) to[i] = bytes[start + i]!
    return length
  }

  /** The numbers of all terms in the order of their bytes. */
  sorted(): Uint32Array {
    const { size, starts } = this
    const bytes = this.bytes()
    // The first five bytes and the number of each term, as one number of 64 bits: these are sorted without a call for each comparison.
    const cells = new Uint32Array(2 * size)
    for (let id = 0; id < size; id++) {
      const at = 4 * starts[id]!
      const fifth = this.lengths[id]! > 4 ? bytes[at + 4]! : 0
      cells[2 * id] = (fifth << 24) | id
      cells[2 * id + 1] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
    }
    new BigUint64Array(cells.buffer).sort()
    const order = new Uint32Array(size)
    for (let at = 0; at < size; at++) order[at] = cells[2 * at]! & 0xffffff
    const isAlike = (a: number, b: number) =>
      cells[2 * a + 1] === cells[2 * b + 1] && cells[2 * a]! >>> 24 === cells[2 * b]! >>> 24
    for (let from = 0; from < size; ) {
      let to = from + 1
      while (to < size && isAlike(from, to)) to++
      if (to - from > 1) order.subarray(from, to).sort((a, b) => this.compare(bytes, a, b))
      from = to
    }
    return order
  }

  clear(): void {
    this.size = 0
    this.used = 0
    this.slots.fill(0)
    this.recent.fill(0)
  }

  /** The bytes of all terms; until the next one is added. */
  bytes(): Uint8Array {
    return new Uint8Array(this.words.buffer)
  }

  private isAt(start: number, term: Int32Array, length: number): boolean {
    const { words } = this
    const count = (length + 3) >> 2
    let i = 0
    while (i < count && words[start + i] === term[i]) i++
    return i === count
  }

  /** The slot of a term, which is added if it is new. */
  private slotOf(term: Int32Array, length: number, hash: number): number {
    const { slots } = this
    const mask = slots.length - 4
    let slot = (hash << 2) & mask
    while (slots[slot + 1] !== 0) {
      if (slots[slot] === hash && slots[slot + 3] === length && this.isAt(slots[slot + 2]!, term, length)) return slot
      slot = (slot + 4) & mask
    }
    return this.add(term, length, hash, slot)
  }

  /** Adds a term at a free slot; returns its slot. */
  private add(term: Int32Array, length: number, hash: number, slot: number): number {
    const id = this.size++
    const count = (length + 3) >> 2
    if (id >= this.hashes.length) {
      this.hashes = grown(this.hashes, id) as typeof this.hashes
      this.starts = grown(this.starts, id) as typeof this.starts
      this.lengths = grown(this.lengths, id) as typeof this.lengths
      const classes = new Uint8Array(this.lengths.length)
      classes.set(this.classes)
      this.classes = classes
    }
    const start = this.used
    if (start + count > this.words.length) this.words = grown(this.words, start + count) as typeof this.words
    for (let i = 0; i < count; i++) this.words[start + i] = term[i]!
    this.used += count
    this.hashes[id] = hash
    this.starts[id] = start
    this.lengths[id] = length
    this.classes[id] = classOf(term, length)
    fill(this.slots, slot, hash, id, start, length)
    if (8 * this.size <= this.slots.length) return slot
    this.rehash()
    return this.slotOf(term, length, hash)
  }

  private rehash(): void {
    const slots = new Int32Array(2 * this.slots.length)
    const mask = slots.length - 4
    for (let id = 0; id < this.size; id++) {
      let slot = (this.hashes[id]! << 2) & mask
      while (slots[slot + 1] !== 0) slot = (slot + 4) & mask
      fill(slots, slot, this.hashes[id]!, id, this.starts[id]!, this.lengths[id]!)
    }
    this.slots = slots
  }

  private compare(bytes: Uint8Array, a: number, b: number): number {
    const [aStart, bStart] = [4 * this.starts[a]!, 4 * this.starts[b]!]
    const [aLength, bLength] = [this.lengths[a]!, this.lengths[b]!]
    for (let i = 0; i < Math.min(aLength, bLength); i++) {
      const difference = bytes[aStart + i]! - bytes[bStart + i]!
      if (difference !== 0) return difference
    }
    return aLength - bLength
  }
}

function fill(slots: Int32Array, slot: number, hash: number, id: number, start: number, length: number): void {
  slots[slot] = hash
  slots[slot + 1] = id + 1
  slots[slot + 2] = start
  slots[slot + 3] = length
}
