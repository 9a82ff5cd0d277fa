import { statSync } from 'node:fs'
import { join } from 'node:path'
import { archiveFiles, PAGES_FILE } from '../archive/names.ts'
import { type PageLine, parsePageLine } from '../archive/pages-file.ts'
import { EscalonaError } from '../base/errors.ts'
import { said } from '../base/messages/message.ts'
import { type ReadLine, readLines } from '../folder/json-lines-file.ts'

/** `pages.jsonl` as it is at one moment: what is appended later is left out, so reading it ends even if the crawl goes on. */
export class PageLines {
  readonly path: string
  readonly size: number
  private readonly onUnread: (why: string) => void

  /**
   * Throws when the file is missing though something is archived. `onUnread` is called for each line that cannot be read, with the
   * reason.
   */
  constructor(folder: string, onUnread: (why: string) => void) {
    this.path = join(folder, PAGES_FILE)
    this.onUnread = onUnread
    const found = statSync(this.path, { throwIfNoEntry: false })
    this.size = found?.size ?? 0
    if (found !== undefined || archiveFiles(folder).length === 0) return
    throw new EscalonaError('ARCHIVE_UNREADABLE/no-pages-file', { path: this.path, folder })
  }

  /** Each line, and the byte after it. */
  *read(): Generator<ReadLine<PageLine>, void, undefined> {
    const unread = (offset: number) => this.onUnread(said('export/no-line', { path: this.path, offset }))
    for (const one of readLines(this.path, soundLine, 0, at => at < this.size && unread(at))) {
      if (one.end > this.size) return
      yield one
    }
  }
}

/** Undefined when what a line says can't be: anyone may have written it. */
function soundLine(text: string): PageLine | undefined {
  const line = parsePageLine(text)
  if (line === undefined) return undefined
  const { url, dateMs, status, bytes, hops, offset, length } = line
  const isCounted = [status, bytes, hops, offset, length].every(count => count >= 0)
  return isCounted && !Number.isNaN(dateMs) && /^https?:/.test(url) && URL.canParse(url) ? line : undefined
}
