import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { originalOf, readRecord } from '../../archive/read.ts'
import type { WarcRecord } from '../../archive/warc-record.ts'
import { EscalonaError } from '../../base/errors.ts'
import { type PackedFiles, placeIn } from './packed-files.ts'

/** Escapes of characters that a browser leaves in a URL as they are and a record may not have; see `targetUri`. */
const ENCODED = /^\S+ \d+ \{"url": "[^"]*%(?:22|25|3C|3E|5B|5C|5D|5E|60|7B|7C|7D)/
const URL_VALUE = /(?<=^\S+ \d+ \{"url": )"[^"]*"/

/** The answers of the packed files, as the index of a WACZ names them. */
export class PackedAnswers {
  count = 0
  private readonly crawl: string
  private readonly files: PackedFiles
  private readonly elsewhere = new Set<string>()
  private readonly onUnread: (why: string) => void

  /** `onUnread` is called for each record that had to be looked at and cannot be read, with the reason. */
  constructor(crawl: string, files: PackedFiles, onUnread: (why: string) => void) {
    this.crawl = crawl
    this.files = files
    this.onUnread = onUnread
  }

  /** Files that hold the bodies of packed revisits and are not packed themselves; complete after the last line. */
  get originalsElsewhere(): string[] {
    return [...this.elsewhere].sort()
  }

  /**
   * The index lines, sorted. An answer whose URL is not spelled in its record as browsers do gets a second line with that
   * spelling: replayweb.page looks for a page by the URL as it is spelled, and for the original of a revisit by what the record says.
   */
  *lines(): Generator<string, void, undefined> {
    for (const line of this.files.indexLines()) {
      this.count++
      yield line
      // An original is older than its revisit: it can only be elsewhere when a file was moved away.
      if (this.files.missing.length > 0 && line.includes('"mime": "warc/revisit"')) this.findOriginal(line)
      if (!ENCODED.test(line)) continue
      const own = this.recordOf(line)?.fields.get('escalona-url')
      if (own !== undefined) yield line.replace(URL_VALUE, () => JSON.stringify(own))
    }
  }

  private findOriginal(line: string): void {
    const record = this.recordOf(line)
    const original = record && originalOf(record)
    if (original !== undefined && !this.files.holds(original)) this.elsewhere.add(original.file)
  }

  private recordOf(line: string): WarcRecord | undefined {
    const place = placeIn(line)
    try {
      return place && readRecord(this.crawl, place.file, place.offset)
    } catch (error) {
      if (!(error instanceof EscalonaError)) throw error
      this.onUnread(error.message)
      return undefined
    }
  }
}

export const INDEX_NAME = 'index.cdx.gz'
/** How many lines a block has, as other writers of WACZ do it. */
const BLOCK_LINES = 1024

/**
 * The index of a WACZ: sorted CDXJ lines in gzip blocks, and a second index that names the first line of each block, so that a
 * reader fetches two small pieces to find a page. The second one is kept in memory: a line per 1,024 answers.
 */
export class IndexBlocks {
  private readonly starts: string[] = [`!meta 0 ${JSON.stringify({ format: 'cdxj-gzip-1.0', filename: INDEX_NAME })}\n`]
  private offset = 0;

  /** The blocks of these lines, which are ASCII. */
  *blocks(lines: Iterable<string>): Generator<Buffer, void, undefined> {
    let block: string[] = []
    for (const line of lines) {
      if (block.push(line) < BLOCK_LINES) continue
      yield this.packed(block)
      block = []
    }
    if (block.length > 0) yield this.packed(block)
  }

  /** The second index; whole after all blocks have been made. */
  idx(): Buffer {
    return Buffer.from(this.starts.join(''), 'latin1')
  }

  private packed(block: readonly string[]): Buffer {
    const bytes = gzipSync(Buffer.from(`${block.join('\n')}\n`, 'latin1'))
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
    const [first = ''] = block
    const place = { offset: this.offset, length: bytes.length, digest, filename: INDEX_NAME }
    this.starts.push(`${first.slice(0, first.indexOf('{"'))}${JSON.stringify(place)}\n`)
    this.offset += bytes.length
    return bytes
  }
}
