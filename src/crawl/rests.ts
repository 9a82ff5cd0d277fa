import { catalogue } from '../base/words/language.ts'
import { type HostView, hostOf, restMs } from '../frontier/frontier.ts'
import { SLOW_MS } from './conductor/pauses.ts'
import type { CrawlHappening } from './events.ts'

/**
 * Why a host cannot be asked yet: its Retry-After, an error on one of its pages, a slow answer, failures in a row, the
 * Crawl-delay of its robots.txt, or the delay in the settings.
 */
export type RestCause = 'retry-after' | 'error' | 'slow' | 'failures' | 'crawl-delay' | 'delay'

/** A rest after an answer. Unix time. */
export interface Rest {
  readonly cause: 'retry-after' | 'error' | 'slow'
  readonly untilMs: number
}

export interface RestFacts {
  readonly nowMs: number
  /** The minimum time between two requests to a host, according to the settings. */
  readonly delayMs: (host: string) => number
  /** The longest rest after an answer of this run; undefined when there was none, or it was forgotten. */
  readonly rest: (host: string) => Rest | undefined
}

/** How many hosts are remembered; the one whose rest began longest ago is forgotten first. */
const MOST_HOSTS = 10_000
/** A wait up to this much longer than a delay is explained by that delay. */
const TOLERANCE_MS = 50

const words = catalogue({
  en: {
    'retry-after': 'Retry-After',
    error: 'error on a page',
    slow: 'slow answer',
    failures: 'failures',
    'crawl-delay': 'Crawl-delay',
    delay: '--delay',
  },
  pt: {
    'retry-after': 'Retry-After',
    error: 'erro em página',
    slow: 'resposta lenta',
    failures: 'falhas',
    'crawl-delay': 'Crawl-delay',
    delay: '--delay',
  },
} satisfies Record<string, Record<RestCause, string>>)

/** A few words for people. */
export function shownCause(cause: RestCause): string {
  return words()[cause]
}

/** Why a host that waits cannot be asked yet; undefined when it can be, or when that is not known: causes in earlier runs are forgotten. */
export function restCause(
  { host, readyInMs, delayMs, failures }: HostView,
  { nowMs, delayMs: settingMs, rest }: RestFacts,
): RestCause | undefined {
  if (readyInMs <= 0) return undefined
  const isAtMost = (ms: number) => readyInMs <= ms + TOLERANCE_MS
  const known = rest(host)
  if (known !== undefined && isAtMost(known.untilMs - nowMs)) return known.cause
  if (failures > 0 && isAtMost(restMs(failures))) return 'failures'
  const ownMs = settingMs(host)
  if (delayMs > ownMs && isAtMost(delayMs)) return 'crawl-delay'
  return isAtMost(ownMs) ? 'delay' : undefined
}

/** Remembers why hosts rest after an answer, and until when. Only for messages: the frontier enforces the time. */
export class Rests {
  private readonly rests = new Map<string, Rest>()

  hear(happened: CrawlHappening, atMs: number): void {
    if (happened.kind === 'again') this.begin(happened.url, 'error', atMs, happened.restMs)
    if (happened.kind !== 'answered') return
    const { url, tookMs, retryAfterMs } = happened
    this.begin(url, 'slow', atMs, tookMs > SLOW_MS ? tookMs : undefined)
    this.begin(url, 'retry-after', atMs, retryAfterMs)
  }

  of(host: string): Rest | undefined {
    return this.rests.get(host)
  }

  /** The rest that lasts longest is kept. */
  private begin(url: string, cause: Rest['cause'], atMs: number, ms: number | undefined): void {
    if (ms === undefined) return
    const host = hostOf(url)
    const untilMs = atMs + ms
    if ((this.rests.get(host)?.untilMs ?? 0) > untilMs) return
    this.rests.delete(host)
    if (this.rests.size >= MOST_HOSTS) this.rests.delete(this.rests.keys().next().value!)
    this.rests.set(host, { cause, untilMs })
  }
}
