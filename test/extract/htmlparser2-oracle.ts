// The naive way to read a page: htmlparser2, strings, `URL`. Slow, and obviously right where htmlparser2 is.
import { type Handler, Parser } from 'htmlparser2'

const HIDDEN = new Set(['script', 'style', 'noscript', 'textarea', 'title', 'xmp'])
const SEPARATING = new Set([
  'p',
  'div',
  'li',
  'td',
  'h1',
  'br',
  'section',
  'blockquote',
  'figcaption',
  'noscript',
  'textarea',
  'title',
  'xmp',
])

/** Tells of every end tag that is written, also of those that end nothing, and of none that is not. */
class EndTagParser extends Parser {
  private readonly endTag: (name: string) => void
  private html = ''

  constructor(endTag: (name: string) => void, handler: Partial<Handler>) {
    super(handler)
    this.endTag = endTag
  }

  read(html: string): void {
    this.html = html
    this.end(html)
  }

  override onclosetag(start: number, end: number): void {
    this.endTag(this.html.slice(start, end).toLowerCase())
    super.onclosetag(start, end)
  }
}

export interface NaivePage {
  readonly title: string
  readonly words: readonly string[]
  readonly links: readonly string[]
}

export function naivePage(html: string, pageUrl: string): NaivePage {
  let text = ''
  let title: string | undefined
  let isInTitle = false
  const hidden = new Set<string>()
  const addresses: string[] = []
  const endTag = (name: string) => {
    if (name === 'title') isInTitle = false
    hidden.delete(name)
    if (SEPARATING.has(name)) text += '\n'
  }
  const parser = new EndTagParser(endTag, {
    onopentag(name, attributes) {
      if ((name === 'a' || name === 'area') && attributes.href !== undefined) addresses.push(attributes.href)
      if (SEPARATING.has(name)) text += '\n'
      if (HIDDEN.has(name)) hidden.add(name)
      if (name === 'title' && title === undefined) {
        title = ''
        isInTitle = true
      }
    },
    ontext(part) {
      if (isInTitle) title += part
      if (hidden.size === 0) text += part
    },
  })
  parser.read(html)
  return {
    title: (title ?? '').replace(/\s+/g, ' ').trim(),
    words: text.split(/\s+/).filter(word => word !== ''),
    links: [...new Set(addresses.flatMap(address => naiveLink(address, pageUrl)))],
  }
}

function naiveLink(address: string, pageUrl: string): string[] {
  try {
    const url = new URL(address, pageUrl)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return []
    url.hash = ''
    return [url.href.replace(/\?$/, '')]
  } catch {
    return []
  }
}
