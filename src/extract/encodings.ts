import { createRequire } from 'node:module'

/** At most as many as the Encoding Standard has charsets. */
const decoders = new Map<string, ReturnType<typeof newDecoder>>()

/** Making a decoder to ask for its name takes longer than reading a page. */
const COMMON = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
])

/** Undefined when it can't be decoded here. */
export function charsetOf(label: string): string | undefined {
  const name = label.trim().toLowerCase()
  const common = COMMON.get(name)
  if (common !== undefined) return common
  try {
    return new TextDecoder(name).encoding
  } catch {
    return name === 'iso-8859-16' && encodings() !== undefined ? name : undefined
  }
}

export function decoderOf(charset: string): ReturnType<typeof newDecoder> {
  let decoder = decoders.get(charset)
  if (decoder === undefined) decoders.set(charset, (decoder = newDecoder(charset)))
  return decoder
}

/** HTML standard, 2.5.3; also for a `Content-Type` header. */
export function labelIn(content: string): string | undefined {
  const [, doublyQuoted, quoted, bare] =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))/i.exec(content) ?? []
  return doublyQuoted ?? quoted ?? bare
}

type Encodings = Pick<typeof import('@exodus/bytes/encoding.js'), 'TextDecoder'> &
  Pick<typeof import('@exodus/bytes/whatwg.js'), 'percentEncodeAfterEncoding'>

/** Node's own decoder reads these otherwise than the Encoding Standard, or not at all: decisions/0010. */
const READ_WRONG_BY_NODE: ReadonlySet<string> = new Set(
  'big5 euc-jp euc-kr gbk ibm866 iso-2022-jp iso-8859-16 koi8-u shift_jis windows-1253 windows-1255 windows-874'.split(
    ' ',
  ),
)

let loaded: Encodings | 'missing' | undefined

/** The Encoding Standard by the letter, loaded when first needed. Undefined before Node 20.19 and 22.12, where Node's own decoder has to do. */
export function encodings(): Encodings | undefined {
  loaded ??= load()
  return loaded === 'missing' ? undefined : loaded
}

function load(): Encodings | 'missing' {
  const require = createRequire(import.meta.url)
  try {
    return { ...require('@exodus/bytes/encoding.js'), ...require('@exodus/bytes/whatwg.js') }
  } catch {
    return 'missing'
  }
}

function newDecoder(charset: string): { decode(bytes: Uint8Array): string } {
  const Decoder = (READ_WRONG_BY_NODE.has(charset) ? encodings()?.TextDecoder : undefined) ?? TextDecoder
  return new Decoder(charset, { ignoreBOM: true })
}

/** UTF-16 has no queries of its own, and ISO-2022-JP no code that stands for itself; both get UTF-8. */
const IN_UTF8 = new Set(['utf-8', 'utf-16le', 'utf-16be', 'iso-2022-jp'])
const NOT_ASCII = /[^\0-\x7f]+/g

/** URL standard: the query of a link is written in the charset of its page: `?q=é` in windows-1252 is `?q=%E9`. */
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
