import { charsetOf, labelIn } from './charset-labels.ts'
import { META, WHICH } from './elements.ts'
import { ascii, BANG, DASH, isLetter, LESS, QUESTION, SLASH } from './markup-bytes.ts'
import { bogusCommentEnd } from './raw-text.ts'
import { TagReader } from './tag-reader.ts'

const PRESCANNED_BYTES = 1024
const CHARSET = ascii('charset')
const CONTENT = ascii('content')
const HTTP_EQUIV = ascii('http-equiv')

/**
 * The charset that a page gives itself in its first 1,024 bytes: HTML standard, "prescan a byte stream to determine its
 * encoding". A `<meta>` with a label that nobody knows is passed over.
 */
export function prescan(page: Buffer): string | undefined {
  const bytes = page.subarray(0, PRESCANNED_BYTES)
  const xml = XML_DECLARATIONS.find(([start]) => bytes.subarray(0, start.length).equals(start))
  if (xml?.[1] !== undefined) return xml[1]
  for (let at = bytes.indexOf(LESS); at !== -1; at = bytes.indexOf(LESS, at)) {
    const next = bytes[at + 1]
    if (next === BANG && bytes[at + 2] === DASH && bytes[at + 3] === DASH) {
      // The dashes of the start may be those of the end.
      const end = bytes.indexOf('-->', at + 2)
      if (end === -1) break
      at = end + 3
    } else if (isLetter(next) || (next === SLASH && isLetter(bytes[at + 2]))) {
      const tag = new TagReader(bytes)
      const meaning = tag.begin(next === SLASH ? at + 2 : at + 1)
      const isMeta = next !== SLASH && (meaning & WHICH) === META
      const charset = isMeta ? charsetReadAsAscii(metaLabel(bytes, tag)) : undefined
      if (charset !== undefined) return charset
      at = isMeta ? tag.at : tag.skip()
    } else if (next === BANG || next === SLASH || next === QUESTION) at = bogusCommentEnd(bytes, at + 1)
    else at++
  }
  return xml === undefined ? undefined : charsetReadAsAscii(xmlLabel(bytes))
}

/** What could be read as ASCII is not UTF-16, whatever it says; and x-user-defined is meant as windows-1252. */
function charsetReadAsAscii(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  if (label.trim().toLowerCase() === 'x-user-defined') return 'windows-1252'
  const charset = charsetOf(label)
  return charset?.startsWith('utf-16') ? 'utf-8' : charset
}

/** A document that begins as an XML declaration; in UTF-16 that settles it. */
const XML_DECLARATIONS: readonly (readonly [start: Buffer, charset: string | undefined])[] = [
  [Buffer.from('<?x', 'utf16le'), 'utf-16le'],
  [Buffer.from('<?x', 'utf16le').swap16(), 'utf-16be'],
  [Buffer.from('<?xml'), undefined],
]

function xmlLabel(bytes: Buffer): string | undefined {
  const declaration = bytes.toString('latin1', 0, bogusCommentEnd(bytes, 0))
  const [, doublyQuoted, quoted] = /encoding[\0- ]*=[\0- ]*(?:"([^"]*)"|'([^']*)')/.exec(declaration) ?? []
  return doublyQuoted ?? quoted
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
