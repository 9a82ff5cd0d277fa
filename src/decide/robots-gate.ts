import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Failure } from '../fetch/exchange.ts'
import type { HostNotes, Link } from '../frontier/frontier.ts'
import { RobotsRules, type Verdict } from '../robots/rules.ts'
import { writeNote } from './link-note.ts'

/** RFC 9309 2.4: rules should not be used for longer than a day. */
export const KEPT_MS = 24 * 3_600_000
/** Maximum bytes of rules in memory. More are in the frontier's notes; any others are fetched again. */
const MOST_KEPT_BYTES = 32 << 20
/** Measured overhead of rules besides their bytes. */
const LEAST_BYTES = 1000
/** A longer Crawl-delay is shortened to this. */
const LONGEST_DELAY_MS = 24 * 3_600_000
/** If a robots.txt that redirects to another host has not arrived after this time, it is requested again. */
const LONGEST_SEARCH_MS = 10 * 60_000
const MOST_SEARCHES = 100_000
/** A verdict on hostile rules may take a millisecond; after this much time the event loop gets a turn. */
const LONGEST_TURN_MS = 3

/**
 * Why no robots.txt could be had, so that nothing is allowed (RFC 9309 2.3.1.4): the other host that it is on could not be reached,
 * or no connection with this origin can be trusted.
 */
export type NoRobots = 'robots-unavailable' | (Failure & `tls${string}`)

interface Known {
  readonly rules: RobotsRules | NoRobots
  readonly bytes: number
  readonly untilMs: number
}

export interface LearnedRobots {
  readonly origin: string
  /** Compiled; `elsewhere`: it is on another host and is being fetched there. */
  readonly rules: Uint8Array | 'elsewhere' | NoRobots
  readonly atMs: number
}

export type GateAnswer =
  | { readonly kind: 'open' }
  | { readonly kind: 'shut'; readonly reason: 'robots' | NoRobots; readonly line: number | undefined }
  | { readonly kind: 'unknown' }
  /** They are being fetched from another host. */
  | { readonly kind: 'elsewhere' }

/** What the robots.txt of each origin allows. It makes no requests; machines share rules through the frontier's notes. */
export class RobotsGate {
  private readonly frontier: Pick<HostNotes, 'noted'>
  private readonly known = new Map<string, Known>()
  private bytes = 0
  /** Origins whose robots.txt redirects to another host, with the time since when it is being fetched there. */
  private readonly searches = new Map<string, number>()
  private readonly stopwatch: Clock
  private spentMs = 0
  private rest: Promise<void> = Promise.resolve()

  /** `stopwatch`: measures the time that verdicts take. */
  constructor(frontier: Pick<HostNotes, 'noted'>, stopwatch = systemClock) {
    this.frontier = frontier
    this.stopwatch = stopwatch
  }

  /** Returns a promise only if the rules are not in memory. */
  ask(url: string, nowMs: number): GateAnswer | Promise<GateAnswer> {
    const origin = originOf(url)
    const known = this.known.get(origin)
    if (known !== undefined && known.untilMs > nowMs) return this.judged(known.rules, url)
    return this.askNotes(origin, url, nowMs)
  }

  learn({ origin, rules, atMs }: LearnedRobots): void {
    if (rules === 'elsewhere') {
      if (this.searches.size >= MOST_SEARCHES) this.searches.delete(this.searches.keys().next().value!)
      this.searches.set(origin, atMs)
    } else if (typeof rules === 'string') this.keep(origin, rules, 0, atMs)
    else this.keep(origin, new RobotsRules(rules), rules.length, atMs)
  }

  /** The longer one of a host's two robots.txt files, one per scheme. `rules`: of the origin, if they are not learned yet. */
  crawlDelayMs(origin: string, rules = this.known.get(origin)?.rules): number {
    const seconds = Math.max(secondsIn(rules), secondsIn(this.known.get(otherScheme(origin))?.rules))
    return Math.min(seconds * 1000, LONGEST_DELAY_MS)
  }

  sitemaps(origin: string): readonly string[] {
    const rules = this.known.get(origin)?.rules
    return typeof rules === 'object' ? rules.sitemaps : []
  }

  private async askNotes(origin: string, url: string, nowMs: number): Promise<GateAnswer> {
    const sinceMs = this.searches.get(origin)
    if (sinceMs !== undefined && nowMs - sinceMs < LONGEST_SEARCH_MS) return { kind: 'elsewhere' }
    const noted = await this.frontier.noted(hostIn(origin), noteKey(origin))
    if (noted === undefined) return { kind: 'unknown' }
    this.learn({ origin, rules: noted, atMs: nowMs })
    return this.judged(this.known.get(origin)!.rules, url)
  }

  private judged(rules: Known['rules'], url: string): GateAnswer | Promise<GateAnswer> {
    if (this.spentMs < LONGEST_TURN_MS) return this.measured(rules, url)
    this.rest = this.rest.then(() => turn())
    return this.rest.then(() => {
      this.spentMs = 0
      return this.measured(rules, url)
    })
  }

  private measured(rules: Known['rules'], url: string): GateAnswer {
    const startMs = this.stopwatch()
    const gate = judged(rules, url)
    this.spentMs += this.stopwatch() - startMs
    return gate
  }

  private keep(origin: string, rules: Known['rules'], length: number, nowMs: number): void {
    this.searches.delete(origin)
    this.forget(origin)
    const bytes = length + LEAST_BYTES
    this.known.set(origin, { rules, bytes, untilMs: nowMs + KEPT_MS })
    this.bytes += bytes
    for (const oldest of this.known.keys()) {
      if (this.bytes <= MOST_KEPT_BYTES || oldest === origin) break
      this.forget(oldest)
    }
  }

  private forget(origin: string): void {
    this.bytes -= this.known.get(origin)?.bytes ?? 0
    this.known.delete(origin)
  }
}

function judged(rules: Known['rules'], url: string): GateAnswer {
  if (typeof rules === 'string') return { kind: 'shut', reason: rules, line: undefined }
  const { allowed, line }: Verdict = rules.verdict(url)
  return allowed ? OPEN : { kind: 'shut', reason: 'robots', line }
}

function secondsIn(rules: Known['rules'] | undefined): number {
  return typeof rules === 'object' ? (rules.crawlDelaySeconds ?? 0) : 0
}

const OPEN: GateAnswer = { kind: 'open' }

export function noteKey(origin: string): string {
  return `robots ${origin.slice(0, origin.indexOf(':'))}`
}

/** `https://a.com:8443/x` → `https://a.com:8443` */
export function originOf(url: string): string {
  const path = url.indexOf('/', url.indexOf('://') + 3)
  return path < 0 ? url : url.slice(0, path)
}

function hostIn(origin: string): string {
  return origin.slice(origin.indexOf('://') + 3)
}

function otherScheme(origin: string): string {
  return origin.startsWith('https:') ? `http:${origin.slice(6)}` : `https:${origin.slice(5)}`
}

export function robotsLink(origin: string): Link {
  return { url: `${origin}/robots.txt`, kind: 'robots', rank: 0, hops: 0, note: writeNote({ robotsOf: origin }) }
}
