import type { PageLine } from '../archive/pages-file.ts'
import type { Clock } from '../base/clock.ts'
import { said } from '../base/messages/message.ts'
import type { Decision } from '../decide/decision.ts'
import { type FetchResult, recordsOf, type SitemapPart } from '../decide/job.ts'
import type { Novelty } from '../decide/novelty.ts'
import { newPage } from '../decide/page-line.ts'
import type { Plan, Policy } from '../decide/policy.ts'
import type { RevisitBudget } from '../decide/revisit-budget.ts'
import type { HintBook } from '../decide/sitemap-book.ts'
import type { Resolution, Resolver } from '../fetch/dns.ts'
import type { ResolvedAddress } from '../fetch/exchange.ts'
import type { Proxies } from '../fetch/proxies.ts'
import type { Frontier, HostControl, Ticket } from '../frontier/frontier.ts'
import type { CrawlHappening } from '../settings/events.ts'
import type { HostBook } from '../settings/host-settings.ts'
import { nameOf } from '../url/host-of.ts'
import type { Visited, Visitor } from '../visit/visitor.ts'
import type { CommitResult, Committer } from './committer.ts'
import type { AskedServer, NetworkWatch } from './network-watch.ts'
import type { Slots } from './slots.ts'

/** How many addresses of a name are tried before the request counts as failed. */
const MOST_ADDRESSES = 3

/**
 * The whole life of a ticket. What was fetched is on disk before the ticket is settled, so a crash in between costs nothing: the
 * next start finds the page in the archive.
 *
 * Whatever is known at once is not waited for: a promise costs a page more than most decisions about it.
 */
export async function live(leased: Ticket | Promise<Ticket>, context: TicketContext): Promise<void> {
  const ticket = leased instanceof Promise ? await leased : leased
  const planned = context.policy.before(ticket, context.clock())
  const plan = planned instanceof Promise ? await planned : planned
  if (plan.kind === 'close') {
    await keep(plan.decision, context)
    return
  }
  const visited = await ask(ticket, plan, context)
  if (visited === 'no room') return
  try {
    const { line, score } = await scored(ticket, visited.result, context)
    const decision = context.policy.after(ticket, visited.result, context.clock(), score)
    const kept = await keep(decision, context, line)
    learn(ticket, visited.result, kept, context)
    if (decision.revisit !== undefined) context.budget.learn(decision.revisit)
    const change = decision.entry.page?.change
    if (ticket.again?.isHinted && change !== undefined) context.hints.learn(ticket.host, change !== 'same')
    // Links that were held back are sent again when another page has them.
    visited.close(decision.entry.page?.repeats === undefined)
  } catch (error) {
    visited.close(false)
    throw error
  }
}

/** Looks up the host, takes a place at its server and a slot, and makes the request. `no room`: the frontier has taken the link back, at its place in the queue. */
async function ask(ticket: Ticket, plan: Plan & { kind: 'ask' }, context: TicketContext): Promise<Visited | 'no room'> {
  const { host, url, hops } = ticket
  const { wanted, former, sitemap, sendsGivers } = plan
  const keepPart = (part: SitemapPart) => offerPart(ticket, part, context)
  const found = context.proxies.of(url) === undefined ? await context.names.resolve(nameOf(host)) : AT_PROXY
  if (found.kind !== 'found') return withoutAddress(ticket, found, context)
  let { server } = ticket
  const tries = Math.min(found.addresses.length, MOST_ADDRESSES)
  for (let tried = 0; tried < tries; tried++) {
    const address = found.addresses[tried]
    // A proxy does not reveal the address, so such a host gets a server of its own.
    const place = address?.ip ?? nameOf(host)
    if (place !== server && !(await context.frontier.place(ticket.id, place))) {
      // A connection was attempted already.
      if (tried > 0) await context.frontier.hold(host, { forMs: context.hosts.delayMs(host) })
      return 'no room'
    }
    server = place
    const slot = await context.slots.enter(ticket.isProven)
    if (slot === undefined || context.isTooLate(ticket)) {
      slot?.leave()
      return { result: NOT_ASKED, close() {} }
    }
    const { result, close } = await context.visitor.visit(
      host,
      { url, hops, address, wanted, former, sitemap, ...(sendsGivers && { sendsGivers }) },
      keepPart,
    )
    slot.leave()
    const isNext = tried + 1 < tries
    if (result.kind !== 'failed' || result.why !== 'connect' || !isNext)
      return { result: judged(result, { server, isProven: ticket.isProven, isOurDns: false }, context), close }
    context.names.demote(place)
  }
  throw new Error('a name was found without an address')
}

const AT_PROXY: { readonly kind: 'found'; readonly addresses: readonly (ResolvedAddress | undefined)[] } = {
  kind: 'found',
  addresses: [undefined],
}
const DNS_FAILED: FetchResult = { kind: 'failed', why: 'dns', isSilent: true }
const NOT_ASKED: FetchResult = { kind: 'not asked' }

function withoutAddress(
  { host, isProven }: Ticket,
  found: Exclude<Resolution, { kind: 'found' }>,
  context: TicketContext,
): Visited {
  const isOurDns = found.kind === 'unavailable' && found.isOurs
  const result: FetchResult = found.kind === 'gone' ? { kind: 'no such host' } : DNS_FAILED
  return { result: judged(result, { server: host, isProven, isOurDns }, context), close() {} }
}

