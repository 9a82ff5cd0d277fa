/**
 * Without the blanks and control characters at both ends. Not `trim`, which also takes U+00A0, the last byte of many a
 * UTF-8 character, and no regular expression, which takes quadratic time on long runs of blanks.
 */
export function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  return text.slice(start, end)
}
