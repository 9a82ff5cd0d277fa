const LONGEST_STATUS_TEXT = 200

export function cleanStatusText(text: string): string {
  return text.slice(0, LONGEST_STATUS_TEXT).replace(/[^ -~\u00a0-\u00ff]/g, '?')
}

/** How many bytes are looked at when a type is missing (WHATWG MIME Sniffing 5.2). */
export const SNIFFED_BYTES = 1445

/** `other`: some type that is not HTML. `unknown`: no type was given, or one that says nothing; the body decides. */
export type ContentKind = 'html' | 'other' | 'unknown'

/** MIME Sniffing 7: three types mean that the server doesn't know. */
export function contentKind(contentType: string | undefined): ContentKind {
  if (contentType === undefined) return 'unknown'
  const end = contentType.search(/[;,]/)
  const essence = (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
  switch (essence) {
    case 'text/html':
    case 'application/xhtml+xml':
      return 'html'
    case 'unknown/unknown':
    case 'application/unknown':
    case '*/*':
      return 'unknown'
    default:
      return /^[^\s/]+\/[^\s/]+$/.test(essence) ? 'other' : 'unknown'
  }
}

/** MIME Sniffing 7.1. With a byte order mark or `<?xml` before it, the standard takes it for text or XML. */
const LOOKS_LIKE_HTML =
  /^[\t\n\f\r ]*<(?:!DOCTYPE HTML|HTML|HEAD|SCRIPT|IFRAME|H1|DIV|FONT|TABLE|A|STYLE|TITLE|B|BODY|BR|P|!--)[ >]/i

/** The first `SNIFFED_BYTES` of a body are enough. */
export function looksLikeHtml(body: Uint8Array): boolean {
  return LOOKS_LIKE_HTML.test(
    Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SNIFFED_BYTES)).toString('latin1'),
  )
}

const LONGEST_MS = 24 * 60 * 60 * 1000

/** The three forms of RFC 9110 5.6.7 begin with the name of a day; `Date.parse` alone would believe almost anything. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? [\w :-]{10,40}$/

/** Milliseconds from now that a `Retry-After` asks to wait, 0 to 24 hours. `nowMs`: since 1970, as the header may hold a date. */
export function retryAfterMs(value: string, nowMs: number): number | undefined {
  const text = value.trim()
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_MS)
  if (!HTTP_DATE.test(text)) return undefined
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(atMs) ? undefined : Math.min(Math.max(atMs - nowMs, 0), LONGEST_MS)
}
