import { Wildcard } from '../base/wildcard.ts'
import { sameOctets } from './octets.ts'

export interface Verdict {
  readonly allowed: boolean
  /** The line of the file that decided, from 1 up; undefined when none has to do with the URL. */
  readonly line: number | undefined
}

/** An Allow or Disallow line, as it was written. */
export interface RuleLine {
  readonly allowed: boolean
  /** One character a byte. */
  readonly path: string
  readonly line: number
}

const NO_RULE: Verdict = { allowed: true, line: undefined }

/** The rules for one crawler, from the longest to the shortest, so that the first one that matches decides. */
export class Rules {
  private readonly rules: readonly Rule[]

  constructor(lines: readonly RuleLine[]) {
    this.rules = lines.flatMap(rulesOf).sort(byWeight)
  }

  /** `path` as `pathOf` makes it. */
  verdictOn(path: string): Verdict {
    for (const rule of this.rules) if (rule.pattern.matches(path)) return rule.verdict
    return NO_RULE
  }
}

interface Rule {
  readonly pattern: Wildcard
  readonly octets: number
  readonly verdict: Verdict
}

/** RFC 9309 2.2.2: the most octets win; of two equally long rules, the one that allows. */
function byWeight(one: Rule, other: Rule): number {
  return other.octets - one.octets || Number(other.verdict.allowed) - Number(one.verdict.allowed)
}

function rulesOf({ allowed, path, line }: RuleLine): Rule[] {
  const text = sameOctets(path)
  // A path that begins otherwise is the beginning of no URL's path.
  if (!text.startsWith('/') && !text.startsWith('*')) return []
  const verdict = { allowed, line }
  const rule = ruleOf(text, verdict)
  // Whoever allows a directory's index means the directory, too.
  const index = allowed ? text.lastIndexOf('/index.htm') : -1
  if (index === -1 || text.includes('/', index + 1)) return [rule]
  return [rule, ruleOf(`${text.slice(0, index + 1)}$`, verdict)]
}

/** RFC 9309 2.2.3: `*` is any text, and `$` at the end is the end. A `$` elsewhere is one, which a URL has as `%24`. */
function ruleOf(text: string, verdict: Verdict): Rule {
  const isWhole = text.endsWith('$')
  const pattern = (isWhole ? text.slice(0, -1) : text).replaceAll('$', '%24')
  return { pattern: new Wildcard(pattern, isWhole), octets: text.length, verdict }
}

/** Scheme and host of a URL, both of which may be missing. */
const BEFORE_PATH = /^(?:[^/?;#]*:\/\/|\/\/)?[^/?;#]*/
/** A path and query that are written as rules are. */
const COMMON = /^\/[\w\-.~:/?[\]@!&'()+,;=]*$/

/** The path and query of a URL, as rules are written; a star or a dollar sign in it is only that. */
export function pathOf(url: string): string {
  const fragment = url.indexOf('#')
  const start = BEFORE_PATH.exec(url)![0].length
  const path = url.slice(start, fragment === -1 ? url.length : fragment)
  if (COMMON.test(path)) return path
  const bytes = Buffer.from(path.startsWith('/') ? path : `/${path}`).toString('latin1')
  return sameOctets(bytes).replaceAll('*', '%2A').replaceAll('$', '%24')
}
