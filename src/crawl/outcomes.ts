import { type Frontier, hostOf, type Link, type Settlement, type Ticket } from '../frontier/frontier.ts'
import type { End, Finding, FoundLink } from './errand.ts'
import { HostHealth } from './host-health.ts'
import type { Entry } from './ledger.ts'
import { pauseAfterAnswer, pauseAfterFailure } from './pauses.ts'
import { Redirects } from './redirects.ts'
import { type RobotsGate, robotsErrand } from './robots-gate.ts'
import type { CrawlSettings } from './settings.ts'

/** A ticket that is worked on. `robotsOf`: the origin whose robots.txt is asked for, before or instead of the page. */
export interface OpenVisit {
  readonly ticket: Ticket
  readonly askedUrl: string
  readonly robotsOf: string | undefined
  /** The ticket stands for this robots.txt and nothing else. */
  readonly isErrand: boolean
}

/** What happened, without its time. */
export type Happening =
  | { readonly kind: 'again' | 'failed'; readonly host: string; readonly why: string }
  | { readonly kind: 'refused'; readonly host: string; readonly reason: string }
  | { readonly kind: 'redirected'; readonly host: string }
  | { readonly kind: 'crawl-delay'; readonly host: string; readonly ms: number }
  | { readonly kind: 'links refused'; readonly counts: Readonly<Record<string, number>> }

export interface Outcome {
  readonly entry: Entry
  readonly happenings: readonly Happening[]
}

export interface OutcomeRooms {
  readonly settings: CrawlSettings
  readonly gate: RobotsGate
  readonly frontier: Pick<Frontier, 'explain'>
  readonly filterLink: FilterLink
}

/** The caller's own rule for links. `depth`: links from a seed. */
export type FilterLink = (link: { readonly url: string; readonly from: string; readonly depth: number }) => boolean

/** Decides what becomes of a ticket: the policy of the crawl, without any waiting or writing. */
export class Outcomes {
  private readonly rooms: OutcomeRooms
  private readonly redirects = new Redirects()
  private readonly health = new HostHealth()
  private errands = 0

  constructor(rooms: OutcomeRooms) {
    this.rooms = rooms
  }

  /** So many links of this host were given up one after the other that the others needn't be tried. */
  isDown(host: string): boolean {
    return this.health.isDown(host)
  }

  of(visit: OpenVisit, finding: Finding, nowMs: number): Outcome {
    const { end } = finding
    if (end.kind === 'unvisited') return unasked(giveBack(visit.ticket))
    const isForRobots = visit.robotsOf !== undefined && (end.kind !== 'refused' || visit.isErrand)
    if (isForRobots) return this.ofRobots(visit, visit.robotsOf!, finding, nowMs)
    if (end.kind !== 'redirect') this.redirects.end(visit.ticket.url)
    if (finding.answer !== undefined) this.health.answered(visit.ticket.host)
    switch (end.kind) {
      case 'page':
      case 'not kept':
        return this.ofPage(visit, finding, nowMs)
      case 'redirect':
        return this.ofRedirect(visit, finding, nowMs)
      case 'failed':
        return this.ofFailure(visit, finding, end)
      case 'refused':
        return this.ofRefusal(visit, finding, end.reason)
      case 'robots':
        throw new Error('robots.txt came for a visit to a page')
    }
  }

  /** A link that is closed without asking anybody. */
  refused(ticket: Ticket, reason: string): Outcome {
    this.redirects.end(ticket.url)
    const closing: Settlement = {
      ticketId: ticket.id,
      outcome: { kind: 'refused', reason },
      links: [],
      delayMs: undefined,
    }
    return { entry: { closing }, happenings: [{ kind: 'refused', host: ticket.host, reason }] }
  }

  private ofPage({ ticket }: OpenVisit, finding: Finding, nowMs: number): Outcome {
    const { end, answer } = finding
    const { links, refused } = this.filtered(ticket, finding.links, ticket.hops + 1, nowMs)
    const happenings = linksRefused({ ...finding.refusedLinks, ...refused })
    const pauseMs = this.pauseAfter(finding)
    if (end.kind !== 'page') {
      const { reason } = end as End & { kind: 'not kept' }
      happenings.push({ kind: 'refused', host: ticket.host, reason })
      return { entry: { closing: settled(ticket, links, pauseMs, reason) }, happenings }
    }
    const { title, opening, bytes, tokens, linksOut } = end.page
    const { status, sentAtMs, records } = answer!
    const page = { url: ticket.url, status, title, bytes, tokens, hops: ticket.hops, linksOut, dateMs: sentAtMs }
    return { entry: { records: records!, page, opening, closing: settled(ticket, links, pauseMs) }, happenings }
  }

  private ofRedirect({ ticket }: OpenVisit, finding: Finding, nowMs: number): Outcome {
    const { links, refused } = this.filtered(ticket, finding.links, ticket.hops, nowMs)
    const counts: Record<string, number> = { ...finding.refusedLinks, ...refused }
    const [target] = links
    const isKnown = target !== undefined && this.rooms.frontier.explain(target.url).state !== 'never seen'
    if (isKnown) counts['redirect-to-known'] = 1
    const isTooLong = target !== undefined && !isKnown && !this.redirects.follow(ticket.url, target.url)
    if (isTooLong) counts['too-many-redirects'] = 1
    this.redirects.end(ticket.url)
    const followed = isKnown || isTooLong ? [] : links
    return {
      entry: { records: finding.answer!.records!, closing: settled(ticket, followed, this.pauseAfter(finding)) },
      happenings: [{ kind: 'redirected', host: ticket.host }, ...linksRefused(counts)],
    }
  }

