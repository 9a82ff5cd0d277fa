import type { Change, PageLine } from '../archive/pages-file.ts'
import type { Records } from '../archive/records.ts'
import { locationOf, type RecordLocation } from '../archive/scan.ts'
import type { Outcome, Ticket } from '../frontier/frontier.ts'
import type { CrawlHappening } from '../settings/events.ts'
import { type Commit, type Decision, pauseAfterAnswer, settled } from './decision.ts'
import type { Answer, FetchResult } from './job.ts'
import type { FormerAnswer, KnownPage } from './known-page.ts'
import { readNote, readPageNote } from './link-note.ts'
import type { FullAnswer, PlannedLink, RevisitPlan } from './revisit-plan.ts'

type PageResult = FetchResult & { kind: 'page' }

/** The answer to a request for a page that is not there. */
const MISSING: ReadonlySet<number> = new Set([404, 410])

/** What a worker compares the answer with, on a visit again. After an error, it asks for the whole page. */
export function formerOf(ticket: Ticket, plan: RevisitPlan): FormerAnswer | undefined {
  if (ticket.again === undefined) return undefined
  const former = plan.former(stateOf(ticket, plan))
  return ticket.attempt === 1 ? former : { ...former, isConditional: false }
}

/** What becomes of a page that is due once more in a run that visits each page once: its next visit is an interval later. */
export function postponed(ticket: Ticket, plan: RevisitPlan): Decision {
  const again = plan.again(linkOf(ticket), stateOf(ticket, plan))
  return { entry: { settlement: settled(ticket, { kind: 'done', isPage: true, again }, undefined, 0) }, events: [] }
}

/** What a visit of a page found, compared with the visit before. */
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

/** What becomes of a page that has not changed, as the server says. */
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

/**
 * What becomes of a visit again that brought no page. The link stays done, whatever the answer was: it is tried again as usual,
 * and then planned again. A page that was not there three times in a row is gone.
 */
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
  const next = isMissing ? plan.missed(page) : plan.failed(page)
  const isAsked = settlement.shown !== undefined
  const again = next && (isAsked ? plan.again(linkOf(ticket), next) : plan.muchLater(linkOf(ticket), page))
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
    events: isGone ? [] : events.flatMap(one => asRevisit(one)),
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
  const { from } = readNote(ticket.note)
  const { title, bytes, tokens, linksOut, language } = facts
  return {
    url,
    status: answer.status,
    ...{ title, bytes, tokens, hops, linksOut },
    ...(language !== undefined && { language }),
    dateMs: answer.sentAtMs,
    ...(from !== undefined && { from }),
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
  return readPageNote(ticket.url, ticket.note) ?? plan.unknown(ticket.again?.visitedAtMs ?? 0)
}

function linkOf({ url, hops, note }: Ticket): PlannedLink {
  return { url, hops, from: readNote(note).from }
}
