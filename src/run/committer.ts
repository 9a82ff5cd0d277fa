import { type ArchiveWriter, MOST_UNSETTLED_PAGES } from '../archive/archive-writer.ts'
import type { PageLine, PagesFile } from '../archive/pages-file.ts'
import type { Records } from '../archive/records.ts'
import type { RecordLocation } from '../archive/scan.ts'
import type { Timer } from '../base/clock.ts'
import type { Commit, OpenCommit } from '../decide/decision.ts'
import type { EarlierPages } from '../decide/earlier-pages.ts'
import { foundOn } from '../decide/link-note.ts'
import type { RobotsGate } from '../decide/robots-gate.ts'
import type { SitemapBook } from '../decide/sitemap-book.ts'
import type { FailureLine } from '../folder/failures-file.ts'
import type { SeedLine } from '../folder/seeds-file.ts'
import type { CrawlFrontier, FrontierViews, Link, Outcome, Settlement, TicketId } from '../frontier/frontier.ts'
import type { KnownPayloads } from '../visit/known-payloads.ts'
import { linkTo } from './opening/former-visits.ts'
import type { ShorterPaths } from './opening/shorter-paths.ts'

export interface CommitterDeps {
  readonly archive: Pick<ArchiveWriter, 'append' | 'sync'>
  readonly pages: Pick<PagesFile, 'append' | 'sync'>
  readonly failures: { append(lines: readonly FailureLine[]): void }
  readonly seeds: { append(lines: readonly SeedLine[]): void }
  readonly frontier: CrawlFrontier
  readonly paths: Pick<ShorterPaths, 'ahead'>
  readonly gate: Pick<RobotsGate, 'learn'>
  readonly sitemaps: Pick<SitemapBook, 'look'>
  readonly earlier: Pick<EarlierPages, 'learn'>
  /** With `--dedup`: hears what is in the archive. */
  readonly payloads?: Pick<KnownPayloads, 'add'> | undefined
  /** While many pages arrive, entries are gathered for this long: a round costs much whatever is in it. Default 0. */
  readonly gatherMs?: number
  readonly timer: Timer
}

export interface CommitResult {
  /** For a page: its line in `pages.jsonl`. */
  readonly line: PageLine | undefined
  readonly fresh: number
  /** The lease had run out, so the link may be leased to someone else. */
  readonly isLate: boolean
  /** For a host that is gone: how many links were waiting there. */
  readonly goneLinks: number
}

interface Waiting {
  readonly entry: Commit | OpenCommit
  /** The last batch of links; the earlier ones have been offered already. */
  readonly links: readonly Link[]
  readonly offered: number
  goneLinks: number
  resolve(kept: CommitResult): void
  reject(error: unknown): void
}

/** One round is archived while the previous one is settled; together they must not exceed what a restart can recognise. */
const MOST_RECORDS_PER_ROUND = MOST_UNSETTLED_PAGES / 2
/** After a round with fewer entries, the next one is not delayed: a crawl of few hosts waits for each of them. */
const BUSY_ROUND = 4

/**
 * Keeps the results of visits in the one order that loses nothing: the record is on disk first, then the line of the page or
 * failure is written, then the frontier settles the ticket. A crash in between costs nothing: pages archived but not settled are
 * found at the next start, and lines of unsettled failures are dropped. Entries that arrive while the disk is busy are kept
 * together in the next round.
 */
export class Committer {
  /** Approximate size of the records and links that are not kept yet. */
  waitingBytes = 0
  private readonly deps: CommitterDeps
  private waiting: Waiting[] = []
  private isKeeping = false
  private lastFile = ''

  constructor(deps: CommitterDeps) {
    this.deps = deps
  }

  async keep(entry: Commit | OpenCommit): Promise<CommitResult> {
    const bytes = bytesOf(entry)
    this.waitingBytes += bytes
    try {
      // All batches of links but the last are offered ahead of the round, so that a page with very many links delays no other.
      let links: readonly Link[] = []
      let offered = 0
      for (const batch of entry.links ?? []) {
        if (links.length > 0) offered += await this.offerBatch(links)
        links = batch
      }
      return await new Promise<CommitResult>((resolve, reject) => {
        this.waiting.push({ entry, links, offered, goneLinks: 0, resolve, reject })
        if (!this.isKeeping) void this.keepAll()
      })
    } finally {
      this.waitingBytes -= bytes
    }
  }

  /** Offers links of a visit that goes on. */
  async offer(batches: Iterable<readonly Link[]>): Promise<void> {
    for (const batch of batches) if (batch.length > 0) await this.offerBatch(batch)
  }