  private ofFailure(
    { ticket }: OpenVisit,
    { answer }: Finding,
    { why, isWorthAgain }: End & { kind: 'failed' },
  ): Outcome {
    const isLast = !isWorthAgain || ticket.attempt > this.rooms.settings.retries
    if (isLast && answer === undefined) this.health.givenUp(ticket.host)
    // Who gives a page up has no reason to let the others of its host wait for long.
    const pauseMs = Math.max(this.rooms.settings.delayMs, pauseAfterFailure(isLast ? 1 : ticket.attempt, answer))
    const closing = isLast ? settled(ticket, [], pauseMs, why) : { ...settled(ticket, [], pauseMs), outcome: AGAIN }
    return { entry: { closing }, happenings: [{ kind: isLast ? 'failed' : 'again', host: ticket.host, why }] }
  }

  private ofRefusal(visit: OpenVisit, finding: Finding, reason: string): Outcome {
    if (finding.answer === undefined) return this.refused(visit.ticket, reason)
    return {
      entry: { closing: settled(visit.ticket, [], this.pauseAfter(finding), reason) },
      happenings: [{ kind: 'refused', host: visit.ticket.host, reason }],
    }
  }

  /** The page itself comes later, when its turn comes again: the request for robots.txt was one too. */
  private ofRobots(visit: OpenVisit, origin: string, finding: Finding, nowMs: number): Outcome {
    const { ticket, askedUrl } = visit
    const { answer, end } = finding
    const lesson = this.rooms.gate.learn(
      origin,
      {
        askedUrl,
        status: answer?.status,
        why: end.kind === 'failed' ? end.why : end.kind === 'refused' ? end.reason : undefined,
        location: end.kind === 'robots' ? end.location : undefined,
        body: end.kind === 'robots' ? end.body : new Uint8Array(0),
      },
      nowMs,
    )
    const { failure } = lesson
    const pauseMs = Math.max(
      this.pauseAfter(finding),
      lesson.crawlDelayMs,
      failure === undefined ? 0 : pauseAfterFailure(failure.failures, answer),
    )
    const why = `robots-${failure?.why}`
    const entry: Entry = {
      ...(answer?.records !== undefined && { records: answer.records }),
      closing: visit.isErrand ? settled(ticket, [], pauseMs) : giveBack(ticket),
      ...(lesson.crawlDelayMs > 0 && { delay: { host: hostOf(origin), ms: lesson.crawlDelayMs } }),
      block: { host: ticket.host, untilMs: nowMs + pauseMs },
      ...(lesson.elsewhere !== undefined && { offer: [this.errandTo(lesson.elsewhere, origin, nowMs)] }),
    }
    if (lesson.crawlDelayMs > 0)
      return { entry, happenings: [{ kind: 'crawl-delay', host: hostOf(origin), ms: lesson.crawlDelayMs }] }
    if (failure === undefined) return { entry, happenings: [] }
    return { entry, happenings: [{ kind: failure.isLast ? 'failed' : 'again', host: ticket.host, why }] }
  }

  private errandTo(target: string, origin: string, nowMs: number): Link {
    return { url: robotsErrand(target, origin, `${Math.floor(nowMs)}-${++this.errands}`), depth: 0, hops: 0 }
  }

  /** Links that are known to be forbidden are not even offered: a page may hold a hundred thousand of them. */
  private filtered(ticket: Ticket, found: readonly FoundLink[], hops: number, nowMs: number): FilteredLinks {
    const { gate, filterLink } = this.rooms
    const links: Link[] = []
    const refused: Record<string, number> = {}
    for (const { url, depth } of found) {
      const reason = !filterLink({ url, from: ticket.url, depth: hops })
        ? 'filtered'
        : gate.isShut(url, nowMs)
          ? 'robots'
          : undefined
      if (reason === undefined) links.push({ url, depth, hops })
      else refused[reason] = (refused[reason] ?? 0) + 1
    }
    return { links, refused }
  }

  private pauseAfter({ answer }: Finding): number {
    return pauseAfterAnswer(this.rooms.settings.delayMs, answer)
  }
}

interface FilteredLinks {
  readonly links: readonly Link[]
  readonly refused: Readonly<Record<string, number>>
}

const AGAIN = { kind: 'again' } as const

function settled(ticket: Ticket, links: readonly Link[], delayMs: number, reason?: string): Settlement {
  const outcome = reason === undefined ? ({ kind: 'done' } as const) : ({ kind: 'refused', reason } as const)
  return { ticketId: ticket.id, outcome, links, delayMs }
}

function giveBack(ticket: Ticket): Entry['closing'] {
  return { giveBack: ticket.id }
}

function unasked(closing: Entry['closing']): Outcome {
  return { entry: { closing }, happenings: [] }
}

function linksRefused(counts: Readonly<Record<string, number>>): Happening[] {
  return Object.keys(counts).length > 0 ? [{ kind: 'links refused', counts }] : []
}
