// A frontier of several frontiers in memory, each with a part of the hosts: what the comparison by parts is tested with.
import type {
  Cursor,
  FormerVisit,
  FrontierChange,
  FrontierCounts,
  FrontierOptions,
  Hint,
  Hold,
  HostView,
  Link,
  LinkFilter,
  LinkView,
  Page,
  PlannedVisit,
  Settled,
  Settlement,
  Taken,
  Ticket,
  TicketId,
} from '../../src/frontier/frontier.ts'
import { hostOf } from '../../src/url/host-of.ts'
import { domainOf } from '../model/frontier-oracle-state.ts'
import type { HandClock } from './hand-clock.ts'
import type { Maker, PartedFrontier } from './maker.ts'
import { openTimed, type TimedFrontier } from './timed.ts'

/** What a frontier of parts does wrong; a comparison has to notice. */
export interface Fault {
  readonly taken?: (taken: Taken) => Taken
  readonly order?: (tickets: readonly Ticket[]) => readonly Ticket[]
  readonly settled?: (settled: Settled) => Settled
  readonly most?: number
}

export function partedMaker(parts: number, fault: Fault = {}): Maker {
  const never = () => Promise.reject(new Error('it is gone with the process'))
  return {
    name: `memory in ${parts} parts`,
    parts,
    // When enough pages are done, its parts know at once, and those of an engine at the next take.
    plays: parts === 1 ? { recrawl: false } : { limit: Infinity, unproven: Infinity, auxiliaries: Infinity },
    lacks: ['onePart', 'ownClock', 'callOrder'],
    async make(options, clock) {
      const frontier = await PartedMemory.open(parts, options, clock, fault)
      return { frontier, repairs: [], reopen: never, afterCrash: never, end: () => frontier.close() }
    },
  }
}

class PartedMemory implements PartedFrontier {
  readonly supports = { exactOrder: false, reopen: false }
  readonly isTimed = true
  readonly rules = this
  private readonly parts: readonly TimedFrontier[]
  private readonly fault: Fault
  private turn = 0

  private constructor(parts: readonly TimedFrontier[], fault: Fault) {
    this.parts = parts
    this.fault = fault
  }

  /** Each part has its own quotas: a test that bounds tickets over all of them takes a single part. */
  static async open(count: number, options: FrontierOptions, clock: HandClock, fault: Fault): Promise<PartedMemory> {
    const parts = await Promise.all(Array.from({ length: count }, () => openTimed(options, clock)))
    return new PartedMemory(parts, fault)
  }

  partOf(host: string): number {
    let hash = 7
    for (const byte of Buffer.from(domainOf(host))) hash = (hash * 31 + byte) % 1_000_003
    return hash % this.parts.length
  }

  async offer(links: readonly Link[]): Promise<number> {
    return total(await this.each((part, n) => part.offer(this.of(n, links))))
  }

  /** Parts in turn, until there are enough tickets. */
  async take(max: number, nowMs?: number): Promise<Taken> {
    const tickets: Ticket[] = []
    const waits: number[] = []
    const pauses: (Taken['pause'] | undefined)[] = []
    const most = Math.min(max, this.fault.most ?? Infinity)
    let isOver = true
    for (const step of this.parts.keys()) {
      if (most >= 1 && tickets.length === most) break
      const n = (this.turn + step) % this.parts.length
      const taken = await this.parts[n]!.take(most < 1 ? most : most - tickets.length, nowMs)
      const order = this.fault.order ?? (list => list)
      tickets.push(...order(taken.tickets).map(ticket => ({ ...ticket, id: this.numbered(ticket.id, n) })))
      if (taken.waitMs !== undefined) waits.push(taken.waitMs)
      isOver &&= (taken.end ?? taken.pause) === 'nothing left'
      pauses.push(taken.pause)
    }
    this.turn++
    const isFull = max >= 1 && tickets.length === max
    const waitMs = isFull ? 0 : waits.length === 0 ? undefined : Math.min(...waits)
    const isLimit = this.parts.length === 1 && (await this.parts[0]!.take(0, nowMs)).end === 'limit'
    const end = isLimit ? ('limit' as const) : isOver && !isFull ? ('nothing left' as const) : undefined
    const pause = end && pauses.find(one => one !== undefined)
    const taken = { tickets, waitMs, ...(pause ? { pause } : end ? { end } : {}) }
    return this.fault.taken?.(taken) ?? taken
  }

