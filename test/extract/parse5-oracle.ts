// The links of a page as the tree of parse5 has them, by the HTML standard: `URL`, recursion, no bounds.
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'

export interface TreeLink {
  readonly href: string
  readonly text: string
  readonly rel: string
}

const SHOWN_APART = new Set(
  (
    'address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset ' +
    'figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe input legend li ' +
    'listing main menu nav noscript ol optgroup option p plaintext pre search section select summary table tbody td ' +
    'textarea tfoot th thead title tr ul xmp'
  ).split(' '),
)
const NOT_SHOWN = new Set('script style noscript template textarea title svg iframe xmp noembed noframes'.split(' '))

interface Place {
  /** Where it is written. */
  at: number
  readonly isHidden: boolean
  readonly address: string
  readonly rel: string
  text: string
  /** How many tags had divided words when the latest text was added. */
  divided: number
  alt: string | undefined
}

/** Every link in the order in which it is written. The pieces into which the standard splits an element are one link. */
export function treeLinks(html: string, pageUrl: string): TreeLink[] {
  const tree = parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: false })
  // Pieces of one element have its list of attributes in common, and not all of them know where it is written.
  const places = new Map<Tree.Element['attrs'], Place>()
  let base: string | undefined
  /** How many tags divided words so far. */
  let divided = 0
  const walk = (node: Tree.ChildNode, open: Place | undefined, isHidden: boolean): void => {
    if ('value' in node && node.nodeName === '#text') {
      if (open !== undefined && !isHidden) {
        open.text += open.divided === divided ? node.value : ` ${node.value}`
        open.divided = divided
      }
      return
    }
    if (!('tagName' in node)) return
    const attribute = (name: string) =>
      node.attrs.find(one => (one.prefix ? `${one.prefix}:${one.name}` : one.name) === name)?.value
    const { tagName } = node
    if (tagName === 'base') base ??= attribute('href')
    const at = node.sourceCodeLocation?.startOffset ?? -1
    let inside = open
    let isHiddenInside = isHidden || NOT_SHOWN.has(tagName)
    const address = addressOf(node, attribute)
    if (tagName === 'a') inside = undefined
    if (address !== undefined) {
      const place = places.get(node.attrs) ?? {
        at,
        isHidden,
        address,
        rel: tagName === 'a' || tagName === 'area' ? (attribute('rel') ?? '') : '',
        text: '',
        divided,
        alt: tagName === 'area' ? attribute('alt') : undefined,
      }
      place.at = Math.max(place.at, at)
      places.set(node.attrs, place)
      if (tagName === 'a') {
        inside = place
        // A link in a place that nobody sees has a text all the same; one that reaches into such a place has not.
        isHiddenInside = isHidden && !place.isHidden
      }
    }
    if (tagName === 'img' && open !== undefined && !isHidden) open.alt ??= attribute('alt')
    if (SHOWN_APART.has(tagName)) divided++
    for (const child of node.childNodes) walk(child, inside, isHiddenInside)
    if (SHOWN_APART.has(tagName)) divided++
  }
  for (const child of tree.childNodes) walk(child, undefined, false)
  return [...places.values()].sort((a, b) => a.at - b.at).flatMap(place => toLink(place, pageUrl, base))
}

function addressOf(node: Tree.Element, attribute: (name: string) => string | undefined): string | undefined {
  switch (node.tagName) {
    case 'a':
      return attribute('href') ?? attribute('xlink:href')
    case 'area':
      return attribute('href')
    case 'frame':
    case 'iframe':
      return attribute('src')
    case 'meta':
      return attribute('http-equiv')?.toLowerCase() === 'refresh'
        ? /^\s*\d+\s*;\s*url\s*=\s*(.*)$/is.exec(attribute('content') ?? '')?.[1]
        : undefined
  }
  return undefined
}

function toLink({ address, rel, text, alt }: Place, pageUrl: string, base: string | undefined): TreeLink[] {
  try {
    const url = new URL(address, new URL(base ?? '', pageUrl))
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return []
    url.hash = ''
    url.username = ''
    url.password = ''
    return [
      { href: url.href.replace(/\?$/, ''), text: oneLine(text) || oneLine(alt ?? ''), rel: oneLine(rel).toLowerCase() },
    ]
  } catch {
    return []
  }
}

function oneLine(text: string): string {
  const shown = text
    .replace(/(?!\s)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return shown.length > 500 ? shown.slice(0, 500) : shown
}
