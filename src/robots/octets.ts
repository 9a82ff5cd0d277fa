/**
 * RFC 9309 2.2.2: rules and URLs are compared octet by octet, after both were written in the same way. Here that is: what
 * no URI may contain as it is, is percent-encoded, with upper-case digits; what needs no encoding (letters, digits,
 * `-._~`) is decoded; reserved characters stay as they were written, so `%2F` is not `/`.
 */
const TO_REWRITE = /%[\da-f]{2}|[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gi
const UNRESERVED = /[\w\-.~]/

/** `text` has one character per byte. */
export function sameOctets(text: string): string {
  return text.replace(TO_REWRITE, part => {
    if (part.length === 1) return encoded(part.charCodeAt(0))
    const code = Number.parseInt(part.slice(1), 16)
    const char = String.fromCharCode(code)
    return UNRESERVED.test(char) ? char : encoded(code)
  })
}

function encoded(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
