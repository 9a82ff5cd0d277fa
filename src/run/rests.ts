import { said } from '../base/messages/message.ts'
import { SLOW_MS } from '../decide/decision.ts'
import { parseHost } from '../fetch/own-headers.ts'
import { hostChangesIn } from '../folder/actions-file.ts'
import { type FrontierViews, type HostControl, type HostView, restMs } from '../frontier/frontier.ts'
import type { CrawlHappening } from '../settings/events.ts'
import type { HostSettings } from '../settings/host-settings.ts'
import { hostOf } from '../url/host-of.ts'

/** A person blocked it, Retry-After, an error on a page, a slow answer, failures in a row, Crawl-delay, few new words, or the delay in the settings. */
export type RestCause = Rest['cause'] | 'challenge' | 'failures' | 'crawl-delay' | 'little-new' | 'delay'

/** A rest after an answer, or a block by a person. Unix time. */
export interface Rest {
  readonly cause: 'blocked' | 'retry-after' | 'error' | 'slow'
  readonly untilMs: number
}

export interface RestFacts {
  readonly nowMs: number
  readonly delayMs: (host: string) => number
  /** The time between two requests to a host whose pages bring little that is new. */
  readonly slowedMs?: (host: string) => number | undefined
  /** The longest rest of a host that is known; undefined when there was none in this run, or it was forgotten. */
  readonly rest: (host: string) => Rest | undefined
  /** Whether its last answer was a challenge page. */
  readonly isChallenged?: (host: string) => boolean
}

/** How many hosts are remembered; the one whose rest began longest ago is forgotten first. */
const MOST_HOSTS = 10_000
/** A wait up to this much longer than a delay is explained by that delay. */
const TOLERANCE_MS = 50

export function shownCause(cause: RestCause): string {
  return said(`rest/${cause}`)
}

/** Why a host that waits cannot be asked yet; undefined when it can be, or when that is not known: causes in earlier runs are forgotten, except blocks. */
export function restCause(
  { host, readyInMs, delayMs, failures }: HostView,
  { nowMs, delayMs: settingMs, slowedMs, rest, isChallenged }: RestFacts,
): RestCause | undefined {
  if (readyInMs <= 0) return undefined
  const isAtMost = (ms: number) => readyInMs <= ms + TOLERANCE_MS
  const known = rest(host)
  if (known !== undefined && isAtMost(known.untilMs - nowMs)) return known.cause
  if (failures > 0 && isAtMost(restMs(failures))) return isChallenged?.(host) ? 'challenge' : 'failures'
  const ownMs = settingMs(host)
  if (delayMs > ownMs && isAtMost(delayMs)) return 'crawl-delay'
  if (isAtMost(ownMs)) return 'delay'
  return isAtMost(slowedMs?.(host) ?? 0) ? 'little-new' : undefined
}

/** Remembers why hosts rest, and until when. Only for messages: the frontier enforces the time. */
export class Rests {
  private readonly rests = new Map<string, Rest>()
  private readonly blocks = new Map<string, number>()

  hear(happened: CrawlHappening, atMs: number): void {
    switch (happened.kind) {
      case 'again':
        this.begin(happened.url, 'error', atMs, happened.restMs)
        return
      case 'answered': {
        const { url, tookMs, retryAfterMs } = happened
        this.begin(url, 'slow', atMs, tookMs > SLOW_MS ? tookMs : undefined)
        this.begin(url, 'retry-after', atMs, retryAfterMs)
        return
      }
      case 'action':
        if (happened.action.kind === 'change host') this.block(happened.action.host, happened.action.change, atMs)
    }
  }

  restOf(host: string): Rest | undefined {
    return this.rests.get(host)
  }

  of(host: string): Rest | undefined {
    const rest = this.rests.get(host)
    const untilMs = this.blocks.get(host) ?? 0
    return untilMs > (rest?.untilMs ?? 0) ? { cause: 'blocked', untilMs } : rest
  }

  /** Until when a person blocks a host; undefined when no one does. */
  blockedUntilMs(host: string, nowMs: number): number | undefined {
    const untilMs = this.blocks.get(host)
    return untilMs !== undefined && untilMs > nowMs ? untilMs : undefined
  }

