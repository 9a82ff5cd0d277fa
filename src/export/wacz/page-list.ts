import { createHash } from 'node:crypto'
import type { PageLine } from '../../archive/pages-file.ts'
import { RecordReader } from '../../archive/read.ts'
import { EscalonaError } from '../../base/errors.ts'
import { MOST_TEXT_UNITS, readVisit } from '../read-visit.ts'
import { PageLines } from '../visits.ts'
import type { PackedFiles } from './packed-files.ts'

const CHUNK_CHARS = 1 << 16

/** `pages/pages.jsonl` of a WACZ: one line per visit of a page whose file is packed, in the order in which they were archived. */
export class WaczPages {
  pages = 0
  private readonly records: RecordReader
  private readonly files: PackedFiles
  private readonly withText: boolean
  private readonly lines: PageLines
  private readonly onUnread: (why: string) => void

  /** `onUnread` is called for each visit whose line or text cannot be read, with the reason. */
  constructor(crawl: string, files: PackedFiles, withText: boolean, onUnread: (why: string) => void) {
    this.records = new RecordReader(crawl)
    this.files = files
    this.withText = withText
    this.lines = new PageLines(crawl, onUnread)
    this.onUnread = onUnread
  }

  *bytes(): Generator<Buffer, void, undefined> {
    const header = { format: 'json-pages-1.0', id: 'pages', title: 'Pages', hasText: this.withText }
    let text = `${JSON.stringify(header)}\n`
    try {
      for (const { line: page } of this.lines.read()) {
        if (page.change === 'gone' || !this.files.holds(page)) continue
        this.pages++
        text += `${this.shown(page)}\n`
        if (text.length < CHUNK_CHARS) continue
        yield Buffer.from(text)
        text = ''
      }
    } finally {
      this.records.close()
    }
    yield Buffer.from(text)
  }

  private shown(page: PageLine): string {
    const { url, title, dateMs } = page
    const ts = new Date(dateMs).toISOString()
    return JSON.stringify({ id: idOf(page), url, ts, title, text: this.textOf(page) })
  }

  private textOf(page: PageLine): string | undefined {
    // Players read the list whole, and would find a text that is still the same once per visit.
    if (!this.withText || page.change === 'same') return undefined
    try {
      return readVisit(this.records, page, { textUnits: MOST_TEXT_UNITS, links: false }).extracted.text
    } catch (error) {
      if (!(error instanceof EscalonaError)) throw error
      // Otherwise it is a revisit whose body is in a file that was moved away.
      if (error.code !== 'ARCHIVE_UNREADABLE') this.onUnread(error.message)
      return undefined
    }
  }
}

/** Unique also where several WACZ files are shown as one. */
function idOf({ url, dateMs, file, offset }: PageLine): string {
  return createHash('sha256').update(`${url} ${dateMs} ${file} ${offset}`).digest('base64url').slice(0, 22)
}
