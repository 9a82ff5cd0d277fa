import type { WebUrl } from '../url/web.ts'
import { cleaned } from './characters.ts'
import type { PageText } from './page-text.ts'
import { attributeText, type Span } from './tag-reader.ts'

export interface Anchor {
  readonly url: WebUrl
  /** What a reader sees, words divided by one blank, or else its first image's `alt`. At most 500 UTF-16 units; empty for a frame or a refresh. */
  readonly text: string
  /** In lower case, divided by one blank; at most 100 UTF-16 units. */
  readonly rel: string
}

export interface AnchorTraits {
  readonly text: string
  readonly rel: string
  readonly isNofollow: boolean
}

interface Found {
  text: string
  alt: Span | undefined
  readonly rel: Span | undefined
  readonly isNofollow: boolean
}

const MOST_TEXT_UNITS = 500
const MOST_REL_UNITS = 100
/** More than enough for either, and little to clean. */
const MOST_ATTRIBUTE_BYTES = 1 << 15

/**
 * The links of a page with their texts. An `<a>` ends with its end tag, with the next one, and with its table cell, as in the standard's list of
 * active formatting elements.
 */
export class Anchors {
  private readonly found: Found[] = []
  private readonly text: PageText
  private open: Found | undefined
  private mark = 0
  private tableDepth = 0
  private openAtDepth = 0
  private isOpenHidden = false

  constructor(text: PageText) {
    this.text = text
  }

  /** Text is read for an anchor only, one that isn't shown. */
  get isAside(): boolean {
    return this.isOpenHidden
  }

  /** `alt` replaces a missing text. */
  add(rel: Span | undefined, isNofollow: boolean, alt: Span | undefined): void {
    this.found.push({ text: '', alt, rel, isNofollow })
  }

  /** The text of the last link follows. */
  begin(isHidden: boolean): void {
    this.open = this.found.at(-1)
    this.openAtDepth = this.tableDepth
    this.isOpenHidden = isHidden
    if (isHidden) this.text.beginAside()
    this.mark = this.text.mark
  }

  end(): void {
    if (this.open === undefined) return
    this.open.text = this.text.since(this.mark, MOST_TEXT_UNITS)
    this.open = undefined
    if (this.isOpenHidden) this.text.endAside()
    this.isOpenHidden = false
  }

  endHidden(): void {
    if (this.isAside) this.end()
  }

  beginTable(): void {
    this.tableDepth++
  }

  endTable(): void {
    this.tableDepth = Math.max(0, this.tableDepth - 1)
    if (this.openAtDepth > this.tableDepth) this.end()
  }

  /** A cell or row begins or ends. */
  divideTable(): void {
    if (this.tableDepth > 0 && this.openAtDepth === this.tableDepth) this.end()
  }

  /** Whether the next image may have to speak for the link. */
  get wantsAlt(): boolean {
    return this.open !== undefined && this.open.alt === undefined
  }

  image(alt: Span | undefined): void {
    if (this.open !== undefined) this.open.alt ??= alt
  }

  traits(link: number, bytes: Buffer): AnchorTraits {
    const { text, alt, rel, isNofollow } = this.found[link]!
    return {
      text: text === '' && alt !== undefined ? shownText(bytes, alt, MOST_TEXT_UNITS) : text,
      rel: rel === undefined ? '' : shownText(bytes, rel, MOST_REL_UNITS).toLowerCase(),
      isNofollow,
    }
  }
}

function shownText(bytes: Buffer, { start, end }: Span, mostUnits: number): string {
  const bounded = { start, end: Math.min(end, start + MOST_ATTRIBUTE_BYTES) }
  return cleaned(attributeText(bytes, bounded), mostUnits).trimEnd()
}
