import type { Records } from '../archive/records.ts'
import { type FetchPurpose, PATIENCE } from '../fetch/exchange.ts'
import { type Outcome, restMs, type Shown, type Ticket } from '../frontier/frontier.ts'
import type { CrawlHappening } from '../settings/events.ts'
import type { HostBook } from '../settings/host-settings.ts'
import type { HeldReason } from '../settings/reasons.ts'
import type { CrawlSettings } from '../settings/settings.ts'
import { AGAIN, type Decision, DONE, failure, pauseAfterAnswer, refused, settled, TROUBLE } from './decision.ts'
import type { EarlierPages } from './earlier-pages.ts'
import { FilteredLinks, type FilterLink, type LinkJudges } from './filtered-links.ts'
import { type Answer, type FetchResult, type PageFacts, recordsOf, type SitemapPart, type SitemapTerms } from './job.ts'
import type { FormerAnswer } from './known-page.ts'
import { attachedBy, readNote } from './link-note.ts'
import type { Novelty } from './novelty.ts'
import { pageLine } from './page-line.ts'
import type { RevisitPlan } from './revisit-plan.ts'
import {
  afterNotModified,
  changeOf,
  formerOf,
  pageTest,
  planAfterPage,
  plannedAnyway,
  postponed,
} from './revisit-policy.ts'
import { type GateAnswer, originOf, type RobotsGate, robotsLink } from './robots-gate.ts'
import { afterRobots } from './robots-policy.ts'
import type { SitemapBook } from './sitemap-book.ts'
import { afterSitemap, sitemapHeld, sitemapPart, sitemapsFirst, sitemapTerms } from './sitemap-policy.ts'

/** What to do with a ticket: close it without a request, or make the request. */
export type Plan =
  | { readonly kind: 'close'; readonly decision: Decision }
  | {
      readonly kind: 'ask'
      readonly wanted: FetchPurpose
      readonly former?: FormerAnswer | undefined
      readonly sitemap?: SitemapTerms | undefined
      readonly sendsGivers?: boolean
    }

export interface PolicyDeps extends LinkJudges {
  /** The caller's rule, applied again to links that were queued by an earlier run: it may have changed. */
  readonly filterWaiting?: FilterLink | undefined
  /** Whether links that are too deep by now may be waiting: an earlier run allowed more. Otherwise they were found on a shorter path since. */
  readonly mayBeTooDeep?: boolean
  readonly settings: CrawlSettings
  readonly hosts: Pick<HostBook, 'delayMs' | 'limit'>
  readonly gate: RobotsGate
  readonly sitemaps: SitemapBook
  readonly earlier: Pick<EarlierPages, 'repeatedBy'>
  readonly novelty: Pick<Novelty, 'pauseMs'>
  /** When pages are visited again; undefined: no next visit is planned. */
  readonly plan?: RevisitPlan | undefined
  /** When the run began: unless `recrawl: yes`, a page is visited once from then on, or the run might never end. Unix time. */
  readonly startMs?: number
}

/** docs/rules.md, 5.8: a chain of redirects has at most ten. */
export const MOST_REDIRECTS = 10
/** How soon to look again at a host whose robots.txt is being fetched from another host. */
const LOOK_AGAIN_MS = 1000

/** Decides what becomes of a ticket, before the request and after it. Does no I/O except to read the frontier's notes. */
export class Policy {
  private readonly deps: PolicyDeps
  private readonly isWantedAgain: (url: string) => boolean

  constructor(deps: PolicyDeps) {
    this.deps = deps
    this.isWantedAgain = pageTest(deps.settings.recrawlOnly)
  }

  /** Returns a promise only if the frontier's notes have to be read, or the event loop is due for a turn. */
  before(ticket: Ticket, nowMs: number): Plan | Promise<Plan> {
    const { plan: revisits } = this.deps
    const isAgain = ticket.again !== undefined && revisits !== undefined
    return isAgain ? this.beforeAgain(ticket, revisits, nowMs) : this.judged(ticket, nowMs)
  }

