/**
 * Web URLs, by the WHATWG standard: a link as found on a page in, a canonical URL or a named refusal out.
 * Two web URLs are the same when their `href`s are equal; docs/web-urls.md says what that means.
 */
import { trimBlanks } from '../base/words/trim-blanks.ts'
import { type Identity, plainUrl } from './web-plain.ts'

/** A URL as the collector knows it, canonical by the WHATWG standard. */
export interface WebUrl {
  /** WHATWG form without fragment, credentials, default port and empty query; ASCII, so its length is its bytes. */
  readonly href: string
  /** What stands between `://` and the path, with a port that is not the default one. */
  readonly host: string
  /** Number of path segments that are not empty. */
  readonly depth: number
}

/** Why a link is no URL to collect; docs/web-urls.md says when. */
export type WebRefusal = 'protocol' | 'malformed' | 'too-long' | 'too-many-segments' | 'repeated-segment'

const MOST_BYTES = 2000
const MOST_SEGMENTS = 30
const MOST_REPEATS = 3
const COLON = 0x3a
/** A text longer than this is not even parsed. A fragment or blanks can't be that long by accident. */
const MOST_TEXT = 1 << 16

/** What links are resolved against, taken apart once per page. Made by `prepareBase`. */
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

/**
 * Prepares the URL of a page for the links on it. `baseHref` is what the page's `<base href>` says, if it has one; when
 * that makes no http or https URL, it does not count. Throws when the page itself has no such URL.
 */
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

/** Resolves a link as it stands in an attribute. Without a base only a whole URL is understood. */
export function webUrl(text: string, base?: BaseUrl): WebUrl | WebRefusal {
  const found = plainUrl(text, base) ?? resolve(text, base?.href)
  return typeof found === 'string' ? found : measured(found.href, found.host)
}

/** A scheme that is not http or https. */
const FOREIGN = /^(?!https?:)[a-z][a-z\d+.-]*:/i

/**
 * Where a host may stand, more encoded letters than a URL has room for: 2,000 bytes hold 666 of them in a path, and a host
 * fewer. `URL` must not see them: to turn a host into Punycode it takes quadratic time, seconds for a long one.
 */
const UNFIT_HOST =
  /^(?:https?:)?[\\/]*(?:(?:[^\\/?#%\u0080-\uffff]|%(?![\da-f]{2}))*(?:%[\da-f]{2}|[\u0080-\uffff])){667}/i

/** The standard's own way, for everything that is not plain. A foreign scheme is `protocol`, whatever follows it. */
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

/** Without what the standard ignores: controls and blanks at both ends, tabs and line ends anywhere. */
function stripped(text: string): string {
  const bare = trimBlanks(text)
  return /[\t\n\r]/.test(bare) ? bare.replace(/[\t\n\r]+/g, '') : bare
}

/** Drops from an href of the standard what does not make another page. */
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

/** For each segment of the path at hand its length, first and last character: cheaper to compare than its text. */
const looks = new Int32Array(MOST_SEGMENTS)

/**
 * Applies the limits. For them an empty segment counts like any other (`//` in a path), so that a page which links to
 * itself with one more slash is found out; a slash at the end makes no segment.
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

/** How many of the first `segments` segments look like this. */
function times(look: number, segments: number): number {
  let same = 0
  for (let at = 0; at < segments; at++) if (looks[at] === look) same++
  return same
}

/** True when a segment is there more than three times. */
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
