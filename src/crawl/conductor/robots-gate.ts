import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock } from '../../base/clock.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import { RobotsRules, type Verdict } from '../../robots/rules.ts'

/** RFC 9309 2.4: not longer than a day. */
export const KEPT_MS = 24 * 3_600_000
/** Rules kept in memory, in bytes; the frontier's notes hold more of them, and all others are asked for again. */
const MOST_KEPT_BYTES = 32 << 20
/** What rules weigh besides their bytes, measured. */
const LEAST_BYTES = 1000
/** Crawl-delay asks for more than this: it is given this. */
const LONGEST_DELAY_MS = 24 * 3_600_000
/** A robots.txt that moved to another host and has not been heard of for so long is looked for anew. */
const LONGEST_SEARCH_MS = 10 * 60_000
const MOST_SEARCHES = 100_000
/** A verdict on hostile rules may take a millisecond; after so much of them everybody else gets a turn. */
const LONGEST_TURN_MS = 3

interface Known {
  /** `nothing`: its robots.txt is at another host that could not be asked; nothing is allowed (RFC 9309 2.3.1.4). */
  readonly rules: RobotsRules | 'nothing'
  readonly bytes: number
  readonly untilMs: number
}

/** What may be done about a URL now. */
export type Gate =
  | { readonly kind: 'open' }
  | { readonly kind: 'shut'; readonly reason: 'robots' | 'robots-unavailable'; readonly line: number | undefined }
  /** The rules of its origin are not known. */
  | { readonly kind: 'unknown' }
  /** They are being asked for at another host. */
  | { readonly kind: 'elsewhere' }

/**
 * Knows, for each origin, what its robots.txt allows. It never asks the web: it says what is not known, and is told the rules,
 * compiled. What one machine learned, the others find in the notes of the frontier.
 */
export class RobotsGate {
  private readonly frontier: Pick<Frontier, 'noted'>
  private readonly known = new Map<string, Known>()
  private bytes = 0
  /** Origins whose robots.txt moved to another host, and since when it is looked for there. */
  private readonly searches = new Map<string, number>()
  private readonly stopwatch: Clock
  /** Spent on verdicts since everybody else had a turn. */
  private spentMs = 0
  private rest: Promise<void> = Promise.resolve()

  /** `stopwatch`: measures verdicts. */
  constructor(frontier: Pick<Frontier, 'noted'>, stopwatch = systemClock) {
    this.frontier = frontier
    this.stopwatch = stopwatch
  }

  /** Answers at once when the rules are at hand. */
  ask(url: string, nowMs: number): Gate | Promise<Gate> {
    const origin = originOf(url)
    const known = this.known.get(origin)
    if (known !== undefined && known.untilMs > nowMs) return this.judged(known.rules, url)
    return this.askNotes(origin, url, nowMs)
  }

  /** The rules of an origin, compiled. */
  learn(origin: string, rules: Uint8Array, nowMs: number): void {
    this.keep(origin, new RobotsRules(rules), rules.length, nowMs)
  }

  /** The robots.txt of this origin is at another host, and has to be asked for there. */
  searchElsewhere(origin: string, nowMs: number): void {
    if (this.searches.size >= MOST_SEARCHES) this.searches.delete(this.searches.keys().next().value!)
    this.searches.set(origin, nowMs)
  }

  /** It could not be had there. */
  giveUp(origin: string, nowMs: number): void {
    this.keep(origin, 'nothing', 0, nowMs)
  }

  /** What the files of a host ask for. One host may have two, by scheme, and one delay: the longer one. */
  crawlDelayMs(origin: string): number {
    const of = (one: string) => {
      const rules = this.known.get(one)?.rules
      return rules === undefined || rules === 'nothing' ? 0 : (rules.crawlDelaySeconds ?? 0)
    }
    return Math.min(Math.max(of(origin), of(otherScheme(origin))) * 1000, LONGEST_DELAY_MS)
  }

  private async askNotes(origin: string, url: string, nowMs: number): Promise<Gate> {
    const sinceMs = this.searches.get(origin)
    if (sinceMs !== undefined && nowMs - sinceMs < LONGEST_SEARCH_MS) return { kind: 'elsewhere' }
    const noted = await this.frontier.noted(hostIn(origin), noteKey(origin))
    if (noted === undefined) return { kind: 'unknown' }
    this.learn(origin, noted, nowMs)
    return this.judged(this.known.get(origin)!.rules, url)
  }

  private judged(rules: Known['rules'], url: string): Gate | Promise<Gate> {
    if (this.spentMs < LONGEST_TURN_MS) return this.measured(rules, url)
    this.rest = this.rest.then(() => turn())
    return this.rest.then(() => {
      this.spentMs = 0
      return this.measured(rules, url)
    })
  }

  private measured(rules: Known['rules'], url: string): Gate {
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

function judged(rules: Known['rules'], url: string): Gate {
  if (rules === 'nothing') return { kind: 'shut', reason: 'robots-unavailable', line: undefined }
  const { allowed, line }: Verdict = rules.verdict(url)
  return allowed ? OPEN : { kind: 'shut', reason: 'robots', line }
}

const OPEN: Gate = { kind: 'open' }

/** Under which name the rules of an origin are noted at its host. */
export function noteKey(origin: string): string {
  return `robots ${origin.slice(0, origin.indexOf(':'))}`
}

/** `https://a.com:8443` of `https://a.com:8443/x` */
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
