/**
 * A pattern in which `*` stands for any text, also for none. The first match of each part between stars is as good as any later one, so a pattern
 * made of stars costs no more than one without.
 */
export class Wildcard {
  private readonly first: string
  /** In this order. */
  private readonly inner: readonly string[]
  /** Where `first` alone doesn't decide it. */
  private readonly last: string
  private readonly hasStar: boolean
  private readonly whole: boolean

  /** `whole`: otherwise a beginning of the text is enough. */
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
