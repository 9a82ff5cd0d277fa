import type { Clock } from '../base/clock.ts'
import type { Frontier, Settlement, Ticket } from '../frontier/frontier.ts'
import type { Errand, Finding } from './errand.ts'
import type { CrawlEvent } from './events.ts'
import type { Ledger } from './ledger.ts'
import type { OpenVisit, Outcome, Outcomes } from './outcomes.ts'
import { originOf, type RobotsGate, readRobotsErrand } from './robots-gate.ts'
import type { Servers } from './servers.ts'
import type { CrawlSettings } from './settings.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface CollectorRooms {
  readonly settings: CrawlSettings
  readonly frontier: Frontier
  readonly gate: RobotsGate
  readonly servers: Servers
  readonly outcomes: Outcomes
  readonly ledger: Ledger
  readonly pool: Pick<WorkerPool, 'send' | 'stop'>
  /** Unix time. */
  readonly clock: Clock
  /** How a page is settled that an earlier run archived and did not settle; `undefined` for every other one. */
  settlementOf(ticket: Ticket): Settlement | undefined
  tell(event: CrawlEvent): void
  /** Whoever reads the pages has enough of them for now: no new links are taken until `goOn`. */
  isHeldUp(): boolean
}

export type EndedBecause = 'limit' | 'nothing left' | 'stopped'

/** Tickets beyond the open requests, so that a worker has the next one when a request ends. */
const AHEAD = 0.5
/** When so much waits for the disk, no new links are taken. */
const MOST_WAITING_BYTES = 64 << 20
/** Longest sleep; the clock may be set meanwhile. */
const LONGEST_SLEEP_MS = 60_000

/**
 * Leads a crawl: takes links that are ready, lets workers visit them, and lets the ledger keep what they bring. It holds at
 * most so many tickets as pages are missing to the limit, so the limit is met exactly.
 */
export class Collector {
  private readonly rooms: CollectorRooms
  private readonly visits = new Map<number, OpenVisit>()
  private readonly pagesOf: Map<string, number>
  /** Archived, or about to be. */
  private pages: number
  private isTaking = false
  private isStopping = false
  private hasEnded = false
  private timer: NodeJS.Timeout | undefined
  private resolve!: (because: EndedBecause) => void
  private reject!: (error: unknown) => void
  private readonly ended = new Promise<EndedBecause>((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })

  /** `pages`: archived by earlier runs; by host only when there is a limit for each. */
  constructor(rooms: CollectorRooms, pages: number, pagesOf: Iterable<readonly [host: string, pages: number]>) {
    this.rooms = rooms
    this.pages = pages
    this.pagesOf = new Map(pagesOf)
  }

  /** Resolves when the crawl has ended and everything is kept. */
  run(): Promise<EndedBecause> {
    this.goOn()
    return this.ended
  }

  /** Finishes the open requests, and makes no new ones. */
  stop(): void {
    if (this.isStopping) return
    this.isStopping = true
    this.rooms.pool.stop()
    this.goOn()
  }

  fail(error: unknown): void {
    clearTimeout(this.timer)
    this.hasEnded = true
    this.reject(error)
  }

  found(findings: readonly Finding[]): void {
    if (this.hasEnded) return
    const nowMs = this.rooms.clock()
    try {
      for (const finding of findings) this.finish(finding, nowMs)
      this.goOn()
    } catch (error) {
      this.fail(error)
    }
  }

  /** Requests that are under way; some of the visits still wait for their turn. */
  get openRequests(): number {
    return Math.min(this.visits.size, this.rooms.settings.concurrency)
  }

  /** Something has changed: takes what may be taken, sleeps, or ends. */
  goOn(): void {
    clearTimeout(this.timer)
    if (this.isTaking || this.hasEnded) return
    this.isTaking = true
    this.takeAll()
      .then(() => {
        this.isTaking = false
        this.endOrSleep()
      })
      .catch(error => this.fail(error))
  }

  private async takeAll(): Promise<void> {
    const { frontier, clock } = this.rooms
    for (;;) {
      const room = this.room()
      if (room <= 0 || (frontier.nextReadyAtMs() ?? Infinity) > clock()) return
      const tickets = await frontier.take(room, clock())
      if (tickets.length === 0) return
      for (const ticket of tickets) this.begin(ticket)
    }
  }

