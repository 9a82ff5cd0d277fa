/** What a character does to the words of a text. Those of a page are counted on its bytes; this says how. */
import { AMPERSAND, HASH, LESS, SEMICOLON } from './markup-bytes.ts'

/** Divides words: what `\s` means in JavaScript, no-break and ideographic blanks among them. */
export const SPACE = 0
export const WORD = 1
/** Is left out and divides nothing: control characters, and those that turn the direction of writing. */
export const IGNORED = 2
/** A byte that doesn't decide alone: a reference, or the start of a character that may not belong to a word. */
export const OPEN = 3
export const MARKUP = 4

const IGNORED_CHARACTERS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

function kindOf(codePoint: number): number {
  const char = String.fromCodePoint(codePoint)
  if (/\s/.test(char)) return SPACE
  return IGNORED_CHARACTERS.test(char) ? IGNORED : WORD
}

/** Characters that don't belong to words, up to U+FFFF: from, to. */
const UNUSUAL_BLOCKS = [
  [0, 0xff],
  [0x61c, 0x61c],
  [0x1680, 0x1680],
  [0x2000, 0x206f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
] as const

/** Up to U+FFFF; above that all belong to words. */
const BY_CODE_POINT = new Uint8Array(0x10000).fill(WORD)
/** OPEN where a byte begins characters of several kinds. */
export const KINDS = new Uint8Array(256).fill(WORD)
for (const [from, to] of UNUSUAL_BLOCKS) {
  for (let codePoint = from; codePoint <= to; codePoint++) {
    const kind = kindOf(codePoint)
    BY_CODE_POINT[codePoint] = kind
    if (codePoint < 0x80) KINDS[codePoint] = kind
    else if (kind !== WORD) KINDS[Buffer.from(String.fromCodePoint(codePoint))[0]!] = OPEN
  }
}
KINDS[AMPERSAND] = OPEN
KINDS[LESS] = MARKUP

/** References to something else than a word character. */
const NAMED: readonly (readonly [name: Buffer, kind: number])[] = [
  ...'nbsp; nbsp NonBreakingSpace; Tab; NewLine; ensp; emsp; emsp13; emsp14; numsp; puncsp; thinsp; ThinSpace; hairsp;'
    .concat(' VeryThinSpace; MediumSpace; ThickSpace;')
    .split(' ')
    .map(name => [Buffer.from(name), SPACE] as const),
  ...['lrm;', 'rlm;'].map(name => [Buffer.from(name), IGNORED] as const),
]
/** What they begin with. */
const FIRST_OF_NAMED = new Uint8Array(256)
for (const [name] of NAMED) FIRST_OF_NAMED[name[0]!] = 1
const LARGEST = 0x10ffff

/** The kind of the character or reference at an OPEN byte, and its bytes: `length * 4 + kind`. Anything else is WORD, a byte long. */
export function openKind(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]!
  if (byte === AMPERSAND) return bytes[at + 1] === HASH ? numericKind(bytes, at) : namedKind(bytes, at)
  const second = (bytes[at + 1] ?? 0) ^ 0x80
  if (second > 0x3f) return 4 + WORD
  if (byte < 0xe0) return 8 + BY_CODE_POINT[((byte & 0x1f) << 6) | second]!
  const third = (bytes[at + 2] ?? 0) ^ 0x80
  if (third > 0x3f) return 4 + WORD
  return 12 + BY_CODE_POINT[((byte & 0xf) << 12) | (second << 6) | third]!
}

function namedKind(bytes: Uint8Array, at: number): number {
  if (at + 1 >= bytes.length || FIRST_OF_NAMED[bytes[at + 1]!] === 0) return 4 + WORD
  for (const [name, kind] of NAMED) {
    let same = 0
    while (same < name.length && bytes[at + 1 + same] === name[same]) same++
    if (same === name.length) return (same + 1) * 4 + kind
  }
  return 4 + WORD
}

function numericKind(bytes: Uint8Array, start: number): number {
  let at = start + 2
  const isHex = ((bytes[at] ?? 0) | 0x20) === 0x78
  if (isHex) at++
  const digits = at
  let codePoint = 0
  for (; at < bytes.length; at++) {
    const digit = digitOf(bytes[at]!)
    if (digit >= (isHex ? 16 : 10)) break
    codePoint = Math.min(codePoint * (isHex ? 16 : 10) + digit, LARGEST + 1)
  }
  if (at === digits) return 4 + WORD
  if (bytes[at] === SEMICOLON) at++
  return (at - start) * 4 + kindOfNumber(codePoint)
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : 16
}

/** From 0x80 to 0x9f the standard means windows-1252, which has five holes there; they stay control characters. */
const HOLES = [0x81, 0x8d, 0x8f, 0x90, 0x9d]

function kindOfNumber(codePoint: number): number {
  if (codePoint === 0) return WORD
  if (codePoint >= 0x80 && codePoint < 0xa0) return HOLES.includes(codePoint) ? IGNORED : WORD
  return BY_CODE_POINT[codePoint] ?? WORD
}

/** One blank between words, nothing ignored, at most `mostUnits` UTF-16 units. */
export function cleaned(text: string, mostUnits: number): string {
  return shortened(text.replace(ALL_IGNORED, '').replace(/\s+/g, ' ').trim(), mostUnits)
}

const ALL_IGNORED = /(?![\t\n\v\f\r])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Never in the middle of a character. */
export function shortened(text: string, mostUnits: number): string {
  if (text.length <= mostUnits) return text
  const last = text.charCodeAt(mostUnits - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? mostUnits - 1 : mostUnits)
}
