/** A longer word is cut: no language has one, and hostile pages may have nothing else. */
const MOST_UNITS = 64
/** Each unit takes at most three bytes, and the last character may fold to 18 letters. */
const MOST_BYTES = 3 * MOST_UNITS + 128

const UNKNOWN = 0
const SEPARATOR = 1
const LETTER = 2
/** Part of a word, but not of its folded form: a combining accent. */
const IGNORED = 3
/** A word of its own: a character of a script that has no blanks between its words. */
const WHOLE_WORD = 4
/** Folds to several letters, or is half of a character beyond U+FFFF. */
const SPECIAL = 5

/** What each UTF-16 unit is, and what a letter folds to. Filled when a unit is first met: all of them would take 50 ms. */
const kinds = new Uint8Array(65536)
const folded = new Uint16Array(65536)
const SPACELESS =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u
/** Letters that no decomposition takes apart. */
const LIKE: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ŀ: 'l',
}

/**
 * Reads the words of a text one after the other: letters and digits without case and accents, as UTF-8. After `next` has returned true,
 * the word is in `bytes`, `length` bytes long, and was read from `start` to `end` of the text. Makes no object per word.
 */
export class TokenReader {
  /** The word, filled up with zeros to a multiple of four bytes; and the same as numbers of four bytes. */
  readonly bytes = new Uint8Array(MOST_BYTES)
  readonly words = new Int32Array(this.bytes.buffer)
  length = 0
  start = 0
  end = 0
  /** A hash of the word: with a seed that pages cannot know, they cannot make words collide. */
  hash = 0
  private readonly seed: number
  /** The UTF-16 units of the text, copied: reading them is twice as fast as `charCodeAt`. */
  private units = new Uint16Array(1 << 12)
  private size = 0
  private at = 0

  constructor(seed = 0) {
    this.seed = seed
  }

  read(text: string): void {
    if (text.length > this.units.length) this.units = new Uint16Array(2 * text.length)
    const { buffer } = this.units
    Buffer.from(buffer).write(text, 'utf16le')
    this.size = text.length
    this.at = 0
  }

  next(): boolean {
    const { units, size, bytes } = this
    let at = this.at
    let length = 0
    let start = -1
    let letters = 0
    for (; at < size; at++) {
      const unit = units[at]!
      const letter = folded[unit]!
      if (letter !== 0) {
        if (start < 0) start = at
        if (letters++ >= MOST_UNITS) continue
        if (letter < 0x80) bytes[length++] = letter
        else length = put(bytes, length, letter)
        continue
      }
      const kind = kinds[unit]!
      if (kind === SEPARATOR) {
        if (length > 0) break
        start = -1
      } else if (kind === UNKNOWN) {
        learn(unit)
        at--
      } else if (kind === WHOLE_WORD) {
        if (length > 0) break
        start = at++
        length = put(bytes, 0, unit)
        break
      } else if (kind === SPECIAL) {
        const point = pointAt(units, at, size)
        const folding = specialOf(point)
        if (folding === '') {
          if (length > 0) break
          start = -1
        } else {
          if (start < 0) start = at
          for (const one of letters < MOST_UNITS ? folding : '') length = put(bytes, length, one.codePointAt(0)!)
          letters += folding.length
        }
        if (point > 0xffff) at++
      }
    }
    this.at = at
    this.length = length
    this.start = start
    this.end = at
    bytes[length] = bytes[length + 1] = bytes[length + 2] = 0
    this.hash = hashOf(this.words, length, this.seed)
    return length > 0
  }
}

/** The character that begins at a unit; half of one is the unit itself. */
function pointAt(units: Uint16Array, at: number, size: number): number {
  const high = units[at]!
  const low = at + 1 < size ? units[at + 1]! : 0
  const isPair = (high & 0xfc00) === 0xd800 && (low & 0xfc00) === 0xdc00
  return isPair ? 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff) : high
}

/** A hash of a term, four bytes at a time. */
export function hashOf(words: Int32Array, length: number, seed: number): number {
  let hash = seed ^ length
  for (let at = 0, end = (length + 3) >> 2; at < end; at++) {
    hash = Math.imul(hash ^ words[at]!, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash, 0x85ebca6b)
  return hash ^ (hash >>> 13)
}

/** Appends a character as UTF-8; returns the length with it. */
function put(bytes: Uint8Array, at: number, point: number): number {
  if (point < 0x80) bytes[at++] = point
  else if (point < 0x800) {
    bytes[at++] = 0xc0 | (point >> 6)
    bytes[at++] = 0x80 | (point & 63)
  } else if (point < 0x10000) {
    bytes[at++] = 0xe0 | (point >> 12)
    bytes[at++] = 0x80 | ((point >> 6) & 63)
    bytes[at++] = 0x80 | (point & 63)
  } else {
    bytes[at++] = 0xf0 | (point >> 18)
    bytes[at++] = 0x80 | ((point >> 12) & 63)
    bytes[at++] = 0x80 | ((point >> 6) & 63)
    bytes[at++] = 0x80 | (point & 63)
  }
  return at
}

function learn(unit: number): void {
  const letters = unit >= 0xd800 && unit <= 0xdfff ? undefined : foldedLetters(String.fromCharCode(unit))
  if (letters === '') kinds[unit] = SEPARATOR
  else if (letters === IGNORED) kinds[unit] = IGNORED
  else if (letters?.length !== 1) kinds[unit] = SPECIAL
  else if (SPACELESS.test(letters) && letters.charCodeAt(0) === unit) kinds[unit] = WHOLE_WORD
  else {
    kinds[unit] = LETTER
    folded[unit] = letters.charCodeAt(0)
  }
}

const specials = new Map<number, string>()
const MOST_SPECIALS = 4096

/** What a character that is not one unit for one folds to; empty: it is between words. */
function specialOf(point: number): string {
  let letters = specials.get(point)
  if (letters === undefined) {
    const found = foldedLetters(String.fromCodePoint(point))
    letters = found === IGNORED ? '' : found
    if (specials.size < MOST_SPECIALS) specials.set(point, letters)
  }
  return letters
}

/** The letters and digits of a character without case and accents; empty when it has none. */
function foldedLetters(character: string): string | typeof IGNORED {
  if (/^\p{Mn}$/u.test(character)) return IGNORED
  if (!/^[\p{L}\p{N}\p{Mc}]$/u.test(character)) return ''
  const plain = character.normalize('NFKD').toLowerCase().normalize('NFKD')
  // Fractions and the like have signs in them.
  const letters = plain.replace(/[^\p{L}\p{N}\p{Mc}]/gu, '')
  return letters.replace(/\P{ASCII}/gu, letter => LIKE[letter] ?? letter)
}