  private async offerBatch(links: readonly Link[]): Promise<number> {
    const [wanted = []] = await this.deps.paths.ahead([links])
    return this.deps.frontier.offer(wanted)
  }

  private async keepAll(): Promise<void> {
    this.isKeeping = true
    let settling: Promise<void> = Promise.resolve()
    let isBusy = false
    const { gatherMs = 0, timer } = this.deps
    while (this.waiting.length > 0) {
      if (isBusy && gatherMs > 0) await new Promise<void>(resolve => timer(gatherMs, resolve))
      const round = this.nextRound()
      isBusy = round.length >= BUSY_ROUND
      const archiving = this.archive(round)
      await Promise.all([archiving, settling]).catch(() => {})
      settling = archiving.then(lines => this.settle(round, lines)).catch(error => rejectAll(round, error))
      if (this.waiting.length === 0) await settling
    }
    this.isKeeping = false
  }

  private nextRound(): readonly Waiting[] {
    let records = 0
    let end = 0
    while (end < this.waiting.length && records < MOST_RECORDS_PER_ROUND) {
      if (this.waiting[end++]!.entry.records !== undefined) records++
    }
    return this.waiting.splice(0, end)
  }

  /** Appends records and lines and waits until they are safe. Returns the lines in the order of the entries. */
  private async archive(round: readonly Waiting[]): Promise<readonly (PageLine | undefined)[]> {
    const { archive, pages, payloads, earlier } = this.deps
    const records = presentIn(round, entry => entry.records)
    const places = records.length > 0 ? archive.append(records) : []
    if (records.length > 0) await archive.sync()
    if (payloads !== undefined) addPayloads(payloads, records, places)
    const fresh: PageLine[] = []
    let next = 0
    const lines = round.map(({ entry }) => {
      if (entry.records === undefined) return entry.line
      const { file, offset, length } = places[next++]!
      if (entry.page === undefined) return undefined
      const line = { ...entry.page, file, offset, length }
      fresh.push(line)
      earlier.learn(line)
      return line
    })
    if (fresh.length > 0) pages.append(fresh)
    // A line can be rebuilt from its record as long as that is in the newest files, which are read at every start.
    const file = places.at(-1)?.file
    // The record of a page that is gone isn't a page's, so its line could not be made again.
    const isLast = fresh.some(({ change }) => change === 'gone')
    if (isLast || (file !== undefined && file !== this.lastFile)) {
      this.lastFile = file ?? this.lastFile
      await pages.sync()
    }
    this.keepEndings(round)
    return lines
  }

  private keepEndings(round: readonly Waiting[]): void {
    const { seeds, failures } = this.deps
    const redirected = presentIn(round, entry => entry.seed)
    if (redirected.length > 0) seeds.append(redirected)
    const failed = presentIn(round, entry => entry.failure)
    if (failed.length > 0) failures.append(failed)
  }

  private async settle(round: readonly Waiting[], lines: readonly (PageLine | undefined)[]): Promise<void> {
    await this.tellOfHosts(round)
    const settlements: Settlement[] = []
    const givenBack: TicketId[] = []
    const { frontier, paths } = this.deps
    const links = await paths.ahead(round.map(({ links }) => links))
    const settledAt: number[] = []
    for (const i of goneFirst(round)) {
      const { entry } = round[i]!
      const { settlement } = entry
      if (settlement === undefined) continue
      if ('giveBack' in settlement) givenBack.push(settlement.giveBack)
      else {
        const { ticketId, shown, delayMs } = settlement
        const outcome = planned(settlement.outcome, entry, lines[i])
        settledAt[i] = settlements.push({ ticketId, outcome, shown, delayMs, links: links[i]! }) - 1
      }
    }
    // Only now: what the round before has brought to these hosts is in their queues.
    for (const waiting of round)
      if (waiting.entry.gone !== undefined) waiting.goneLinks += await keepEndOfQueue(waiting.entry.gone, this.deps)
    const [settled] = await Promise.all([
      settlements.length > 0 ? frontier.settle(settlements) : { fresh: [], late: [] },
      givenBack.length > 0 ? frontier.giveBack(givenBack) : undefined,
    ])
    const late = new Set(settled.late)
    await this.settleLate(lines.filter((_, i) => isLate(round[i]!.entry, late)))
    for (const [i, { entry, offered, goneLinks, resolve }] of round.entries()) {
      const at = settledAt[i]
      const fresh = at === undefined ? offered : offered + settled.fresh[at]!
      resolve({ line: lines[i], fresh, isLate: isLate(entry, late), goneLinks })
    }
  }

