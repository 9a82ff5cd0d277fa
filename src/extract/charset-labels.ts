import { encodings, newDecoder } from './legacy-encodings.ts'

/** Decoders that were needed so far, by charset: at most as many as the Encoding Standard has charsets. */
const decoders = new Map<string, ReturnType<typeof newDecoder>>()

/** Labels of most pages; making a decoder to ask for its name takes longer than reading a page. */
const COMMON = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
])

/** The charset that a label means, or undefined when there is none such, or none that can be decoded here. */
export function charsetOf(label: string): string | undefined {
  const name = label.trim().toLowerCase()
  const common = COMMON.get(name)
  if (common !== undefined) return common
  try {
    return new TextDecoder(name).encoding
  } catch {
    // Node does not have this one.
    return name === 'iso-8859-16' && encodings() !== undefined ? name : undefined
  }
}

export function decoderOf(charset: string): ReturnType<typeof newDecoder> {
  let decoder = decoders.get(charset)
  if (decoder === undefined) decoders.set(charset, (decoder = newDecoder(charset)))
  return decoder
}

/** HTML standard, 2.5.3: extracting a character encoding from a meta element; it also reads a `Content-Type` header. */
export function labelIn(content: string): string | undefined {
  const [, doublyQuoted, quoted, bare] =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))/i.exec(content) ?? []
  return doublyQuoted ?? quoted ?? bare
}
