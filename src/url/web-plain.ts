/**
 * The fast path for web URLs: most links are written so plainly that the standard changes nothing about them, and putting
 * two strings together is all there is to do. Whatever is not surely plain is left to `URL`; test/url/web-plain.test.ts
 * compares both. Regular expressions, because a link is a slice of its page, and reading a slice by `charCodeAt` is slower.
 */
import type { BaseUrl } from './web.ts'

/** A canonical URL and its host, not yet measured. */
export interface Identity {
  readonly href: string
  readonly host: string
}

/**
 * What keeps a link from being plain: a character that the standard encodes or drops, in the path or in the query, and a
 * segment that begins with `.` or `%2`: it could be `.` or `..`, spelled in one of six ways.
 */
const STRANGE = /[^\w\-.~!$&()*+,;=:@%/|[\]?]|\/(?:\.|%2)/

/**
 * A host that stays as it is, with a port that is surely not the default one. A name's labels are not empty, none can be
 * Punycode (`--`), and the last one does not begin with a digit: it could be an IPv4 address in one of its many spellings,
 * of which four decimal numbers are the canonical one.
 */
const HOST = (() => {
  const label = '[a-z\\d]+(?:-[a-z\\d]+)*'
  const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
  const name = `(?:${label}\\.)*(?!\\d)${label}`
  const port = '(?::(?!443(?!\\d))(?:[1-9]\\d{2,3}|[1-5]\\d{4}))?'
  return new RegExp(`(?:${name}|(?:${octet}\\.){3}${octet})${port}(?=[/?]|$)`, 'y')
})()

/** Longer ones are rare, and may be made to exhaust a regular expression's memory. */
const MOST_LENGTH = 2000

const SLASH = 0x2f
const PERCENT = 0x25
const DOT = 0x2e
const QUESTION = 0x3f

/** What `text` means on the page `base`, or undefined when it is not plain. */
export function plainUrl(text: string, base: BaseUrl | undefined): Identity | undefined {
  if (text.length > MOST_LENGTH) return undefined
  const hash = text.indexOf('#')
  const bare = hash === -1 ? text : text.slice(0, hash)
  if (bare.charCodeAt(0) === DOT && base !== undefined) return plainClimb(bare, base)
  if (STRANGE.test(bare) || bare.endsWith('?')) return undefined
  if (bare.startsWith('http://')) return plainWhole(bare, 'http://'.length)
  if (bare.startsWith('https://')) return plainWhole(bare, 'https://'.length)
  if (base === undefined) return undefined
  const { host } = base
  switch (bare.charCodeAt(0)) {
    case SLASH:
      if (bare.charCodeAt(1) === SLASH) return plainWhole(base.protocol + bare, base.protocol.length + 2)
      return { href: base.origin + bare, host }
    case QUESTION:
      return { href: base.document + bare, host }
    case PERCENT:
      return undefined
  }
  if (bare === '') return { href: base.href, host }
  return mayHaveScheme(bare) ? undefined : { href: base.directory + bare, host }
}

/** A link that begins with `./` or any number of `../`, and is plain after that. */
function plainClimb(text: string, base: BaseUrl): Identity | undefined {
  let { directory } = base
  let start = 0
  for (; text.startsWith('../', start); start += 3) {
    const parent = directory.lastIndexOf('/', directory.length - 2) + 1
    if (parent > base.origin.length) directory = directory.slice(0, parent)
  }
  if (start === 0) {
    if (!text.startsWith('./')) return undefined
    start = 2
  }
  const rest = text.slice(start)
  const first = rest.charCodeAt(0)
  if (first === DOT || first === PERCENT || STRANGE.test(rest) || rest.endsWith('?')) return undefined
  return { href: directory + rest, host: base.host }
}

function plainWhole(text: string, hostStart: number): Identity | undefined {
  HOST.lastIndex = hostStart
  if (!HOST.test(text)) return undefined
  const hostEnd = HOST.lastIndex
  const host = text.slice(hostStart, hostEnd)
  if (text.charCodeAt(hostEnd) === SLASH) return { href: text, host }
  return { href: `${text.slice(0, hostEnd)}/${text.slice(hostEnd)}`, host }
}

function mayHaveScheme(text: string): boolean {
  const colon = text.indexOf(':')
  if (colon === -1) return false
  const slash = text.indexOf('/')
  return slash === -1 || colon < slash
}
