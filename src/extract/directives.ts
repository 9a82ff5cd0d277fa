import { productToken } from '../robots/product-token.ts'

/** What a page asks of robots, in `<meta name=robots>` and `X-Robots-Tag`. The strictest wins. */
export class Directives {
  noindex = false
  nofollow = false
  noarchive = false
  private readonly agent: string

  /** `agent` is the crawler's User-Agent, of which the product token counts. */
  constructor(agent: string) {
    this.agent = productToken(agent).toLowerCase()
  }

  readMeta(name: string, content: string): void {
    const whom = name.trim().toLowerCase()
    if (whom === 'robots' || (whom === this.agent && whom !== '')) this.read(content)
  }

  /** `noindex, nofollow` for everybody, `name: noindex, nofollow` for one crawler up to the next name. */
  readHeader(value: string): void {
    let isForUs = true
    for (const part of value.split(',')) {
      const [, name, rest] = ADDRESSED.exec(part) ?? []
      if (name === undefined || WITH_VALUE.test(name)) {
        if (isForUs) this.read(part)
        continue
      }
      isForUs = name === '*' || name.toLowerCase() === this.agent
      if (isForUs) this.read(rest!)
    }
  }

  private read(list: string): void {
    for (const word of list.toLowerCase().split(/[\s,]+/)) {
      if (word === 'noindex' || word === 'none') this.noindex = true
      if (word === 'nofollow' || word === 'none') this.nofollow = true
      if (word === 'noarchive') this.noarchive = true
    }
  }
}

const ADDRESSED = /^\s*([^\s:]+)\s*:(.*)$/s
/** Directives that have a colon themselves. */
const WITH_VALUE = /^(?:unavailable_after|max-(?:snippet|image-preview|video-preview))$/i
