import { type Directive, directivesOf } from './directives.ts'
import { pathOf, type RuleLine, Rules, type Verdict } from './rules.ts'

export type { Verdict } from './rules.ts'

/** What a robots.txt says, by RFC 9309. */
export interface Robots {
  /**
   * May this crawler ask for this URL? `agent` is its product token, `escalona`; what follows a slash (`escalona/1.0`)
   * does not count. Of `url` only path and query count.
   */
  allows(agent: string, url: string): Verdict
  /** The seconds between two requests that the file asks of this crawler, as written: a hostile file asks for years. */
  crawlDelay(agent: string): number | undefined
  readonly sitemaps: readonly string[]
}

/** Reads the bytes of a robots.txt. Every file means something: what is not understood is passed over. */
export function parseRobots(bytes: Uint8Array): Robots {
  return new ParsedRobots(directivesOf(bytes))
}

/** What stands under one or more User-agent lines. */
interface Group {
  readonly rules: RuleLine[]
  delaySeconds: number | undefined
  /** A rule was seen: the next User-agent line begins another group. */
  isComplete: boolean
}

const EVERYBODY = '*'
const ALLOWED: Verdict = { allowed: true, line: undefined }

class ParsedRobots implements Robots {
  readonly sitemaps: string[] = []
  private readonly groups = new Map<string, Group[]>()
  /** By the names in `groups`, so there are never more. */
  private readonly compiled = new Map<string, Rules>()
  /** The last question's crawler, which is nearly always the next one's, and its rules. */
  private agent: string | undefined
  private rules: Rules | undefined

  constructor(directives: Iterable<Directive>) {
    let group: Group | undefined
    for (const { key, value, line } of directives) {
      if (key === 'sitemap') this.addSitemap(value)
      else if (key === 'user-agent') {
        if (group === undefined || group.isComplete) group = { rules: [], delaySeconds: undefined, isComplete: false }
        this.addAgent(value, group)
      } else if (group !== undefined) {
        if (key === 'crawl-delay') group.delaySeconds = longer(group.delaySeconds, secondsOf(value))
        else {
          group.isComplete = true
          if (value !== '') group.rules.push({ allowed: key === 'allow', path: value, line })
        }
      }
    }
  }

  allows(agent: string, url: string): Verdict {
    if (this.rules === undefined || agent !== this.agent) {
      this.rules = this.rulesFor(agent)
      this.agent = agent
    }
    const path = pathOf(url)
    return path === '/robots.txt' ? ALLOWED : this.rules.verdictOn(path)
  }

  crawlDelay(agent: string): number | undefined {
    const groups = this.groups.get(this.nameFor(agent)) ?? []
    return groups.reduce<number | undefined>((longest, group) => longer(longest, group.delaySeconds), undefined)
  }

  private rulesFor(agent: string): Rules {
    const name = this.nameFor(agent)
    let rules = this.compiled.get(name)
    if (rules === undefined) {
      rules = new Rules((this.groups.get(name) ?? []).flatMap(group => group.rules))
      this.compiled.set(name, rules)
    }
    return rules
  }

  /** RFC 9309 2.2.1: the groups that name the crawler, or else those for everybody. */
  private nameFor(agent: string): string {
    const name = agent.replace(/\/.*/s, '').toLowerCase()
    return this.groups.has(name) ? name : EVERYBODY
  }

  /** RFC 9309 2.2.1: a product token is made of letters, `_` and `-`; a version or anything else behind it does not count. */
  private addAgent(value: string, group: Group): void {
    const name = /^\*(?:\s|$)/.test(value) ? EVERYBODY : /^[a-z_-]*/i.exec(value)![0].toLowerCase()
    if (name === '') return
    const groups = this.groups.get(name)
    if (groups === undefined) this.groups.set(name, [group])
    else if (groups.at(-1) !== group) groups.push(group)
  }

  private addSitemap(value: string): void {
    const text = Buffer.from(value, 'latin1').toString()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come through
    if (text !== '' && !/[\u0000-\u001f\u007f-\u009f]/.test(text)) this.sitemaps.push(text)
  }
}

/** Of two times that a file asks for, the longer one holds. */
function longer(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one
}

function secondsOf(value: string): number | undefined {
  return /^(?:\d+\.?|\d*\.\d+)$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : undefined
}
