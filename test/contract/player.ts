import { EscalonaError } from '../../src/base/errors.ts'
import type {
  FormerVisit,
  FrontierChange,
  Hint,
  Hold,
  HostView,
  Link,
  LinkFilter,
  LinkView,
  Outlook,
  Page,
  PlannedVisit,
  Settled,
  Settlement,
  Taken,
  Ticket,
  TicketId,
} from '../../src/frontier/frontier.ts'
import { hostOf } from '../../src/url/host-of.ts'
import type { HandClock } from './hand-clock.ts'
import type { Operation, Pick } from './operations.ts'
import type { TimedFrontier } from './timed.ts'

/** What a call did, told only when it succeeded. A law watches these. */
export type Deed =
  | { readonly deed: 'offered'; readonly links: readonly Link[]; readonly fresh: number }
  | ({ readonly deed: 'leased'; readonly max: number; readonly nowMs: number } & Taken)
  | {
      readonly deed: 'placed'
      readonly id: TicketId
      readonly server: string
      readonly holds: boolean
      readonly nowMs: number
    }
  | ({ readonly deed: 'settled'; readonly settlements: readonly Settlement[]; readonly nowMs: number } & Settled)
  | ({ readonly deed: 'formerly visited'; readonly visits: readonly FormerVisit[] } & Settled)
  | { readonly deed: 'planned' | 'replanned'; readonly visits: readonly PlannedVisit[]; readonly count: number }
  | { readonly deed: 'hinted'; readonly hints: readonly Hint[]; readonly count: number; readonly nowMs: number }
  | { readonly deed: 'given back'; readonly ids: readonly TicketId[] }
  | {
      readonly deed: 'renewed'
      readonly ids: readonly TicketId[]
      readonly late: readonly TicketId[]
      readonly nowMs: number
    }
  | { readonly deed: 'delay set'; readonly host: string; readonly delayMs: number }
  | ({ readonly deed: 'held'; readonly host: string; readonly nowMs: number } & Hold)
  | { readonly deed: 'requeued'; readonly links: readonly Link[]; readonly count: number }
  | { readonly deed: 'cleared'; readonly host: string | undefined }
  /** `backMs`: by how much the clock had gone back. */
  | { readonly deed: 'reopened'; readonly nowMs: number; readonly backMs: number }

export type Watch = (deed: Deed) => void

/** The frontier that is played on; `reopen` exchanges it. */
export interface Board {
  readonly frontier: TimedFrontier
  /** `changed`: what has been changed since the beginning. */
  reopen(changed?: FrontierChange): Promise<void>
}

/** A host that is blocked to let the frontier see the latest time before the clock goes back. */
export const TIME_KEEPER = 'time-keeper.example'

/** Plays operations on a frontier. What they give comes in a form that two frontiers can be compared by. */
export class Player {
  readonly clock: HandClock
  private readonly board: Board
  private readonly leaseMs: number
  private readonly watch: Watch
  private open: (Ticket & { readonly dueMs: number })[] = []
  private readonly closed = new Set<TicketId>()
  private changed: FrontierChange | undefined
  /** Hosts with notes: those made since the last opening, and those made before it, which may be gone. */
  private readonly notes = { sure: new Set<string>(), unsure: new Set<string>() }

  constructor(board: Board, clock: HandClock, leaseMs = 60_000, watch: Watch = () => {}) {
    this.board = board
    this.clock = clock
    this.leaseMs = leaseMs
    this.watch = watch
  }

  get nowMs(): number {
    return this.clock.nowMs
  }

  get openTickets(): readonly Ticket[] {
    return this.open
  }

  async play(operation: Operation): Promise<unknown> {
    switch (operation.do) {
      case 'look':
        this.clock.nowMs += operation.passMs
        return this.guarded(() => this.look(operation.urls, operation.byClock ? undefined : this.nowMs))
      case 'reopen':
        return this.reopen(operation.passMs, operation.backMs)
      case 'at once':
        return this.playAtOnce(operation.operations)
      default:
        return this.call(operation, 'byClock' in operation && operation.byClock === true, this.watch)
    }
  }

  /** Everything that can be seen of a frontier; of these URLs and their hosts more than of the others. */
  async look(urls: readonly string[], nowMs?: number): Promise<unknown> {
    const { frontier } = this.board
    const hosts = await everyPage<HostView>(cursor => frontier.hosts(cursor, nowMs), 501)
    const lists: Record<string, Link[]> = {}
    for (const host of new Set(urls.map(hostOf))) {
      const links = await everyPage<Link>(cursor => frontier.waiting(host, cursor), 7)
      lists[host] = links.map(link => ({ ...plain(link), kind: link.kind ?? 'page' }))
    }
    const sure = urls.map(hostOf).filter(host => !this.notes.unsure.has(host))
    const notes = await Promise.all(sure.map(host => frontier.noted(host, 'key', nowMs)))
    return {
      counts: await this.glance(),
      hosts: hosts.map(plain),
      lists,
      links: await listed(frontier, urls.map(hostOf)),
      single: await singles(frontier, urls, nowMs),
      outlook: shownOutlook(await frontier.outlook(nowMs)),
      explained: (await frontier.explain(urls, nowMs)).map(plain),
      notes: notes.map(note => (note === undefined ? note : Buffer.from(note).toString())),
    }
  }

