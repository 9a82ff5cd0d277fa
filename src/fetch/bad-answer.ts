/** An answer can't be read: it is not HTTP, or its head is too long. */
export class BadAnswer extends Error {
  readonly why: 'protocol' | 'headers'

  constructor(why: 'protocol' | 'headers') {
    super(`bad answer: ${why}`)
    this.why = why
  }
}
