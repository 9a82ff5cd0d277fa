import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock } from '../../base/clock.ts'
import { FollowedFile } from '../../base/files/followed-file.ts'
import { type KindOf, LineTable } from './line-table.ts'

/** How long it reads before the event loop gets a turn. */
const SLICE_MS = 5
/** How often it looks for new lines between questions. */
const FOLLOW_MS = 500
/** A host may have any number of lines that no longer hold. */
const MOST_LOOKED_AT = 2000

/**
 * An index over a file of lines that grows, `pages.jsonl` or `failures.jsonl`. It is read backward from its end, so that whatever is
 * asked about the newest lines is right at once; a file that was cut or replaced is read again.
 */
export class LineIndex {
  private readonly file: FollowedFile
  private readonly kindOf: KindOf
  private readonly stopwatch: Clock
  private table: LineTable
  private isClosed = false
  private timer: NodeJS.Timeout | undefined

  constructor(path: string, kindOf: KindOf, stopwatch: Clock = systemClock) {
    this.file = new FollowedFile(path)
    this.kindOf = kindOf
    this.stopwatch = stopwatch
    this.table = new LineTable(this.file, kindOf)
    void this.follow()
  }

  get isComplete(): boolean {
    return !this.file.isOpen || this.file.start === 0
  }

  /** How many lines there are; while the file is being read, the rest is estimated from its bytes. */
  get lines(): number {
    const { start, end } = this.file
    const { lines } = this.table
    return this.isComplete || lines === 0 ? lines : lines + Math.ceil((start * lines) / (end - start))
  }

  /** How many URLs have lines; while the file is being read, the rest is estimated as if each of its lines had one of its own. */
  get urls(): number {
    return this.lines - (this.table.lines - this.table.urlCount)
  }

  /** Reads new lines, so that the next answers know them: nearly always at once. */
  async catchUp(): Promise<void> {
    while (!this.readNew(this.stopwatch() + SLICE_MS)) await turn()
  }

  async newestOf(url: string): Promise<string | undefined> {
    await this.catchUp()
    for (;;) {
      const line = this.table.newestOf(url)
      if (line !== 0) return this.textsOf(line, 1)[0]
      if (this.isComplete || this.isClosed) return undefined
      await turn()
    }
  }

  /** Up to `most` lines after the `offset` newest ones, newest first. `isNewest`: of its URL. */
  async newest(offset: number, most: number): Promise<{ readonly text: string; readonly isNewest: boolean }[]> {
    await this.catchUp()
    while (this.table.lines < offset + most && !this.isComplete && !this.isClosed) await turn()
    const end = this.table.next - offset
    const start = Math.max(this.table.first, end - most)
    if (start >= end) return []
    const texts = this.textsOf(start, end - start)
    return texts.map((text, i) => ({ text, isNewest: this.isNewest(start + i, Buffer.from(text)) })).reverse()
  }

  /**
   * The lines after the `offset` newest ones that have been read, as they lie in the file, at most about `mostBytes` of them and at
   * least one: their bytes, where each begins in them, oldest first, and the number of the first one. Undefined when there is none.
   */
  piece(
    offset: number,
    mostBytes: number,
  ): { readonly bytes: Buffer; readonly starts: readonly number[]; readonly first: number } | undefined {
    const { table } = this
    const end = table.next - offset
    if (end <= table.first) return undefined
    let first = end - 1
    while (first > table.first && table.startOf(end) - table.startOf(first - 1) <= mostBytes) first--
    const at = table.startOf(first)
    const starts = Array.from({ length: end - first }, (_, i) => table.startOf(first + i) - at)
    return { bytes: this.file.bytes(at, table.startOf(end) - at), starts, first }
  }

  /** Whether a line of this number, which has these bytes, is the newest of its URL. */
  isNewest(line: number, bytes: Buffer): boolean {
    return this.table.isNewest(line, bytes)
  }

  /** Outcomes at a host that are the newest of their URLs, newest first, of those that have been read; older ones may be left out. */
  *outcomesAt(host: string): Generator<string, void, undefined> {
    const { table } = this
    let left = MOST_LOOKED_AT
    for (const line of table.linesOf(host)) {
      if (left-- === 0) return
      const start = table.startOf(line)
      const bytes = this.file.bytes(start, table.startOf(line + 1) - start - 1)
      if (table.isNewest(line, bytes)) yield bytes.toString()
    }
  }

  /** How many URLs of a host have a newest line that counts. */
  countOf(host: string): number {
    return this.table.countOf(host)
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
    this.file.close()
  }

  private async follow(): Promise<void> {
    try {
      // What made it continues first.
      do await turn()
      while (!this.read())
    } catch {
      // The file cannot be read now; the question fails, and it is tried again.
    }
    if (!this.isClosed) this.timer = setTimeout(() => void this.follow(), FOLLOW_MS).unref()
  }

  /** Reads for a short while, new lines first; true when there is nothing more to read. */
  private read(): boolean {
    const untilMs = this.stopwatch() + SLICE_MS
    return this.readNew(untilMs) && this.readOld(untilMs)
  }

  private readNew(untilMs: number): boolean {
    if (this.isClosed) return true
    if (!this.file.isSame()) {
      this.table = new LineTable(this.file, this.kindOf)
      if (!this.file.open()) return true
    }
    for (let piece = this.file.after(); piece !== undefined; piece = this.file.after()) {
      this.table.addAfter(piece)
      if (this.stopwatch() > untilMs) return false
    }
    return true
  }

  private readOld(untilMs: number): boolean {
    if (this.isClosed || !this.file.isOpen) return true
    for (let piece = this.file.before(); piece !== undefined; piece = this.file.before()) {
      this.table.addBefore(piece)
      if (this.stopwatch() > untilMs) return false
    }
    return true
  }

  private textsOf(line: number, count: number): string[] {
    const at = this.table.startOf(line)
    const bytes = this.file.bytes(at, this.table.startOf(line + count) - at)
    return Array.from({ length: count }, (_, i) => {
      const start = this.table.startOf(line + i) - at
      return bytes.toString('utf8', start, this.table.startOf(line + i + 1) - at - 1)
    })
  }
}