  private async beforeAgain(ticket: Ticket, revisits: RevisitPlan, nowMs: number): Promise<Plan> {
    const { settings, startMs = Infinity } = this.deps
    if (!this.isWantedAgain(ticket.url)) return close(postponed(ticket, revisits, settings.recrawlMinMs))
    if (settings.recrawl !== 'yes' && ticket.again!.visitedAtMs >= startMs) return close(postponed(ticket, revisits))
    const plan = await this.judged(ticket, nowMs)
    if (plan.kind === 'close') return close(plannedAnyway(plan.decision, ticket, revisits))
    return { ...plan, former: formerOf(ticket, revisits) }
  }

  private judged(ticket: Ticket, nowMs: number): Plan | Promise<Plan> {
    if (ticket.kind === 'robots') return ASK_ROBOTS
    if (ticket.kind === 'sitemap') return this.beforeSitemap(ticket, nowMs)
    const held = this.heldNow(ticket)
    if (held !== undefined) return close(refusedUnasked(ticket, held, nowMs))
    const gate = this.deps.gate.ask(ticket.url, nowMs)
    const isAtOnce = !(gate instanceof Promise) && this.deps.settings.sitemaps === 'no'
    return isAtOnce ? this.passed(ticket, gate, nowMs) : this.afterSitemaps(ticket, gate, nowMs)
  }

  /** Sitemaps that robots.txt names come before the page. */
  private async afterSitemaps(ticket: Ticket, asked: GateAnswer | Promise<GateAnswer>, nowMs: number): Promise<Plan> {
    const gate = await asked
    if (this.deps.settings.sitemaps === 'yes' && (gate.kind === 'open' || gate.kind === 'shut')) {
      const sitemaps = await sitemapsFirst(ticket, this.deps, nowMs)
      if (sitemaps !== undefined) return close(sitemaps)
    }
    return this.passed(ticket, gate, nowMs)
  }

  private passed(ticket: Ticket, answer: GateAnswer, nowMs: number): Plan {
    switch (answer.kind) {
      case 'open':
        return this.deps.ranks.isGiving ? ASK_GIVER : ASK_PAGE
      case 'shut':
        return close(refusedUnasked(ticket, answer.reason, nowMs, answer.line))
      case 'unknown':
        return close({
          entry: { links: [[robotsLink(originOf(ticket.url))]], settlement: { giveBack: ticket.id } },
          events: [],
        })
      case 'elsewhere':
        return close({
          entry: { block: { host: ticket.host, ms: LOOK_AGAIN_MS }, settlement: { giveBack: ticket.id } },
          events: [],
        })
    }
  }

  private async beforeSitemap(ticket: Ticket, nowMs: number): Promise<Plan> {
    const held =
      sitemapHeld(ticket, undefined, this.deps) ??
      sitemapHeld(ticket, await this.deps.gate.ask(ticket.url, nowMs), this.deps)
    if (held !== undefined) return close(held)
    return { kind: 'ask', wanted: 'sitemap', sitemap: sitemapTerms(ticket, this.deps, nowMs) }
  }

  part(ticket: Ticket, part: SitemapPart, nowMs: number): ReturnType<typeof sitemapPart> {
    return sitemapPart(ticket, part, this.deps, nowMs)
  }

  /** Why the current settings hold the link; they may have changed since it was found. */
  private heldNow(ticket: Ticket): HeldReason | undefined {
    const { url, host, hops } = ticket
    const { hosts, rules, filterWaiting, mayBeTooDeep = true } = this.deps
    if (ticket.again === undefined && ticket.hostPages >= hosts.limit(host)) return 'max-per-host'
    // Seeds, and what they redirected to, are exempt.
    if (hops === 0) return undefined
    const refusal = rules.refusal({ href: url, host }, mayBeTooDeep ? hops : 0)
    if (refusal !== undefined || filterWaiting === undefined) return refusal
    const { from, redirects, of, label, data } = readNote(ticket.note)
    if (from === undefined) return undefined
    const page = { url: from, ...(redirects === undefined ? of : { label, data }) }
    return filterWaiting({ url, from, hops, page }) ? undefined : 'filtered'
  }

