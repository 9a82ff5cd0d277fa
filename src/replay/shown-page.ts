import { inLanguage, type Language } from '../base/words/language.ts'
import { excerpt } from '../base/words/printable.ts'
import { shownBytes } from '../base/words/quantity.ts'
import { decodePage } from '../extract/charset.ts'
import { isXhtml } from '../extract/xhtml.ts'
import { prepareBase } from '../url/web.ts'
import type { ArchivedAnswer, NoAnswer } from './archived-answer.ts'
import { explanation, imagePage } from './explanation.ts'
import { words } from './messages.ts'
import { Addresses } from './rewrite/addresses.ts'
import { atPath, readAtPath, stampOf } from './rewrite/at-path.ts'
import { rewritePage } from './rewrite/page.ts'

/** What is sent for an address that stood for a page. */
export interface ShownPage {
  readonly contentType: 'text/html; charset=utf-8' | 'text/plain; charset=utf-8'
  readonly body: Buffer
  /** May be empty. */
  readonly title: string
  readonly isCut: boolean
}

const HTML = 'text/html; charset=utf-8'

/** An answer as a page that is safe to show with the policy of the reading room. */
export function shownPage(
  answer: ArchivedAnswer,
  key: string,
  language: Language,
  isArchived: (url: string) => boolean,
): ShownPage {
  const { kind, body, isCut, visit, mediaType } = answer
  const text = inLanguage(language, words)
  const say = (title: string, lines: readonly string[], code?: string): ShownPage => ({
    contentType: HTML,
    body: explanation(localeOf(language), title, lines, code),
    title,
    isCut,
  })
  const type = mediaType === '' ? text.unknownType : mediaType
  if (body.length === 0 && isCut)
    return say(text.noBodyTitle, [text.noBody(String(answer.status), type)], excerpt(answer.url, MOST_URL))
  switch (kind) {
    case 'html':
      return rewritten(answer, key, language, isArchived)
    case 'text':
    case 'style':
      return { contentType: 'text/plain; charset=utf-8', body: decoded(answer).bytes, title: '', isCut }
    case 'image': {
      const path = atPath({ key, use: 'image', stamp: stampOf(visit.dateMs), url: answer.url })
      return { contentType: HTML, body: imagePage(localeOf(language), text.image, path), title: '', isCut }
    }
    default: {
      const size = inLanguage(language, () => shownBytes(body.length))
      return say(text.otherTitle, [text.other(type, size)], excerpt(answer.url, MOST_URL))
    }
  }
}

const MOST_URL = 2000

/** What is shown where there is no answer. */
export function missingPage({ why, url }: NoAnswer, language: Language): ShownPage {
  const text = inLanguage(language, words)
  const [title, line] = why === 'missing' ? [text.missingTitle, text.missing] : [text.circleTitle, text.circle]
  const body = explanation(localeOf(language), title, [line, text.missingHint], excerpt(url, MOST_URL))
  return { contentType: HTML, body, title, isCut: false }
}

/** What is shown of a record that cannot be read. */
export function unreadablePage(reason: string, language: Language): ShownPage {
  const text = inLanguage(language, words)
  const body = explanation(localeOf(language), text.unreadableTitle, [text.unreadable(excerpt(reason, 500))])
  return { contentType: HTML, body, title: text.unreadableTitle, isCut: false }
}

function rewritten(
  answer: ArchivedAnswer,
  key: string,
  language: Language,
  isArchived: (url: string) => boolean,
): ShownPage {
  const { visit, contentType, refresh } = answer
  const { charset, bytes } = decoded(answer)
  const page = rewritePage({
    bytes,
    isXml: isXhtml(contentType),
    addressesFor: base => new Addresses(prepareBase(answer.url, base), charset, { key, stamp: stampOf(visit.dateMs) }),
    refresh,
    hasStyle: path => isArchived(readAtPath(path)?.url ?? ''),
    words: inLanguage(language, words),
  })
  return { contentType: HTML, body: page.bytes, title: page.title, isCut: answer.isCut || page.isCut }
}

function decoded({ body, contentType }: ArchivedAnswer) {
  return decodePage(body, contentType)
}

function localeOf(language: Language): string {
  return language === 'pt' ? 'pt-BR' : 'en'
}
