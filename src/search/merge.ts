import { join } from 'node:path'
import { isHidden, readHidden } from './hidden.ts'
import { type SegmentLine, searchFolder } from './manifest.ts'
import { type ListReader, ListWriter } from './postings.ts'
import { Segment, type TermsOfBlock } from './segment.ts'
import type { DocumentTable } from './segment-file.ts'
import { SegmentWriter } from './segment-writer.ts'

/** Makes one segment of several that follow each other, without the documents that are hidden; undefined: all of them are. */
export function mergeSegments(crawl: string, lines: readonly SegmentLine[], name: string): SegmentLine | undefined {
  const sources: Source[] = []
  const file = `${name}.segment`
  try {
    let documents = 0
    for (const line of lines) {
      const source = new Source(crawl, line, documents)
      sources.push(source)
      documents = source.end
    }
    if (documents === 0) return undefined
    const table = joined(sources, documents)
    const writer = new SegmentWriter(join(searchFolder(crawl), file))
    mergeTerms(sources, new ListWriter(documents), writer)
    return { file, documents, tokens: table.tokens, ...writer.finish(table) }
  } finally {
    for (const source of sources) source.close()
  }
}

/** A segment that is merged: its terms one after the other, and the new numbers of its documents. */
class Source {
  /** The number after that of its last document. */
  readonly end: number
  readonly table: DocumentTable
  /** New numbers of its documents; -1: left out. */
  readonly numbers: Int32Array
  terms: TermsOfBlock
  private readonly segment: Segment
  private readonly list: ListReader
  private group = 0
  private bytes: Buffer
  private bytesAt: number

  constructor(crawl: string, line: SegmentLine, start: number) {
    this.segment = new Segment(join(searchFolder(crawl), line.file), line.crc)
    this.table = this.segment.table
    this.list = this.segment.newReader()
    const hidden = readHidden(crawl, line)
    let next = start
    this.numbers = new Int32Array(line.documents)
    for (let document = 0; document < line.documents; document++)
      this.numbers[document] = isHidden(hidden, document) ? -1 : next++
    this.end = next
    const { terms, bytes, at } = this.segment.group(0)
    this.terms = terms
    this.bytes = bytes
    this.bytesAt = at
    this.terms.next()
  }

  /** Goes to the next term; false: there is none. */
  next(): boolean {
    if (this.terms.next()) return true
    if (++this.group >= this.segment.groups) return false
    const { terms, bytes, at } = this.segment.group(this.group)
    this.terms = terms
    this.bytes = bytes
    this.bytesAt = at
    return this.terms.next()
  }

  /** Adds the list of the term at hand. */
  addTo(lists: ListWriter): void {
    const { list, numbers } = this
    const { at, bytes, count, documentBytes } = this.terms.entry
    list.open(this.bytes.subarray(at - this.bytesAt), bytes, { count, documentBytes })
    while (list.next()) {
      for (let i = 0; i < list.size; i++) {
        const number = numbers[list.ids[i]!]!
        if (number < 0) continue
        list.readNote(i)
        lists.document(number, list.counts[i]!, list.titles[i] === 1, list.note)
      }
    }
  }

  close(): void {
    this.segment.close()
  }
}

function mergeTerms(sources: readonly Source[], lists: ListWriter, writer: SegmentWriter): void {
  const heap = sources.map((_, number) => number)
  const isBefore = (a: number, b: number) => {
    const [one, other] = [sources[a]!.terms, sources[b]!.terms]
    return compareTerms(one, other) < 0 || (a < b && compareTerms(one, other) === 0)
  }
  for (let at = heap.length >> 1; at >= 0; at--) sink(heap, at, isBefore)
  const term = new Uint8Array(1024)
  while (heap.length > 0) {
    const first = sources[heap[0]!]!.terms
    const { length } = first
    for (let i = 0; i < length; i++) term[i] = first.term[i]!
    lists.begin()
    while (heap.length > 0 && isTerm(sources[heap[0]!]!.terms, term, length)) {
      const source = sources[heap[0]!]!
      source.addTo(lists)
      if (!source.next()) {
        const last = heap.pop()!
        if (heap.length > 0) heap[0] = last
      }
      sink(heap, 0, isBefore)
    }
    if (lists.count > 0) writer.add(term, length, lists)
  }
}

function sink(heap: number[], start: number, isBefore: (a: number, b: number) => boolean): void {
  for (let at = start; ; ) {
    let child = 2 * at + 1
    if (child >= heap.length) return
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
    if (!isBefore(heap[child]!, heap[at]!)) return
    const moved = heap[at]!
    heap[at] = heap[child]!
    heap[child] = moved
    at = child
  }
}

function compareTerms(a: TermsOfBlock, b: TermsOfBlock): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = a.term[i]! - b.term[i]!
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function isTerm({ term, length }: TermsOfBlock, wanted: Uint8Array, wantedLength: number): boolean {
  if (length !== wantedLength) return false
  for (let i = 0; i < length; i++) if (term[i] !== wanted[i]) return false
  return true
}

/** The documents that are left, in one table. */
function joined(sources: readonly Source[], count: number): DocumentTable {
  const lengths = new Uint8Array(count)
  const keys = new Float64Array(count)
  const lines = new Float64Array(count)
  const seconds = new Float64Array(count)
  let tokens = 0
  for (const { table, numbers } of sources) {
    let left = 0
    for (let document = 0; document < numbers.length; document++) {
      const number = numbers[document]!
      if (number < 0) continue
      left++
      lengths[number] = table.lengths[document]!
      keys[number] = table.keys[document]!
      lines[number] = table.lines[document]!
      seconds[number] = table.seconds[document]!
    }
    tokens += Math.round((table.tokens * left) / Math.max(1, numbers.length))
  }
  return { count, tokens, lengths, keys, lines, seconds }
}
