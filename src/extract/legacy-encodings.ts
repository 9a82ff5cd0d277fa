import { createRequire } from 'node:module'

type Encodings = Pick<typeof import('@exodus/bytes/encoding.js'), 'TextDecoder'> &
  Pick<typeof import('@exodus/bytes/whatwg.js'), 'percentEncodeAfterEncoding'>

/** Charsets that Node's own decoder reads otherwise than the Encoding Standard, or not at all: decisions/0010. */
const READ_WRONG_BY_NODE: ReadonlySet<string> = new Set(
  'big5 euc-jp euc-kr gbk ibm866 iso-2022-jp iso-8859-16 koi8-u shift_jis windows-1253 windows-1255 windows-874'.split(
    ' ',
  ),
)

let loaded: Encodings | 'missing' | undefined

/**
 * The Encoding Standard by the letter, loaded when the first page comes that needs it. Undefined where an ES module can't
 * be loaded at once: in Node 20 before 20.19, and in Node 22 before 22.12. Then Node's own decoder has to do.
 */
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

/** A decoder of a charset, by its name in the Encoding Standard. */
export function newDecoder(charset: string): { decode(bytes: Uint8Array): string } {
  const Decoder = (READ_WRONG_BY_NODE.has(charset) ? encodings()?.TextDecoder : undefined) ?? TextDecoder
  return new Decoder(charset, { ignoreBOM: true })
}
