import { readWholeStart, type WholeStart } from '../archive/read.ts'
import { type ArchivedVisit, isBrokenOff, visitsOf } from '../archive/visits-of.ts'
import { lastHeaderOf } from '../base/words/raw-headers.ts'
import { prepareBase, webUrl } from '../url/web.ts'

const MOST_BYTES = 1 << 24
const MOST_REDIRECTS = 10

export interface ArchivedAnswer {
  /** Canonical; in the archive it may be spelled with more escapes. */
  readonly url: string
  readonly visit: ArchivedVisit
  /** Of a revisit, that of the answer it stands for. */
  readonly status: number
  /** In lower case; empty when unknown. */
  readonly mediaType: string
  readonly contentType: string | undefined
  readonly kind: AnswerKind
  readonly refresh: string | undefined
  readonly body: Buffer
  /** More is in the archive than is shown, or was sent than is in the archive. */
  readonly isCut: boolean
}

/** `url`: where the search ended. */
export interface NoAnswer {
  readonly why: 'missing' | 'circle'
  readonly url: string
}

/** The answer nearest to a time; redirects are followed. Throws when its record can't be read. */
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

export async function answerOf(folder: string, url: string, visit: ArchivedVisit): Promise<ArchivedAnswer> {
  return answerIn(url, visit, await readWholeStart(folder, visit, MOST_BYTES))
}

function answerIn(url: string, visit: ArchivedVisit, { message, isCut, isTruncated }: WholeStart): ArchivedAnswer {
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

/** Undefined when it isn't a redirect, or leads nowhere. */
function targetOf(url: string, { message: { status, headers } }: WholeStart): string | undefined {
  if (status < 300 || status > 399) return undefined
  const location = lastHeaderOf(headers, 'location')
  const target = location === undefined ? 'malformed' : webUrl(location, prepareBase(url))
  return typeof target === 'string' ? undefined : target.href
}

type AnswerKind = 'html' | 'text' | 'style' | 'image' | 'font' | 'other'

const IMAGES: ReadonlySet<string> = new Set(
  'apng avif bmp gif jpeg jpg pjpeg png svg+xml vnd.microsoft.icon webp x-icon x-ms-bmp x-png'
    .split(' ')
    .map(name => `image/${name}`),
)
const FONTS: ReadonlySet<string> = new Set([
  ...['collection', 'otf', 'sfnt', 'ttf', 'woff', 'woff2'].map(name => `font/${name}`),
  ...['font-sfnt', 'font-woff', 'font-woff2', 'vnd.ms-fontobject', 'x-font-opentype', 'x-font-otf'].map(
    name => `application/${name}`,
  ),
  ...['x-font-truetype', 'x-font-ttf', 'x-font-woff'].map(name => `application/${name}`),
])
const PAGES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])
/** Shown as plain text, whatever else they could do. */
const TEXTS = /^text\/|^application\/(?:json|javascript|ecmascript|xml|.+\+xml|.+\+json|rss|atom)$/

/** In lower case; empty when there is none. */
function mediaTypeOf(contentType: string | undefined): string {
  return /^\s*([\w.+-]{1,80}\/[\w.+-]{1,120})\s*(?:;|$)/.exec(contentType ?? '')?.[1]?.toLowerCase() ?? ''
}

function kindOf(mediaType: string): AnswerKind {
  if (PAGES.has(mediaType)) return 'html'
  if (mediaType === 'text/css') return 'style'
  if (IMAGES.has(mediaType)) return 'image'
  if (FONTS.has(mediaType)) return 'font'
  return TEXTS.test(mediaType) ? 'text' : 'other'
}

function isGood(visit: ArchivedVisit): boolean {
  return visit.kind === 'revisit' || (visit.status >= 200 && visit.status < 400 && !isBrokenOff(visit))
}
const SECOND_MS = 1000

/** The visit of that second, or the nearest good one, or else the nearest. */
export function nearestVisit(visits: readonly ArchivedVisit[], dateMs: number): ArchivedVisit | undefined {
  const distance = (visit: ArchivedVisit): number => Math.abs(visit.dateMs - dateMs)
  const nearest = (some: readonly ArchivedVisit[]): ArchivedVisit | undefined => {
    let best: ArchivedVisit | undefined
    for (const visit of some) if (best === undefined || distance(visit) < distance(best)) best = visit
    return best
  }
  const same = nearest(visits)
  if (same === undefined || Math.floor(same.dateMs / SECOND_MS) === Math.floor(dateMs / SECOND_MS)) return same
  return nearest(visits.filter(isGood)) ?? same
}
