import { compileShare } from './compile.ts'
import { Groups } from './groups.ts'
import { RobotsRules, type Verdict } from './rules.ts'

/** What a robots.txt says, by RFC 9309. */
export interface Robots {
  /** `agent`: the product token, `escalona`; what follows (`escalona/1.0`) doesn't count. Of `url` only path and query count. */
  allows(agent: string, url: string): Verdict
  /** As written: a hostile file asks for years. */
  crawlDelay(agent: string): number | undefined
  readonly sitemaps: readonly string[]
}

/** What isn't understood is passed over. */
export function parseRobots(bytes: Uint8Array): Robots {
  return new ParsedRobots(new Groups(bytes))
}

/**
 * Bytes that can be sent to another thread, kept, and read by {@link RobotsRules} without parsing; deterministic. A file made to be slow takes a
 * second.
 */
export function compileRobots(file: Uint8Array, agent: string): Uint8Array<ArrayBuffer> {
  const groups = new Groups(file)
  return compileShare(groups.shareOf(groups.nameFor(agent)), groups.sitemaps)
}

class ParsedRobots implements Robots {
  readonly sitemaps: readonly string[]
  private readonly groups: Groups
  private readonly compiled = new Map<string, RobotsRules>()
  /** The last one asked for, nearly always the next one, too. */
  private agent: string | undefined
  private rules: RobotsRules | undefined

  constructor(groups: Groups) {
    this.groups = groups
    this.sitemaps = groups.sitemaps
  }

  allows(agent: string, url: string): Verdict {
    return this.rulesFor(agent).verdict(url)
  }

  crawlDelay(agent: string): number | undefined {
    return this.rulesFor(agent).crawlDelaySeconds
  }

  private rulesFor(agent: string): RobotsRules {
    if (this.rules !== undefined && agent === this.agent) return this.rules
    const name = this.groups.nameFor(agent)
    let rules = this.compiled.get(name)
    if (rules === undefined) {
      rules = new RobotsRules(compileShare(this.groups.shareOf(name), []))
      this.compiled.set(name, rules)
    }
    this.agent = agent
    this.rules = rules
    return rules
  }
}
