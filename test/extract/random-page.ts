// Pages put together at random: whole and broken markup, references, odd blanks, raw text.
import type { RandomSource } from '../model/random-source.ts'

const TAGS = 'a b i span p div li td h1 br em section custom-x blockquote figcaption area noscript'.split(' ')
const RAW = 'script style title textarea xmp'.split(' ')
const TEXTS = [
  'word',
  'two words',
  ' ',
  '\n\t',
  'x',
  '.',
  'não',
  'ação é',
  '日本語　テキスト',
  '\u00a0',
  '\u2003',
  'é\u2028z',
  '😀',
  '&',
  '&amp;',
  '&nbsp;',
  '&nbsp',
  '&nbspx',
  '&lt;p&gt;',
  '&copy',
  '&copyx',
  '&#32;',
  '&#x20',
  '&#160;',
  '&#233;',
  '&#x1F600;',
  '&#128;',
  '&#0;',
  '&#;',
  '&#x;',
  '&bogus;',
  '&thinsp;',
  '&mdash;',
  '&notin;',
  '>',
  '"',
  "'",
  '=',
  '/',
  'a > b',
  'a < b',
  '<3',
  '< p',
  ']]>',
]
const ADDRESSES = [
  '/a',
  'b/c.html',
  '../up',
  '?q=1&amp;r=2',
  '?q=1&r=2&copy=3',
  '#top',
  '',
  '//other.com/x',
  'http://b.com/y#z',
  'HTTPS://C.com:443/é',
  'mailto:x@y.z',
  'javascript:void(0)',
  ' /blanks ',
  '/a&#x62;c',
  '/q"uote',
  "/ap'os",
  'http://[bad',
  '/日本?é',
]
const OTHERS = [
  'class=x',
  'id="y"',
  "title='a > b'",
  'title="<b>"',
  'hidden',
  'data-x = "1"',
  'alt=',
  '=x',
  '/',
  'href',
]

export interface PageTraits {
  /** Pieces of markup that may be mixed in besides. */
  readonly extras: readonly string[]
  /** Whether tags may be cut off, quotes left open, bytes dropped, and a `<` stand anywhere. */
  readonly isBroken: boolean
}

export function randomPage(random: RandomSource, { extras, isBroken }: PageTraits): string {
  let page = ''
  for (let pieces = 1 + random.below(40); pieces > 0; pieces--) page += piece(random, { extras, isBroken })
  if (!isBroken) return page
  for (let cuts = random.below(4); cuts > 0; cuts--) {
    const at = random.below(page.length + 1)
    page =
      page.slice(0, at) + random.pick(['', '<', '>', '"', "'", '&', '-', '/', ' ']) + page.slice(at + random.below(3))
  }
  return page
}

function piece(random: RandomSource, { extras, isBroken }: PageTraits): string {
  const kind = random.below(10)
  if (kind < 4) return isBroken && random.chance(0.02) ? '<' : random.pick(TEXTS)
  if (kind < 6) return link(random)
  if (kind < 8) return random.chance(0.5) ? startTag(random, random.pick(TAGS)) : `</${random.pick(TAGS)}>`
  if (kind === 8 && extras.length > 0) return random.pick(extras)
  const raw = random.pick(RAW)
  const text = random.pick(TEXTS) + random.pick(TEXTS)
  return `<${raw}>${isBroken ? text : text.replaceAll('<', '')}</${random.chance(0.2) ? raw.toUpperCase() : raw}>`
}

function link(random: RandomSource): string {
  const quote = random.pick(['"', '"', "'", ''])
  let address = random.pick(ADDRESSES)
  if (quote === '') address = address.replace(/[\s"'<>=]/g, '') || 'x'
  else address = address.replaceAll(quote, '')
  const attributes = [`${random.pick(['href', 'HREF'])}${random.pick(['=', ' = '])}${quote}${address}${quote}`]
  if (random.chance(0.3)) attributes.unshift(random.pick(OTHERS))
  if (random.chance(0.3)) attributes.push(random.pick(OTHERS))
  return `<${random.pick(['a', 'A', 'area'])} ${attributes.join(random.pick([' ', '\n']))}>`
}

function startTag(random: RandomSource, name: string): string {
  const attributes = Array.from({ length: random.below(3) }, () => random.pick(OTHERS))
  return `<${[name, ...attributes].join(' ')}${random.pick(['', ' ', '/'])}>`
}
