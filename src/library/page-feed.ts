import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES_FILE } from '../archive/names.ts'
import { type PageLine, parsePageLine } from '../archive/pages-file.ts'
import type { Clock } from '../base/clock.ts'
import { parsedAs, type StoredShape } from '../base/structures/json-shape.ts'
import { type ReadLine, readLines } from '../folder/json-lines-file.ts'
import { ArchivedPage } from '../view/files/archived-page.ts'
import { ItemsFile } from './items-file.ts'

/**
 * The file in a crawl's folder that says up to where pages were handed out.
 *
 * | key | meaning |
 * |---|---|
 * | `format` | 1 |
 * | `start`, `end` | byte offsets in `pages.jsonl` of the line of the last page handed out; both 0 before the first |
 * | `file`, `offset` | where that page is in the archive, so that the line can be recognised |
 * | `items` | the length of `items.jsonl` in bytes, with the items of that page and those before it |
 */
const CURSOR_FILE = 'handed-out.json'
const FORMAT = 1
/** How often the cursor is saved. After a crash, pages handed out since the last save are handed out again. */
const SAVE_EVERY_MS = 200

interface Cursor {
  readonly format: number
  readonly start: number
  readonly end: number
  readonly file: string
  readonly offset: number
  readonly items?: number
}

const CURSOR: StoredShape = {
  format: 'number',
  start: 'number',
  end: 'number',
  file: 'string',
  offset: 'number',
  'items?': 'number',
}
const AT_START: Cursor = { format: FORMAT, start: 0, end: 0, file: '', offset: 0 }

/** A page being handed out, and the cursor after it. */
interface FedPage {
  readonly page: ArchivedPage
  readonly cursor: Cursor
}

/**
 * Hands out the pages of a crawl in the order of `pages.jsonl`, each at least once: a page whose reader failed, or that was still
 * being processed when the process ended, is handed out again at the next start. A page that is visited again is handed out again
 * when it has changed, or is gone.
 */
export class PageFeed {
  private readonly folder: string
  private readonly stopwatch: Clock
  private lines: Generator<ReadLine<PageLine>, void, undefined> | undefined
  private at: number
  private taken: Cursor
  private savedAtMs: number
  private isSaved = true
  readonly items: ItemsFile

  /** `begin`: the byte offset in `pages.jsonl` to start from if nothing was handed out yet. */
  constructor(folder: string, begin: number, stopwatch: Clock, onRepair: (message: string) => void = () => {}) {
    this.folder = folder
    this.stopwatch = stopwatch
    this.taken = readCursor(folder) ?? { ...AT_START, start: begin, end: begin }
    this.at = this.taken.end
    this.savedAtMs = stopwatch()
    this.items = new ItemsFile(folder, this.taken.items, onRepair)
    this.taken = { ...this.taken, items: this.items.bytes }
    this.write()
  }

  /** The next page in the file; undefined when all have been handed out. */
  next(): FedPage | undefined {
    for (;;) {
      this.lines ??= linesIn(this.folder, this.at)
      const { value } = this.lines.next()
      if (value === undefined) {
        this.lines = undefined
        return undefined
      }
      this.at = value.end
      // A visit that found nothing new is nothing to hand out.
      if (value.line.change !== 'same')
        return { page: new ArchivedPage(value.line, this.folder), cursor: cursorOf(value) }
    }
  }

  /** Confirms this page and all before it: they need not be handed out again. */
  async took({ cursor }: FedPage): Promise<void> {
    this.taken = { ...cursor, items: this.items.bytes }
    this.isSaved = false
    if (this.stopwatch() - this.savedAtMs >= SAVE_EVERY_MS) await this.save()
  }

  async save(): Promise<void> {
    if (this.isSaved) return
    // First the items, so that a power cut never leaves a page confirmed without them.
    await this.items.sync()
    this.write()
  }

  async close(): Promise<void> {
    this.lines?.return()
    this.lines = undefined
    await this.save()
    await this.items.close()
  }

  private write(): void {
    const path = join(this.folder, CURSOR_FILE)
    writeFileSync(`${path}.new`, `${JSON.stringify(this.taken)}\n`)
    renameSync(`${path}.new`, path)
    this.isSaved = true
    this.savedAtMs = this.stopwatch()
  }
}

/** Where to start in a folder without a cursor: after the existing pages, which were collected without handing them out. */
export function feedBeginning(folder: string): number {
  return statSync(join(folder, PAGES_FILE), { throwIfNoEntry: false })?.size ?? 0
}

function cursorOf({ line: { file, offset }, at, end }: ReadLine<PageLine>): Cursor {
  return { format: FORMAT, start: at, end, file, offset }
}

function linesIn(folder: string, from = 0): Generator<ReadLine<PageLine>, void, undefined> {
  return readLines(join(folder, PAGES_FILE), parsePageLine, from)
}

/** If the cursor cannot be read, or its line is gone, everything is handed out: rather twice than never. */
function readCursor(folder: string): Cursor | undefined {
  const path = join(folder, CURSOR_FILE)
  if (!existsSync(path)) return undefined
  const cursor = parsedAs<Cursor>(readFileSync(path, 'utf8'), CURSOR)
  if (cursor === undefined) return AT_START
  if (cursor.file === '' || isLine(folder, cursor)) return cursor
  // A power cut may have lost lines; those whose pages are archived were rebuilt, at another offset.
  for (const one of linesIn(folder))
    if (one.line.file === cursor.file && one.line.offset === cursor.offset)
      return { ...cursorOf(one), ...(cursor.items !== undefined && { items: cursor.items }) }
  return AT_START
}

function isLine(folder: string, { start, end, file, offset }: Cursor): boolean {
  for (const one of linesIn(folder, start))
    return one.at === start && one.end === end && one.line.file === file && one.line.offset === offset
  return false
}
