import type { Argument, Engine, Reply } from './engine/engine.ts'
import { CRAWL_SCRIPTS } from './engine/scripts.ts'
import type { OwnTickets } from './own-tickets.ts'
import { fenced, listOf, numberOf, textOf } from './shard/replies.ts'

/** Another crawler, as of the last report. */
export interface OtherCrawler {
  readonly id: string
  readonly opening: number
  /** How long ago it last reported. */
  readonly agoMs: number
  readonly hasLeft: boolean
  readonly pages: number
  /** Page tickets that it has open, or permits for them. */
  readonly open: number
}

/** What a report brought back. */
interface Reported {
  readonly granted: number
  /** Pages done by all crawlers. */
  readonly pages: number
}

interface CrawlersOptions {
  readonly engine: Engine
  readonly tag: string
  /** Of this crawler; empty: it isn't one, and only looks. */
  readonly selfId: string
  readonly opening: number
  /** How many times everything was forgotten before. */
  readonly clearings: number
  /** How many times a crawler noticed that the engine had lost something, up to now. */
  readonly losses: number
  readonly limit: number
  readonly tickets: OwnTickets
  readonly beatMs: number
  readonly leaseMs: number
}

/** How often a crawler lets the others know that it is alive. */
export const BEAT_MS = 5000

/** A crawler that did not report for this many beats is gone. */
export const BEATS_TO_GONE = 4

/**
 * The crawlers of a crawl, seen from one of them. Each reports its pages and its open page tickets as absolute numbers, and
 * is granted permits for more as long as the sum over all of them stays within the limit. A report is also a heartbeat.
 * Reports are numbered and made one after the other, so that one that is repeated, even late, changes nothing.
 */
export class Crawlers {
  /** All others that ever worked on this crawl. */
  others: readonly OtherCrawler[] = []
  /** Pages that this crawler has done, over all of its runs. */
  pages = 0
  /** Permits that are not tickets yet. Less than 0: the limit had no room for this many of its tickets at the last report. */
  spare = 0
  /** Called when another client has forgotten everything. */
  onCleared: () => void = () => {}
  /** Called when another crawler has noticed that the engine lost something, until `losses` says that this crawler knows of it. */
  onLosses: () => void = () => {}
  /** The losses that this crawler has looked for. */
  losses: number
  /** After a silence of this length, the last leases of a crawler are over. */
  readonly fenceAfterMs: number
  private readonly options: CrawlersOptions
  private readonly goneMs: number
  private lossesReported: number
  private clearings: number
  private reports = 0
  private isReportDue = false
  private last: Promise<unknown> = Promise.resolve()

  constructor(options: CrawlersOptions) {
    this.options = options
    this.clearings = options.clearings
    this.losses = options.losses
    this.lossesReported = options.losses
    this.goneMs = options.beatMs * BEATS_TO_GONE
    this.fenceAfterMs = this.goneMs + options.leaseMs
  }

  /** The ids of those that are alive, this one first. */
  get alive(): string[] {
    const { selfId } = this.options
    const others = this.others.filter(({ agoMs, hasLeft }) => !hasLeft && agoMs < this.goneMs).map(({ id }) => id)
    return selfId === '' ? others : [selfId, ...others]
  }

  /** The others that are gone, with tickets that no crawler counted. */
  get unfenced(): OtherCrawler[] {
    return this.others.filter(({ agoMs, hasLeft, open }) => agoMs >= this.fenceAfterMs && (!hasLeft || open > 0))
  }

  get isAlone(): boolean {
    return this.alive.length === 1
  }

  get hasLimit(): boolean {
    return this.options.limit < Number.POSITIVE_INFINITY
  }

  /** Asks for permits to open this many page tickets; those granted are spare until they are tickets or given back. */
  permit(want: number): Promise<Reported> {
    return this.report(Math.min(want, this.options.limit), 'beat')
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
    this.losses = this.lossesReported
  }

  /** A client, perhaps this one, has forgotten everything. */
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
    const { engine, tag, selfId, opening, tickets } = this.options
    for (;;) {
      const limit = this.hasLimit ? this.options.limit : -1
      const open = tickets.pages + Math.max(this.spare, 0)
      const numbers = [opening, ++this.reports, this.pages, open, want, limit, this.clearings]
      const args: Argument[] = [selfId, ...numbers.map(String), how, String(this.losses)]
      const [isAccepted, granted, pages, clearings, losses, ...others] = listOf(
        await engine.run(CRAWL_SCRIPTS.permit, tag, args),
      )
      if (numberOf(isAccepted) !== 1) throw fenced()
      this.others = othersOf(others)
      this.lossesReported = numberOf(losses)
      if (this.lossesReported !== this.losses) this.onLosses()
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
    const [opening, agoMs, hasLeft, pages, open] = list.slice(i + 1, i + 6).map(numberOf)
    others.push({
      ...{ id: textOf(list[i]), opening: opening!, agoMs: agoMs! },
      ...{ hasLeft: hasLeft === 1, pages: pages!, open: open! },
    })
  }
  return others
}
