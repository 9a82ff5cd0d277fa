import { directivesOf } from './directives.ts'
import { productToken } from './product-token.ts'

/** An Allow or Disallow line, as it was written. */
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
  /** The lines that name the crawler, or everybody if none does, and those with a Crawl-delay for it. */
  readonly agentLines: readonly number[]
  readonly delayLines: readonly number[]
}

/** The Crawl-delay of the names above it. */
interface Delay {
  seconds: number | undefined
  readonly lines: number[]
}

/** All that holds for one name. */
interface Named {
  readonly rules: RuleLine[][]
  readonly delays: Delay[]
  readonly lines: number[]
}

const EVERYBODY = '*'

/** The groups of a robots.txt, by the names they are for. */
export class Groups {
  readonly sitemaps: string[] = []
  /** Where they stand. */
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

  /** RFC 9309 2.2.1: the name of the groups that a crawler obeys: its own, or else that of those for everybody. */
  nameFor(agent: string): string {
    const name = productToken(agent).toLowerCase()
    return this.byName.has(name) ? name : EVERYBODY
  }

  /** What the groups of this name say, as one. */
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

/** Whom a User-agent line names; empty for nobody. */
function nameIn(value: string): string {
  return /^\*(?:\s|$)/.test(value) ? EVERYBODY : productToken(value).toLowerCase()
}

/** Of two times that a file asks for, the longer one holds. */
function longer(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one
}

function secondsOf(value: string): number | undefined {
  return /^(?:\d+\.?|\d*\.\d+)$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : undefined
}
