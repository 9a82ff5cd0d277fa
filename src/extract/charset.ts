import { isAscii, isUtf8 } from 'node:buffer'
import { charsetOf, decoderOf, labelIn } from './charset-labels.ts'
import { prescan, xmlDeclaration } from './charset-prescan.ts'
import { isXhtml } from './xhtml.ts'

/** A page in UTF-8 without a byte order mark, and the name of the charset it came in, by the Encoding Standard. */
export interface DecodedPage {
  readonly charset: string
  readonly bytes: Buffer
}

/**
 * The order of the HTML standard: byte order mark, `Content-Type`, what the page says itself. A label that nobody knows is
 * passed over. Without any: UTF-8 if the page is valid UTF-8 with more than ASCII in it, else windows-1252. What XHTML says
 * itself is its XML declaration; without one it is UTF-8, unless it can't be.
 */
export function decodePage(body: Uint8Array, contentType: string | undefined): DecodedPage {
  const page = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  for (const [mark, charset] of BYTE_ORDER_MARKS) {
    if (page.subarray(0, mark.length).equals(mark)) return inUtf8(page.subarray(mark.length), charset)
  }
  const fromHeader = headerCharset(contentType)
  if (fromHeader !== undefined) return inUtf8(page, fromHeader)
  const fromXml = isXhtml(contentType) ? (xmlDeclaration(page) ?? (isUtf8(page) ? 'utf-8' : undefined)) : undefined
  return inUtf8(page, fromXml ?? prescan(page) ?? guessed(page))
}

const BYTE_ORDER_MARKS: readonly (readonly [mark: Buffer, charset: string])[] = [
  [Buffer.of(0xef, 0xbb, 0xbf), 'utf-8'],
  [Buffer.of(0xfe, 0xff), 'utf-16be'],
  [Buffer.of(0xff, 0xfe), 'utf-16le'],
]

function headerCharset(contentType: string | undefined): string | undefined {
  const label = contentType === undefined ? undefined : labelIn(contentType)
  return label === undefined ? undefined : charsetOf(label)
}

/** A page that was cut off may end within a character. */
function guessed(page: Buffer): string {
  if (isAscii(page)) return 'windows-1252'
  let end = page.length
  while (end > 0 && end > page.length - 3 && (page[end - 1]! & 0xc0) === 0x80) end--
  const uncut = page.subarray(0, page[end - 1]! >= 0xc0 ? end - 1 : end)
  return isUtf8(page) || (isUtf8(uncut) && !isAscii(uncut)) ? 'utf-8' : 'windows-1252'
}

/** In these charsets ASCII bytes do not mean ASCII characters. */
const NOT_LIKE_ASCII = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp'])

function inUtf8(page: Buffer, charset: string): DecodedPage {
  if (charset === 'utf-8' || (!NOT_LIKE_ASCII.has(charset) && isAscii(page))) return { charset, bytes: page }
  return { charset, bytes: Buffer.from(decodedText(page, charset)) }
}

function decodedText(bytes: Buffer, charset: string): string {
  return charset === 'windows-1252' ? windows1252(bytes) : decoderOf(charset).decode(bytes)
}

/** Bytes 0x80 to 0x9f; Node 20 itself decodes them as ISO 8859-1, which has control characters there. */
const FROM_0X80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

function windows1252(page: Buffer): string {
  return page.toString('latin1').replace(/[\x80-\x9f]/g, char => FROM_0X80[char.charCodeAt(0) - 0x80]!)
}
