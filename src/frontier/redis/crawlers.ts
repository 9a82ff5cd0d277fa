import { crawlScripts } from './crawl-scripts.ts'
import type { Argument, Engine, Reply } from './engine/engine.ts'
import type { OwnTickets } from './own-tickets.ts'
import { listOf, numberOf, textOf } from './shard/replies.ts'
import { fenced } from './shard/shard-words.ts'

/** Another crawler, as of the last report. */
export interface OtherCrawler {
  readonly id: string
  readonly opening: number
  /** How long ago it was last heard of. */
  readonly agoMs: number
  readonly hasLeft: boolean
  readonly pages: number
  /** Page tickets that it has open, or permits for them. */
  readonly open: number
}

/** What a report brought back. */
export interface Reported {
  readonly granted: number
  /** Pages done by all crawlers. */
  readonly pages: number
}

/** Who this crawler is. */
export interface SelfId {
  /** Empty: it is none, and only looks. */
  readonly id: string
  readonly opening: number
  /** How many times everything was forgotten before. */
  readonly clearings: number
  /** How many times somebody noticed that the engine had lost something, up to now. */
  readonly losses: number
}

/** How often a crawler lets the others know that it is alive. */
export const BEAT_MS = 5000

/** A crawler that was not heard of for as many beats is gone. */
export const BEATS_TO_GONE = 4

/**
 * The crawlers of a crawl, seen from one of them. Each reports its pages and its open page tickets as absolute numbers, and
 * is granted permits for more as long as the sum over all of them stays within the limit. A report is also a heartbeat.
 * Reports are numbered and made one after the other, so that one that is repeated, even late, changes nothing.
 */
export class Crawlers {
  /** The others that ever were here. */
  others: readonly OtherCrawler[] = []
  /** Pages that this crawler has done, over all of its runs. */
  pages = 0
  /** Permits that are not tickets yet. Less than 0: the limit had no room for so many of its tickets at the last report. */
  spare = 0
  /** Called when everything was forgotten by somebody else. */
  onCleared: () => void = () => {}
  /** Called when somebody has noticed that the engine lost something, until `losses` says that this crawler knows of it. */
  onLosses: () => void = () => {}
  /** The losses that this crawler has looked for. */
  losses: number
  private lossesHeardOf: number
  private readonly engine: Engine
  private readonly tag: string
  private readonly self: SelfId
  private readonly limit: number
  private readonly tickets: OwnTickets
  private readonly goneMs: number
  /** After so long a silence, the last leases of a crawler are over. */
  readonly fenceAfterMs: number
  private clearings: number
  private reports = 0
  private isReportDue = false
  private last: Promise<unknown> = Promise.resolve()

  constructor(
    engine: Engine,
    tag: string,
    self: SelfId,
    { limit, tickets, beatMs, leaseMs }: { limit: number; tickets: OwnTickets; beatMs: number; leaseMs: number },
  ) {
    this.engine = engine
    this.tag = tag
    this.self = self
    this.clearings = self.clearings
    this.losses = self.losses
    this.lossesHeardOf = self.losses
    this.limit = limit
    this.tickets = tickets
    this.goneMs = beatMs * BEATS_TO_GONE
    this.fenceAfterMs = this.goneMs + leaseMs
  }

  /** The ids of those that are alive, this one first. */
  get alive(): string[] {
    const others = this.others.filter(({ agoMs, hasLeft }) => !hasLeft && agoMs < this.goneMs).map(({ id }) => id)
    return this.self.id === '' ? others : [this.self.id, ...others]
  }

  /** The others that are gone, with tickets that nobody counted. */
  get unfenced(): OtherCrawler[] {
    return this.others.filter(({ agoMs, hasLeft, open }) => agoMs >= this.fenceAfterMs && (!hasLeft || open > 0))
  }

  get isAlone(): boolean {
    return this.alive.length === 1
  }

  get hasLimit(): boolean {
    return this.limit < Number.POSITIVE_INFINITY
  }

  /** Asks for permits to open so many page tickets; those granted are spare until they are tickets or given back. */
  permit(want: number): Promise<Reported> {
    return this.report(Math.min(want, this.limit), 'beat')
  }

  beat(): Promise<Reported> {
    return this.report(0, 'beat')
  }

  /** The others need not wait for this crawler any longer than for its open tickets. */
  leave(): Promise<Reported> {
    return this.report(0, 'leave')
  }

  /** Gives up the permits that were not used, and lets the others know. */
  giveUpSpare(): void {
    if (this.spare <= 0) return
    this.spare = 0
    this.reportSoon()
  }

  /** Tickets were closed: the others may wait for permits, or for the end. */
  closedSome(): void {
    if (this.hasLimit && !this.isAlone) this.reportSoon()
  }

  /** This crawler has looked for what others noticed. */
  heardOfLosses(): void {
    this.losses = this.lossesHeardOf
  }

  /** Somebody, perhaps this client, has forgotten everything. */
  startOver(clearings: number): void {
    this.clearings = clearings
    this.pages = 0
    this.spare = 0
  }

  /** In the background: a failure is one of the engine, and the next report will meet it, too. */
  private reportSoon(): void {
    if (this.isReportDue) return
    this.isReportDue = true
    const send = () => {
      this.isReportDue = false
      return this.send(0, 'beat')
    }
    this.last = this.last.then(send, send)
    this.last.catch(() => {})
  }

  private report(want: number, how: 'beat' | 'leave'): Promise<Reported> {
    const send = () => this.send(want, how)
    const reported = this.last.then(send, send)
    this.last = reported
    return reported
  }

  private async send(want: number, how: 'beat' | 'leave'): Promise<Reported> {
    for (;;) {
      const { id, opening } = this.self
      const limit = this.hasLimit ? this.limit : -1
      const open = this.tickets.pages + Math.max(this.spare, 0)
      const numbers = [opening, ++this.reports, this.pages, open, want, limit, this.clearings]
      const args: Argument[] = [id, ...numbers.map(String), how, String(this.losses)]
      const [isAccepted, granted, pages, clearings, losses, ...others] = listOf(
        await this.engine.run(crawlScripts.permit, this.tag, args),
      )
      if (numberOf(isAccepted) !== 1) throw fenced()
      this.others = othersOf(others)
      this.lossesHeardOf = numberOf(losses)
      if (this.lossesHeardOf !== this.losses) this.onLosses()
      if (numberOf(clearings) !== this.clearings) {
        this.startOver(numberOf(clearings))
        this.onCleared()
        continue
      }
      this.spare = Math.max(this.spare, 0) + numberOf(granted)
      return { granted: numberOf(granted), pages: numberOf(pages) }
    }
  }
}

/** The others, as `permit.lua` lists them. */
export function othersOf(list: readonly Reply[]): OtherCrawler[] {
  const others: OtherCrawler[] = []
  for (let i = 0; i + 5 < list.length; i += 6) {
    others.push({
      id: textOf(list[i]),
      opening: numberOf(list[i + 1]),
      agoMs: numberOf(list[i + 2]),
      hasLeft: numberOf(list[i + 3]) === 1,
      pages: numberOf(list[i + 4]),
      open: numberOf(list[i + 5]),
    })
  }
  return others
}
