// The server's own log decides whether a collector was polite.
import type { Request, Web } from '../web/synthetic-web.ts'

const TOLERANCE_MS = 20

export interface Verdict {
  /** Pairs of requests that came at once or too soon, in words. */
  readonly complaints: string[]
  /** Pairs that were looked at, and those among them where a host had asked for more than the delay. */
  readonly pairs: number
  readonly longer: number
  /** The shortest time from the end of a request to the beginning of the next one to the same host or address. */
  readonly shortestMs: number
}

/**
 * Looks at all requests to each host and to each address, robots.txt, redirects and retries included. `killsMs`: when the
 * collector was killed and started again.
 */
export function politeness(
  web: Web,
  log: readonly Request[],
  delayMs: number,
  killsMs: readonly number[] = [],
): Verdict {
  const verdict = { complaints: [] as string[], pairs: 0, longer: 0, shortestMs: Number.POSITIVE_INFINITY }
  const delays = crawlDelays(web, log, killsMs)
  for (const key of ['host', 'address'] as const) {
    for (const requests of groups(log, key)) judge(requests, delayMs, delays, verdict)
  }
  return verdict
}

interface Wish {
  readonly delayMs: number
  /** When it was told. */
  readonly fromMs: number
}

function judge(
  requests: readonly Request[],
  delayMs: number,
  delays: ReadonlyMap<string, Wish>,
  verdict: { complaints: string[]; pairs: number; longer: number; shortestMs: number },
): void {
  for (const [n, next] of requests.entries()) {
    const before = requests[n - 1]
    if (before === undefined) continue
    verdict.pairs++
    const gapMs = next.startMs - (before.endMs ?? Number.POSITIVE_INFINITY)
    verdict.shortestMs = Math.min(verdict.shortestMs, gapMs)
    const asked = delays.get(next.host)
    const isKnown = asked !== undefined && before.host === next.host && asked.fromMs <= next.startMs
    const wantedMs = Math.max(delayMs, isKnown ? asked.delayMs : 0, before.retryAfterMs ?? 0)
    if (wantedMs > delayMs) verdict.longer++
    if (gapMs >= wantedMs - TOLERANCE_MS) continue
    const what = `${before.host}${before.path} (${before.status}), then ${next.host}${next.path} at ${next.address}`
    verdict.complaints.push(`${what} after ${gapMs.toFixed(1)} ms instead of ${wantedMs}`)
  }
}

/** A collector that was killed so soon after an answer may not have kept what it said. */
const FORGETS_WITHIN_MS = 500

/** A host's Crawl-delay holds once its robots.txt has been given. */
function crawlDelays(web: Web, log: readonly Request[], killsMs: readonly number[]): Map<string, Wish> {
  const delays = new Map<string, Wish>()
  const isForgotten = (endMs: number) => killsMs.some(atMs => atMs >= endMs && atMs < endMs + FORGETS_WITHIN_MS)
  for (const { name, robots } of web.sites) {
    const told = log.find(
      ({ host, path, status, endMs }) =>
        host === name && path === '/robots.txt' && status === 200 && endMs !== undefined && !isForgotten(endMs),
    )
    if (robots.delayMs > 0 && told !== undefined) delays.set(name, { delayMs: robots.delayMs, fromMs: told.endMs! })
  }
  return delays
}

function groups(log: readonly Request[], key: 'host' | 'address'): Request[][] {
  const found = new Map<string, Request[]>()
  for (const request of [...log].sort((a, b) => a.startMs - b.startMs)) {
    const group = found.get(request[key])
    if (group === undefined) found.set(request[key], [request])
    else group.push(request)
  }
  return [...found.values()]
}