  /** How many more links may be taken now. */
  private room(): number {
    const { settings, ledger } = this.rooms
    if (this.isStopping || this.rooms.isHeldUp() || ledger.waitingBytes > MOST_WAITING_BYTES) return 0
    const most = Math.ceil(settings.concurrency * (1 + AHEAD))
    return Math.min(most, settings.limit - this.pages) - this.visits.size
  }

  private endOrSleep(): void {
    const { ledger, settings, frontier, clock } = this.rooms
    const isBusy = this.visits.size > 0 || !ledger.isIdle
    const nextMs = frontier.nextReadyAtMs()
    if (isBusy) this.sleep(nextMs)
    else if (this.pages >= settings.limit) this.end('limit')
    else if (this.isStopping) this.end('stopped')
    else if (nextMs === undefined) this.end('nothing left')
    else if (nextMs <= clock() && this.room() > 0) this.goOn()
    else this.sleep(nextMs)
  }

  private end(because: EndedBecause): void {
    this.hasEnded = true
    this.resolve(because)
  }

  private sleep(nextMs: number | undefined): void {
    if (nextMs === undefined || this.room() <= 0) return
    const sleepMs = Math.min(Math.max(nextMs - this.rooms.clock(), 1), LONGEST_SLEEP_MS)
    this.timer = setTimeout(() => this.goOn(), sleepMs)
  }

  /** From a ticket to a request, or to the reason why there is none. */
  private begin(ticket: Ticket): void {
    const { gate, outcomes, ledger, settings, clock } = this.rooms
    const errand = readRobotsErrand(ticket.url)
    const closing = this.rooms.settlementOf(ticket)
    if (errand !== undefined) this.open({ ticket, askedUrl: errand.url, robotsOf: errand.origin, isErrand: true })
    else if (closing !== undefined) ledger.add({ closing })
    else if ((this.pagesOf.get(ticket.host) ?? 0) >= settings.maxPerHost)
      this.close(outcomes.refused(ticket, 'max-per-host'))
    else if (outcomes.isDown(ticket.host)) this.close(outcomes.refused(ticket, 'host-down'))
    else {
      const answer = gate.ask(ticket.url, clock())
      if (answer.kind === 'open') this.open({ ticket, askedUrl: ticket.url, robotsOf: undefined, isErrand: false })
      else if (answer.kind === 'ask')
        this.open({ ticket, askedUrl: answer.url, robotsOf: originOf(ticket.url), isErrand: false })
      else if (answer.kind === 'shut') this.close(outcomes.refused(ticket, answer.reason))
      else {
        const block = { host: ticket.host, untilMs: clock() + answer.ms }
        ledger.add({ closing: { giveBack: ticket.id }, block })
      }
    }
  }

  private open(visit: OpenVisit): void {
    this.visits.set(visit.ticket.id, visit)
    this.send(visit).catch(error => this.fail(error))
  }

  private async send(visit: OpenVisit): Promise<void> {
    const { servers, pool } = this.rooms
    const { ticket, askedUrl, robotsOf } = visit
    const address = await servers.find(ticket.host)
    if (address === 'tied' || this.isStopping) this.found([findingOf(ticket, { kind: 'unvisited' })])
    else if (address === 'dns') this.found([findingOf(ticket, { kind: 'failed', why: 'dns', isWorthAgain: true })])
    else {
      const wanted: Errand['wanted'] = robotsOf === undefined ? 'html' : 'robots'
      pool.send({ ticketId: ticket.id, url: askedUrl, hops: ticket.hops, address, wanted })
    }
  }

  private finish(finding: Finding, nowMs: number): void {
    const visit = this.visits.get(finding.ticketId)!
    const { answer } = finding
    if (answer !== undefined) {
      const { status, wireBytes, tookMs } = answer
      this.rooms.tell({ kind: 'answered', atMs: nowMs, status, wireBytes, tookMs })
    }
    this.visits.delete(finding.ticketId)
    if (finding.end.kind === 'page') this.countPage(visit.ticket.host)
    this.close(this.rooms.outcomes.of(visit, finding, nowMs))
  }

  private countPage(host: string): void {
    this.pages++
    if (this.rooms.settings.maxPerHost < Infinity) this.pagesOf.set(host, (this.pagesOf.get(host) ?? 0) + 1)
  }

  private close({ entry, happenings }: Outcome): void {
    const atMs = this.rooms.clock()
    for (const happening of happenings) this.rooms.tell({ ...happening, atMs })
    this.rooms.ledger.add(entry)
  }
}

function findingOf({ id }: Ticket, end: Finding['end']): Finding {
  return { ticketId: id, answer: undefined, end, links: [], refusedLinks: {} }
}
