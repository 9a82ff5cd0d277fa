import { uuidsOf } from './digest.ts'
import { membersOf, pack } from './gzip-member.ts'
import { headerValue } from './http-head.ts'
import type { CrawlId } from './names.ts'

/** What a file says about its maker, in its first record. */
export interface Maker {
  /** `Escalona/0.1.0` */
  readonly software: string
  /** The `User-Agent` that is sent. */
  readonly userAgent: string
  /** What the names of the crawl's files have in common. */
  readonly crawlId: CrawlId
}

/**
 * The gzip member that begins the file of this name, and what each later run adds to it. It holds for the records after it, up to
 * the next one. `unique` keeps its id apart from those of other runs.
 */
export function warcinfo(file: string, maker: Maker, nowMs: number, unique: string): Uint8Array {
  const date = new Date(nowMs).toISOString()
  const block =
    `software: ${headerValue(maker.software)}\r\nformat: WARC File Format 1.1\r\n` +
    'conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n' +
    `robots: RFC 9309\r\nisPartOf: escalona-${maker.crawlId}\r\n` +
    `http-header-user-agent: ${headerValue(maker.userAgent)}\r\n`
  const record =
    `WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:${uuidsOf(`${unique} ${file} ${date}`)[0]}>\r\n` +
    `WARC-Date: ${date}\r\nWARC-Filename: ${file}\r\nContent-Type: application/warc-fields\r\n` +
    `Content-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`
  return membersOf(pack(Buffer.from(record, 'latin1'), { level: 6 }))
}
