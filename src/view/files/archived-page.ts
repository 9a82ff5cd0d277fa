import type { Change, PageLine } from '../../archive/pages-file.ts'
import { readWhole } from '../../archive/read.ts'
import type { RecordLocation } from '../../archive/scan.ts'
import type { HttpMessage } from '../../archive/warc-record.ts'
import { lastHeaderOf } from '../../base/words/raw-headers.ts'
import { decodePage } from '../../extract/charset.ts'
import { type Extracted, type ExtractOptions, extract } from '../../extract/extract.ts'

/**
 * An archived page. Its line in `pages.jsonl` is in memory; headers, body, text and links are read from the WARC file on demand,
 * even while the crawl runs.
 */
export class ArchivedPage implements PageLine {
  /** Canonical. */
  readonly url: string
  /** HTTP status. */
  readonly status: number
  /** Empty when the page has none. */
  readonly title: string
  /** Size of the body as stored, that is, decompressed. */
  readonly bytes: number
  /** Number of words of visible text. */
  readonly tokens: number
  /** Number of links from a seed; 0 for a seed. */
  readonly hops: number
  /** Number of links on the page that the settings allow. */
  readonly linksOut: number
  /** When it was requested, in milliseconds since 1970. */
  readonly dateMs: number
  /** The language that the page declares, in lower case: `pt-br`; undefined when it declares none. */
  readonly language?: string
  /** The page on which its link was first found; undefined for a seed. */
  readonly from?: string
  /** What this visit found, compared with the one before: `new` for the first visit. */
  readonly change: Change
  /** `ETag` and `Last-Modified` as received, and the SHA-1 of the body and of the text, base32; undefined when not known. */
  readonly etag?: string
  readonly lastModified?: string
  readonly digest?: string
  readonly textDigest?: string
  /** Of a revisit: where the record with the body is. */
  readonly original?: RecordLocation
  /** The WARC file in `archive/`, and the offset and length of the response record in it, in bytes. */
  readonly file: string
  readonly offset: number
  readonly length: number
  readonly #folder: string
  #headers: Readonly<Record<string, string>> | undefined
  #links: readonly string[] | undefined

  constructor(line: PageLine, folder: string) {
    this.url = line.url
    this.status = line.status
    this.title = line.title
    this.bytes = line.bytes
    this.tokens = line.tokens
    this.hops = line.hops
    this.linksOut = line.linksOut
    this.dateMs = line.dateMs
    if (line.language !== undefined) this.language = line.language
    if (line.from !== undefined) this.from = line.from
    this.change = line.change
    if (line.etag !== undefined) this.etag = line.etag
    if (line.lastModified !== undefined) this.lastModified = line.lastModified
    if (line.digest !== undefined) this.digest = line.digest
    if (line.textDigest !== undefined) this.textDigest = line.textDigest
    if (line.original !== undefined) this.original = line.original
    this.file = line.file
    this.offset = line.offset
    this.length = line.length
    this.#folder = folder
  }

  /** The page's bytes, decompressed. Read from the archive on each call. */
  body(): Uint8Array {
    return this.#message().body
  }

  /** The page's markup as text, decoded from its charset. Read from the archive on each call. */
  html(): string {
    const { headers, body } = this.#message()
    return Buffer.from(decodePage(body, lastHeaderOf(headers, 'content-type')).bytes).toString()
  }

  /** The response headers: names in lower case, multiple values joined by a comma and a space. */
  get headers(): Readonly<Record<string, string>> {
    this.#headers ??= headersIn(this.#message())
    return this.#headers
  }

  /** The visible text: one space between words, one line feed between blocks. Read from the archive on each access. */
  get text(): string {
    return this.#extracted({ textUnits: Infinity }).text!
  }

  /** The links on the page: canonical URLs without duplicates, in document order, without those marked nofollow. */
  get links(): readonly string[] {
    this.#links ??= this.#extracted().links.map(({ href }) => href)
    return this.#links
  }

  #extracted(wanted: ExtractOptions = {}): Extracted {
    return extractedFrom(this.url, this.#message(), wanted)
  }

  #message(): HttpMessage {
    return readWhole(this.#folder, this).message
  }
}

/** Parses an archived answer as the crawl did. */
export function extractedFrom(url: string, { headers, body }: HttpMessage, wanted: ExtractOptions = {}): Extracted {
  const contentType = lastHeaderOf(headers, 'content-type')
  // Robots directives tell a crawl what to do; they do not limit what a reader of the archive sees.
  return extract({ url, body, contentType, robotsTags: [], agent: '', wanted })
}

function headersIn({ headers }: HttpMessage): Readonly<Record<string, string>> {
  // No prototype, since a header may be called __proto__.
  const values: Record<string, string> = Object.create(null)
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at]!.toLowerCase()
    const before = values[name]
    values[name] = before === undefined ? headers[at + 1]! : `${before}, ${headers[at + 1]}`
  }
  return values
}