  /** A page whose lease is gone is archived all the same: unless its link is leased again, it is done. The frontier may have lost it. */
  private async settleLate(lines: readonly (PageLine | undefined)[]): Promise<void> {
    // A visit again has no link that could be asked for twice at once.
    const pages = lines.filter(line => line !== undefined).filter(({ change }) => change === 'new')
    if (pages.length === 0) return
    const { frontier } = this.deps
    const states = await frontier.explain(pages.map(({ url }) => url))
    const unknown = pages.filter((_, i) => states[i]!.state === 'unknown')
    if (unknown.length > 0) await frontier.offer(unknown.map(linkTo))
    await frontier.settleFormer(pages.map(({ url, dateMs }) => ({ url, isPage: true, links: [], dateMs })))
  }

  /** Must run before the tickets are closed, since from then on their hosts may be leased again. */
  private async tellOfHosts(round: readonly Waiting[]): Promise<void> {
    const { frontier, gate, sitemaps } = this.deps
    const told: Promise<unknown>[] = []
    for (const { entry, links } of round) {
      const { delay, block, note, settlement } = entry
      if (delay !== undefined) told.push(frontier.setDelay(delay.host, delay.ms))
      if (block !== undefined) told.push(frontier.hold(block.host, { forMs: block.ms }))
      if (note !== undefined) told.push(frontier.note(note.host, note.key, note.bytes, note.forMs))
      if (settlement !== undefined && 'giveBack' in settlement && links.length > 0) told.push(frontier.offer(links))
    }
    if (told.length > 0) await Promise.all(told)
    for (const { entry } of round) {
      const { robots, sitemapRead } = entry
      if (robots !== undefined) gate.learn(robots)
      if (sitemapRead !== undefined) sitemaps.look(sitemapRead.name, sitemapRead.atMs)
    }
  }
}

function isLate({ settlement }: Commit | OpenCommit, late: ReadonlySet<TicketId>): boolean {
  return settlement !== undefined && !('giveBack' in settlement) && late.has(settlement.ticketId)
}

/** The outcome of a page that is to be visited again: only now it is known where its records are. */
function planned(outcome: Outcome, { again }: Commit, line: PageLine | undefined): Outcome {
  if (again === undefined || line === undefined || outcome.kind !== 'done') return outcome
  return { ...outcome, again: again(line) }
}

function presentIn<Part>(round: readonly Waiting[], partOf: (entry: Commit | OpenCommit) => Part | undefined): Part[] {
  const parts: Part[] = []
  for (const { entry } of round) {
    const part = partOf(entry)
    if (part !== undefined) parts.push(part)
  }
  return parts
}

function addPayloads(
  payloads: Pick<KnownPayloads, 'add'>,
  records: readonly Records[],
  places: readonly RecordLocation[],
): void {
  for (const [i, { kind, isPage, payloadDigest }] of records.entries())
    if (kind === 'response' && isPage) payloads.add(payloadDigest, places[i]!)
}

/** Hosts that are gone come first: links to them that others of this round bring would end with them, but have no line. */
function goneFirst(round: readonly Waiting[]): number[] {
  const gone = (i: number): number => (round[i]!.entry.gone === undefined ? 1 : 0)
  return [...round.keys()].sort((a, b) => gone(a) - gone(b))
}

function rejectAll(round: readonly Waiting[], error: unknown): void {
  for (const { reject } of round) reject(error)
}

function bytesOf({ records, linksBytes }: Commit | OpenCommit): number {
  return (records?.bytes.length ?? 0) + (linksBytes ?? 0)
}

const AT_ONCE = 1000

/** The frontier is about to refuse all of them. The host must have an open ticket, so that nothing is leased meanwhile. */
async function keepEndOfQueue(
  { host, reason, atMs }: NonNullable<Commit['gone']>,
  deps: {
    readonly frontier: FrontierViews
    readonly failures: { append(lines: readonly FailureLine[]): void }
    readonly timer: Timer
  },
): Promise<number> {
  let links = 0
  let after: string | undefined
  do {
    const page = await deps.frontier.waiting(host, { ...(after !== undefined && { after }), limit: AT_ONCE })
    deps.failures.append(linesOfEnded(page.items, reason, atMs))
    links += page.items.length
    after = page.next
    // A frontier on this machine has it all in memory, and would keep the event loop busy.
    if (after !== undefined) await new Promise<void>(resolve => deps.timer(0, resolve))
  } while (after !== undefined)
  return links
}

export function linesOfEnded(links: readonly Link[], reason: string, atMs: number): FailureLine[] {
  return links.map(({ url, note }) => ({ url, ...fromOf(note), reason, atMs }))
}

function fromOf(note: string | undefined): { readonly from?: string } {
  const from = foundOn(note)
  return from === undefined ? {} : { from }
}
