import { TextDecoder } from 'node:util'

/** Decoders that were needed so far, by charset: at most as many as the Encoding Standard has charsets. */
const decoders = new Map<string, TextDecoder>()

/** Labels of most pages; making a decoder to ask for its name takes longer than reading a page. */
const COMMON = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
])

/** The charset that a label means, or undefined when there is none such, or none that can be decoded here. */
export function charsetOf(label: string): string | undefined {
  const common = COMMON.get(label.toLowerCase())
  if (common !== undefined) return common
  try {
    const decoder = new TextDecoder(label, { ignoreBOM: true })
    decoders.set(decoder.encoding, decoder)
    return decoder.encoding
  } catch {
    return undefined
  }
}

export function decoderOf(charset: string): TextDecoder {
  let decoder = decoders.get(charset)
  if (decoder === undefined) decoders.set(charset, (decoder = new TextDecoder(charset, { ignoreBOM: true })))
  return decoder
}

/** HTML standard, 2.5.3: extracting a character encoding from a meta element; it also reads a `Content-Type` header. */
export function labelIn(content: string): string | undefined {
  const [, doublyQuoted, quoted, bare] =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))/i.exec(content) ?? []
  return doublyQuoted ?? quoted ?? bare
}
