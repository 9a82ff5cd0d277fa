import { parseRobots, type Robots } from '../robots/robots.ts'
import type { Verdict } from '../robots/rules.ts'

/** RFC 9309 2.3.1: `rules` says what the file says; 4xx allows everything; after 5xx nothing is allowed. */
export type RobotsAnswer =
  | { readonly kind: 'rules'; readonly file: Uint8Array }
  | { readonly kind: 'allows all' }
  | { readonly kind: 'unreachable' }

/** A robots.txt as it was at some time. */
type Version = RobotsAnswer & { readonly timeMs: number }

export interface Judgement {
  readonly verdict: Verdict
  /** When the robots.txt that decided was asked for. */
  readonly robotsMs: number
  /** It was asked for only after the request that it is applied to. */
  readonly isLater: boolean
  readonly crawlDelayMs: number | undefined
}

interface Origin {
  /** Oldest first. */
  readonly versions: Version[]
  /** The latest request that was judged; Infinity if one was judged without any version, or by a later one. */
  judgedMs: number
}

/** RFC 9309 2.5 wants this much to be read. */
export const MOST_ROBOTS_BYTES = 500 * 1024
const MOST_BYTES = 1 << 28
const MOST_VERSIONS = 100
const MOST_PARSED = 256
/** RFC 9309 2.3.1.2: redirects that are followed. */
const MOST_REDIRECTS = 5
const MOST_AWAITED = 10_000

/** All robots.txt of an archive. */
export class RobotsFiles {
  /** One came after a request that it applies to: the archive has to be read once more. */
  isLate = false
  /** Files that were left out, because all together are too long. */
  leftOut = 0
  private isKnown = false
  private bytes = 0
  private readonly origins = new Map<string, Origin>()
  /** Where redirects of robots.txt lead, and for which origins; how often they were redirected. */
  private readonly awaited = new Map<string, { readonly origins: Set<string>; readonly redirects: number }>()
  /** The one used last is the last one. */
  private readonly parsed = new Map<Version, Robots>()

  /** The next reading adds nothing. */
  startOver(): void {
    this.isKnown = true
    this.isLate = false
  }

  /** The origins for which an answer to this URL is the robots.txt. */
  originsOf(href: string, origin: string): readonly string[] {
    const own = href === `${origin}/robots.txt` ? [origin] : []
    const awaited = this.awaited.get(href)
    return awaited === undefined ? own : [...new Set([...own, ...awaited.origins])]
  }

  redirected(href: string, origins: readonly string[], target: string): void {
    const redirects = (this.awaited.get(href)?.redirects ?? 0) + 1
    if (this.isKnown || redirects > MOST_REDIRECTS || this.awaited.size >= MOST_AWAITED) return
    const before = this.awaited.get(target)?.origins ?? []
    this.awaited.set(target, { origins: new Set([...before, ...origins]), redirects })
  }

  add(name: string, answer: RobotsAnswer, timeMs: number): void {
    if (this.isKnown) return
    const origin = this.originNamed(name)
    const bytes = answer.kind === 'rules' ? answer.file.length : 0
    if (this.bytes + bytes > MOST_BYTES || origin.versions.length >= MOST_VERSIONS) {
      this.leftOut++
      return
    }
    this.bytes += bytes
    if (origin.judgedMs >= timeMs) this.isLate = true
    origin.versions.push({ ...answer, timeMs })
    origin.versions.sort((a, b) => a.timeMs - b.timeMs)
  }

  /** Undefined when no robots.txt of the origin is archived. `isRobots`: it was asked for as one, which is always allowed. */
  judge(name: string, href: string, agent: string, timeMs: number, isRobots: boolean): Judgement | undefined {
    const origin = this.originNamed(name)
    const version = versionAt(origin.versions, timeMs)
    const isLater = version !== undefined && version.timeMs > timeMs
    origin.judgedMs = version === undefined || isLater ? Infinity : Math.max(origin.judgedMs, timeMs)
    if (version === undefined) return undefined
    const robotsMs = version.timeMs
    if (version.kind !== 'rules') {
      const allowed = version.kind === 'allows all' || isRobots
      return { verdict: { allowed, line: undefined }, robotsMs, isLater, crawlDelayMs: undefined }
    }
    const robots = this.parsedOf(version, version.file)
    const seconds = robots.crawlDelay(agent)
    const crawlDelayMs = seconds === undefined ? undefined : seconds * 1000
    const verdict = isRobots ? { allowed: true, line: undefined } : robots.allows(agent, href)
    return { verdict, robotsMs, isLater, crawlDelayMs }
  }

  private originNamed(name: string): Origin {
    let origin = this.origins.get(name)
    if (origin === undefined) {
      origin = { versions: [], judgedMs: -Infinity }
      this.origins.set(name, origin)
    }
    return origin
  }

  private parsedOf(version: Version, file: Uint8Array): Robots {
    const robots = this.parsed.get(version) ?? parseRobots(file)
    this.parsed.delete(version)
    this.parsed.set(version, robots)
    for (const [oldest] of this.parsed) {
      if (this.parsed.size <= MOST_PARSED) break
      this.parsed.delete(oldest)
    }
    return robots
  }
}

/**
 * The newest that isn't newer than this; otherwise the oldest. A crawler may keep to an earlier copy while robots.txt can't be had (RFC 9309 2.3.1.4).
 */
function versionAt(versions: readonly Version[], timeMs: number): Version | undefined {
  const past = versions.filter(version => version.timeMs <= timeMs)
  return past.findLast(({ kind }) => kind !== 'unreachable') ?? past.at(-1) ?? versions[0]
}