  /** `score`: of the page, if a program gave it one. */
  after(ticket: Ticket, result: FetchResult, nowMs: number, score?: number): Decision {
    if (result.kind === 'not asked') return { entry: { settlement: { giveBack: ticket.id } }, events: [] }
    if (result.kind === 'lost') return this.afterLoss(ticket, result.isCulprit, nowMs)
    if (result.kind === 'abandoned') return this.afterAbandoning(ticket, result.records)
    const decision =
      ticket.kind === 'robots'
        ? afterRobots(ticket, result, this.deps, nowMs)
        : ticket.kind === 'sitemap'
          ? afterSitemap(ticket, result, this.deps, nowMs)
          : this.afterVisit(ticket, result, nowMs, score)
    // Whatever becomes of the link, the request and its answer are archived.
    const records = recordsOf(result)
    const entry = records === decision.entry.records ? decision.entry : { ...decision.entry, records }
    if (!('answer' in result)) return { ...decision, entry }
    const { status, wireBytes, tookMs, retryAfterMs } = result.answer
    const answered: CrawlHappening = { kind: 'answered', url: ticket.url, status, wireBytes, tookMs, retryAfterMs }
    return { entry, events: [answered, ...decision.events] }
  }

  private afterVisit(ticket: Ticket, result: PageResult, nowMs: number, score?: number): Decision {
    const { plan } = this.deps
    if (result.kind === 'not modified' && plan !== undefined)
      return afterNotModified(ticket, result, plan, this.delayMs(ticket))
    const decision = this.afterPage(ticket, result, nowMs, score)
    const isPage = result.kind === 'page' && result.keep === 'yes'
    if (ticket.again === undefined || plan === undefined || isPage) return decision
    return plannedAnyway(decision, ticket, plan, 'answer' in result ? result.answer : undefined)
  }

  private afterPage(ticket: Ticket, result: PageResult, nowMs: number, score?: number): Decision {
    switch (result.kind) {
      case 'page':
        return this.page(ticket, result, nowMs, score)
      case 'redirect':
        return this.redirect(ticket, result)
      case 'other':
        return this.other(ticket, result, nowMs)
      case 'challenge': {
        const { answer, by } = result
        const pauseMs = pauseAfterAnswer(this.delayMs(ticket), answer)
        const { status } = answer
        return this.tryAgain(
          ticket,
          { why: 'challenge', by, status, shown: 'trouble', pauseMs, isWorthAgain: true },
          nowMs,
        )
      }
      case 'failed':
        return this.failed(ticket, result, nowMs)
      case 'forbidden address':
        return refusedUnasked(ticket, 'address', nowMs)
      case 'bad url':
        return refusedUnasked(ticket, 'malformed', nowMs)
      case 'no such host': {
        const { url, host } = ticket
        const settlement = settled(ticket, refused('dns'), 'gone', 0)
        const gone = { host, reason: 'dns', atMs: nowMs }
        return {
          entry: { ...failure(ticket, 'dns', nowMs, { isAsked: true }), gone, settlement },
          events: [{ kind: 'failed', url, why: 'dns' }],
        }
      }
      case 'robots':
      case 'sitemap':
      case 'not modified':
        throw new Error(`an answer of another kind came for a visit to a page: ${result.kind}`)
    }
  }

