import { PATIENCE } from '../../fetch/exchange.ts'
import { type Outcome, restMs, type Shown, type Ticket } from '../../frontier/frontier.ts'
import type { CrawlHappening } from '../events.ts'
import type { CrawlSettings } from '../settings.ts'
import type { FetchResult } from '../worker/job.ts'
import { AGAIN, type Becomes, DONE, refused, settled } from './becomes.ts'
import { FilteredLinks, type FilterLink } from './filtered-links.ts'
import { readNote } from './link-note.ts'
import { pauseAfterAnswer, pauseAfterError } from './pauses.ts'
import { originOf, type RobotsGate } from './robots-gate.ts'
import { afterRobots, robotsLink } from './robots-policy.ts'

/** What is done with a ticket: closed without asking anybody, or asked for. */
export type Plan =
  | { readonly kind: 'close'; readonly becomes: Becomes }
  | { readonly kind: 'ask'; readonly wanted: 'html' | 'robots' }

export interface PolicyRooms {
  readonly settings: Pick<CrawlSettings, 'delayMs' | 'retries' | 'maxPerHost'>
  readonly gate: RobotsGate
  readonly filterLink?: FilterLink | undefined
}

/** SPEC: a chain of redirects has at most ten. */
const MOST_REDIRECTS = 10
/** How soon a host is looked at again whose robots.txt another host has to tell. */
const LOOK_AGAIN_MS = 1000
/** The host can't serve now, or asks to be left alone. Any other answer is one. */
const TROUBLE: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Decides what becomes of a ticket, before it is asked for and after: without any waiting or writing but a look into the notes. */
export class Policy {
  private readonly rooms: PolicyRooms

  constructor(rooms: PolicyRooms) {
    this.rooms = rooms
  }

  async before(ticket: Ticket, nowMs: number): Promise<Plan> {
    if (ticket.kind === 'robots') return ASK_ROBOTS
    if (ticket.kind === 'sitemap') return close(refusedUnasked(ticket, 'sitemap'))
    const { settings, gate } = this.rooms
    if (ticket.hostPages >= settings.maxPerHost) return close(refusedUnasked(ticket, 'max-per-host'))
    const verdict = gate.ask(ticket.url, nowMs)
    const answer = verdict instanceof Promise ? await verdict : verdict
    switch (answer.kind) {
      case 'open':
        return ASK_PAGE
      case 'shut':
        return close(refusedUnasked(ticket, answer.reason, answer.line))
      case 'unknown':
        return close({
          entry: { links: [[robotsLink(originOf(ticket.url))]], closing: { giveBack: ticket.id } },
          happened: [],
        })
      case 'elsewhere':
        return close({
          entry: { block: { host: ticket.host, ms: LOOK_AGAIN_MS }, closing: { giveBack: ticket.id } },
          happened: [],
        })
    }
  }

  after(ticket: Ticket, result: FetchResult, nowMs: number): Becomes {
    if (result.kind === 'not asked') return { entry: { closing: { giveBack: ticket.id } }, happened: [] }
    if (result.kind === 'lost') return this.afterLoss(ticket, result.isCulprit)
    if (result.kind === 'abandoned') return this.afterAbandoning(ticket)
    const becomes =
      ticket.kind === 'robots' ? afterRobots(ticket, result, this.rooms, nowMs) : this.afterPage(ticket, result)
    if (!('answer' in result)) return becomes
    const { status, wireBytes, tookMs, retryAfterMs } = result.answer
    const wish = retryAfterMs === undefined ? undefined : { retryAfterMs }
    const answered: CrawlHappening = { kind: 'answered', url: ticket.url, status, wireBytes, tookMs, ...wish }
    return { ...becomes, happened: [answered, ...becomes.happened] }
  }

  private afterPage(
    ticket: Ticket,
    result: Exclude<FetchResult, { kind: 'lost' | 'abandoned' | 'not asked' }>,
  ): Becomes {
    switch (result.kind) {
      case 'page':
        return this.page(ticket, result)
      case 'redirect':
        return this.redirect(ticket, result)
      case 'other':
        return this.other(ticket, result)
      case 'failed':
        return this.failed(ticket, result)
      case 'forbidden address':
        return refusedUnasked(ticket, 'address')
      case 'bad url':
        return refusedUnasked(ticket, 'malformed')
      case 'no such host': {
        const settlement = settled(ticket, refused('dns'), 'gone', 0)
        return { entry: { closing: settlement }, happened: [{ kind: 'failed', url: ticket.url, why: 'dns' }] }
      }
      case 'robots':
        throw new Error('robots.txt came for a visit to a page')
    }
  }

