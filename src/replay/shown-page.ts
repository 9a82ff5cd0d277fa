import { catalogue, inLanguage, type Language } from '../base/words/language.ts'
import { excerpt } from '../base/words/printable.ts'
import { shownBytes } from '../base/words/quantity.ts'
import { decodePage } from '../extract/charset.ts'
import { isXhtml } from '../extract/xhtml.ts'
import { prepareBase } from '../url/web.ts'
import type { ArchivedAnswer, NoAnswer } from './archived-answer.ts'
import { Addresses } from './rewrite/addresses.ts'
import { atPath, readAtPath, stampOf } from './rewrite/at-path.ts'
import { rewriteCss } from './rewrite/css.ts'
import { rewritePage } from './rewrite/page.ts'
import { escaped } from './rewrite/page-output.ts'

export interface ShownPage {
  readonly contentType: 'text/html; charset=utf-8' | 'text/plain; charset=utf-8'
  readonly body: Buffer
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

export function missingPage({ why, url }: NoAnswer, language: Language): ShownPage {
  const text = inLanguage(language, words)
  const [title, line] = why === 'missing' ? [text.missingTitle, text.missing] : [text.circleTitle, text.circle]
  const body = explanation(localeOf(language), title, [line, text.missingHint], excerpt(url, MOST_URL))
  return { contentType: HTML, body, title, isCut: false }
}

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

const STYLE = `:root{color-scheme:light dark}
body{max-width:62ch;margin:12vh auto;padding:0 24px;font:17px/1.55 system-ui,sans-serif;color:CanvasText;background:Canvas}
h1{margin:0 0 8px;font-size:26px;line-height:1.2;letter-spacing:-.01em}
p{margin:0 0 12px}
code{font:14px/1.5 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
img{max-width:100%;height:auto}`

/** Paragraphs are text. */
function explanation(language: string, title: string, paragraphs: readonly string[], code?: string): Buffer {
  const [first = '', ...rest] = paragraphs.map(text => `<p>${escaped(text)}</p>`)
  const named = code === undefined ? '' : `<p><code><bdi>${escaped(code)}</bdi></code></p>`
  return wholePage(language, title, `<h1>${escaped(title)}</h1>${first}${named}${rest.join('')}`)
}

function imagePage(language: string, title: string, path: string): Buffer {
  return wholePage(language, title, `<p><img src="${escaped(path)}" alt="${escaped(title)}"></p>`)
}

function wholePage(language: string, title: string, body: string): Buffer {
  return Buffer.from(`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${STYLE}</style></head>
<body>${body}</body></html>
`)
}

const MOST_BYTES = 1 << 22

export function shownStyle({ url, body, contentType, visit }: ArchivedAnswer, key: string): Buffer {
  const start = body.subarray(0, MOST_BYTES)
  const { bytes } = decodePage(
    start,
    charsetIn(contentType) ?? charsetIn(declaredIn(start)) ?? 'text/css;charset=utf-8',
  )
  const addresses = new Addresses(prepareBase(url), 'utf-8', { key, stamp: stampOf(visit.dateMs) })
  return Buffer.from(rewriteCss(bytes.toString(), addresses))
}

function charsetIn(contentType: string | undefined): string | undefined {
  return contentType !== undefined && /;\s*charset\s*=/i.test(contentType) ? contentType : undefined
}

/** CSS Syntax 3, 3.2: `@charset "…";` in the very first bytes. */
function declaredIn(body: Buffer): string | undefined {
  const label = /^@charset "([\w.:-]{1,40})";/.exec(body.toString('latin1', 0, 64))?.[1]
  return label === undefined ? undefined : `text/css;charset=${label}`
}

const words = catalogue({
  en: {
    frame: 'Frame',
    leadsTo: 'This page led on by itself to:',
    missingTitle: 'Not in the archive',
    missing: 'This crawl has no answer from this address:',
    circleTitle: 'It leads in a circle',
    circle: 'The archived redirects lead on and on, the last time to:',
    missingHint: 'The bar above has the way to the live web, and says why it was not fetched.',
    noBodyTitle: 'Only its head is in the archive',
    noBody: (status: string, type: string) =>
      `The answer had status ${status} and type ${type}. Its content was not kept.`,
    otherTitle: 'Nothing to show here',
    other: (type: string, bytes: string) =>
      `This is ${type}, ${bytes}. It is not opened in the browser; escalona cat writes it to a file.`,
    unreadableTitle: 'It cannot be read',
    unreadable: (why: string) => `The record of this answer cannot be read: ${why}`,
    unknownType: 'of an unknown type',
    image: 'Archived image',
  },
  pt: {
    frame: 'Quadro',
    leadsTo: 'Esta página levava sozinha a:',
    missingTitle: 'Não está no arquivo',
    missing: 'Esta coleta não tem resposta deste endereço:',
    circleTitle: 'Leva em círculo',
    circle: 'Os redirecionamentos arquivados levam sempre adiante, por último a:',
    missingHint: 'A barra acima tem o caminho para a web de agora, e diz por que não foi coletado.',
    noBodyTitle: 'Só o cabeçalho está no arquivo',
    noBody: (status, type) => `A resposta tinha status ${status} e tipo ${type}. O conteúdo não foi guardado.`,
    otherTitle: 'Nada a mostrar aqui',
    other: (type, bytes) => `Isto é ${type}, ${bytes}. Não é aberto no navegador; escalona cat o grava num arquivo.`,
    unreadableTitle: 'Não pode ser lido',
    unreadable: why => `O registro desta resposta não pode ser lido: ${why}`,
    unknownType: 'de tipo desconhecido',
    image: 'Imagem arquivada',
  },
})
