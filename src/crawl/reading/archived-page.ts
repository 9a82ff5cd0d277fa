import type { PageLine } from '../../archive/pages-file.ts'
import { readRecord } from '../../archive/read.ts'
import { type HttpMessage, httpOf } from '../../archive/warc-record.ts'
import { lastHeaderOf } from '../../base/words/raw-headers.ts'
import { decodePage } from '../../extract/charset.ts'
import { type Extracted, extract } from '../../extract/extract.ts'

/**
 * An archived page. What `pages.jsonl` says about it is at hand; headers, body, text and links are read from the WARC file when
 * they are asked for, also while the crawl runs.
 */
export class ArchivedPage implements PageLine {
  /** Canonical. */
  readonly url: string
  /** HTTP status. */
  readonly status: number
  /** Empty when the page has none. */
  readonly title: string
  /** Of the body as it is stored: decompressed. */
  readonly bytes: number
  /** Words of visible text. */
  readonly tokens: number
  /** Links from a seed; 0 for a seed. */
  readonly hops: number
  /** Links on the page that the settings let through. */
  readonly linksOut: number
  /** When it was requested, in milliseconds since 1970. */
  readonly dateMs: number
  /** As the page names it, in lower case: `pt-br`; undefined when it names none, and in folders of earlier versions. */
  readonly language?: string
  /** The page on which its link was first found; undefined for a seed, and in folders of earlier versions. */
  readonly from?: string
  /** The WARC file under `archive/`, and the place of the response record in it, in bytes. */
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
    this.file = line.file
    this.offset = line.offset
    this.length = line.length
    this.#folder = folder
  }

  /** The page's bytes, decompressed. Read from the archive at each call. */
  body(): Uint8Array {
    return this.#message().body
  }

  /** The page's markup as text, decoded by its charset. Read from the archive at each call. */
  html(): string {
    const { headers, body } = this.#message()
    return Buffer.from(decodePage(body, lastHeaderOf(headers, 'content-type')).bytes).toString()
  }

  /** The response headers: names in lower case, several values of one name joined by a comma and a blank. */
  get headers(): Readonly<Record<string, string>> {
    this.#headers ??= headersIn(this.#message())
    return this.#headers
  }

  /** The visible text: all words, joined by one blank. Read from the archive at each access. */
  get text(): string {
    return this.#extracted(Infinity).opening
  }

  /** The links on the page: canonical URLs, each once, in document order, without those marked nofollow. */
  get links(): readonly string[] {
    this.#links ??= this.#extracted(0).links.map(({ href }) => href)
    return this.#links
  }

  #extracted(openingWords: number): Extracted {
    return extractedFrom(this.url, this.#message(), openingWords)
  }

  #message(): HttpMessage {
    return httpOf(readRecord(this.#folder, this.file, this.offset))
  }
}

/** Reads an answer out of the archive as the crawl read it. */
export function extractedFrom(url: string, { headers, body }: HttpMessage, openingWords: number): Extracted {
  const contentType = lastHeaderOf(headers, 'content-type')
  // Directives to robots decide what a crawl does, not what somebody reads who has the page.
  return extract({ url, body, contentType, robotsTags: [], agent: '', openingWords })
}

function headersIn({ headers }: HttpMessage): Readonly<Record<string, string>> {
  // Without a prototype: a header may be called __proto__.
  const values: Record<string, string> = Object.create(null)
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at]!.toLowerCase()
    const before = values[name]
    values[name] = before === undefined ? headers[at + 1]! : `${before}, ${headers[at + 1]}`
  }
  return values
}
