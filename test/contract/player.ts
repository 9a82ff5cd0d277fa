import { EscalonaError } from '../../src/base/errors.ts'
import type { Frontier, Link, Settlement, Ticket } from '../../src/frontier/frontier.ts'
import type { Operation, Pick } from './operations.ts'

/** What a call did, told only when it succeeded. A law watches these. */
export type Deed =
  | { readonly deed: 'offered'; readonly links: readonly Link[]; readonly fresh: number }
  | { readonly deed: 'lent'; readonly tickets: readonly Ticket[]; readonly max: number; readonly nowMs: number }
  | {
      readonly deed: 'settled'
      readonly settlements: readonly Settlement[]
      readonly nowMs: number
      readonly fresh: number
    }
  | { readonly deed: 'given back'; readonly ids: readonly number[] }
  | { readonly deed: 'renewed'; readonly ids: readonly number[]; readonly nowMs: number }
  | { readonly deed: 'tied'; readonly hosts: readonly string[] }
  | { readonly deed: 'delay set'; readonly host: string; readonly delayMs: number }
  | { readonly deed: 'blocked'; readonly host: string; readonly atMs: number }
  | { readonly deed: 'cleared'; readonly host: string | undefined }
  | { readonly deed: 'reopened' }

export type Watch = (deed: Deed) => void

/** The frontier that is played on; `reopen` exchanges it. */
export interface Board {
  readonly frontier: Frontier
  reopen(): Promise<void>
}

/**
 * Plays operations on a frontier. What they give is told in a form that two frontiers can be compared by: tickets by the
 * order in which they were lent, since the contract does not say which numbers they have.
 */
export class Player {
  nowMs: number
  private readonly board: Board
  private readonly leaseMs: number
  private readonly watch: Watch
  private open: Ticket[] = []
  private closed: Ticket[] = []
  /** The place of each ticket among all that were ever lent. */
  private readonly places = new Map<number, number>()
  private lastTakeMs: number

  constructor(board: Board, leaseMs: number, watch: Watch = () => {}, nowMs = 1_700_000_000_000) {
    this.board = board
    this.leaseMs = leaseMs
    this.watch = watch
    this.nowMs = nowMs
    this.lastTakeMs = nowMs
  }

  get openTickets(): readonly Ticket[] {
    return this.open
  }

  async play(operation: Operation): Promise<unknown> {
    switch (operation.do) {
      case 'look':
        return this.guarded(async () => this.look(operation.urls))
      case 'reopen':
        await this.board.reopen()
        this.closed.push(...this.open.splice(0))
        this.watch({ deed: 'reopened' })
        return undefined
      case 'at once':
        return this.playAtOnce(operation.operations)
      default:
        return this.call(operation, this.watch)
    }
  }

  /** The deeds are told in the order of the calls. */
  private async playAtOnce(operations: readonly Operation[]): Promise<unknown[]> {
    const deeds: Deed[][] = operations.map(() => [])
    const results = await Promise.all(operations.map((one, n) => this.call(one, deed => deeds[n]!.push(deed))))
    for (const deed of deeds.flat()) this.watch(deed)
    return results
  }

  /** Everything that can be seen of a frontier, of these URLs among the rest. */
  look(urls: readonly string[]): unknown {
    const { frontier } = this.board
    const hosts = [...frontier.hosts()].map(view => ({ ...view, links: [...frontier.waiting(view.host)] }))
    const explained = urls.map(url => {
      const explanation = frontier.explain(url)
      if (explanation.state !== 'lent') return explanation
      return { ...explanation, ticketId: this.places.get(explanation.ticketId) }
    })
    return { counts: { ...frontier.counts() }, hosts, explained, nextReadyAtMs: this.nextReadyAtMs() }
  }

  /** What can be seen at once. */
  glance(): unknown {
    return { counts: { ...this.board.frontier.counts() }, nextReadyAtMs: this.nextReadyAtMs() }
  }

  /** What was ready at the last `take` is told as 0 or as the time at which it became so; both say the same. */
  private nextReadyAtMs(): number | undefined {
    const atMs = this.board.frontier.nextReadyAtMs()
    return atMs !== undefined && atMs <= this.lastTakeMs ? 0 : atMs
  }

