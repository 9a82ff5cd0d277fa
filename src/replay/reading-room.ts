import { type ArchivedVisit, isBrokenOff, visitsOf } from '../archive/visits-of.ts'
import type { Language } from '../base/words/language.ts'
import { decodePage } from '../extract/charset.ts'
import { extract } from '../extract/extract.ts'
import { webUrl } from '../url/web.ts'
import { canonicalForms } from '../view/files/canonical-forms.ts'
import { type ArchivedAnswer, answerOf, archivedAnswer, type NoAnswer, nearestVisit } from './archived-answer.ts'
import { type TextDifference, textDifference } from './difference/text-difference.ts'
import { type AtPath, dateOfStamp } from './rewrite/at-path.ts'
import { missingPage, type ShownPage, shownPage, shownStyle, unreadablePage } from './shown-page.ts'

export type { DifferenceRow, TextDifference, TextPiece } from './difference/text-difference.ts'

export interface Visits {
  readonly url: string
  /** Oldest first. */
  readonly items: readonly VisitLine[]
  /** Older ones are left out. */
  readonly isCut: boolean
}

export interface VisitLine {
  readonly dateMs: number
  readonly status: number
  /** The server said, or its bytes did, that nothing had changed since an earlier visit. */
  readonly isSame: boolean
  /** The connection ended, or its time did. */
  readonly isBrokenOff: boolean
}

/** For an address under `/at/`. */
export interface Sent {
  readonly status: 200 | 404
  readonly contentType: string
  readonly body: Buffer
  /** For a page. */
  readonly shown: FrameView | undefined
}

export interface FrameView {
  readonly url: string
  /** Undefined when it isn't in the archive. */
  readonly dateMs: number | undefined
  readonly status: number | undefined
  readonly mediaType: string | undefined
  readonly title: string
  /** More was sent, or is in the archive, than is shown. */
  readonly isCut: boolean
}

export interface VisitDifference extends TextDifference {
  readonly url: string
  readonly from: ComparedVisit
  readonly to: ComparedVisit
}

export interface ComparedVisit extends VisitLine {
  readonly title: string
  readonly words: number
}

const MOST_VISITS = 2000
const MOST_TEXT_CHARS = 1 << 20
const NOTHING: Sent = { status: 404, contentType: 'text/plain; charset=utf-8', body: Buffer.alloc(0), shown: undefined }

/** Archived pages for readers. Pages and style sheets are rewritten; only images and fonts are sent as they came, under a type of ours. */
export class ReadingRoom {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** `text`: a URL as people write it. Throws `CRAWL_BAD_URL`. */
  visits(text: string): Visits | undefined {
    for (const url of canonicalForms(text)) {
      const found = visitsOf(this.folder, url, MOST_VISITS + 1)
      const items = found.slice(-MOST_VISITS).map(lineOf)
      if (items.length > 0) return { url, items, isCut: found.length > MOST_VISITS }
    }
    return undefined
  }

  /** Undefined: the address names nothing that could be archived. */
  async sent({ key, use, stamp, url }: AtPath, language: Language): Promise<Sent | undefined> {
    const canonical = webUrl(url)
    const dateMs = dateOfStamp(stamp)
    if (typeof canonical === 'string' || Number.isNaN(dateMs)) return undefined
    let answer: ArchivedAnswer | NoAnswer
    try {
      answer = await archivedAnswer(this.folder, canonical.href, dateMs)
    } catch (error) {
      return use === 'page' ? pageSent(unreadablePage((error as Error).message, language), canonical.href) : NOTHING
    }
    if (use === 'page') {
      if ('why' in answer) return pageSent(missingPage(answer, language), answer.url)
      return pageSent(
        shownPage(answer, key, language, one => visitsOf(this.folder, one, 1).length > 0),
        answer.url,
        answer,
      )
    }
    if ('why' in answer || answer.kind !== use || answer.status >= 400) return NOTHING
    const [contentType, body] =
      use === 'style' ? ['text/css; charset=utf-8', shownStyle(answer, key)] : [answer.mediaType, answer.body]
    return { status: 200, contentType, body, shown: undefined }
  }

  /** Between the visits nearest to two times. Throws `CRAWL_BAD_URL`. */
  async difference(text: string, fromMs: number, toMs: number): Promise<VisitDifference | undefined> {
    for (const url of canonicalForms(text)) {
      const visits = visitsOf(this.folder, url, MOST_VISITS)
      const [from, to] = [nearestVisit(visits, fromMs), nearestVisit(visits, toMs)]
      if (from === undefined || to === undefined) continue
      const [before, after] = await Promise.all([this.textOf(url, from), this.textOf(url, to)])
      const { isCut, ...difference } = textDifference(before.text, after.text)
      return {
        url,
        from: before.visit,
        to: after.visit,
        ...difference,
        isCut: isCut || before.isCut || after.isCut,
      }
    }
    return undefined
  }

  private async textOf(
    url: string,
    visit: ArchivedVisit,
  ): Promise<{ visit: ComparedVisit; text: string; isCut: boolean }> {
    const answer = await answerOf(this.folder, url, visit)
    const { kind, contentType, body } = answer
    const compared = { ...lineOf(visit), status: answer.status }
    if (kind === 'html') {
      const page = extract({
        url,
        body,
        contentType,
        robotsTags: [],
        agent: '',
        wanted: { textUnits: MOST_TEXT_CHARS },
      })
      const text = page.text ?? ''
      const isCut = answer.isCut || text.length >= MOST_TEXT_CHARS
      return { visit: { ...compared, title: page.title, words: page.tokens }, text, isCut }
    }
    const isText = kind === 'text' || kind === 'style'
    const text = isText ? decodePage(body, contentType).bytes.toString().slice(0, MOST_TEXT_CHARS) : ''
    return { visit: { ...compared, title: '', words: text.split(/\s+/).length }, text, isCut: answer.isCut }
  }
}

function lineOf(visit: ArchivedVisit): VisitLine {
  const { dateMs, status, kind } = visit
  return { dateMs, status, isSame: kind === 'revisit', isBrokenOff: isBrokenOff(visit) }
}

function pageSent(page: ShownPage, url: string, answer?: ArchivedAnswer): Sent {
  const { contentType, body, title, isCut } = page
  const shown: FrameView = {
    url,
    dateMs: answer?.visit.dateMs,
    status: answer?.status,
    mediaType: answer?.mediaType,
    title,
    isCut,
  }
  return { status: answer === undefined ? 404 : 200, contentType, body, shown }
}
