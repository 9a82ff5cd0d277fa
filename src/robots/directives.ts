import { trimBlanks } from '../base/words/trim-blanks.ts'

/** A line of the file that says something to crawlers. */
export interface Directive {
  readonly key: Key
  /** One character per byte. */
  readonly value: string
  /** From 1 up. */
  readonly line: number
}

export type Key = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap'

/** RFC 9309 2.5: at least this much has to be read. */
const MOST_BYTES = 500 * 1024
/** What a line has beyond this does not count, as in the parser that most files are checked with. */
const MOST_LINE_BYTES = 8 * 2083 - 1

/** The keys, and how people misspell them. Each mistake here can mean only one thing. */
const KEYS: ReadonlyMap<string, Key> = new Map(
  Object.entries({
    'user-agent': ['user-agent', 'useragent', 'user agent', 'user_agent'],
    allow: ['allow', 'alow'],
    disallow: ['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw'],
    'crawl-delay': ['crawl-delay', 'crawldelay', 'crawl delay'],
    sitemap: ['sitemap', 'site-map'],
  }).flatMap(([key, spellings]) => spellings.map(spelling => [spelling, key as Key] as const)),
)
const LONGEST_KEY = 11

const NEWLINE = 0x0a
const RETURN = 0x0d

/** The directives of a file, in their order. Whatever else is in it is passed over. */
export function* directivesOf(file: Uint8Array): Generator<Directive> {
  const text = readable(file)
  let line = 1
  for (let start = 0; start < text.length; line++) {
    let end = start
    while (end < text.length && text.charCodeAt(end) !== NEWLINE && text.charCodeAt(end) !== RETURN) end++
    const directive = directiveOf(text.slice(start, Math.min(end, start + MOST_LINE_BYTES)), line)
    if (directive !== undefined) yield directive
    start = end + (text.charCodeAt(end) === RETURN && text.charCodeAt(end + 1) === NEWLINE ? 2 : 1)
  }
}

/** What counts of a file, one character per byte: no byte order mark, also not half of one, and no line that the limit cuts. */
function readable(file: Uint8Array): string {
  let start = 0
  while (start < 3 && file[start] === [0xef, 0xbb, 0xbf][start]) start++
  let end = Math.min(file.length, MOST_BYTES)
  if (file.length > MOST_BYTES && !isLineEnd(file[end])) {
    while (end > start && !isLineEnd(file[end - 1])) end--
  }
  return Buffer.from(file.buffer, file.byteOffset + start, end - start).toString('latin1')
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === NEWLINE || byte === RETURN
}

function directiveOf(whole: string, line: number): Directive | undefined {
  const comment = whole.indexOf('#')
  const text = trimBlanks(comment === -1 ? whole : whole.slice(0, comment))
  const colon = text.indexOf(':')
  // Who forgets the colon still means it, as long as there are just two words.
  const parts =
    colon === -1 ? /^([^ \t]+)[ \t]+([^ \t]+)$/.exec(text) : [text, text.slice(0, colon), text.slice(colon + 1)]
  const [, name, value] = parts ?? []
  if (name === undefined || value === undefined) return undefined
  const bareName = trimBlanks(name)
  const key = bareName.length > LONGEST_KEY ? undefined : KEYS.get(bareName.toLowerCase())
  return key === undefined ? undefined : { key, value: trimBlanks(value), line }
}
