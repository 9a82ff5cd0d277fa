import type { PageLine } from '../../archive/pages-file.ts'
import { readWholeStart, type WholeStart } from '../../archive/read.ts'
import { targetUri } from '../../archive/record-text.ts'
import { EscalonaError } from '../../base/errors.ts'
import { message, type Value } from '../../base/messages/message.ts'
import { whyOf } from '../../base/system-error.ts'
import { excerpt } from '../../base/words/printable.ts'
import { lastHeaderOf } from '../../base/words/raw-headers.ts'
import { decodePage } from '../../extract/charset.ts'
import { extractedFrom } from '../files/archived-page.ts'
import type { PageDetails } from '../questions/page-shapes.ts'

const MOST_BODY_BYTES = 1 << 20
/** Fields, HTTP head and the beginning of the body. */
const MOST_BYTES = MOST_BODY_BYTES + (1 << 18)
const MOST_LINKS = 1000
/** Of the fields of a record, and of the headers of an answer. */
const MOST_FIELDS = 200
const MOST_VALUE_CHARS = 4096

/** An archived page with everything in its record. Throws `CRAWL_PAGE_MISSING` when it is not where its line says. */
export async function pageDetails(page: PageLine, folder: string): Promise<PageDetails> {
  const { record, message, isCut } = await answerOf(page, folder)
  const body = message.body.subarray(0, MOST_BODY_BYTES)
  const { links } = extractedFrom(page.url, { ...message, body })
  const headers = Array.from(
    { length: message.headers.length >> 1 },
    (_, i) => [message.headers[2 * i]!, message.headers[2 * i + 1]!] as const,
  )
  return {
    page,
    warc: record.fields.slice(0, MOST_FIELDS).map(shortened),
    statusLine: message.startLine.slice(0, MOST_VALUE_CHARS),
    headers: headers.slice(0, MOST_FIELDS).map(shortened),
    links: links.slice(0, MOST_LINKS).map(({ href }) => href),
    html: decodePage(body, lastHeaderOf(message.headers, 'content-type')).bytes.toString(),
    isCut: isCut || body.length < message.body.length,
  }
}

async function answerOf({ url, file, offset }: PageLine, folder: string): Promise<WholeStart> {
  const missing = (why: Value, cause?: unknown) =>
    new EscalonaError('CRAWL_PAGE_MISSING', { url: excerpt(url), file, why }, { cause })
  let start: WholeStart
  try {
    start = await readWholeStart(folder, { file, offset }, MOST_BYTES)
  } catch (error) {
    throw missing(whyOf(error), error)
  }
  const target = start.record.fields.find(([name]) => name === 'WARC-Target-URI')?.[1]
  if (target !== targetUri(url)) throw missing(message('view/other'))
  return start
}

function shortened([name, value]: readonly [string, string]): readonly [string, string] {
  return [name.slice(0, MOST_VALUE_CHARS), value.slice(0, MOST_VALUE_CHARS)]
}
