import { trimBlanks } from '../base/words/trim-blanks.ts'

/**
 * Web URLs, by the WHATWG standard: a link as found on a page in, a canonical URL or a named refusal out.
 * Two web URLs are the same when their `href`s are equal; docs/web-urls.md says what that means.
 */

/** A URL as the collector knows it, canonical by the WHATWG standard. */
export interface WebUrl {
  /** Without fragment, credentials, default port and empty query; ASCII, so its length is its bytes. */
  readonly href: string
  /** With a port that isn't the default one. */
  readonly host: string
  /** Path segments that aren't empty. */
  readonly depth: number
}

/** docs/web-urls.md says when. */
export type WebRefusal = 'protocol' | 'malformed' | 'too-long' | 'too-many-segments' | 'repeated-segment'

const MOST_BYTES = 2000
const MOST_SEGMENTS = 30
const MOST_REPEATS = 3
const COLON = 0x3a
/** A longer text isn't even parsed. */
const MOST_TEXT = 1 << 16

/** Taken apart once per page, by `prepareBase`. */
export interface BaseUrl {
  readonly href: string
  /** `http:` or `https:` */
  readonly protocol: string
  readonly host: string
  /** `http://host` */
  readonly origin: string
  /** Origin and path, no query. */
  readonly document: string
  /** Origin and path up to its last slash. */
  readonly directory: string
}

/** What the links of a page are relative to. `baseHref`: what `<base href>` says; ignored unless it makes an http or https URL. Throws when the page itself has no such URL. */
export function prepareBase(page: string, baseHref?: string): BaseUrl {
  const own = resolve(page)
  if (typeof own === 'string') throw new TypeError(`not the URL of a web page: ${own}`)
  const moved = baseHref === undefined ? own : resolve(baseHref, own.href)
  const { href, host } = typeof moved === 'string' ? own : moved
  const pathStart = pathStartOf(href, host)
  const document = href.slice(0, pathEndOf(href))
  return {
    href,
    protocol: href.slice(0, href.indexOf(':') + 1),
    host,
    origin: href.slice(0, pathStart),
    document,
    directory: document.slice(0, document.lastIndexOf('/') + 1),
  }
}

/** The canonical form of a URL or a link, by the rules of docs/web-urls.md, or why it has none. Without a base only a whole URL is understood. */
export function webUrl(text: string, base?: BaseUrl): WebUrl | WebRefusal {
  const found = plainUrl(text, base) ?? resolve(text, base?.href)
  return typeof found === 'string' ? found : measured(found.href, found.host)
}

const FOREIGN = /^(?!https?:)[a-z][a-z\d+.-]*:/i