  /** What can be seen at once. */
  async glance(): Promise<unknown> {
    return plain(await this.board.frontier.counts())
  }

  private async reopen(passMs: number, backMs: number): Promise<void> {
    this.clock.nowMs += passMs
    if (backMs > 0) await this.board.frontier.hold(TIME_KEEPER, { forMs: 1 }, this.nowMs)
    this.clock.nowMs -= backMs
    await (this.changed === undefined ? this.board.reopen() : this.board.reopen(this.changed))
    this.close(this.open)
    for (const host of this.notes.sure) this.notes.unsure.add(host)
    this.notes.sure.clear()
    this.watch({ deed: 'reopened', nowMs: this.nowMs, backMs })
  }

  /** The deeds are told in the order of the calls. */
  private async playAtOnce(operations: readonly Operation[]): Promise<unknown[]> {
    const deeds: Deed[][] = operations.map(() => [])
    const results = await Promise.all(operations.map((one, n) => this.call(one, false, deed => deeds[n]!.push(deed))))
    for (const deed of deeds.flat()) this.watch(deed)
    return results
  }

  /** Makes the call at once, and says what came of it when it is known. */
  private call(operation: Operation, byClock: boolean, tell: Watch): Promise<unknown> {
    return this.guarded(() => this.made(operation, byClock, tell))
  }

  /** An error that the contract knows is an answer; any other is not. */
  private async guarded(call: () => Promise<unknown>): Promise<unknown> {
    try {
      return await call()
    } catch (error) {
      if (error instanceof EscalonaError) return { error: error.code }
      throw error
    }
  }

  private async made(operation: Operation, byClock: boolean, tell: Watch): Promise<unknown> {
    const { frontier } = this.board
    if ('passMs' in operation) this.clock.nowMs += operation.passMs
    const { nowMs } = this
    const givenMs = byClock ? undefined : nowMs
    switch (operation.do) {
      case 'offer': {
        const fresh = await frontier.offer(operation.links)
        tell({ deed: 'offered', links: operation.links, fresh })
        return fresh
      }
      case 'take':
        return this.take(operation.max, nowMs, givenMs, tell)
      case 'place': {
        const [id] = this.resolve([operation.pick])
        if (id === undefined) return undefined
        const holds = await frontier.place(id, operation.server, givenMs)
        this.placed(id, operation.server, holds)
        tell({ deed: 'placed', id, server: operation.server, holds, nowMs })
        return holds
      }
      case 'settle': {
        const ids = this.resolve(operation.settlements.map(({ pick }) => pick))
        const settlements = operation.settlements.flatMap(({ pick: _, ...rest }, place) => {
          const ticketId = ids[place]
          return ticketId === undefined ? [] : [{ ticketId, ...rest }]
        })
        return this.closing(ids, async () => {
          const settled = await frontier.settle(settlements, givenMs)
          tell({ deed: 'settled', settlements, nowMs, ...settled })
          return settled
        })
      }
      case 'settleFormer': {
        const settled = await frontier.settleFormer(operation.visits, givenMs)
        tell({ deed: 'formerly visited', visits: operation.visits, ...settled })
        return settled
      }
      case 'plan':
      case 'replan': {
        const count = await frontier[operation.do](operation.visits, givenMs)
        tell({ deed: operation.do === 'plan' ? 'planned' : 'replanned', visits: operation.visits, count })
        return count
      }
      case 'hint': {
        const count = await frontier.hint(operation.hints, undefined, givenMs)
        tell({ deed: 'hinted', hints: operation.hints, count, nowMs })
        return count
      }
      case 'giveBack': {
        const ids = defined(this.resolve(operation.picks))
        return this.closing(ids, async () => {
          await frontier.giveBack(ids)
          tell({ deed: 'given back', ids })
        })
      }
      case 'renew': {
        const ids = defined(this.resolve(operation.picks))
        const dueMs = nowMs + this.leaseMs
        this.open = this.open.map(ticket => (ids.includes(ticket.id) ? { ...ticket, dueMs } : ticket))
        const late = await frontier.renew(ids, givenMs)
        tell({ deed: 'renewed', ids, late, nowMs })
        return late
      }
      case 'setDelay':
        await frontier.setDelay(operation.host, operation.delayMs)
        tell({ deed: 'delay set', host: operation.host, delayMs: operation.delayMs })
        return undefined
      case 'hold': {
        const { host, forMs, isAnew = false } = operation
        await frontier.hold(host, { forMs, isAnew }, givenMs)
        tell({ deed: 'held', host, forMs, isAnew, nowMs })
        return undefined
      }
      case 'change':
        await frontier.rules!.change(operation.options)
        this.changed = { ...this.changed, ...operation.options }
        return undefined
      case 'note': {
        const { host, text, forMs } = operation
        await frontier.note(host, 'key', Buffer.from(text), forMs, givenMs)
        this.notes.sure.add(host)
        this.notes.unsure.delete(host)
        return undefined
      }
      case 'requeue': {
        const count = await frontier.requeue(operation.links)
        tell({ deed: 'requeued', links: operation.links, count })
        return count
      }
      case 'clear':
        if (operation.host === undefined) this.close(this.open)
        await frontier.clear(operation.host)
        tell({ deed: 'cleared', host: operation.host })
        return undefined
      default:
        throw new Error(`${operation.do} is no call`)
    }
  }

