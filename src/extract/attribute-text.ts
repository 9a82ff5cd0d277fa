import { decodeHTMLAttribute } from 'entities/decode'
import type { Span } from './tag-reader.ts'

/** What an attribute says: references are resolved, and NUL is U+FFFD (HTML standard, 13.2.5.36 to 13.2.5.38). */
export function attributeText(bytes: Buffer, { start, end }: Span): string {
  const text = bytes.toString('utf8', start, end)
  return /[&\0]/.test(text) ? decodeHTMLAttribute(text.replaceAll('\0', '\ufffd')) : text
}
