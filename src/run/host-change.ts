import { parseHost } from '../fetch/own-headers.ts'
import { type FrontierViews, type HostControl, type HostView, restMs } from '../frontier/frontier.ts'
import type { HostSettings } from '../settings/host-settings.ts'
import { type RestFacts, type Rests, restCause } from './rests.ts'

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

/**
 * A host that waits for its delay waits for the new one, counted from the same request. `former`: by the former settings.
 * `delayMs`: by the new ones.
 */
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

/**
 * Blocks a host until a time; one that has passed ends all waiting. A block that becomes shorter ends no other rest: the host waits
 * for that, and for its delay as if it had just been asked.
 */
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
