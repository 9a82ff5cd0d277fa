import { type BaseUrl, type WebRefusal, type WebUrl, webUrl } from '../url/web.ts'
import { withQueryIn } from './query-charset.ts'

/** Why a link was left out. */
export type LinkRefusal = WebRefusal | 'nofollow' | 'too-many-links'

const MOST_LINKS = 100_000

/** The links of one page: each once, in order, and how many were left out and why. */
export class Links {
  readonly links: WebUrl[] = []
  readonly refused: Partial<Record<LinkRefusal, number>> = {}
  private readonly seen = new Set<string>()
  private readonly base: BaseUrl
  private readonly charset: string
  private readonly isNofollow: boolean

  /** `charset` is that of the page. With `isNofollow` no link is taken. */
  constructor(base: BaseUrl, charset: string, isNofollow: boolean) {
    this.base = base
    this.charset = charset
    this.isNofollow = isNofollow
  }

  /** Takes a link as it stands on the page; another base than the page's may hold for it. */
  add(text: string, base = this.base): void {
    const url = this.resolve(text, base)
    if (typeof url === 'string') this.refuse(url, 1)
    else if (!this.seen.has(url.href)) {
      this.seen.add(url.href)
      this.links.push(url)
    }
  }

  refuse(reason: LinkRefusal, count: number): void {
    if (count > 0) this.refused[reason] = (this.refused[reason] ?? 0) + count
  }

  private resolve(text: string, base: BaseUrl): WebUrl | LinkRefusal {
    if (this.isNofollow) return 'nofollow'
    if (this.links.length === MOST_LINKS) return 'too-many-links'
    return webUrl(withQueryIn(this.charset, text), base)
  }
}