  /** Makes the call at once, and tells what came of it when it is known. */
  private call(operation: Operation, tell: Watch): Promise<unknown> {
    return this.guarded(() => this.made(operation, tell))
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

  private async made(operation: Operation, tell: Watch): Promise<unknown> {
    const { frontier } = this.board
    if ('passMs' in operation) this.nowMs += operation.passMs
    const { nowMs } = this
    switch (operation.do) {
      case 'offer': {
        const fresh = await frontier.offer(operation.links)
        tell({ deed: 'offered', links: operation.links, fresh })
        return fresh
      }
      case 'take':
        return this.take(operation.max, nowMs, tell)
      case 'settle': {
        const ids = this.resolve(operation.settlements.map(({ pick }) => pick))
        const settlements = operation.settlements.flatMap(({ pick: _, ...rest }, place) => {
          const ticketId = ids[place]
          return ticketId === undefined ? [] : [{ ticketId, ...rest }]
        })
        return this.closing(ids, async () => {
          const fresh = await frontier.settle(settlements, nowMs)
          tell({ deed: 'settled', settlements, nowMs, fresh })
          return fresh
        })
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
        const before = this.open
        const dueMs = nowMs + this.leaseMs
        this.open = before.map(ticket => (ids.includes(ticket.id) ? { ...ticket, dueMs } : ticket))
        await frontier.renew(ids, nowMs).catch(error => {
          this.open = this.open.map(ticket => before.find(({ id }) => id === ticket.id) ?? ticket)
          throw error
        })
        tell({ deed: 'renewed', ids, nowMs })
        return undefined
      }
      case 'tie':
        await frontier.tie(operation.hosts)
        tell({ deed: 'tied', hosts: operation.hosts })
        return undefined
      case 'setDelay':
        await frontier.setDelay(operation.host, operation.delayMs)
        tell({ deed: 'delay set', host: operation.host, delayMs: operation.delayMs })
        return undefined
      case 'blockUntil': {
        const atMs = nowMs + operation.inMs
        await frontier.blockUntil(operation.host, atMs)
        tell({ deed: 'blocked', host: operation.host, atMs })
        return undefined
      }
      case 'clear':
        if (operation.host === undefined) this.closed.push(...this.open.splice(0))
        await frontier.clear(operation.host)
        tell({ deed: 'cleared', host: operation.host })
        return undefined
      default:
        throw new Error(`${operation.do} is no call`)
    }
  }

  private async take(max: number, nowMs: number, tell: Watch): Promise<unknown> {
    this.closed.push(...this.open.filter(ticket => ticket.dueMs <= nowMs))
    this.open = this.open.filter(ticket => ticket.dueMs > nowMs)
    this.lastTakeMs = nowMs
    const tickets = await this.board.frontier.take(max, nowMs)
    for (const { id } of tickets) {
      if (this.places.has(id)) return `the ticket ${id} was lent before`
      this.places.set(id, this.places.size)
    }
    this.open.push(...tickets)
    tell({ deed: 'lent', tickets, max, nowMs })
    return tickets.map(ticket => ({ ...ticket, id: this.places.get(ticket.id) }))
  }

  /** Counts tickets as closed while a call closes them, and as open again when it does not. */
  private async closing<T>(ids: readonly (number | undefined)[], call: () => Promise<T>): Promise<T> {
    const theirs = this.open.filter(ticket => ids.includes(ticket.id))
    this.open = this.open.filter(ticket => !ids.includes(ticket.id))
    try {
      const result = await call()
      this.closed.push(...theirs)
      return result
    } catch (error) {
      this.open.push(...theirs)
      throw error
    }
  }

  /** The tickets that are meant; undefined for one that is left out because nothing is open. */
  private resolve(picks: readonly Pick[]): (number | undefined)[] {
    // In the order of lending: calls that are under way together may end in any order.
    const left = this.open.map(ticket => ticket.id).sort((a, b) => a - b)
    const chosen: (number | undefined)[] = []
    for (const pick of picks) {
      if (pick === 'unknown') chosen.push(987_654_321)
      else if (pick === 'closed') chosen.push(this.closed.map(({ id }) => id).sort((a, b) => b - a)[0])
      else if (pick === 'repeated') chosen.push(chosen.findLast(id => id !== undefined))
      else chosen.push(left.splice(left.length > 0 ? pick % left.length : 0, 1)[0])
    }
    return chosen
  }
}

function defined(ids: readonly (number | undefined)[]): number[] {
  return ids.filter(id => id !== undefined)
}
