import { trimBlanks } from '../base/words/trim-blanks.ts'

export interface RuleLine {
  readonly allowed: boolean
  /** One character per byte; not empty. */
  readonly path: string
  readonly line: number
}

/** What a file says to one crawler. */
export interface Share {
  readonly rules: readonly RuleLine[]
  /** As written, so it may be years. */
  readonly crawlDelaySeconds: number | undefined
  /** Of the crawler, or of everybody if no line names it. */
  readonly agentLines: readonly number[]
  readonly delayLines: readonly number[]
}

interface Delay {
  seconds: number | undefined
  readonly lines: number[]
}

interface Named {
  readonly rules: RuleLine[][]
  readonly delays: Delay[]
  readonly lines: number[]
}

const EVERYBODY = '*'

/** The groups of a robots.txt, by the names they are for. */
export class Groups {
  readonly sitemaps: string[] = []
  readonly sitemapLines: number[] = []
  private readonly byName = new Map<string, Named>()

  constructor(file: Uint8Array) {
    let rules: RuleLine[] = []
    let delay: Delay = noDelay()
    let isNamed = false
    let hasRules = false
    let hasDelay = false
    for (const { key, value, line } of directivesOf(file)) {
      if (key === 'sitemap') this.addSitemap(value, line)
      else if (key === 'user-agent') {
        if (hasRules) rules = []
        // RFC 9309 2.2.4: a Crawl-delay must not end a group, so rules below it also hold for the names above it. The
        // delay itself is for the names above it alone.
        if (hasRules || hasDelay) delay = noDelay()
        isNamed = true
        hasRules = hasDelay = false
        this.add(nameIn(value), line, rules, delay)
      } else if (!isNamed) continue
      else if (key === 'crawl-delay') {
        hasDelay = true
        delay.seconds = longer(delay.seconds, secondsOf(value))
        delay.lines.push(line)
      } else {
        hasRules = true
        if (value !== '') rules.push({ allowed: key === 'allow', path: value, line })
      }
    }
  }

  /** RFC 9309 2.2.1: its own groups, or else those for everybody. */
  nameFor(agent: string): string {
    const name = productToken(agent).toLowerCase()
    return this.byName.has(name) ? name : EVERYBODY
  }

  shareOf(name: string): Share {
    const { rules, delays, lines } = this.byName.get(name) ?? { rules: [], delays: [], lines: [] }
    const crawlDelaySeconds = delays.reduce<number | undefined>((most, { seconds }) => longer(most, seconds), undefined)
    const delayLines = delays.flatMap(delay => delay.lines)
    return { rules: rules.flat(), crawlDelaySeconds, agentLines: lines, delayLines }
  }

  private add(name: string, line: number, rules: RuleLine[], delay: Delay): void {
    if (name === '') return
    const named = this.byName.get(name)
    if (named === undefined) this.byName.set(name, { rules: [rules], delays: [delay], lines: [line] })
    else {
      if (named.rules.at(-1) !== rules) named.rules.push(rules)
      if (named.delays.at(-1) !== delay) named.delays.push(delay)
      named.lines.push(line)
    }
  }

  private addSitemap(value: string, line: number): void {
    const text = Buffer.from(value, 'latin1').toString()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come through
    if (text === '' || /[\u0000-\u001f\u007f-\u009f]/.test(text)) return
    this.sitemaps.push(text)
    this.sitemapLines.push(line)
  }
}

function noDelay(): Delay {
  return { seconds: undefined, lines: [] }
}

/** Empty when it names none. */
function nameIn(value: string): string {
  return /^\*(?:\s|$)/.test(value) ? EVERYBODY : productToken(value).toLowerCase()
}

function longer(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one
}

function secondsOf(value: string): number | undefined {
  return /^(?:\d+\.?|\d*\.\d+)$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : undefined
}

interface Directive {
  readonly key: Key
  /** One character per byte. */
  readonly value: string
  readonly line: number
}

type Key = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap'

/** RFC 9309 2.5: at least this much has to be read. */
const MOST_BYTES = 500 * 1024
/** What a line has beyond this does not count, as in the parser that most files are checked with. */
const MOST_LINE_BYTES = 8 * 2083 - 1

/** Each misspelling here can mean only one thing. */
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

/** In their order. Anything else is passed over. */
function* directivesOf(file: Uint8Array): Generator<Directive> {
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

/** One character per byte; without a byte order mark, also half of one, and without a line that the limit cuts. */
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
  // A missing colon is accepted between just two words.
  const parts =
    colon === -1 ? /^([^ \t]+)[ \t]+([^ \t]+)$/.exec(text) : [text, text.slice(0, colon), text.slice(colon + 1)]
  const [, name, value] = parts ?? []
  if (name === undefined || value === undefined) return undefined
  const bareName = trimBlanks(name)
  const key = bareName.length > LONGEST_KEY ? undefined : KEYS.get(bareName.toLowerCase())
  return key === undefined ? undefined : { key, value: trimBlanks(value), line }
}

/**
 * `escalona` of `escalona/1.0 (+https://…)`. RFC 9309 2.2.1 allows letters, `_` and `-` only; real names also have digits (`MJ12bot`, `008`), so
 * they belong to the token on both sides.
 */
export function productToken(text: string): string {
  return /^[\w-]*/.exec(text)![0]
}

type LineMeaning = 'allow' | 'disallow' | 'crawl-delay' | 'agent' | 'sitemap'

interface LineMeanings {
  /** From 1; lines that mean nothing to this crawler are missing. */
  readonly ofLine: ReadonlyMap<number, LineMeaning>
  /** As written: a hostile file asks for years. */
  readonly crawlDelaySeconds: number | undefined
  readonly sitemaps: readonly string[]
}

/** `agent`: a product token. */
export function lineMeanings(file: Uint8Array, agent: string): LineMeanings {
  const groups = new Groups(file)
  const { rules, crawlDelaySeconds, agentLines, delayLines } = groups.shareOf(groups.nameFor(agent))
  const ofLine = new Map<number, LineMeaning>()
  for (const { allowed, line } of rules) ofLine.set(line, allowed ? 'allow' : 'disallow')
  for (const line of agentLines) ofLine.set(line, 'agent')
  for (const line of delayLines) ofLine.set(line, 'crawl-delay')
  for (const line of groups.sitemapLines) ofLine.set(line, 'sitemap')
  return { ofLine, crawlDelaySeconds, sitemaps: groups.sitemaps }
}
