import { statSync } from 'node:fs'
import { join } from 'node:path'
import { archiveFiles, PAGES_FILE } from '../archive/names.ts'
import { type PageLine, parsePageLine } from '../archive/pages-file.ts'
import { EscalonaError } from '../base/errors.ts'
import { linesFrom } from '../base/files/line-file.ts'
import { said } from '../base/messages/message.ts'

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
  *read(): Generator<{ readonly line: PageLine; readonly end: number }, void, undefined> {
    let start = 0
    for (const { text, end } of linesFrom(this.path)) {
      if (end > this.size) return
      const line = parsePageLine(text)
      if (line !== undefined && isSound(line)) yield { line, end }
      else this.onUnread(said('export/no-line', { path: this.path, offset: start }))
      start = end
    }
  }
}

/** Whether what a line says can be: it may have been written by anybody. */
function isSound({ url, dateMs, status, bytes, hops, offset, length }: PageLine): boolean {
  const isCounted = [status, bytes, hops, offset, length].every(count => count >= 0)
  return isCounted && !Number.isNaN(dateMs) && /^https?:/.test(url) && URL.canParse(url)
}
