/**
 * A text to look for in UTF-8 bytes in any case, without decoding them. Letters are compared by simple case mapping: `ß` is not `SS`.
 */
export class FoldedText {
  /** The bytes of each character in lower and in upper case; one of the two when they are the same. */
  private readonly characters: readonly (readonly Buffer[])[]
  /** 1 for each byte with which the text can begin. */
  private readonly beginnings = new Uint8Array(256)

  constructor(text: string) {
    this.characters = [...text].map(character => {
      const forms = new Set([character.toLowerCase(), character.toUpperCase()])
      return [...forms].map(form => Buffer.from(form))
    })
    for (const form of this.characters[0] ?? []) this.beginnings[form[0]!] = 1
  }

  /** Whether it stands in these bytes from `start` to `end`. */
  isIn(bytes: Uint8Array, start: number, end: number): boolean {
    const { beginnings } = this
    if (this.characters.length === 0) return true
    for (let at = start; at < end; at++) if (beginnings[bytes[at]!] === 1 && this.isAt(bytes, at, end)) return true
    return false
  }

  private isAt(bytes: Uint8Array, from: number, end: number): boolean {
    let at = from
    for (const forms of this.characters) {
      const form = forms.find(one => at + one.length <= end && one.every((byte, i) => byte === bytes[at + i]))
      if (form === undefined) return false
      at += form.length
    }
    return true
  }
}
