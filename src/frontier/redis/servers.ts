import type { Moment } from './moment.ts'
import type { OwnTicket } from './own-tickets.ts'
import type { Part } from './part.ts'
import { type EngineSession, grouped } from './session.ts'
import type { Admission, OpenToken, QueuedHost, ReleasedToken, Woken } from './shard/moves.ts'

/** A ticket that asks for a place at a server. */
export interface ServerRequest {
  readonly own: OwnTicket
  readonly server: string
}

/**
 * Speaks with the servers of hosts. A server's state lives in the shard of its own name, and hosts of any shard stand in its
 * lines; so whoever changes a server passes on to the hosts' shards whom it wakes.
 */
export class Servers {
  private readonly session: EngineSession

  constructor(session: EngineSession) {
    this.session = session
  }

  /** Asks for places, in this order. A host that gets none stands in the server's line from then on. */
  async admit(list: readonly ServerRequest[], now: Moment): Promise<Admission[]> {
    const answers = new Array<Admission>(list.length)
    const asked = list.map((asking, at) => ({ ...asking, at }))
    const woken = await this.each(asked, async (part, some) => {
      const applicants = some.map(({ own: { ticket, shard }, server }) => ({
        server,
        host: ticket.host,
        hostShard: shard,
        token: ticket.token,
        class: ticket.isAuxiliary
          ? ('auxiliary' as const)
          : ticket.isProven
            ? ('proven' as const)
            : ('unproven' as const),
      }))
      const { admissions, wake } = await part.shard.admit(applicants, now.engineMs)
      for (const [i, { at }] of some.entries()) answers[at] = admissions[i]!
      return wake
    })
    await this.wake(woken, now)
    return answers
  }

  /** Tickets are closed. Returns those whose server is down now. */
  async release<Token extends ReleasedToken>(list: readonly Token[], now: Moment): Promise<Token[]> {
    const down: Token[] = []
    const woken = await this.each(list, async (part, some) => {
      const { wake, isDown } = await part.shard.release(some, now.engineMs)
      down.push(...some.filter((_, i) => isDown[i]))
      return wake
    })
    await this.wake(woken, now)
    return down
  }

  /** Returns those that ran out, and for which there is no room any more. */
  async renew<Token extends OpenToken>(list: readonly Token[], now: Moment): Promise<Token[]> {
    const lost: Token[] = []
    const woken = await this.each(list, async (part, some) => {
      const renewed = await part.shard.renewTokens(some, now.engineMs)
      lost.push(...renewed.lost.map(place => some[place]!))
      return renewed.wake
    })
    await this.wake(woken, now)
    return lost
  }

  /** Passes on which hosts left their lines without having tried, as this shard's calls have reported. */
  async passOn({ shard }: Part, now: Moment): Promise<void> {
    await this.leave(shard.takeDequeued(), now)
  }

  async leave(list: readonly QueuedHost[], now: Moment): Promise<void> {
    const woken = await this.each(list, async (part, some) => (await part.shard.leaveLine(some, now.engineMs)).wake)
    await this.wake(woken, now)
  }

  /** Hosts may try their servers again. */
  async wake(list: readonly Woken[], now: Moment): Promise<void> {
    if (list.length === 0) return
    const groups = grouped(list, ({ hostShard }) => hostShard)
    await Promise.all(
      [...groups].map(async ([number, woken]) => {
        const part = this.session.parts[number]
        if (part === undefined) return
        await part.shard.wake(woken, now.engineMs)
        part.isChanged = true
        await this.passOn(part, now)
      }),
    )
  }

  /** Does this for every shard that keeps some of these servers. Returns all hosts that are to be woken. */
  private async each<Item extends { readonly server: string }>(
    list: readonly Item[],
    work: (part: Part, some: Item[]) => Promise<readonly Woken[]>,
  ): Promise<Woken[]> {
    if (list.length === 0) return []
    const { parts, places } = this.session
    const groups = grouped(list, ({ server }) => places.ofServer(server))
    const woken = await Promise.all([...groups].map(([number, some]) => work(parts[number]!, some)))
    return woken.flat()
  }
}