/** More encoded letters in a host than a URL has room for. `URL` must not see them: Punycode takes quadratic time, seconds for a long host. */
const UNFIT_HOST =
  /^(?:https?:)?[\\/]*(?:(?:[^\\/?#%\u0080-\uffff]|%(?![\da-f]{2}))*(?:%[\da-f]{2}|[\u0080-\uffff])){667}/i

/** For everything that isn't plain. A foreign scheme is `protocol`, whatever follows it. */
function resolve(text: string, baseHref?: string): Identity | 'protocol' | 'malformed' | 'too-long' {
  const bare = stripped(text)
  if (FOREIGN.test(bare)) return 'protocol'
  if (bare.length > MOST_TEXT || (bare.length > 666 && UNFIT_HOST.test(bare))) return 'too-long'
  // Not URL.canParse first: in Node 20, once it is hot, it says false of every host with a letter from U+0080 to U+00FF.
  try {
    return identity(new URL(bare, baseHref).href)
  } catch {
    return 'malformed'
  }
}

/** The standard ignores controls and blanks at both ends, tabs and line ends anywhere. */
function stripped(text: string): string {
  const bare = trimBlanks(text)
  return /[\t\n\r]/.test(bare) ? bare.replace(/[\t\n\r]+/g, '') : bare
}

/** Drops what doesn't make another page. */
function identity(whole: string): Identity {
  const fragment = whole.indexOf('#')
  let href = fragment === -1 ? whole : whole.slice(0, fragment)
  if (href.indexOf('?') === href.length - 1) href = href.slice(0, -1)
  if (href.includes('^')) href = withoutCarets(href)
  const hostStart = href.indexOf('://') + 3
  const hostEnd = href.indexOf('/', hostStart)
  const host = href.slice(href.lastIndexOf('@', hostEnd) + 1 || hostStart, hostEnd)
  if (host.length < hostEnd - hostStart) href = href.slice(0, hostStart) + host + href.slice(hostEnd)
  return { href, host }
}

/** URL standard: the path percent-encode set has `^`, which Node 20 leaves as it is. A query keeps it. */
function withoutCarets(href: string): string {
  const end = pathEndOf(href)
  return href.slice(0, end).replaceAll('^', '%5E') + href.slice(end)
}

/** Length, first and last character of each segment: cheaper to compare than its text. */
const looks = new Int32Array(MOST_SEGMENTS)

/**
 * For the limits an empty segment counts (`//`), so that a page which links to itself with one more slash is found out; a slash at the end
 * makes no segment.
 */
function measured(href: string, host: string): WebUrl | WebRefusal {
  if (href.length > MOST_BYTES) return 'too-long'
  const pathStart = pathStartOf(href, host) + 1
  const pathEnd = pathEndOf(href)
  let depth = 0
  let segments = 0
  let alike = false
  for (let start = pathStart; start < pathEnd; segments++) {
    if (segments === MOST_SEGMENTS) return 'too-many-segments'
    const slash = href.indexOf('/', start)
    const end = slash === -1 || slash > pathEnd ? pathEnd : slash
    if (end > start) depth++
    const look = end === start ? 0 : ((end - start) << 14) | (href.charCodeAt(start) << 7) | href.charCodeAt(end - 1)
    if (segments >= MOST_REPEATS) alike ||= times(look, segments) >= MOST_REPEATS
    looks[segments] = look
    start = end + 1
  }
  if (alike && repeats(href.slice(pathStart, pathEnd).split('/', segments))) return 'repeated-segment'
  return { href, host, depth }
}

function times(look: number, segments: number): number {
  let same = 0
  for (let at = 0; at < segments; at++) if (looks[at] === look) same++
  return same
}

function repeats(segments: readonly string[]): boolean {
  return segments.some(segment => segments.filter(other => other === segment).length > MOST_REPEATS)
}

function pathStartOf(href: string, host: string): number {
  return (href.charCodeAt(4) === COLON ? 'http://' : 'https://').length + host.length
}

function pathEndOf(href: string): number {
  const query = href.indexOf('?')
  return query === -1 ? href.length : query
}

/**
 * The fast path for web URLs: most links are so plain that two strings are put together. Anything else is left to `URL`;
 * test/url/web-plain.test.ts compares both. Regular expressions, because reading a slice of a page by `charCodeAt` is slower.
 */

interface Identity {
  readonly href: string
  readonly host: string
}

/** A character that the standard encodes or drops, or a segment that begins with `.` or `%2`: it could be `.` or `..`. */
const STRANGE = /[^\w\-.~!$&()*+,;=:@%/|[\]?]|\/(?:\.|%2)/

/**
 * A host that stays as it is, with a port that isn't the default one: no empty labels, no Punycode (`--`), and a last label that doesn't begin with
 * a digit, as in an IPv4 address, unless that is four decimal numbers.
 */
const HOST = (() => {
  const label = '[a-z\\d]+(?:-[a-z\\d]+)*'
  const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
  const name = `(?:${label}\\.)*(?!\\d)${label}`
  const port = '(?::(?!443(?!\\d))(?:[1-9]\\d{2,3}|[1-5]\\d{4}))?'
  return new RegExp(`(?:${name}|(?:${octet}\\.){3}${octet})${port}(?=[/?]|$)`, 'y')
})()

/** Longer ones may exhaust a regular expression's memory. */
const MOST_LENGTH = 2000

const SLASH = 0x2f
const PERCENT = 0x25
const DOT = 0x2e
const QUESTION = 0x3f

/** Undefined when it isn't plain. */
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

/** `./` or any number of `../`, and plain after that. */
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
