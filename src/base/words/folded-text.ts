/**
 * Looks for a text in UTF-8 bytes in any case, without decoding them, from its end (Horspool). It may find too much: each byte may be that of either
 * case; and letters whose cases differ in length, such as `ß`, are found only as they are.
 */
export class FoldedText {
  private readonly lower: Uint8Array
  private readonly upper: Uint8Array
  /** How far to move on by the byte at the end. */
  private readonly steps: Uint32Array

  constructor(text: string) {
    const forms = [...text].map(casesOf)
    this.lower = Uint8Array.from(Buffer.from(forms.map(([lower]) => lower).join('')))
    this.upper = Uint8Array.from(Buffer.from(forms.map(([, upper]) => upper).join('')))
    const last = this.lower.length - 1
    this.steps = new Uint32Array(256).fill(last + 1)
    for (let i = 0; i < last; i++) this.steps[this.lower[i]!] = this.steps[this.upper[i]!] = last - i
  }

  isIn(bytes: Uint8Array, start: number, end: number): boolean {
    const { lower, upper, steps } = this
    const last = lower.length - 1
    if (last < 0) return true
    const [lowerLast, upperLast] = [lower[last], upper[last]]
    for (let at = start + last; at < end; ) {
      const byte = bytes[at]!
      if ((byte === lowerLast || byte === upperLast) && this.isAt(bytes, at - last)) return true
      at += steps[byte]!
    }
    return false
  }

  private isAt(bytes: Uint8Array, at: number): boolean {
    const { lower, upper } = this
    for (let i = 0; i < lower.length; i++) {
      const byte = bytes[at + i]
      if (byte !== lower[i] && byte !== upper[i]) return false
    }
    return true
  }
}

function casesOf(character: string): [lower: string, upper: string] {
  const lower = character.toLowerCase()
  const upper = character.toUpperCase()
  return Buffer.byteLength(lower) === Buffer.byteLength(upper) ? [lower, upper] : [character, character]
}
