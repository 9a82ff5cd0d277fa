import { ascii, BANG, DASH, GREATER, isBlank, LESS, SLASH, startsWith } from './markup-bytes.ts'

const SCRIPT = ascii('script')

/** Where the end tag begins, or the end of the page. `name`: in any case. */
export function rawTextEnd(bytes: Uint8Array, start: number, name: Uint8Array): number {
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] === LESS && bytes[at + 1] === SLASH && isWholeName(bytes, at + 2, name)) return at
  }
  return bytes.length
}

/** In a script `<!--` and `<script` together hide an end tag until `-->` (HTML standard, 13.2.5.15 to 13.2.5.31). */
export function scriptEnd(bytes: Uint8Array, start: number): number {
  let isEscaped = false
  let isDoublyEscaped = false
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === LESS) {
      if (bytes[at + 1] === SLASH && isWholeName(bytes, at + 2, SCRIPT)) {
        if (!isDoublyEscaped) return at
        isDoublyEscaped = false
      } else if (isEscaped) isDoublyEscaped ||= isWholeName(bytes, at + 1, SCRIPT)
      else if (bytes[at + 1] === BANG && bytes[at + 2] === DASH && bytes[at + 3] === DASH) {
        isEscaped = true
        // The dashes may already be those of the end, as in `<!-->`.
        at++
      }
    } else if (byte === DASH && bytes[at + 1] === DASH && bytes[at + 2] === GREATER) {
      isEscaped = isDoublyEscaped = false
    }
  }
  return bytes.length
}

function isWholeName(bytes: Uint8Array, start: number, name: Uint8Array): boolean {
  if (!startsWith(bytes, start, name)) return false
  const after = bytes[start + name.length]
  return after === GREATER || after === SLASH || isBlank(after)
}

/** `start`: after `<!--` (13.2.5.43 to 13.2.5.52). */
export function commentEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] !== GREATER) continue
    const dashes = bytes[at - 1] === BANG ? at - 3 : at - 2
    if (dashes >= start && bytes[dashes] === DASH && bytes[dashes + 1] === DASH) return at + 1
    if (at === start || (at === start + 1 && bytes[start] === DASH)) return at + 1
  }
  return bytes.length
}

/** After the next `>`: the end of what the standard calls a bogus comment, and of a doctype. */
export function bogusCommentEnd(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== GREATER) at++
  return Math.min(at + 1, bytes.length)
}