  private page(ticket: Ticket, result: FetchResult & { kind: 'page' }, nowMs: number, score?: number): Decision {
    const { answer, keep, page, links, refusedLinks } = result
    const isKept = keep === 'yes'
    const { url, hops } = ticket
    const { followsLinks, holdsRepeats } = this.deps.rules
    const { note } = ticket
    const { linksOut, language } = page
    const repeats = isKept ? this.repeats(url, page) : undefined
    const heldBack = repeats !== undefined && holdsRepeats ? 'near-duplicate' : undefined
    const ranking = { note, isSeed: hops === 0, linksOut, language, isAgain: ticket.again !== undefined, score }
    const origin = { from: url, hops: hops + 1, of: attachedBy(note), page: ranking, heldBack } as const
    const found = new FilteredLinks(followsLinks ? links : [], followsLinks ? refusedLinks : {}, origin, this.deps)
    const outcome: Outcome = isKept ? { kind: 'done', isPage: true } : refused(keep)
    const settlement = settled(ticket, outcome, 'answer', pauseAfterAnswer(this.delayMs(ticket), answer))
    const change = changeOf(ticket, result)
    const unfollowed: CrawlHappening[] =
      change === 'new' ? [{ kind: 'links refused', url, counts: found.unfollowed }] : []
    // Links also of a page that has not changed: links are not part of the text, and the worker won't send these again.
    const { batches: offers, bytes: linksBytes } = found
    if (!isKept) {
      const line = failure(ticket, keep, nowMs, { isAsked: true, status: answer.status })
      return {
        entry: { ...line, links: offers, linksBytes, settlement },
        events: [{ kind: 'refused', url, reason: keep }, ...unfollowed],
      }
    }
    const { plan } = this.deps
    const again = plan && planAfterPage(ticket, result, plan)
    const line = pageLine(ticket, result, change, repeats)
    const { records } = answer
    return {
      entry: { records, page: line, opening: page.opening, again, links: offers, linksBytes, settlement },
      events: unfollowed,
    }
  }

  /** The earlier page of its host that a page nearly repeats. */
  readonly repeats = (url: string, { tokens, fingerprint }: PageFacts): string | undefined =>
    this.deps.earlier.repeatedBy({ url, tokens, simhash: fingerprint?.simhash })

  /** The target is offered like any other link: robots.txt, scope, politeness and the no-revisit rule apply to it too. */
  private redirect(ticket: Ticket, { answer, links, refusedLinks }: FetchResult & { kind: 'redirect' }): Decision {
    const { url, hops } = ticket
    const { redirects: before = 0, label, data } = readNote(ticket.note)
    const redirects = before + 1
    const of = { label, data }
    const isTooLong = redirects > MOST_REDIRECTS && links.length > 0
    const unfollowed = isTooLong ? { ...refusedLinks, 'too-many-redirects': 1 } : refusedLinks
    const page = { note: ticket.note, isSeed: hops === 0, linksOut: 1 }
    const origin = { from: url, hops, redirects, of, page }
    const found = new FilteredLinks(isTooLong ? [] : links, unfollowed, origin, this.deps)
    const settlement = settled(ticket, DONE, 'answer', pauseAfterAnswer(this.delayMs(ticket), answer))
    const { only: to } = found
    return {
      entry: {
        ...(hops === 0 && to !== undefined && { seed: { url: to, from: url } }),
        links: found.batches,
        linksBytes: found.bytes,
        settlement,
      },
      events: [
        { kind: 'redirected', url, to },
        { kind: 'links refused', url, counts: found.unfollowed },
      ],
    }
  }

  private other(ticket: Ticket, { answer, type }: FetchResult & { kind: 'other' }, nowMs: number): Decision {
    const { status } = answer
    const delayMs = this.delayMs(ticket)
    if (status === 304) return this.notModified(ticket, answer, nowMs)
    if (status !== 429 && status < 500) {
      const reason = status >= 200 && status < 300 ? 'type' : `status-${status}`
      const settlement = settled(ticket, refused(reason), 'answer', pauseAfterAnswer(delayMs, answer))
      const line = failure(ticket, reason, nowMs, { isAsked: true, status })
      const about = reason === 'type' && type !== undefined ? { type } : undefined
      return { entry: { ...line, settlement }, events: [{ kind: 'refused', url: ticket.url, reason, ...about }] }
    }
    const pauseMs = pauseAfterAnswer(delayMs, answer)
    const shown = TROUBLE.has(status) ? 'trouble' : 'answer'
    return this.tryAgain(ticket, { why: `status-${status}`, status, shown, pauseMs, isWorthAgain: true }, nowMs)
  }

