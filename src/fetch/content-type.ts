/** How many bytes are looked at when a type is missing (WHATWG MIME Sniffing 5.2). */
export const SNIFFED_BYTES = 1445

/** `other`: some type that is not HTML. `unknown`: no type was given, or one that says nothing; the body decides. */
export type ContentKind = 'html' | 'other' | 'unknown'

/**
 * The kind of a `Content-Type`, regardless of its parameters. MIME Sniffing 7: three types mean that the server doesn't
 * know.
 */
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

/**
 * MIME Sniffing 7.1: blanks, one of these tags in upper or lower case, then a blank or `>`. With a byte order mark or
 * `<?xml` before it, the standard takes it for text or XML, not HTML.
 */
const LOOKS_LIKE_HTML =
  /^[\t\n\f\r ]*<(?:!DOCTYPE HTML|HTML|HEAD|SCRIPT|IFRAME|H1|DIV|FONT|TABLE|A|STYLE|TITLE|B|BODY|BR|P|!--)[ >]/i

/** True when a body without a type begins like HTML; its first `SNIFFED_BYTES` are enough. */
export function looksLikeHtml(body: Uint8Array): boolean {
  return LOOKS_LIKE_HTML.test(
    Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SNIFFED_BYTES)).toString('latin1'),
  )
}
