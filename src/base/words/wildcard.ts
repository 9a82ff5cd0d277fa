/**
 * A pattern in which `*` stands for any text, also for none, and everything else for itself; taken apart once.
 *
 * Each part between two stars is looked for after the one before it. The first place where it stands is as good as any later
 * one, so no choice is ever taken back: a pattern made of stars costs no more than one without.
 */
export class Wildcard {
  private readonly first: string
  /** The parts after the first one that have to come somewhere, in this order. */
  private readonly inner: readonly string[]
  /** What the text has to end with, where `first` alone does not decide it. */
  private readonly last: string
  private readonly hasStar: boolean
  private readonly whole: boolean

  /** `whole`: the pattern has to describe the whole text; otherwise a beginning of it is enough. */
  constructor(pattern: string, whole: boolean) {
    const [first = '', ...rest] = pattern.split('*')
    this.first = first
    this.hasStar = rest.length > 0
    this.whole = whole
    this.last = (whole ? rest.pop() : undefined) ?? ''
    this.inner = rest.filter(part => part !== '')
  }

  matches(text: string): boolean {
    if (!text.startsWith(this.first)) return false
    if (!this.hasStar) return !this.whole || text.length === this.first.length
    let at = this.first.length
    for (const part of this.inner) {
      const found = text.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return at + this.last.length <= text.length && text.endsWith(this.last)
  }
}
