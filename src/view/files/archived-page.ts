import type { PageLine } from '../../archive/pages-file.ts'
import { readWhole } from '../../archive/read.ts'
import type { HttpMessage } from '../../archive/warc-record.ts'
import { lastHeaderOf } from '../../base/words/raw-headers.ts'
import { decodePage } from '../../extract/charset.ts'
import { type Extracted, type ExtractOptions, extract } from '../../extract/extract.ts'
import type { PageElement } from '../../extract/page-element.ts'
import type { PageTree } from '../../extract/select.ts'

const LineFields = class {
  constructor(line: PageLine) {
    Object.assign(this, line)
  }
} as new (
  line: PageLine,
) => PageLine

/**
 * An archived page. Its line in `pages.jsonl` is in memory; headers, body, text and links are read from the WARC file on demand,
 * even while the crawl runs.
 */
export class ArchivedPage extends LineFields {
  readonly #folder: string
  #headers: Readonly<Record<string, string>> | undefined
  #links: readonly string[] | undefined
  #tree: Promise<PageTree> | undefined

  constructor(line: PageLine, folder: string) {
    super(line)
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

  /**
   * The elements that match a CSS selector, in document order: `(await page.select('h1'))[0]?.text`. The page is parsed at the first call.
   * Throws `PAGE_BAD_SELECTOR`.
   */
  async select(selector: string): Promise<PageElement[]> {
    this.#tree ??= import('../../extract/select.ts').then(({ PageTree }) => new PageTree(this.html()))
    return (await this.#tree).select(selector)
  }

  #extracted(wanted: ExtractOptions = {}): Extracted {
    return extractedFrom(this.url, this.#message(), wanted)
  }

  #message(): HttpMessage {
    return readWhole(this.#folder, this).message
  }
}

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
