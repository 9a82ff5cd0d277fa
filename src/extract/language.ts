/** The start tag of the document, which stands at its beginning, with its `lang` or `xml:lang`. */
const HTML_LANG = /<html\b[^>]*?\s(?:xml:)?lang\s*=\s*["']?\s*([A-Za-z0-9-]{1,35})/i
const LOOKED_AT_BYTES = 2048
/** BCP 47, as far as it says something about the language: `pt-BR`, `zh-Hant`. */
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})?(?![a-z0-9])/

/** The language that a page names, `pt-br` for example: that of its `<html lang>`, or else of the header `Content-Language`. */
export function languageOfPage(body: Uint8Array, contentLanguage: string | undefined): string | undefined {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, LOOKED_AT_BYTES)).toString('latin1')
  const named = HTML_LANG.exec(start)?.[1] ?? contentLanguage?.trim() ?? ''
  return TAG.exec(named.toLowerCase())?.[0]
}
