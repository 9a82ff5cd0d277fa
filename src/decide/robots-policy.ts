import type { Failure } from '../fetch/exchange.ts'
import type { Link, Outcome, Ticket } from '../frontier/frontier.ts'
import { RobotsRules } from '../robots/rules.ts'
import { hostOf } from '../url/host-of.ts'
import { prepareBase, webUrl } from '../url/web.ts'
import { AGAIN, type Commit, type Decision, DONE, pauseAfterAnswer, refused, settled } from './decision.ts'
import type { FetchResult } from './job.ts'
import { readNote, writeNote } from './link-note.ts'
import type { PolicyDeps } from './policy.ts'
import { KEPT_MS, type NoRobots, noteKey, originOf } from './robots-gate.ts'
import { namedSitemaps } from './sitemap-policy.ts'

/** RFC 9309 2.3.1.2 */
const MOST_REDIRECTS = 5

/** What becomes of a ticket for robots.txt. A file that cannot be fetched allows nothing for now and refuses nothing: its host is left alone for a while. */
export function afterRobots(
  ticket: Ticket,
  result: Exclude<FetchResult, { kind: 'lost' | 'abandoned' | 'not asked' }>,
  deps: PolicyDeps,
  nowMs: number,
): Decision {
  const origin = readNote(ticket.note).robotsOf ?? originOf(ticket.url)
  switch (result.kind) {
    case 'robots': {
      const { status, retryAfterMs } = result.answer
      if (status >= 500 || status === 429)
        return failedRobots(ticket, origin, `status-${status}`, 'trouble', deps, nowMs, retryAfterMs ?? 0)
      if (result.location !== undefined) return movedRobots(ticket, origin, result, result.location, deps, nowMs)
      return readRobots(ticket, origin, result, deps, nowMs)
    }
    case 'challenge':
      return failedRobots(ticket, origin, 'challenge', 'trouble', deps, nowMs, result.answer.retryAfterMs ?? 0)
    case 'failed':
      if (isTrustFault(result.why)) return untrusted(ticket, origin, result.why, deps, nowMs)
      return failedRobots(ticket, origin, result.why, result.isSilent ? 'silence' : 'trouble', deps, nowMs, 0)
    case 'forbidden address':
      return noWay(ticket, origin, 'address', nowMs)
    case 'bad url':
      return noWay(ticket, origin, 'malformed', nowMs)
    case 'no such host':
      return noWay(ticket, origin, 'dns', nowMs)
    default:
      throw new Error(`a ${result.kind} came for robots.txt`)
  }
}

/** 2xx: its rules apply. 4xx and any other status: everything is allowed (RFC 9309 2.3.1.3). */
function readRobots(
  ticket: Ticket,
  origin: string,
  { answer, rules }: FetchResult & { kind: 'robots' },
  deps: PolicyDeps,
  nowMs: number,
): Decision {
  const { gate, hosts, settings } = deps
  const file = new RobotsRules(rules)
  const host = hostOf(origin)
  const delayMs = gate.crawlDelayMs(origin, file)
  const isOwn = host === ticket.host
  // Pages that are visited again may be far away in time; sitemaps say what is new meanwhile.
  const isLooking = settings.sitemaps === 'yes' && settings.recrawl !== 'no' && !deps.sitemaps.wasRead(origin, nowMs)
  const sitemaps = isLooking ? namedSitemaps(origin, file.sitemaps, deps, nowMs) : undefined
  const pauseMs = Math.max(pauseAfterAnswer(hosts.delayMs(ticket.host), answer), isOwn ? delayMs : 0)
  return {
    entry: {
      ...(sitemaps && { links: sitemaps.batches }),
      robots: { origin, rules, atMs: nowMs },
      delay: { host, ms: delayMs },
      note: { host, key: noteKey(origin), bytes: rules, forMs: KEPT_MS },
      settlement: settled(ticket, DONE, 'answer', pauseMs),
    },
    events: [
      ...(delayMs > 0 ? [{ kind: 'crawl-delay', host, ms: delayMs } as const] : []),
      ...(sitemaps ? [sitemaps.event] : []),
    ],
  }
}

/** RFC 9309 2.3.1.2: up to five redirects are followed, also to other hosts, each when that host is due; after that, as if there were no robots.txt. */
function movedRobots(
  ticket: Ticket,
  origin: string,
  result: FetchResult & { kind: 'robots' },
  location: string,
  deps: PolicyDeps,
  nowMs: number,
): Decision {
  const target = webUrl(location, prepareBase(ticket.url))
  const redirects = (readNote(ticket.note).redirects ?? 0) + 1
  if (typeof target === 'string' || redirects > MOST_REDIRECTS) return readRobots(ticket, origin, result, deps, nowMs)
  const note = writeNote({ robotsOf: origin, redirects })
  const link: Link = { url: target.href, kind: 'robots', rank: 0, hops: 0, note }
  const settlement = settled(ticket, DONE, 'answer', pauseAfterAnswer(deps.hosts.delayMs(ticket.host), result.answer))
  const robots = target.host === hostOf(origin) ? {} : { robots: { origin, rules: 'elsewhere', atMs: nowMs } as const }
  return { entry: { ...robots, links: [[link]], settlement }, events: [] }
}

function failedRobots(
  ticket: Ticket,
  origin: string,
  why: string,
  shown: 'trouble' | 'silence',
  { hosts, settings }: PolicyDeps,
  nowMs: number,
  wantedMs: number,
): Decision {
  const pauseMs = Math.max(wantedMs, hosts.delayMs(ticket.host))
  const isLast = ticket.attempt > settings.retries
  const reason = `robots-${why}`
  const outcome: Outcome = isLast ? refused(reason) : AGAIN
  return {
    entry: { ...(isLast && unreachable(ticket, origin, nowMs)), settlement: settled(ticket, outcome, shown, pauseMs) },
    events: [{ kind: isLast ? 'failed' : 'again', url: ticket.url, why: reason }],
  }
}

function isTrustFault(why: Failure): why is Failure & NoRobots {
  return why.startsWith('tls')
}

/** Pages of the origin would fail by the same fault: each ends by it when its turn comes. The host may still be asked over http. */
function untrusted(
  ticket: Ticket,
  origin: string,
  why: Failure & NoRobots,
  { hosts }: PolicyDeps,
  atMs: number,
): Decision {
  const isOwn = hostOf(origin) === ticket.host
  const reason = `robots-${why}`
  return {
    entry: {
      robots: { origin, rules: isOwn ? why : 'robots-unavailable', atMs },
      settlement: settled(ticket, refused(reason), 'answer', hosts.delayMs(ticket.host)),
    },
    events: [{ kind: 'failed', url: ticket.url, why: reason }],
  }
}

/** The host does not exist or may not be contacted, so its links will never be fetched. */
function noWay(ticket: Ticket, origin: string, reason: string, nowMs: number): Decision {
  const gone = { host: ticket.host, reason, atMs: nowMs }
  const settlement = settled(ticket, refused(reason), 'gone', 0)
  return { entry: { ...unreachable(ticket, origin, nowMs), gone, settlement }, events: [] }
}

/** A robots.txt that redirected to another host, which can't be asked. */
function unreachable({ host }: Ticket, origin: string, atMs: number): Pick<Commit, 'robots'> {
  return hostOf(origin) === host ? {} : { robots: { origin, rules: 'robots-unavailable', atMs } }
}
