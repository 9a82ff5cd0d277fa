// The server's own log decides whether a collector was polite: to each host, and to each server (address).
import type { Request, Web } from '../web/synthetic-web.ts'

/** A request that the client gives up is over there a little before the server hears of it. */
const TOLERANCE_MS = 20
/**
 * Requests to a server are spaced when they are leased. From there to the server's log they wait for a slot, a thread and a
 * connection: so one may come late and the next one in time. Over any stretch, they are never further ahead than this.
 */
const BUNCH_MS = 150

export interface Manners {
  /** `--delay`. */
  readonly delayMs: number
  /** `--server-delay`; a quarter of the delay when nothing is said. */
  readonly serverDelayMs?: number
  /** `--per-server`; 4 when nothing is said. */
  readonly perServer?: number
  /** What the robots.txt of hosts ask for. */
  readonly crawlDelaysMs?: ReadonlyMap<string, number>
  /** When the collector was killed and started again. */
  readonly killsMs?: readonly number[]
}

export interface Verdict {
  /** What was wrong, in words. */
  readonly complaints: string[]
  /** Pairs of requests to a host that were looked at, and those among them where it had asked for more than the delay. */
  readonly pairs: number
  readonly longer: number
  /** The shortest time from the end of a request to the beginning of the next one to the same host. */
  readonly shortestMs: number
  /** The most requests that were open at one server. */
  readonly mostAtServer: number
  /** The most that requests to one server were ahead of their time. */
  readonly aheadMs: number
}

/** The delays that the robots.txt files of a web ask for. */
export function crawlDelaysOf(web: Web): Map<string, number> {
  return new Map(web.sites.filter(({ robots }) => robots.delayMs > 0).map(({ name, robots }) => [name, robots.delayMs]))
}

/** Looks at all requests to each host and to each server, robots.txt, redirects and retries included. */
export function politeness(log: readonly Request[], manners: Manners): Verdict {
  const verdict = {
    complaints: [] as string[],
    pairs: 0,
    longer: 0,
    shortestMs: Number.POSITIVE_INFINITY,
    mostAtServer: 0,
    aheadMs: 0,
  }
  const delays = crawlDelays(log, manners)
  for (const requests of groups(log, 'host')) judgeHost(requests, manners.delayMs, delays, verdict)
  for (const requests of groups(log, 'address')) judgeServer(requests, manners, verdict)
  return verdict
}

type Judged = { -readonly [Name in keyof Verdict]: Verdict[Name] }

interface Wish {
  readonly delayMs: number
  /** When it was told. */
  readonly fromMs: number
}

function judgeHost(
  requests: readonly Request[],
  delayMs: number,
  delays: ReadonlyMap<string, Wish>,
  verdict: Judged,
): void {
  for (const [n, next] of requests.entries()) {
    const before = requests[n - 1]
    if (before === undefined) continue
    verdict.pairs++
    const gapMs = next.startMs - overMs(before)
    verdict.shortestMs = Math.min(verdict.shortestMs, gapMs)
    const asked = delays.get(next.host)
    const isKnown = asked !== undefined && asked.fromMs <= next.startMs
    const wantedMs = Math.max(delayMs, isKnown ? asked.delayMs : 0, before.retryAfterMs ?? 0)
    if (wantedMs > delayMs) verdict.longer++
    if (gapMs >= wantedMs) continue
    const what = `${before.host}${before.path} (${before.status}), then ${next.path}`
    verdict.complaints.push(`${what} after ${gapMs.toFixed(1)} ms instead of ${wantedMs}`)
  }
}

function judgeServer(requests: readonly Request[], manners: Manners, verdict: Judged): void {
  const { delayMs, serverDelayMs = delayMs / 4, perServer = 4 } = manners
  const { address } = requests[0]!
  const most = mostAtOnce(requests)
  verdict.mostAtServer = Math.max(verdict.mostAtServer, most)
  if (most > perServer) verdict.complaints.push(`${most} requests at once at ${address}`)
  const aheadMs = mostAhead(requests, serverDelayMs)
  verdict.aheadMs = Math.max(verdict.aheadMs, aheadMs)
  if (aheadMs > BUNCH_MS) verdict.complaints.push(`requests to ${address} were ${aheadMs.toFixed(1)} ms ahead`)
}

/** Since when the client may have had the whole answer, or have given it up. */
function overMs({ startMs, answeredMs, endMs = Number.POSITIVE_INFINITY }: Request): number {
  return answeredMs ?? Math.max(startMs, endMs - TOLERANCE_MS)
}

/** How many requests were open at the same time, at most. They are sorted by their start. */
export function mostAtOnce(requests: readonly Request[]): number {
  const ends = requests.map(overMs).sort((a, b) => a - b)
  let ended = 0
  let most = 0
  for (const [n, { startMs }] of requests.entries()) {
    while (ends[ended]! <= startMs) ended++
    most = Math.max(most, n + 1 - ended)
  }
  return most
}

/** Of all stretches of requests, by how much the one that is most ahead is shorter than its gaps together. */
function mostAhead(requests: readonly Request[], gapMs: number): number {
  let least = Number.POSITIVE_INFINITY
  let ahead = 0
  for (const [n, { startMs }] of requests.entries()) {
    const early = n * gapMs - startMs
    least = Math.min(least, early)
    ahead = Math.max(ahead, early - least)
  }
  return ahead
}

/** A collector that was killed so soon after an answer may not have kept what it said. */
const FORGETS_WITHIN_MS = 500

/** A host's Crawl-delay holds once its robots.txt has been given. */
function crawlDelays(log: readonly Request[], { crawlDelaysMs = new Map(), killsMs = [] }: Manners): Map<string, Wish> {
  const delays = new Map<string, Wish>()
  const isForgotten = (endMs: number) => killsMs.some(atMs => atMs >= endMs && atMs < endMs + FORGETS_WITHIN_MS)
  for (const [name, delayMs] of crawlDelaysMs) {
    const told = log.find(
      ({ host, path, status, endMs }) =>
        host === name && path === '/robots.txt' && status === 200 && endMs !== undefined && !isForgotten(endMs),
    )
    if (told !== undefined) delays.set(name, { delayMs, fromMs: told.endMs! })
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
