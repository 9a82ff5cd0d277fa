import type { OwnTicket } from './own-tickets.ts'
import { type Call, grouped, inShards, type TrackedShard } from './session.ts'
import type { Admission, LostLease, OpenToken, ReleasedToken, Woken } from './shard/moves.ts'

// A server's state is kept in the shard of its own name, and hosts of any shard wait in its queues. So a client that changes a server
// tells the hosts' shards which of them it wakes.

/** Asks for places at servers, in this order. A host that gets none waits in the server's queue from then on. */
export async function admit(call: Call, list: readonly { own: OwnTicket; server: string }[]): Promise<Admission[]> {
  const answers = new Array<Admission>(list.length)
  const asked = list.map((one, at) => ({ ...one, at }))
  await atServers(call, asked, async (shard, some) => {
    const applicants = some.map(({ own: { ticket, shard: hostShard }, server }) => ({
      ...{ server, host: ticket.host, hostShard, token: ticket.id },
      class: ticket.isAuxiliary
        ? ('auxiliary' as const)
        : ticket.isProven
          ? ('proven' as const)
          : ('unproven' as const),
    }))
    const { admissions, wake } = await shard.admit(applicants, call.nowMs)
    for (const [i, { at }] of some.entries()) answers[at] = admissions[i]!
    return wake
  })
  return answers
}

/** Tickets are closed. Returns those whose server is down now. */
export async function release<Token extends ReleasedToken>(call: Call, list: readonly Token[]): Promise<Token[]> {
  const down: Token[] = []
  await atServers(call, list, async (shard, some) => {
    const { wake, isDown } = await shard.release(some, call.nowMs)
    down.push(...some.filter((_, i) => isDown[i]))
    return wake
  })
  return down
}

/** Leases came back because their time was over. */
export async function releaseExpired(
  call: Call,
  leases: readonly Pick<LostLease, 'server' | 'ticketId'>[],
): Promise<void> {
  const tokens = leases.flatMap(({ server, ticketId }) =>
    server === undefined ? [] : [{ server, token: ticketId, how: 'expired' as const }],
  )
  await release(call, tokens)
}

/** Returns those that ran out, and for which there is no room any more. */
export async function renewTokens(call: Call, list: readonly OpenToken[]): Promise<OpenToken[]> {
  const lost: OpenToken[] = []
  await atServers(call, list, async (shard, some) => {
    const renewed = await shard.renewTokens(some, call.nowMs)
    lost.push(...renewed.lost.map(at => some[at]!))
    return renewed.wake
  })
  return lost
}

/** What the servers of these tickets know them by. */
export function tokensOf(list: readonly OwnTicket[]): OpenToken[] {
  return list.flatMap(({ server, ticket }) => (server === undefined ? [] : [{ server, token: ticket.id }]))
}

/** This client has changed a shard. */
export function changed(call: Call, shard: TrackedShard): Promise<void> {
  shard.isChanged = true
  return reportDequeued(call, shard)
}

/** Tells the servers which hosts left their queues without having tried, as the calls of this shard have said. */
export function reportDequeued(call: Call, shard: TrackedShard): Promise<void> {
  return atServers(call, shard.takeDequeued(), (keeper, some) => keeper.leaveQueue(some, call.nowMs))
}

/** Hosts may try their servers again. */
export async function wake(call: Call, list: readonly Woken[]): Promise<void> {
  if (list.length === 0) return
  const known = list.filter(({ hostShard }) => hostShard < call.session.shards.length)
  const groups = grouped(known, ({ hostShard }) => hostShard)
  await inShards(call.session, groups, async (shard, woken) => {
    await shard.wake(woken, call.nowMs)
    await changed(call, shard)
  })
}

/** Does this in every shard that keeps some of these servers, and wakes the hosts that it returns. */
async function atServers<Item extends { readonly server: string }>(
  call: Call,
  list: readonly Item[],
  act: (shard: TrackedShard, some: Item[]) => Promise<readonly Woken[]>,
): Promise<void> {
  if (list.length === 0) return
  const groups = grouped(list, ({ server }) => call.session.hosts.ofServer(server))
  await wake(call, (await inShards(call.session, groups, act)).flat())
}
