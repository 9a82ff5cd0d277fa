/** Control, format and unassigned characters, and line separators: what a terminal might obey instead of show. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]/gu

/** A text that is safe to show on a terminal: what is not visible is written out as `\u{…}`. */
export function printable(text: string): string {
  return text.replace(UNSAFE, char => `\\u{${char.codePointAt(0)!.toString(16)}}`)
}

/** Printable. */
export function excerpt(text: string, maxChars = 200): string {
  return text.length <= maxChars ? printable(text) : `${printable(text.slice(0, maxChars))}…`
}

/** In quotes and printable. */
export function quoted(bytes: Uint8Array, maxChars = 40): string {
  const text = Buffer.from(bytes.subarray(0, (maxChars + 1) * 4)).toString()
  const chars = Array.from(text)
  return `"${printable(chars.slice(0, maxChars).join(''))}${chars.length > maxChars ? '…' : ''}"`
}

/** For commands that people may copy. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${printable(text).replaceAll("'", `'\\''`)}'`
}
