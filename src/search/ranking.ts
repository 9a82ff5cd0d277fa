import { Heap } from '../base/structures/heap.ts'
import { isHidden } from './hidden.ts'
import { classOf, mayBeBetween } from './neighbours.ts'
import type { OpenIndex, OpenSegment } from './open-index.ts'
import { LENGTHS, type ListReader } from './postings.ts'
import type { Query } from './query.ts'
import type { TermEntry } from './segment.ts'
import { hostTerm } from './segment-builder.ts'

/** BM25, with its usual settings. */
const K1 = 1.2
const B = 0.75
/** A word in the title counts as often as this in the text. */
const TITLE_WEIGHT = 5

/** Documents that have what was asked for, with their scores; of phrases, what the notes beside their words allow. */
export class Ranking {
  length = 0
  private segments = new Int32Array(256)
  private documents = new Int32Array(256)
  private scores = new Float64Array(256)

  add(segment: number, documents: Int32Array, scores: Float64Array, count: number): void {
    const end = this.length + count
    if (end > this.scores.length) {
      const room = Math.max(end, 2 * this.scores.length)
      this.segments = larger(this.segments, new Int32Array(room))
      this.documents = larger(this.documents, new Int32Array(room))
      this.scores = larger(this.scores, new Float64Array(room))
    }
    this.segments.fill(segment, this.length, end)
    this.documents.set(documents.subarray(0, count), this.length)
    this.scores.set(scores.subarray(0, count), this.length)
    this.length = end
  }

  /** The best ones, the best first; of equal ones the newest. */
  best(most: number): Found[] {
    const heap = new Heap()
    for (let i = 0; i < this.length; i++) {
      const score = this.scores[i]!
      if (heap.length >= most) {
        if (most === 0 || score < heap.topKey) continue
        heap.pop()
      }
      heap.push(score, i)
    }
    const found: Found[] = []
    for (; heap.length > 0; heap.pop()) {
      const i = heap.topId
      found.push({ segment: this.segments[i]!, document: this.documents[i]!, score: this.scores[i]! })
    }
    return found.reverse()
  }
}

/** A document of the index. */
export interface Found {
  /** Its segment: the place in `OpenIndex.segments`. */
  readonly segment: number
  readonly document: number
  readonly score: number
}

/** Finds and scores the documents of an index. Time grows with the lists of the words, not with the documents. */
export function rank(index: OpenIndex, query: Query): Ranking {
  const ranking = new Ranking()
  const entries = index.segments.map(({ segment }) => query.terms.map(term => segment.find(term)))
  const { documents, tokens } = index
  const weights = query.terms.map((_, term) => {
    let count = 0
    for (const inSegment of entries) count += inSegment[term]?.count ?? 0
    return Math.log(1 + (documents - count + 0.5) / (count + 0.5)) * (K1 + 1)
  })
  const mean = Math.max(1, tokens / Math.max(1, documents))
  const norms = LENGTHS.map(length => K1 * (1 - B + (B * length) / mean))
  index.segments.forEach((open, number) => {
    const inSegment = entries[number]!
    const host = query.host === undefined ? undefined : open.segment.find(hostTerm(query.host))
    if (inSegment.includes(undefined) || (query.host !== undefined && host === undefined)) return
    const matches = new Matches(open, query)
    matches.intersect(inSegment as readonly TermEntry[], host, weights, norms)
    for (const clause of query.clauses)
      if (clause.length > 1) matches.keepPhrase(clause, inSegment as readonly TermEntry[])
    ranking.add(number, matches.ids, matches.scores, matches.count)
  })
  return ranking
}

/** The documents of one segment that are left after each step. */
class Matches {
  ids = new Int32Array(0)
  scores = new Float64Array(0)
  count = 0
  private readonly open: OpenSegment
  private readonly query: Query

  constructor(open: OpenSegment, query: Query) {
    this.open = open
    this.query = query
  }

  /** Keeps the documents that have all terms, and are of the host. */
  intersect(
    entries: readonly TermEntry[],
    host: TermEntry | undefined,
    weights: readonly number[],
    norms: Float64Array,
  ): void {
    const { segment } = this.open
    const lists = entries.map((entry, term) => ({ entry, weight: weights[term]! }))
    // The host adds nothing to a score, and each term of the segment is in at least one document.
    if (host !== undefined) lists.push({ entry: host, weight: 0 })
    lists.sort((a, b) => a.entry.count - b.entry.count)
    lists.forEach(({ entry, weight }, at) => {
      const list = segment.list(entry, false)
      if (at === 0) this.begin(list, weight, norms)
      else this.keep(list, weight, norms)
    })
  }

  /** Keeps the documents in which these terms may follow each other. */
  keepPhrase(clause: readonly number[], entries: readonly TermEntry[]): void {
    const classes = clause.map(term => termClass(this.query.terms[term]!))
    for (const [at, term] of clause.entries()) {
      const list = this.open.segment.list(entries[term]!, true)
      const [before, after] = [classes[at - 1] ?? -1, classes[at + 1] ?? -1]
      let kept = 0
      for (let i = 0; i < this.count; i++) {
        const found = list.find(this.ids[i]!)
        if (found < 0) continue
        list.readNote(found)
        if (!mayBeBetween(list.note, list.counts[found]!, before, after)) continue
        this.ids[kept] = this.ids[i]!
        this.scores[kept++] = this.scores[i]!
      }
      this.count = kept
    }
  }

  private begin(list: ListReader, weight: number, norms: Float64Array): void {
    const { segment, hidden } = this.open
    const { lengths, seconds } = segment.table
    const { since, until } = this.query
    this.ids = new Int32Array(list.count)
    this.scores = new Float64Array(list.count)
    let count = 0
    while (list.next()) {
      for (let i = 0; i < list.size; i++) {
        const id = list.ids[i]!
        const second = seconds[id]!
        if (isHidden(hidden, id) || second < since || second > until) continue
        const times = list.counts[i]! + TITLE_WEIGHT * list.titles[i]!
        this.ids[count] = id
        this.scores[count++] = (weight * times) / (times + norms[lengths[id]!]!)
      }
    }
    this.count = count
  }

  private keep(list: ListReader, weight: number, norms: Float64Array): void {
    const { ids, scores } = this
    const { lengths } = this.open.segment.table
    let kept = 0
    for (let i = 0; i < this.count; i++) {
      const id = ids[i]!
      const at = list.find(id)
      if (at < 0) continue
      const times = list.counts[at]! + TITLE_WEIGHT * list.titles[at]!
      ids[kept] = id
      scores[kept++] = scores[i]! + (weight * times) / (times + norms[lengths[id]!]!)
    }
    this.count = kept
  }
}

function termClass(term: Uint8Array): number {
  const words = new Int32Array((term.length + 3) >> 2)
  new Uint8Array(words.buffer).set(term)
  return classOf(words, term.length)
}

function larger<Cells extends Int32Array | Float64Array>(cells: Cells, room: Cells): Cells {
  room.set(cells)
  return room
}
