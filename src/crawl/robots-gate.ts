import { hostOf } from '../frontier/frontier.ts'
import { parseRobots, type Robots } from '../robots/robots.ts'
import { prepareBase, webUrl } from '../url/web.ts'

/** RFC 9309 2.4: not longer than a day. */
const KEPT_MS = 24 * 3_600_000
/** RFC 9309 2.3.1.2 */
const MOST_REDIRECTS = 5
/** How many bytes of files are kept; whoever is forgotten is asked again. A file counts for a little more than its length. */
const MOST_KEPT_BYTES = 128 << 20
const LEAST_BYTES = 200
/** Of those that are also kept parsed, which takes about six times the room. */
const MOST_PARSED_BYTES = 16 << 20
/** How soon a host is looked at again whose robots.txt another host has to tell. */
const LOOK_AGAIN_MS = 1000
/** Crawl-delay asks for more than this: it is given this. */
const LONGEST_DELAY_MS = 24 * 3_600_000

/** What may be done about a URL now. */
export type Gate =
  | { readonly kind: 'open' }
  | { readonly kind: 'shut'; readonly reason: 'robots' | 'robots-unavailable' }
  /** First this has to be asked for, at the same host. */
  | { readonly kind: 'ask'; readonly url: string }
  | { readonly kind: 'wait'; readonly ms: number }

/** What was learnt from an answer, or from none, to a request for robots.txt. */
export interface Lesson {
  /** What the file asks of us, in milliseconds; 0 when nothing. */
  readonly crawlDelayMs: number
  /** The file is at another host, which has to be asked in its own time. */
  readonly elsewhere?: string
  readonly failure?: { readonly why: string; readonly failures: number; readonly isLast: boolean }
}

interface Rules {
  readonly file: Uint8Array | 'everything' | 'nothing'
  readonly untilMs: number
}

/** On the way to an origin's rules. */
interface Search {
  url: string
  redirects: number
  failures: number
  isElsewhere: boolean
}

/**
 * Knows, for each origin, what its robots.txt allows. It never asks itself: it says what has to be asked, and learns from
 * the answer. A file that can't be had allows nothing (RFC 9309 2.3.1.4), and one that doesn't exist everything (2.3.1.3).
 */
export class RobotsGate {
  private readonly agent: string
  private readonly retries: number
  private readonly known = new Budget<Rules>(MOST_KEPT_BYTES)
  private readonly parsed = new Budget<Robots>(MOST_PARSED_BYTES)
  private readonly searches = new Map<string, Search>()

  constructor(agent: string, retries: number) {
    this.agent = agent
    this.retries = retries
  }

  ask(url: string, nowMs: number): Gate {
    const origin = originOf(url)
    const rules = this.known.get(origin)
    if (rules !== undefined && rules.untilMs > nowMs) return this.judge(origin, rules.file, url)
    const search = this.searches.get(origin)
    if (search?.isElsewhere) return { kind: 'wait', ms: LOOK_AGAIN_MS }
    return { kind: 'ask', url: search?.url ?? `${origin}/robots.txt` }
  }

  /** What is known to be shut need not even be offered. */
  isShut(url: string, nowMs: number): boolean {
    return this.ask(url, nowMs).kind === 'shut'
  }

  /** `status` is undefined when there was no answer. */
  learn(origin: string, answer: RobotsAnswer, nowMs: number): Lesson {
    const { status } = answer
    if (status === undefined || status >= 500) return this.learnFailure(origin, answer.why ?? `status-${status}`, nowMs)
    if (answer.location !== undefined) return this.learnRedirect(origin, answer.askedUrl, answer.location, nowMs)
    if (status < 200 || status >= 300) return this.keep(origin, 'everything', nowMs)
    return this.keep(origin, answer.body, nowMs)
  }

  private judge(origin: string, file: Rules['file'], url: string): Gate {
    if (file === 'everything') return { kind: 'open' }
    if (file === 'nothing') return { kind: 'shut', reason: 'robots-unavailable' }
    const { allowed } = this.robotsOf(origin, file).allows(this.agent, url)
    return allowed ? { kind: 'open' } : { kind: 'shut', reason: 'robots' }
  }

  private robotsOf(origin: string, file: Uint8Array): Robots {
    let robots = this.parsed.get(origin)
    if (robots === undefined) {
      robots = parseRobots(file)
      this.parsed.set(origin, robots, file.length)
    }
    return robots
  }