  /** An answer that nothing has changed, though that was not asked. The same question would get the same answer. */
  private notModified(ticket: Ticket, answer: Answer, nowMs: number): Decision {
    const pauseMs = pauseAfterAnswer(this.delayMs(ticket), answer)
    const mishap = { why: 'not-modified', status: 304, shown: 'answer', pauseMs, isWorthAgain: false } as const
    return this.tryAgain(ticket, mishap, nowMs)
  }

  /** If anything came back, the host is up, and the trouble is with the page. */
  private failed(ticket: Ticket, { why, isSilent }: FetchResult & { kind: 'failed' }, nowMs: number): Decision {
    const shown = isSilent ? 'silence' : 'answer'
    const isWorthAgain = PATIENCE[why] === 'again'
    return this.tryAgain(ticket, { why, shown, pauseMs: this.delayMs(ticket), isWorthAgain }, nowMs)
  }

  private tryAgain(ticket: Ticket, { why, by, status, shown, pauseMs, isWorthAgain }: Mishap, nowMs: number): Decision {
    const isLast = !isWorthAgain || ticket.attempt > this.deps.settings.retries
    // The frontier counts a host's own failures; a page that fails makes its host rest only before the page is tried again.
    const isRest = shown === 'answer' && !isLast
    const delayMs = isRest ? Math.max(pauseMs, restMs(ticket.attempt)) : pauseMs
    const settlement = settled(ticket, isLast ? refused(why) : AGAIN, shown, delayMs)
    const asked = { isAsked: true, ...(status !== undefined && { status }) }
    const line = isLast ? failure(ticket, why, nowMs, asked) : {}
    const { url } = ticket
    const what = by === undefined ? { url, why } : { url, why, by }
    const events: CrawlHappening = isLast
      ? { kind: 'failed', ...what }
      : { kind: 'again', ...what, ...(isRest && { restMs: delayMs }) }
    return { entry: { ...line, settlement }, events: [events] }
  }

  /** The request may have reached the host, so its delay applies. */
  private afterAbandoning(ticket: Ticket, records: Records | undefined): Decision {
    const ms = Math.max(this.delayMs(ticket), this.deps.gate.crawlDelayMs(originOf(ticket.url)))
    const block = { host: ticket.host, ms }
    return { entry: { records, block, settlement: { giveBack: ticket.id } }, events: [] }
  }

  private delayMs({ host }: Ticket): number {
    const { hosts, novelty, settings } = this.deps
    const delayMs = hosts.delayMs(host)
    return settings.mazes === 'slow' ? novelty.pauseMs(host, delayMs) : delayMs
  }

  /** A page that killed its thread twice, the second time alone in it, is not tried again. */
  private afterLoss(ticket: Ticket, isCulprit: boolean, nowMs: number): Decision {
    if (!isCulprit) return { entry: { settlement: { giveBack: ticket.id } }, events: [] }
    const decision = refusedUnasked(ticket, 'worker-died', nowMs)
    const { plan } = this.deps
    return ticket.again === undefined || plan === undefined ? decision : plannedAnyway(decision, ticket, plan)
  }
}

type PageResult = Exclude<FetchResult, { kind: 'lost' | 'abandoned' | 'not asked' }>

const ASK_PAGE: Plan = { kind: 'ask', wanted: 'html' }
const ASK_GIVER: Plan = { kind: 'ask', wanted: 'html', sendsGivers: true }
const ASK_ROBOTS: Plan = { kind: 'ask', wanted: 'robots' }
function close(decision: Decision): Plan {
  return { kind: 'close', decision }
}

/** A request that failed. `pauseMs`: as after any answer. */
interface Mishap {
  readonly why: string
  /** Whose challenge it was. */
  readonly by?: string
  readonly status?: number
  readonly shown: Shown
  readonly pauseMs: number
  readonly isWorthAgain: boolean
}

function refusedUnasked(ticket: Ticket, reason: string, nowMs: number, line?: number): Decision {
  const settlement = settled(ticket, refused(reason), undefined, 0)
  const written = ticket.kind === 'page' ? failure(ticket, reason, nowMs, { isAsked: false }) : {}
  return { entry: { ...written, settlement }, events: [{ kind: 'refused', url: ticket.url, reason, line }] }
}