  private page(ticket: Ticket, { answer, keep, page, links, refusedLinks }: FetchResult & { kind: 'page' }): Becomes {
    const isKept = keep === 'yes'
    const { url, hops } = ticket
    const found = new FilteredLinks(links, { from: url, hops: hops + 1 }, this.rooms.filterLink)
    const outcome: Outcome = isKept ? { kind: 'done', isPage: true } : refused(keep)
    const closing = settled(ticket, outcome, 'answer', pauseAfterAnswer(this.rooms.settings.delayMs, answer))
    const { title, bytes, tokens, linksOut, language } = page
    const { status, sentAtMs, records } = answer
    const named = language === undefined ? undefined : { language }
    const { from } = readNote(ticket.note)
    const foundAt = from === undefined ? undefined : { from }
    const line = { url, status, title, bytes, tokens, hops, linksOut, ...named, dateMs: sentAtMs, ...foundAt }
    return {
      entry: { ...(isKept && { records: records!, page: line, opening: page.opening }), ...found.inBatches(), closing },
      happened: [
        ...(isKept ? [] : [{ kind: 'refused', url, reason: keep } as const]),
        ...linksRefused(url, { ...refusedLinks, ...found.refused }),
      ],
    }
  }

  /** The target is offered like any link: robots.txt, scope, politeness and no-revisit hold for it too. */
  private redirect(ticket: Ticket, { answer, links, refusedLinks }: FetchResult & { kind: 'redirect' }): Becomes {
    const { url, hops } = ticket
    const redirects = (readNote(ticket.note).redirects ?? 0) + 1
    const isTooLong = redirects > MOST_REDIRECTS && links.length > 0
    const found = new FilteredLinks(isTooLong ? [] : links, { from: url, hops, redirects }, this.rooms.filterLink)
    const counts = { ...refusedLinks, ...found.refused, ...(isTooLong && { 'too-many-redirects': 1 }) }
    const closing = settled(ticket, DONE, 'answer', pauseAfterAnswer(this.rooms.settings.delayMs, answer))
    return {
      entry: { ...(answer.records !== undefined && { records: answer.records }), ...found.inBatches(), closing },
      happened: [{ kind: 'redirected', url }, ...linksRefused(url, counts)],
    }
  }

  private other(ticket: Ticket, { answer, type }: FetchResult & { kind: 'other' }): Becomes {
    const { status } = answer
    const { delayMs } = this.rooms.settings
    if (status !== 429 && status < 500) {
      const reason = status >= 200 && status < 300 ? 'type' : `status-${status}`
      const closing = settled(ticket, refused(reason), 'answer', pauseAfterAnswer(delayMs, answer))
      const about = reason === 'type' && type !== undefined ? { type } : undefined
      return { entry: { closing }, happened: [{ kind: 'refused', url: ticket.url, reason, ...about }] }
    }
    const pauseMs = TROUBLE.has(status)
      ? pauseAfterAnswer(delayMs, answer)
      : pauseAfterError(ticket.attempt, delayMs, answer)
    return this.tryAgain(ticket, `status-${status}`, TROUBLE.has(status) ? 'trouble' : 'answer', pauseMs, true)
  }

  /** When something came back, the host is there, and the trouble is the page's own. */
  private failed(ticket: Ticket, { why, isSilent }: FetchResult & { kind: 'failed' }): Becomes {
    const pauseMs = isSilent ? 0 : restMs(ticket.attempt)
    return this.tryAgain(ticket, why, isSilent ? 'silence' : 'answer', pauseMs, PATIENCE[why] === 'again')
  }

  private tryAgain(ticket: Ticket, why: string, shown: Shown, pauseMs: number, isWorthAgain: boolean): Becomes {
    const isLast = !isWorthAgain || ticket.attempt > this.rooms.settings.retries
    const closing = settled(ticket, isLast ? refused(why) : AGAIN, shown, pauseMs)
    return { entry: { closing }, happened: [{ kind: isLast ? 'failed' : 'again', url: ticket.url, why }] }
  }

  /** Its host may have been asked, so its delay holds. */
  private afterAbandoning(ticket: Ticket): Becomes {
    const { settings, gate } = this.rooms
    const ms = Math.max(settings.delayMs, gate.crawlDelayMs(originOf(ticket.url)))
    const block = { host: ticket.host, ms }
    return { entry: { block, closing: { giveBack: ticket.id } }, happened: [] }
  }

  /** A page that ended its thread twice, the second time alone, is not tried a third time. */
  private afterLoss(ticket: Ticket, isCulprit: boolean): Becomes {
    if (!isCulprit) return { entry: { closing: { giveBack: ticket.id } }, happened: [] }
    return refusedUnasked(ticket, 'worker-died')
  }
}

const ASK_PAGE: Plan = { kind: 'ask', wanted: 'html' }
const ASK_ROBOTS: Plan = { kind: 'ask', wanted: 'robots' }
function close(becomes: Becomes): Plan {
  return { kind: 'close', becomes }
}

/** A link that is closed without asking anybody. */
function refusedUnasked(ticket: Ticket, reason: string, line?: number): Becomes {
  const closing = settled(ticket, refused(reason), undefined, 0)
  return { entry: { closing }, happened: [{ kind: 'refused', url: ticket.url, reason, line }] }
}

function linksRefused(url: string, counts: Readonly<Record<string, number>>): CrawlHappening[] {
  return Object.keys(counts).length > 0 ? [{ kind: 'links refused', url, counts }] : []
}
