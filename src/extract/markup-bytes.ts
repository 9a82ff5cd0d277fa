/** Kinds of bytes that the HTML standard's tokenizer distinguishes. All of them are ASCII, so UTF-8 is read as it is. */
export const LESS = 0x3c
export const GREATER = 0x3e
export const EQUALS = 0x3d
export const AMPERSAND = 0x26
export const SEMICOLON = 0x3b
export const HASH = 0x23
export const SLASH = 0x2f
export const DASH = 0x2d
export const BANG = 0x21
export const QUESTION = 0x3f
export const DOUBLE_QUOTE = 0x22
export const SINGLE_QUOTE = 0x27

/** Tab, line feed, form feed, carriage return, blank: what the standard calls ASCII whitespace. */
export const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x09 || byte === 0x0d || byte === 0x0c

export const isLetter = (byte: number | undefined): boolean => {
  const lower = (byte ?? 0) | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** True when `bytes` from `start` on read like `text`, in any case. */
export function startsWith(bytes: Uint8Array, start: number, text: Uint8Array): boolean {
  if (start + text.length > bytes.length) return false
  for (let i = 0; i < text.length; i++) {
    const wanted = text[i]!
    const byte = bytes[start + i]!
    if (byte !== wanted && !((byte ^ wanted) === 0x20 && isLetter(byte))) return false
  }
  return true
}

export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, char => char.charCodeAt(0))
}
