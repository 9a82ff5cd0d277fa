/** An element of a page. */
export interface PageElement {
  /** The text in it, scripts and styles apart: each run of blanks is one, and none is at its ends. */
  readonly text: string
  /** Its markup, with its own tags. */
  readonly html: string
  /** The value of an attribute, with references decoded: of `href` as it is written, which `enqueue` takes. Undefined when there is none. */
  attr(name: string): string | undefined
  /** The elements in it that match a selector. */
  select(selector: string): PageElement[]
}
