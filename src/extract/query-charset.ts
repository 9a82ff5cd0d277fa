/**
 * URL standard: the query of a link is written in the charset of its page. Only the query, and only where that is not UTF-8:
 * `?q=é` on a page in windows-1252 asks for `?q=%E9`.
 */
import { decodedText } from './charset.ts'

/** UTF-16 has no queries of its own, and ISO-2022-JP no code that stands for itself; both get UTF-8. */
const IN_UTF8 = new Set(['utf-8', 'utf-16le', 'utf-16be', 'iso-2022-jp'])
const NOT_ASCII = /[^\0-\x7f]/

/** An address with the query as the page's charset writes it. */
export function withQueryIn(charset: string, address: string): string {
  if (IN_UTF8.has(charset) || !NOT_ASCII.test(address)) return address
  const fragment = address.indexOf('#')
  const end = fragment === -1 ? address.length : fragment
  const start = address.indexOf('?')
  if (start === -1 || start > end) return address
  const codes = codesIn(charset)
  const query = address.slice(start, end).replace(/[^\0-\x7f]/gu, char => {
    return codes.get(char) ?? `%26%23${char.codePointAt(0)}%3B`
  })
  return address.slice(0, start) + query + address.slice(end)
}

/** By charset, then by character: its code as a query has it. Made when first needed; there are some forty charsets. */
const known = new Map<string, ReadonlyMap<string, string>>()

function codesIn(charset: string): ReadonlyMap<string, string> {
  let codes = known.get(charset)
  if (codes === undefined) known.set(charset, (codes = readCodes(charset)))
  return codes
}

/** Decodes every code of one and two bytes, a line each; what comes out as one character is its code. */
function readCodes(charset: string): ReadonlyMap<string, string> {
  const lines: number[][] = []
  for (let lead = 0x80; lead <= 0xff; lead++) {
    lines.push([lead])
    for (let trail = 0x40; trail <= 0xfe; trail++) lines.push([lead, trail])
  }
  const chars = decodedText(Buffer.from(lines.flatMap(line => [...line, LINE_FEED])), charset).split('\n')
  const codes = new Map<string, string>()
  for (const [index, line] of lines.entries()) {
    const char = chars[index]!
    const isOne = char.length === (char.codePointAt(0)! > 0xffff ? 2 : 1)
    if (isOne && char !== '\ufffd' && !codes.has(char)) codes.set(char, line.map(escaped).join(''))
  }
  return codes
}

const LINE_FEED = 0x0a

function escaped(byte: number): string {
  return byte < 0x7f ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`
}
