import { parseHost } from '../fetch/own-headers.ts'
import type { Frontier, HostView } from '../frontier/frontier.ts'
import type { HostSettings } from './host-settings.ts'
import { type RestFacts, restCause } from './rests.ts'

/** The host that a person means, as the frontier knows it; undefined when it does not. */
export async function knownHost(frontier: Pick<Frontier, 'host'>, text: string): Promise<HostView | undefined> {
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
  frontier: Pick<Frontier, 'block' | 'release'>,
  view: HostView,
  former: RestFacts,
  delayMs: number,
): Promise<void> {
  const gapMs = Math.max(delayMs, view.delayMs)
  const formerMs = former.delayMs(view.host)
  // Its request may have ended by the former delay, and is about to be settled.
  if (view.state === 'leased' && gapMs > formerMs) await frontier.block(view.host, gapMs)
  if (view.state === 'leased' || restCause(view, former) !== 'delay') return
  const leftMs = view.readyInMs + gapMs - formerMs
  // Its failures in a row would be forgotten.
  if (gapMs < formerMs && view.failures === 0) await frontier.release(view.host)
  if (leftMs > 0) await frontier.block(view.host, leftMs)
}
