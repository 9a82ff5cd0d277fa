import { type Visit, visitsOf } from '../archive/visits-of.ts'
import { readWholeStart, type WholeStart } from '../archive/whole-start.ts'
import { lastHeaderOf } from '../base/words/raw-headers.ts'
import { prepareBase, webUrl } from '../url/web.ts'
import { type Kind, kindOf, mediaTypeOf } from './media-types.ts'
import { nearestVisit } from './nearest-visit.ts'

/** Of a page that is longer, the beginning is shown. */
const MOST_BYTES = 1 << 24
const MOST_REDIRECTS = 10

/** An answer in the archive, as far as it is shown. */
export interface ArchivedAnswer {
  /** Canonical; in the archive it may be spelled with more escapes. */
  readonly url: string
  readonly visit: Visit
  /** Its status; of a revisit, that of the answer it stands for. */
  readonly status: number
  /** In lower case; empty when unknown. */
  readonly mediaType: string
  readonly contentType: string | undefined
  readonly kind: Kind
  readonly refresh: string | undefined
  readonly body: Buffer
  /** More of it is in the archive than is shown, or was sent than is in the archive. */
  readonly isCut: boolean
}

/** Why there is no answer. `url` is where the search ended. */
export interface NoAnswer {
  readonly why: 'missing' | 'circle'
  readonly url: string
}

/** The answer of a URL nearest to a time; redirects are followed in the archive. Throws when its record cannot be read. */
export async function archivedAnswer(
  folder: string,
  asked: string,
  dateMs: number,
): Promise<ArchivedAnswer | NoAnswer> {
  let url = asked
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const visit = nearestVisit(visitsOf(folder, url), dateMs)
    if (visit === undefined) return { why: 'missing', url }
    const whole = await readWholeStart(folder, visit, MOST_BYTES)
    const target = targetOf(url, whole)
    if (target === undefined) return answerIn(url, visit, whole)
    url = target
  }
  return { why: 'circle', url }
}

/** The answer of one visit, whatever it was. */
export async function answerOf(folder: string, url: string, visit: Visit): Promise<ArchivedAnswer> {
  return answerIn(url, visit, await readWholeStart(folder, visit, MOST_BYTES))
}

function answerIn(url: string, visit: Visit, { message, isCut, isTruncated }: WholeStart): ArchivedAnswer {
  const { headers, body, status } = message
  const contentType = lastHeaderOf(headers, 'content-type')
  const mediaType = mediaTypeOf(contentType)
  return {
    url,
    visit,
    status,
    mediaType,
    contentType,
    kind: kindOf(mediaType),
    refresh: lastHeaderOf(headers, 'refresh'),
    body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    isCut: isCut || isTruncated,
  }
}

/** Where a redirect leads; undefined when it is none, or leads nowhere. */
function targetOf(url: string, { message: { status, headers } }: WholeStart): string | undefined {
  if (status < 300 || status > 399) return undefined
  const location = lastHeaderOf(headers, 'location')
  const target = location === undefined ? 'malformed' : webUrl(location, prepareBase(url))
  return typeof target === 'string' ? undefined : target.href
}