  /** Links of other parts first. */
  async settle(settlements: readonly Settlement[], nowMs?: number): Promise<Settled> {
    const fresh = settlements.map(() => 0)
    const late: TicketId[] = []
    const isOwn = ({ url }: Link, ticketId: TicketId) => this.partOf(hostOf(url)) === this.home(ticketId)
    for (const [n, { ticketId, links }] of settlements.entries()) {
      fresh[n]! += await this.offer(links.filter(link => !isOwn(link, ticketId)))
    }
    for (const [n, { ticketId, links, ...rest }] of settlements.entries()) {
      const own = { ...rest, ticketId: this.inPart(ticketId), links: links.filter(link => isOwn(link, ticketId)) }
      const settled = await this.parts[this.home(ticketId)]!.settle([own], nowMs)
      fresh[n]! += settled.fresh[0]!
      if (settled.late.length > 0) late.push(ticketId)
    }
    return this.fault.settled?.({ fresh, late }) ?? { fresh, late }
  }

  async settleFormer(visits: readonly FormerVisit[], nowMs?: number): Promise<Settled> {
    const fresh: number[] = []
    for (const { links, ...visit } of visits) {
      const { url, dateMs = nowMs ?? 0 } = visit
      const home = this.parts[this.partOf(hostOf(url))]!
      const [explained] = await home.explain([url])
      const { again: before } = (await home.link(url)) ?? {}
      const isOpen = before
        ? explained?.state === 'done' && before.visitedAtMs < dateMs
        : explained?.state === 'waiting'
      if (!isOpen) fresh.push(0)
      else {
        const own = links.filter(link => this.partOf(hostOf(link.url)) === this.partOf(hostOf(url)))
        const offered = await this.offer(links.filter(link => !own.includes(link)))
        fresh.push(offered + (await home.settleFormer([{ ...visit, links: own }], nowMs)).fresh[0]!)
      }
    }
    return { fresh, late: [] }
  }

  async plan(visits: readonly PlannedVisit[], nowMs?: number): Promise<number> {
    return total(await this.each((part, n) => part.plan(this.of(n, visits), nowMs)))
  }

  async replan(visits: readonly PlannedVisit[], nowMs?: number): Promise<number> {
    return total(await this.each((part, n) => part.replan(this.of(n, visits), nowMs)))
  }

  async hint(hints: readonly Hint[], _most?: number, nowMs?: number): Promise<number> {
    return total(await this.each((part, n) => part.hint(this.of(n, hints), undefined, nowMs)))
  }

  /** A server has a state of its own in each part. */
  place(id: TicketId, server: string, nowMs?: number): Promise<boolean> {
    return this.parts[this.home(id)]!.place(this.inPart(id), server, nowMs)
  }

  async giveBack(ids: readonly TicketId[]): Promise<void> {
    for (const id of ids) await this.parts[this.home(id)]!.giveBack([this.inPart(id)])
  }

  async renew(ids: readonly TicketId[], nowMs?: number): Promise<TicketId[]> {
    const late = await Promise.all(ids.map(id => this.parts[this.home(id)]!.renew([this.inPart(id)], nowMs)))
    return ids.filter((_, n) => late[n]!.length > 0)
  }

  hold(host: string, hold: Hold, nowMs?: number): Promise<void> {
    return this.at(host).hold(host, hold, nowMs)
  }

  setDelay(host: string, delayMs: number): Promise<void> {
    return this.at(host).setDelay(host, delayMs)
  }

  note(host: string, key: string, bytes: Uint8Array, forMs: number, nowMs?: number): Promise<void> {
    return this.at(host).note(host, key, bytes, forMs, nowMs)
  }