  private learnRedirect(origin: string, from: string, location: string, nowMs: number): Lesson {
    const search = this.searchOf(origin)
    const target = webUrl(location, prepareBase(from))
    if (typeof target === 'string' || ++search.redirects > MOST_REDIRECTS) return this.keep(origin, 'everything', nowMs)
    search.isElsewhere = target.host !== hostOf(origin)
    search.url = search.isElsewhere ? `${origin}/robots.txt` : target.href
    return { crawlDelayMs: 0, ...(search.isElsewhere && { elsewhere: target.href }) }
  }

  private learnFailure(origin: string, why: string, nowMs: number): Lesson {
    const search = this.searchOf(origin)
    const failures = ++search.failures
    const isLast = failures > this.retries
    search.isElsewhere = false
    search.redirects = 0
    search.url = `${origin}/robots.txt`
    if (isLast) this.keep(origin, 'nothing', nowMs)
    return { crawlDelayMs: 0, failure: { why, failures, isLast } }
  }

  private keep(origin: string, file: Rules['file'], nowMs: number): Lesson {
    this.searches.delete(origin)
    this.parsed.delete(origin)
    this.known.set(origin, { file, untilMs: nowMs + KEPT_MS }, typeof file === 'string' ? 0 : file.length)
    // One host may have two files, and one delay: the longer one.
    return { crawlDelayMs: Math.max(this.crawlDelayMs(origin), this.crawlDelayMs(otherScheme(origin))) }
  }

  private crawlDelayMs(origin: string): number {
    const file = this.known.get(origin)?.file
    if (file === undefined || typeof file === 'string') return 0
    const seconds = this.robotsOf(origin, file).crawlDelay(this.agent) ?? 0
    return Math.min(seconds * 1000, LONGEST_DELAY_MS)
  }

  private searchOf(origin: string): Search {
    let search = this.searches.get(origin)
    if (search === undefined) {
      search = { url: `${origin}/robots.txt`, redirects: 0, failures: 0, isElsewhere: false }
      this.searches.set(origin, search)
    }
    return search
  }
}

/** Things by name, up to so many bytes in all; when there are more, those that were set longest ago go. */
class Budget<Thing> {
  private readonly mostBytes: number
  private readonly things = new Map<string, { readonly thing: Thing; readonly bytes: number }>()
  private bytes = 0

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes
  }

  get(name: string): Thing | undefined {
    return this.things.get(name)?.thing
  }

  set(name: string, thing: Thing, bytes: number): void {
    this.delete(name)
    this.things.set(name, { thing, bytes: bytes + LEAST_BYTES })
    this.bytes += bytes + LEAST_BYTES
    for (const oldest of this.things.keys()) {
      if (this.bytes <= this.mostBytes) break
      this.delete(oldest)
    }
  }

  delete(name: string): void {
    this.bytes -= this.things.get(name)?.bytes ?? 0
    this.things.delete(name)
  }
}

export interface RobotsAnswer {
  readonly askedUrl: string
  readonly status: number | undefined
  /** Without an answer: what went wrong. */
  readonly why: string | undefined
  readonly location: string | undefined
  readonly body: Uint8Array
}

/** `https://a.com:8443` of `https://a.com:8443/x` */
export function originOf(url: string): string {
  const path = url.indexOf('/', url.indexOf('://') + 3)
  return path < 0 ? url : url.slice(0, path)
}

function otherScheme(origin: string): string {
  return origin.startsWith('https:') ? `http:${origin.slice(6)}` : `https:${origin.slice(5)}`
}

/**
 * A robots.txt at another host is asked for through the frontier, so that the delays and leases of that host hold: as a
 * link with a fragment, which no page has. The mark makes it new each time, also after a restart.
 */
const ERRAND = '#robots-of='

export function robotsErrand(target: string, origin: string, mark: string): string {
  return `${target}${ERRAND}${mark}:${origin}`
}

/** The URL to ask for and the origin that it is asked for; `undefined` for a link to a page. */
export function readRobotsErrand(url: string): { readonly url: string; readonly origin: string } | undefined {
  const at = url.indexOf(ERRAND)
  if (at < 0) return undefined
  return { url: url.slice(0, at), origin: url.slice(url.indexOf(':', at) + 1) }
}
