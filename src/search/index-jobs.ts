import { join } from 'node:path'
import { RecordReader } from '../archive/read.ts'
import { EscalonaError } from '../base/errors.ts'
import { linesFrom } from '../base/files/line-file.ts'
import type { Message } from '../base/messages/message.ts'
import { uniqueName } from '../base/random.ts'
import { archivedText, hostsOf, soundLine } from './archived-text.ts'
import { hide, isHidden, readHidden, writeHidden } from './hidden.ts'
import { pagesPath, type SegmentLine, searchFolder, urlKey } from './manifest.ts'
import { mergeSegments } from './merge.ts'
import { Segment } from './segment.ts'
import { SegmentBuilder } from './segment-builder.ts'
import { SegmentWriter } from './segment-writer.ts'

/** Pages that were visited again: the keys of their URLs, and where the newest line of each begins. */
export interface Revisits {
  readonly keys: Float64Array
  readonly lines: Float64Array
}

/** Work for a thread. Places are bytes of `pages.jsonl`; both are at the beginning of a line. */
export type Job =
  /** Which pages were visited again? */
  | { readonly kind: 'scan'; readonly from: number; readonly to: number }
  /** Makes segments of the visits in a part of `pages.jsonl`, the newest of each page in `revisits` only. */
  | { readonly kind: 'index'; readonly from: number; readonly to: number; readonly revisits: Revisits }
  /** Hides older visits of pages that were visited again. */
  | { readonly kind: 'hide'; readonly segments: readonly SegmentLine[]; readonly revisits: Revisits }
  | { readonly kind: 'merge'; readonly segments: readonly SegmentLine[] }

/** What comes of a job. */
export interface JobResult {
  readonly revisits?: Revisits
  readonly segments: readonly SegmentLine[]
  readonly unread: number
  readonly firstUnread?: Message
}

const NONE: JobResult = { segments: [], unread: 0 }
/** In the line of a visit that was not the first one. A quote inside of a title or URL has a backslash before it. */
const AGAIN = /"change":"(?!new")/

/** Does jobs for the index of a crawl. `isOver` is asked now and then: what is begun is not wanted any more. */
export class JobRunner {
  private readonly crawl: string
  private readonly seed: readonly [number, number]
  private readonly isOver: () => boolean
  private readonly builder = new SegmentBuilder()
  private records: RecordReader | undefined

  constructor(crawl: string, seed: readonly [number, number], isOver: () => boolean) {
    this.crawl = crawl
    this.seed = seed
    this.isOver = isOver
  }

  run(job: Job): JobResult {
    switch (job.kind) {
      case 'scan':
        return { ...NONE, revisits: this.scan(job.from, job.to) }
      case 'index':
        return this.index(job.from, job.to, newestOf(job.revisits))
      case 'hide':
        return { ...NONE, segments: job.segments.map(line => this.hide(line, newestOf(job.revisits))) }
      case 'merge': {
        const merged = mergeSegments(this.crawl, job.segments, uniqueName())
        return { ...NONE, segments: merged === undefined ? [] : [merged] }
      }
    }
  }

  close(): void {
    this.records?.close()
  }

  private scan(from: number, to: number): Revisits {
    const newest = new Map<number, number>()
    let start = from
    for (const { text, end } of linesFrom(pagesPath(this.crawl), from)) {
      if (end > to || this.isOver()) break
      const line = AGAIN.test(text) ? soundLine(text) : undefined
      if (line !== undefined) newest.set(urlKey(line.url, this.seed), start)
      start = end
    }
    return { keys: Float64Array.from(newest.keys()), lines: Float64Array.from(newest.values()) }
  }

  private index(from: number, to: number, newest: ReadonlyMap<number, number>): JobResult {
    const segments: SegmentLine[] = []
    let unread = 0
    let firstUnread: Message | undefined
    let start = from
    for (const { text, end } of linesFrom(pagesPath(this.crawl), from)) {
      if (end > to || this.isOver()) break
      try {
        this.addLine(text, start, newest)
      } catch (error) {
        // A file that was moved away, or damage: the other pages are worth having.
        if (!(error instanceof EscalonaError)) throw error
        unread++
        firstUnread ??= error.said
      }
      if (this.builder.isFull) segments.push(this.write())
      start = end
    }
    if (this.builder.documents > 0) segments.push(this.write())
    return { segments, unread, ...(firstUnread !== undefined && { firstUnread }) }
  }

  private addLine(text: string, start: number, newest: ReadonlyMap<number, number>): void {
    const line = soundLine(text)
    const path = pagesPath(this.crawl)
    if (line === undefined) throw new EscalonaError('SEARCH_BAD_LINE', { path, offset: start })
    const { url, change, dateMs } = line
    const key = urlKey(url, this.seed)
    if (change === 'gone' || (newest.get(key) ?? start) !== start) return
    this.records ??= new RecordReader(this.crawl)
    const { title, text: pageText, address } = archivedText(this.records, line)
    const seconds = Math.floor(dateMs / 1000)
    this.builder.add({ title, text: pageText, url: address, hosts: hostsOf(url), key, line: start, seconds })
  }

  private write(): SegmentLine {
    const { documents, tokens } = this.builder
    const file = `${uniqueName()}.segment`
    const writer = new SegmentWriter(join(searchFolder(this.crawl), file))
    return { file, documents, tokens, ...this.builder.write(writer) }
  }

  private hide(line: SegmentLine, newest: ReadonlyMap<number, number>): SegmentLine {
    const segment = new Segment(join(searchFolder(this.crawl), line.file), line.crc)
    segment.close()
    const { keys, lines } = segment.table
    const bits = readHidden(this.crawl, line)
    let isChanged = false
    for (let document = 0; document < segment.documents; document++) {
      const newestLine = newest.get(keys[document]!)
      if (newestLine === undefined || lines[document]! >= newestLine || isHidden(bits, document)) continue
      hide(bits, document)
      isChanged = true
    }
    return isChanged ? writeHidden(this.crawl, line, bits, uniqueName()) : line
  }
}

let latest: { readonly revisits: Revisits; readonly newest: ReadonlyMap<number, number> } | undefined

function newestOf(revisits: Revisits): ReadonlyMap<number, number> {
  if (latest?.revisits.keys.buffer === revisits.keys.buffer) return latest.newest
  const newest = new Map<number, number>()
  for (let i = 0; i < revisits.keys.length; i++) newest.set(revisits.keys[i]!, revisits.lines[i]!)
  latest = { revisits, newest }
  return newest
}