  private async take(max: number, nowMs: number, givenMs: number | undefined, tell: Watch): Promise<unknown> {
    if (!Number.isNaN(max)) this.close(this.open.filter(ticket => ticket.dueMs <= nowMs))
    const taken = await this.board.frontier.take(max, givenMs)
    this.open.push(...taken.tickets.map(ticket => ({ ...ticket, dueMs: nowMs + this.leaseMs })))
    tell({ deed: 'leased', max, nowMs, ...taken })
    return { ...plain(taken), tickets: taken.tickets.map(plain) }
  }

  private placed(id: TicketId, server: string, holds: boolean): void {
    if (holds) this.open = this.open.map(ticket => (ticket.id === id ? { ...ticket, server } : ticket))
    else this.close([{ id }])
  }

  private close(tickets: readonly { readonly id: TicketId }[]): void {
    for (const { id } of tickets) this.closed.add(id)
    this.open = this.open.filter(({ id }) => !this.closed.has(id))
  }

  /** Counts tickets as closed while a call closes them, and as open again when it fails. */
  private async closing<T>(ids: readonly (TicketId | undefined)[], call: () => Promise<T>): Promise<T> {
    const theirs = this.open.filter(ticket => ids.includes(ticket.id))
    this.open = this.open.filter(ticket => !ids.includes(ticket.id))
    try {
      const result = await call()
      this.close(theirs)
      return result
    } catch (error) {
      this.open.push(...theirs.filter(({ id }) => !this.closed.has(id)))
      throw error
    }
  }

  /** The tickets that are meant; undefined for one that is left out because nothing is open. */
  private resolve(picks: readonly Pick[]): (TicketId | undefined)[] {
    // In the order of leasing: calls that are under way together may end in any order.
    const left = this.open.map(ticket => ticket.id).sort((a, b) => a - b)
    const chosen: (TicketId | undefined)[] = []
    for (const pick of picks) {
      if (pick === 'unknown') chosen.push(987_654_321)
      else if (pick === 'odd') chosen.push([Number.NaN, -1, 0, 0.5][chosen.length % 4])
      else if (pick === 'closed') chosen.push(this.closed.size > 0 ? Math.max(...this.closed) : undefined)
      else if (pick === 'repeated') chosen.push(chosen.findLast(id => id !== undefined))
      else chosen.push(left.splice(left.length > 0 ? pick % left.length : 0, 1)[0])
    }
    return chosen
  }
}

/** The lists of links: by state, by host and by reason. */
export async function listed(frontier: TimedFrontier, hosts: readonly string[]): Promise<LinkView[][]> {
  const host = hosts[0] ?? 'nowhere.example'
  const filters: LinkFilter[] = [
    { state: 'waiting' },
    { state: 'leased' },
    { state: 'refused' },
    { state: 'waiting', host },
    { state: 'leased', host },
    { state: 'refused', host },
    { state: 'refused', reasons: ['scope', 'never given'] },
    { state: 'refused', reasons: ['max-depth', 'robots'], host },
  ]
  const lists = await Promise.all(filters.map(which => everyPage(cursor => frontier.links(which, cursor), 9)))
  return lists.map(links => links.map(plain))
}

async function singles(frontier: TimedFrontier, urls: readonly string[], nowMs?: number): Promise<unknown> {
  const [url = 'http://nowhere.example/'] = urls
  const [host, link] = [await frontier.host(hostOf(url), nowMs), await frontier.link(url)]
  return { host: host && plain(host), link: link && plain(link) }
}

function shownOutlook({ next, ...rest }: Outlook): unknown {
  return { ...rest, next: next && plain(next) }
}

/** All items of a list that comes in pages. */
export async function everyPage<Item>(
  read: (cursor: { limit: number; after?: string }) => Promise<Page<Item>>,
  limit = 1000,
): Promise<Item[]> {
  const items: Item[] = []
  let after: string | undefined
  do {
    const page = await read(after === undefined ? { limit } : { limit, after })
    items.push(...page.items)
    after = page.next
  } while (after !== undefined)
  return items
}

/** Without the properties that are undefined: a maker may leave them out or not. */
export function plain<Whole extends object>(whole: Whole): Whole {
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)) as Whole
}

function defined(ids: readonly (TicketId | undefined)[]): TicketId[] {
  return ids.filter(id => id !== undefined)
}
