import { isAscii, isUtf8 } from 'node:buffer'
import { META, RAW, SCRIPT, WHICH } from './elements.ts'
import { charsetOf, decoderOf, labelIn } from './encodings.ts'
import { ascii, BANG, DASH, isLetter, LESS, QUESTION, SLASH } from './markup-bytes.ts'
import { bogusCommentEnd, rawTextEnd, scriptEnd } from './raw-text.ts'
import { TagReader } from './tag-reader.ts'
import { isXhtml } from './xhtml.ts'

/** In UTF-8 without a byte order mark; `charset` by the Encoding Standard. */
export interface DecodedPage {
  readonly charset: string
  readonly bytes: Buffer
}

/**
 * The order of the HTML standard: byte order mark, `Content-Type`, the page itself. Unknown labels are ignored. Without any: UTF-8 if the page is
 * valid UTF-8 with more than ASCII in it, else windows-1252. XHTML counts by its XML declaration; without one it is UTF-8, unless it can't be.
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

/** Bytes 0x80 to 0x9f, which Node 20 decodes as ISO 8859-1. */
const FROM_0X80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

function windows1252(page: Buffer): string {
  return page.toString('latin1').replace(/[\x80-\x9f]/g, char => FROM_0X80[char.charCodeAt(0) - 0x80]!)
}

/** The standard's own prescan. */
const PRESCANNED_BYTES = 1024
/** Browsers continue as long as the head does. */
const MOST_BYTES = 1 << 16
/** What a head may contain. Chromium and WebKit have the same list. */
const HEAD_NAMES = new Set('base head html link meta noscript object script style title'.split(' '))
const CHARSET = ascii('charset')
const CONTENT = ascii('content')
const HTTP_EQUIV = ascii('http-equiv')

/**
 * The charset that a page gives itself: HTML standard, "prescan a byte stream to determine its encoding", and beyond its 1,024 bytes what a
 * parser finds in the head, up to 64 KiB. Unknown labels are ignored.
 */
function prescan(page: Buffer): string | undefined {
  const utf16 = utf16Declaration(page)
  if (utf16 !== undefined) return utf16
  const bytes = page.subarray(0, MOST_BYTES)
  const tag = new TagReader(bytes)
  let rawEnd = 0
  let isInHead = true
  for (let at = bytes.indexOf(LESS); at !== -1; at = bytes.indexOf(LESS, at)) {
    if (at >= PRESCANNED_BYTES) {
      if (!isInHead) break
      if (at < rawEnd) {
        at = rawEnd
        continue
      }
    }
    const next = bytes[at + 1]
    if (next === BANG && bytes[at + 2] === DASH && bytes[at + 3] === DASH) {
      // The dashes of the start may be those of the end.
      const end = bytes.indexOf('-->', at + 2)
      if (end === -1) break
      at = end + 3
    } else if (isLetter(next) || (next === SLASH && isLetter(bytes[at + 2]))) {
      const nameStart = next === SLASH ? at + 2 : at + 1
      const meaning = tag.begin(nameStart)
      const nameEnd = tag.at
      const isStart = next !== SLASH
      if (at >= rawEnd) isInHead &&= isOfHead(bytes.toString('latin1', nameStart, nameEnd), isStart)
      if (isStart && (meaning & WHICH) === META) {
        const charset = charsetReadAsAscii(metaLabel(bytes, tag))
        if (charset !== undefined) return charset
      } else tag.skip()
      if (isStart && meaning & RAW && at >= rawEnd) {
        const isScript = (meaning & WHICH) === SCRIPT
        rawEnd = isScript ? scriptEnd(bytes, tag.at) : rawTextEnd(bytes, tag.at, bytes.subarray(nameStart, nameEnd))
      }
      at = tag.at
    } else if (next === BANG || next === SLASH || next === QUESTION) at = bogusCommentEnd(bytes, at + 1)
    else at++
  }
  return xmlDeclaration(bytes)
}

function isOfHead(name: string, isStart: boolean): boolean {
  const lower = name.toLowerCase()
  return HEAD_NAMES.has(lower) && (isStart || (lower !== 'head' && lower !== 'html'))
}

/** What could be read as ASCII isn't UTF-16; x-user-defined means windows-1252. */
function charsetReadAsAscii(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  if (label.trim().toLowerCase() === 'x-user-defined') return 'windows-1252'
  const charset = charsetOf(label)
  return charset?.startsWith('utf-16') ? 'utf-8' : charset
}

/** In UTF-16 it decides. */
const UTF16_DECLARATIONS: readonly (readonly [start: Buffer, charset: string])[] = [
  [Buffer.from('<?x', 'utf16le'), 'utf-16le'],
  [Buffer.from('<?x', 'utf16le').swap16(), 'utf-16be'],
]
const DECLARATION_START = Buffer.from('<?xml')

function utf16Declaration(page: Buffer): string | undefined {
  return UTF16_DECLARATIONS.find(([start]) => page.subarray(0, start.length).equals(start))?.[1]
}

function xmlDeclaration(page: Buffer): string | undefined {
  if (!page.subarray(0, DECLARATION_START.length).equals(DECLARATION_START)) return utf16Declaration(page)
  const bytes = page.subarray(0, PRESCANNED_BYTES)
  const declaration = bytes.toString('latin1', 0, bogusCommentEnd(bytes, 0))
  const [, doublyQuoted, quoted] = /encoding[\0- ]*=[\0- ]*(?:"([^"]*)"|'([^']*)')/.exec(declaration) ?? []
  return charsetReadAsAscii(doublyQuoted ?? quoted)
}

/** The first attribute of a name counts. */
function metaLabel(bytes: Buffer, tag: TagReader): string | undefined {
  let charset: string | undefined
  let content: string | undefined
  let httpEquiv: string | undefined
  while (tag.next()) {
    const value = () => bytes.toString('latin1', tag.valueStart, tag.valueEnd)
    if (tag.isNamed(CHARSET)) charset ??= value()
    else if (tag.isNamed(CONTENT)) content ??= value()
    else if (tag.isNamed(HTTP_EQUIV)) httpEquiv ??= value()
  }
  if (tag.isCut) return undefined
  if (charset !== undefined) return charset
  return content !== undefined && httpEquiv?.toLowerCase() === 'content-type' ? labelIn(content) : undefined
}
