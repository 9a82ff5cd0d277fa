import { charsetOf, labelIn } from './charset-labels.ts'
import { META, RAW, SCRIPT, WHICH } from './elements.ts'
import { ascii, BANG, DASH, isLetter, LESS, QUESTION, SLASH } from './markup-bytes.ts'
import { bogusCommentEnd, rawTextEnd, scriptEnd } from './raw-text.ts'
import { TagReader } from './tag-reader.ts'

/** The standard's own prescan. */
const PRESCANNED_BYTES = 1024
/** Browsers continue as long as the head does; this bounds it. */
const MOST_BYTES = 1 << 16
/** What may stand in a head. Chromium and WebKit have the same list. */
const HEAD_NAMES = new Set('base head html link meta noscript object script style title'.split(' '))
const CHARSET = ascii('charset')
const CONTENT = ascii('content')
const HTTP_EQUIV = ascii('http-equiv')

/**
 * The charset that a page gives itself: HTML standard, "prescan a byte stream to determine its encoding", and beyond its
 * 1,024 bytes what a parser finds in the head, up to 64 KiB: nothing inside of scripts and other raw text. A `<meta>` with a
 * label that nobody knows is passed over.
 */
export function prescan(page: Buffer): string | undefined {
  const utf16 = utf16Declaration(page)
  if (utf16 !== undefined) return utf16
  const bytes = page.subarray(0, MOST_BYTES)
  const tag = new TagReader(bytes)
  /** Where the latest raw text ends. */
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

/** What could be read as ASCII is not UTF-16, whatever it says; and x-user-defined is meant as windows-1252. */
function charsetReadAsAscii(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  if (label.trim().toLowerCase() === 'x-user-defined') return 'windows-1252'
  const charset = charsetOf(label)
  return charset?.startsWith('utf-16') ? 'utf-8' : charset
}

/** The beginning of an XML declaration; in UTF-16 that settles it. */
const UTF16_DECLARATIONS: readonly (readonly [start: Buffer, charset: string])[] = [
  [Buffer.from('<?x', 'utf16le'), 'utf-16le'],
  [Buffer.from('<?x', 'utf16le').swap16(), 'utf-16be'],
]
const DECLARATION_START = Buffer.from('<?xml')

function utf16Declaration(page: Buffer): string | undefined {
  return UTF16_DECLARATIONS.find(([start]) => page.subarray(0, start.length).equals(start))?.[1]
}

/** The charset that the XML declaration of a page gives, if it has one. */
export function xmlDeclaration(page: Buffer): string | undefined {
  if (!page.subarray(0, DECLARATION_START.length).equals(DECLARATION_START)) return utf16Declaration(page)
  const bytes = page.subarray(0, PRESCANNED_BYTES)
  const declaration = bytes.toString('latin1', 0, bogusCommentEnd(bytes, 0))
  const [, doublyQuoted, quoted] = /encoding[\0- ]*=[\0- ]*(?:"([^"]*)"|'([^']*)')/.exec(declaration) ?? []
  return charsetReadAsAscii(doublyQuoted ?? quoted)
}

/** Reads a `<meta>` to its end. The attributes may come in any order, and the first of a name counts. */
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