  noted(host: string, key: string, nowMs?: number): Promise<Uint8Array | undefined> {
    return this.at(host).noted(host, key, nowMs)
  }

  async counts(): Promise<FrontierCounts> {
    return (await this.each(part => part.counts())).reduce((sum, one) => added(sum, one) as FrontierCounts)
  }

  async backlog() {
    return (await this.each(part => part.backlog())).flat()
  }

  async explain(urls: readonly string[], nowMs?: number) {
    return Promise.all(urls.map(async url => (await this.at(hostOf(url)).explain([url], nowMs))[0]!))
  }

  hosts(page: Cursor, nowMs?: number): Promise<Page<HostView>> {
    return this.pages(page, (part, cursor) => part.hosts(cursor, nowMs))
  }

  host(host: string, nowMs?: number) {
    return this.at(host).host(host, nowMs)
  }

  link(url: string) {
    return this.at(hostOf(url)).link(url)
  }

  waiting(host: string, page: Cursor) {
    return this.at(host).waiting(host, page)
  }

  links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>> {
    return this.pages(page, (part, cursor) => part.links(which, cursor))
  }

  async requeue(links: readonly Link[]): Promise<number> {
    return total(await this.each((part, n) => part.requeue(this.of(n, links))))
  }

  async outlook(nowMs?: number) {
    const all = await this.each(part => part.outlook(nowMs))
    const [next] = all.flatMap(one => one.next ?? []).sort((a, b) => a.readyInMs - b.readyInMs)
    const sums = { ready: 0, resting: 0, down: 0 }
    for (const one of all) for (const key of ['ready', 'resting', 'down'] as const) sums[key] += one[key]
    const visits = all.flatMap(({ againInMs }) => againInMs ?? [])
    return { ...sums, next, ...(visits.length > 0 && { againInMs: Math.min(...visits) }) }
  }

  async clear(host?: string, onCleared?: (links: readonly Link[]) => void): Promise<void> {
    if (host === undefined) await this.each(part => part.clear())
    else await this.at(host).clear(host, onCleared)
  }

  async change(options: FrontierChange): Promise<void> {
    await this.each(part => part.rules!.change(options))
  }

  async close(): Promise<void> {
    await this.each(part => part.close())
  }

  private at(host: string): TimedFrontier {
    return this.parts[this.partOf(host)]!
  }

  private of<Item extends { readonly url: string }>(part: number, links: readonly Item[]): Item[] {
    return links.filter(({ url }) => this.partOf(hostOf(url)) === part)
  }

  private each<Result>(call: (part: TimedFrontier, n: number) => Promise<Result>): Promise<Result[]> {
    return Promise.all(this.parts.map(call))
  }

  private numbered(id: TicketId, part: number): TicketId {
    return id * this.parts.length + part
  }

  private home(id: TicketId): number {
    return id >= 0 && Number.isInteger(id) ? id % this.parts.length : 0
  }

  private inPart(id: TicketId): TicketId {
    return Math.floor(id / this.parts.length)
  }

  /** One part after the other; a cursor says which part, and where in it. */
  private async pages<Item>(
    { after = '0.', limit }: Cursor,
    read: (part: TimedFrontier, cursor: Cursor) => Promise<Page<Item>>,
  ): Promise<Page<Item>> {
    const [part, rest] = after.split('.') as [string, string]
    const page = await read(this.parts[Number(part)]!, rest === '' ? { limit } : { limit, after: rest })
    const next = page.next === undefined ? `${Number(part) + 1}.` : `${part}.${page.next}`
    return { items: page.items, next: next === `${this.parts.length}.` ? undefined : next }
  }
}

/** The sum of two records, number by number. */
function added(a: object, b: object): object {
  const sums = Object.entries({ ...a, ...b }).map(([key, value]) => {
    // A reason may have the name of something that every object inherits.
    const [one, other] = [a, b].map(record => (Object.hasOwn(record, key) ? record[key as keyof object] : undefined))
    return [key, typeof value === 'number' ? (one ?? 0) + (other ?? 0) : added(one ?? {}, other ?? {})]
  })
  return Object.fromEntries(sums)
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
