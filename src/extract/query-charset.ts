/**
 * URL standard: the query of a link is written in the charset of its page. Only the query, and only where that is not UTF-8:
 * `?q=é` on a page in windows-1252 asks for `?q=%E9`.
 */
import { encodings } from './legacy-encodings.ts'

/** UTF-16 has no queries of its own, and ISO-2022-JP no code that stands for itself; both get UTF-8. */
const IN_UTF8 = new Set(['utf-8', 'utf-16le', 'utf-16be', 'iso-2022-jp'])
const NOT_ASCII = /[^\0-\x7f]+/g

/** An address with the query as the page's charset writes it. */
export function withQueryIn(charset: string, address: string): string {
  if (IN_UTF8.has(charset) || address.search(NOT_ASCII) === -1) return address
  const fragment = address.indexOf('#')
  const end = fragment === -1 ? address.length : fragment
  const start = address.indexOf('?')
  if (start === -1 || start > end) return address
  const encode = encodings()?.percentEncodeAfterEncoding
  if (encode === undefined) return address
  const query = address.slice(start, end).replace(NOT_ASCII, text => encode(charset, text, ''))
  return address.slice(0, start) + query + address.slice(end)
}