  blockedAt(nowMs: number): number {
    for (const [host, untilMs] of this.blocks) if (untilMs <= nowMs) this.blocks.delete(host)
    return this.blocks.size
  }

  private block(host: string, { blockedUntilMs }: { readonly blockedUntilMs?: number | null }, atMs: number): void {
    if (blockedUntilMs === undefined) return
    this.blocks.delete(host)
    if (blockedUntilMs === null || blockedUntilMs <= atMs) {
      // It may be asked at once, whatever it waited for.
      this.rests.delete(host)
      return
    }
    if (this.blocks.size >= MOST_HOSTS) this.blocks.delete(this.blocks.keys().next().value!)
    this.blocks.set(host, blockedUntilMs)
  }

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

/** The host that a person means, as the frontier knows it; undefined when it does not. */
export async function knownHost(frontier: FrontierViews, text: string): Promise<HostView | undefined> {
  for (const name of spellings(text)) {
    const view = await frontier.host(name)
    if (view !== undefined) return view
  }
  return undefined
}

function spellings(text: string): ReadonlySet<string> {
  try {
    const { http, https } = parseHost(text)
    return new Set([text, http ?? text, https ?? text])
  } catch {
    // Not a name of a host.
    return new Set()
  }
}

/** The settings with another delay for one host; null: none of its own. Its other settings stay. */
export function withHostDelay(all: readonly HostSettings[], host: string, delayMs: number | null): HostSettings[] {
  const others = all.flatMap((one): HostSettings[] => {
    if (one.delayMs === undefined || !isFor(one, host)) return [one]
    const { delayMs: _, ...rest } = one
    return Object.keys(rest).length > 1 ? [rest] : []
  })
  return delayMs === null ? others : [...others, { host, delayMs }]
}

/** Whether an entry is for this host alone, not for all subdomains. */
function isFor({ host: named }: HostSettings, host: string): boolean {
  const { http, https, isWildcard } = parseHost(named)
  return !isWildcard && (http === host || https === host)
}

/** A host that waits for its delay waits for the new one, from the same request. `former`, `delayMs`: by the former and new settings. */
export async function applyDelay(
  frontier: HostControl,
  view: HostView,
  former: RestFacts,
  delayMs: number,
): Promise<void> {
  const gapMs = Math.max(delayMs, view.delayMs)
  const formerMs = former.delayMs(view.host)
  // Its request may have ended by the former delay, and is about to be settled.
  if (view.state === 'leased' && gapMs > formerMs) await frontier.hold(view.host, { forMs: gapMs })
  if (view.state === 'leased' || restCause(view, former) !== 'delay') return
  const leftMs = Math.max(0, view.readyInMs + gapMs - formerMs)
  // `isAnew` would forget failures in a row.
  await frontier.hold(view.host, { forMs: leftMs, isAnew: gapMs < formerMs && view.failures === 0 })
}

/** A time that has passed ends all waiting. A block that becomes shorter ends no other rest, nor the delay. */
export async function applyBlock(
  frontier: HostControl,
  { host, delayMs, failures }: HostView,
  former: Pick<RestFacts, 'nowMs' | 'delayMs'> & { readonly rests: Rests },
  untilMs: number,
): Promise<void> {
  const { nowMs, rests } = former
  const forMs = untilMs - nowMs
  if (forMs <= 0) return frontier.hold(host, { forMs: 0, isAnew: true })
  const isShorter = (rests.blockedUntilMs(host, nowMs) ?? 0) > untilMs
  if (!isShorter) return frontier.hold(host, { forMs })
  const otherMs = (rests.restOf(host)?.untilMs ?? 0) - nowMs
  const waits = [forMs, otherMs, delayMs, former.delayMs(host), restMs(failures)]
  await frontier.hold(host, { forMs: Math.max(...waits), isAnew: true })
}

/** The hosts that people blocked in earlier runs, from `actions.jsonl`; nothing else is kept of why hosts rest. */
export function keptBlocks(folder: string): Rests {
  const rests = new Rests()
  for (const { atMs, result, ...action } of hostChangesIn(folder)) rests.hear({ kind: 'action', action, result }, atMs)
  return rests
}