/** A shortage of ours, such as file descriptors, is never blamed on the host. */
function judged(result: FetchResult, asked: AskedServer, context: TicketContext): FetchResult {
  if (result.kind === 'failed' && result.why === 'proxy-login') throw context.proxies.loginRefused()
  const abandoned: FetchResult = { kind: 'abandoned', records: recordsOf(result) }
  if (result.kind === 'failed' && result.why === 'stopped') return abandoned
  if (result.kind === 'failed' && result.why === 'files') {
    context.slots.shrink()
    context.emit({
      kind: 'trouble',
      message: said('run/few-connections', { most: context.slots.size }),
    })
    return NOT_ASKED
  }
  return context.network.isTheirs(asked, result) ? result : abandoned
}

/** A program that scores pages reads them in the archive, before their links are ranked. */
async function scored(ticket: Ticket, result: FetchResult, context: TicketContext): Promise<ScoredPage> {
  const page = context.scores?.areWanted ? newPage(ticket, result, context.policy.repeats) : undefined
  if (page === undefined) return {}
  const { line } = await context.committer.keep(page)
  const score = context.scores!.of(line!)
  context.emit({ kind: 'page', page: line!, opening: page.opening ?? '' })
  return { line, score: await score }
}

interface ScoredPage {
  readonly line?: PageLine | undefined
  readonly score?: number | undefined
}

/** `archived`: the line of a page that is in the archive already. */
async function keep(
  { entry: decided, events }: Decision,
  context: TicketContext,
  archived?: PageLine,
): Promise<CommitResult> {
  const entry = archived ? { ...decided, records: undefined, page: undefined, line: archived } : decided
  const kept = await context.committer.keep(entry)
  const { line, fresh, goneLinks } = kept
  if (line !== undefined && archived === undefined) {
    const kind = line.change === 'new' ? 'page' : 'revisit'
    context.emit({ kind, page: line, opening: entry.opening ?? '' })
  }
  for (const one of events) {
    if (one.kind === 'links refused' && isEmpty(one.counts)) continue
    context.emit(one)
    const isToKnown = one.kind === 'redirected' && one.to !== undefined && fresh === 0
    if (isToKnown) context.emit({ kind: 'links refused', url: one.url, counts: { 'redirect-to-known': 1 } })
  }
  const { gone } = entry
  if (gone !== undefined && goneLinks > 0)
    context.emit({ kind: 'gone', host: gone.host, why: gone.reason, links: goneLinks })
  return kept
}

/** What a page that was visited for the first time brought. */
function learn({ host }: Ticket, result: FetchResult, { line, fresh }: CommitResult, context: TicketContext): void {
  if (result.kind !== 'page' || line?.change !== 'new') return
  const { tokens, linksOut, fingerprint } = result.page
  const isSlowed = context.novelty.learn(host, {
    ...{ tokens, linksOut, freshLinks: fresh },
    sample: fingerprint?.sample ?? [],
    runs: fingerprint?.runs ?? [],
  })
  if (isSlowed && context.slowedMs(host) !== undefined)
    context.emit({ kind: 'trouble', message: said('run/little-new', { host }) })
}

/** Offers the locations of a sitemap while it is being read. A crash costs nothing: the sitemap is read again. */
async function offerPart(ticket: Ticket, part: SitemapPart, context: TicketContext): Promise<void> {
  const { links, unfollowed } = context.policy.part(ticket, part, context.clock())
  await context.committer.offer(links)
  if (part.hints.length > 0) await context.hints.offer(part.hints)
  context.goOn()
  if (!isEmpty(unfollowed)) context.emit({ kind: 'links refused', url: ticket.url, counts: unfollowed })
}

function isEmpty(counts: Readonly<Record<string, number>>): boolean {
  for (const _ in counts) return false
  return true
}

/** What a program returns about a page: from 0 to 1. */
export interface PageScore {
  readonly score?: number | undefined
}

/** The scores that a program gives to pages. */
export interface Scores {
  /** Whether pages wait for theirs. */
  readonly areWanted: boolean
  /** To be called once the page is archived; it may have been handed out by then. */
  of(page: PageLine): Promise<number | undefined>
  /** Pages that wait get none, nor do others until the program returns from the page at hand. */
  release(): void
}

/** Everything that the life of a ticket needs. The web behind `names` and `visitor` may be the real one or one in memory. */
export interface TicketContext {
  readonly frontier: Pick<Frontier, 'place'> & Pick<HostControl, 'hold'>
  readonly policy: Pick<Policy, 'before' | 'after' | 'part' | 'repeats'>
  readonly names: Pick<Resolver, 'resolve' | 'demote'>
  /** Decides which hosts are reached through a proxy and need no address. */
  readonly proxies: Proxies
  readonly slots: Slots
  readonly network: NetworkWatch
  readonly visitor: Pick<Visitor, 'visit'>
  readonly scores?: Scores | undefined
  readonly committer: Pick<Committer, 'keep' | 'offer'>
  readonly hints: Pick<HintBook, 'offer' | 'learn'>
  readonly budget: Pick<RevisitBudget, 'learn'>
  readonly hosts: Pick<HostBook, 'delayMs'>
  readonly novelty: Pick<Novelty, 'learn'>
  readonly clock: Clock
  isTooLate(ticket: Ticket): boolean
  /** The time between two requests to a host whose pages bring little that is new; undefined for any other. */
  slowedMs(host: string): number | undefined
  /** To be called when links were offered outside of the end of a life. */
  goOn(): void
  emit(events: CrawlHappening): void
}
