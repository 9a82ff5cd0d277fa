import { type BaseUrl, type WebRefusal, type WebUrl, webUrl } from '../url/web.ts'
import type { Anchor, AnchorTraits } from './anchors.ts'
import { withQueryIn } from './encodings.ts'

/** Why a link was left out. */
export type LinkRefusal = WebRefusal | 'nofollow' | 'too-many-links'

const MOST_LINKS = 100_000

export interface LinksTraits {
  readonly isNofollow: boolean
  readonly withAnchors: boolean
}

const NO_TRAITS: AnchorTraits = { text: '', rel: '', isNofollow: false }

/** The links of one page: each once, in order, and how many were left out and why. */
export class PageLinks {
  readonly links: WebUrl[] = []
  readonly anchors: Anchor[] | undefined
  readonly refused: Partial<Record<LinkRefusal, number>> = {}
  private readonly seen = new Set<string>()
  private readonly base: BaseUrl
  private readonly charset: string
  private readonly isNofollow: boolean

  constructor(base: BaseUrl, charset: string, { isNofollow, withAnchors }: LinksTraits) {
    this.base = base
    this.charset = charset
    this.isNofollow = isNofollow
    this.anchors = withAnchors ? [] : undefined
  }

  /** As written on the page; another base than the page's may apply. */
  add(text: string, traits = NO_TRAITS, base = this.base): void {
    const { anchors } = this
    let refusal: LinkRefusal | undefined
    if (this.isNofollow || traits.isNofollow) refusal = 'nofollow'
    else if (this.links.length === MOST_LINKS) refusal = 'too-many-links'
    if (refusal !== undefined) this.refuse(refusal, 1)
    if (refusal !== undefined && anchors === undefined) return
    const url = webUrl(withQueryIn(this.charset, text), base)
    if (typeof url === 'string') {
      if (refusal === undefined) this.refuse(url, 1)
      return
    }
    if (anchors !== undefined && anchors.length < MOST_LINKS) anchors.push({ url, text: traits.text, rel: traits.rel })
    if (refusal !== undefined || this.seen.has(url.href)) return
    this.seen.add(url.href)
    this.links.push(url)
  }

  refuse(reason: LinkRefusal, count: number): void {
    if (count > 0) this.refused[reason] = (this.refused[reason] ?? 0) + count
  }
}
