import type { Change, PageLine } from '../archive/pages-file.ts'
import type { Records } from '../archive/records.ts'
import { locationOf, type RecordLocation } from '../archive/scan.ts'
import type { Outcome, Ticket } from '../frontier/frontier.ts'
import type { CrawlHappening } from '../settings/events.ts'
import { urlPattern } from '../settings/url-patterns.ts'
import { hostOf } from '../url/host-of.ts'
import { type Commit, type Decision, pauseAfterAnswer, settled } from './decision.ts'
import type { Answer, FetchResult } from './job.ts'
import type { FormerAnswer, KnownPage } from './known-page.ts'
import { carriedBy } from './link-note.ts'
import type { FullAnswer, PlannedLink, RevisitPlan } from './revisit-plan.ts'

type PageResult = FetchResult & { kind: 'page' }

const MISSING: ReadonlySet<number> = new Set([404, 410])

/** What a worker compares the answer with, on a visit again. After an error, it asks for the whole page. */
export function formerOf(ticket: Ticket, plan: RevisitPlan): FormerAnswer | undefined {
  if (ticket.again === undefined) return undefined
  const former = plan.former(stateOf(ticket, plan))
  return ticket.attempt === 1 ? former : { ...former, isConditional: false }
}

/** Whether a page is one of these: each is a host, with its port or without, or a pattern of URLs or hosts. Every page is when there is none. */
export function pageTest(patterns: readonly string[]): (url: string) => boolean {
  const wanted = patterns.map(urlPattern)
  if (wanted.length === 0) return () => true
  return url => {
    const host = hostOf(url)
    const names = [url, host, host.replace(/:\d+$/, '')]
    return wanted.some(one => names.some(name => one.matches(name)))
  }
}

/**
 * What becomes of a page that is due and not visited in this run, which visits each page once, or only some: its next visit is
 * an interval later, or after this time.
 */
export function postponed(ticket: Ticket, plan: RevisitPlan, afterMs?: number): Decision {
  const again = plan.again(linkOf(ticket), stateOf(ticket, plan), afterMs)
  return { entry: { settlement: settled(ticket, { kind: 'done', isPage: true, again }, undefined, 0) }, events: [] }
}

export function changeOf(ticket: Ticket, { same }: PageResult): Change {
  if (ticket.again === undefined) return 'new'
  return same === 'payload' || same === 'text' ? 'same' : 'changed'
}

/** The next visit of a page that was archived; its state holds the place of its record. */
export function planAfterPage(ticket: Ticket, result: PageResult, plan: RevisitPlan): NonNullable<Commit['again']> {
  const { sentAtMs } = result.answer
  const isChanged = changeOf(ticket, result) === 'changed'
  return place => {
    const answer = fullAnswer(ticket.url, result, place)
    const page =
      ticket.again === undefined
        ? plan.first(answer, sentAtMs)
        : plan.received(stateOf(ticket, plan), answer, isChanged, sentAtMs)
    return plan.again(linkOf(ticket), page)
  }
}

export function afterNotModified(
  ticket: Ticket,
  { answer, known }: FetchResult & { kind: 'not modified' },
  plan: RevisitPlan,
  delayMs: number,
): Decision {
  const page = plan.notModified(stateOf(ticket, plan), known)
  const { original, validators, textDigest } = known
  const line = {
    ...lineOf(ticket, page, answer, 'same'),
    ...validators,
    digest: original.payloadDigest,
    ...(textDigest !== undefined && { textDigest }),
    original: locationOf(original),
  }
  const again = plan.again(linkOf(ticket), page)
  const settlement = settled(ticket, { kind: 'done', isPage: true, again }, 'answer', pauseAfterAnswer(delayMs, answer))
  return { entry: { records: answer.records!, page: line, settlement }, events: [] }
}

/** A revisit that brought no page is tried again as usual and then planned again; three times not there, and the page is gone. */
export function plannedAnyway(
  { entry, events }: Decision,
  ticket: Ticket,
  plan: RevisitPlan,
  answer?: Answer,
): Decision {
  const { settlement, failure: _, gone: __, ...rest } = entry
  if ('giveBack' in settlement || settlement.outcome.kind === 'again') return { entry, events }
  const page = stateOf(ticket, plan)
  const isMissing = answer !== undefined && MISSING.has(answer.status)
  const revisited = events.flatMap(one => asRevisit(one))
  const failedFor = revisited.flatMap(one => (one.kind === 'revisit failed' ? one.why : []))[0]
  const next = isMissing ? plan.missed(page) : plan.failed(page)
  const isAsked = settlement.shown !== undefined
  const again =
    next &&
    (isAsked
      ? plan.again(linkOf(ticket), { ...next, failedFor })
      : plan.muchLater(linkOf(ticket), { ...page, failedFor }))
  const outcome: Outcome = { kind: 'done', isPage: true, ...(again !== undefined && { again }) }
  // Only a link that was never a page ends together with its host.
  const shown = settlement.shown === 'gone' ? 'silence' : settlement.shown
  const isGone = next === undefined && answer?.records !== undefined
  return {
    entry: {
      ...rest,
      ...(isGone && { page: lineOf(ticket, page, answer!, 'gone') }),
      settlement: { ...settlement, outcome, shown },
    },
    events: isGone ? [] : revisited,
  }
}

/** Links of a page are counted at its first visit, and the link itself is neither refused nor failed. */
function asRevisit(events: CrawlHappening): CrawlHappening[] {
  switch (events.kind) {
    case 'failed':
      return [{ kind: 'revisit failed', url: events.url, why: events.why }]
    case 'refused':
      return [{ kind: 'revisit failed', url: events.url, why: events.reason }]
    case 'redirected':
      return [{ kind: 'revisit failed', url: events.url, why: 'redirected' }]
    case 'links refused':
      return []
    default:
      return [events]
  }
}

function lineOf(
  ticket: Ticket,
  { facts }: KnownPage,
  answer: Answer,
  change: Change,
): Omit<PageLine, keyof RecordLocation> {
  const { url, hops } = ticket
  const { from, label, data } = carriedBy(ticket.note)
  const { title, bytes, tokens, linksOut, language } = facts
  return {
    url,
    status: answer.status,
    ...{ title, bytes, tokens, hops, linksOut },
    ...(language !== undefined && { language }),
    dateMs: answer.sentAtMs,
    ...{ from, label, data },
    change,
  }
}

function fullAnswer(url: string, { answer, page, original }: PageResult, place: RecordLocation): FullAnswer {
  const { recordId, date, payloadDigest } = answer.records as Records
  const full = original ?? { ...locationOf(place), recordId, url, date, payloadDigest }
  const { title, bytes, tokens, linksOut, language, validators, textDigest, isWhole } = page
  return {
    place: locationOf(full),
    known: { original: full, validators, textDigest, isWhole, ...(original && { receivedDate: date }) },
    facts: { title, bytes, tokens, linksOut, language },
  }
}

function stateOf(ticket: Ticket, plan: RevisitPlan): KnownPage {
  return plan.stateIn(ticket.url, ticket.note) ?? plan.unknown(ticket.again?.visitedAtMs ?? 0)
}

function linkOf({ url, hops, note }: Ticket): PlannedLink {
  return { url, hops, ...carriedBy(note) }
}
