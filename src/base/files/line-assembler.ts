/** Assembles pieces of text into lines. */
export class LineAssembler {
  private pieces: string[] = []
  private chars = 0
  private readonly mostChars: number

  /** `mostChars`: the maximum length of a line. */
  constructor(mostChars: number) {
    this.mostChars = mostChars
  }

  /** The lines completed by this piece; undefined when a line is too long. */
  read(piece: string): string[] | undefined {
    this.chars += piece.length
    this.pieces.push(piece)
    if (!piece.includes('\n')) return this.chars > this.mostChars ? undefined : []
    const lines = this.pieces.join('').split('\n')
    const begun = lines.pop()!
    this.pieces = [begun]
    this.chars = begun.length
    return this.chars > this.mostChars || lines.some(line => line.length > this.mostChars) ? undefined : lines
  }
}
