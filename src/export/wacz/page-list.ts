import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { PAGES_FILE } from '../../archive/names.ts'
import { type PageLine, parsePageLine } from '../../archive/pages-file.ts'
import { EscalonaError } from '../../base/errors.ts'
import { linesFrom } from '../../base/files/line-file.ts'
import { ArchivedPage } from '../../crawl/reading/archived-page.ts'
import type { PackedFiles } from './packed-files.ts'

const CHUNK_CHARS = 1 << 16

/** `pages/pages.jsonl` of a WACZ: one line per visit of a page whose file is packed, in the order in which they were archived. */
export class PageList {
  pages = 0
  private readonly crawl: string
  private readonly files: PackedFiles
  private readonly withText: boolean

  constructor(crawl: string, files: PackedFiles, withText: boolean) {
    this.crawl = crawl
    this.files = files
    this.withText = withText
  }

  *bytes(): Generator<Buffer, void, undefined> {
    const header = { format: 'json-pages-1.0', id: 'pages', title: 'Pages', hasText: this.withText }
    let text = `${JSON.stringify(header)}\n`
    for (const line of linesFrom(join(this.crawl, PAGES_FILE))) {
      const page = parsePageLine(line.text)
      if (page === undefined || page.change === 'gone' || !this.files.holds(page)) continue
      this.pages++
      text += `${this.shown(page)}\n`
      if (text.length < CHUNK_CHARS) continue
      yield Buffer.from(text)
      text = ''
    }
    yield Buffer.from(text)
  }

  private shown(page: PageLine): string {
    const { url, title, dateMs } = page
    const ts = new Date(dateMs).toISOString()
    return JSON.stringify({ id: idOf(page), url, ts, title, text: this.textOf(page) })
  }

  private textOf(page: PageLine): string | undefined {
    if (!this.withText) return undefined
    try {
      return new ArchivedPage(page, this.crawl).text
    } catch (error) {
      // A revisit whose body lies in a file that was moved away.
      if (error instanceof EscalonaError && error.code === 'ARCHIVE_UNREADABLE') return undefined
      throw error
    }
  }
}

/** Unique also where several WACZ files are shown as one. */
function idOf({ url, dateMs, file, offset }: PageLine): string {
  return createHash('sha256').update(`${url} ${dateMs} ${file} ${offset}`).digest('base64url').slice(0, 22)
}
