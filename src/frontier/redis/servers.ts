import type { OwnTicket } from './own-tickets.ts'
import { type CallTime, type EngineSession, inEachShard, type TrackedShard } from './session.ts'
import type { Admission, OpenToken, ReleasedToken, Woken } from './shard/moves.ts'

// A server's state is kept in the shard of its own name, and hosts of any shard wait in its queues. So a client that changes a server
// tells the hosts' shards which of them it wakes.

/** Asks for places at servers, in this order. A host that gets none waits in the server's queue from then on. */
export async function admit(
  session: EngineSession,
  list: readonly { readonly own: OwnTicket; readonly server: string }[],
  nowMs: CallTime,
): Promise<Admission[]> {
  const answers = new Array<Admission>(list.length)
  const asked = list.map((one, at) => ({ ...one, at }))
  await atServers(session, asked, nowMs, async (shard, some) => {
    const applicants = some.map(({ own: { ticket, shard: hostShard }, server }) => ({
      ...{ server, host: ticket.host, hostShard, token: ticket.id },
      class: ticket.isAuxiliary
        ? ('auxiliary' as const)
        : ticket.isProven
          ? ('proven' as const)
          : ('unproven' as const),
    }))
    const { admissions, wake } = await shard.admit(applicants, nowMs)
    for (const [i, { at }] of some.entries()) answers[at] = admissions[i]!
    return wake
  })
  return answers
}

/** Tickets are closed. Returns those whose server is down now. */
export async function release<Token extends ReleasedToken>(
  session: EngineSession,
  list: readonly Token[],
  nowMs: CallTime,
): Promise<Token[]> {
  const down: Token[] = []
  await atServers(session, list, nowMs, async (shard, some) => {
    const { wake, isDown } = await shard.release(some, nowMs)
    down.push(...some.filter((_, i) => isDown[i]))
    return wake
  })
  return down
}

/** Leases came back because their time was over. */
export async function releaseExpired(
  session: EngineSession,
  leases: readonly { readonly server: string | undefined; readonly ticketId: number }[],
  nowMs: CallTime,
): Promise<void> {
  const tokens = leases.flatMap(({ server, ticketId }) =>
    server === undefined ? [] : [{ server, token: ticketId, how: 'expired' as const }],
  )
  await release(session, tokens, nowMs)
}

/** Returns those that ran out, and for which there is no room any more. */
export async function renewTokens(
  session: EngineSession,
  list: readonly OpenToken[],
  nowMs: CallTime,
): Promise<OpenToken[]> {
  const lost: OpenToken[] = []
  await atServers(session, list, nowMs, async (shard, some) => {
    const renewed = await shard.renewTokens(some, nowMs)
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
export function changed(session: EngineSession, shard: TrackedShard, nowMs: CallTime): Promise<void> {
  shard.isChanged = true
  return reportDequeued(session, shard, nowMs)
}

/** Tells the servers which hosts left their queues without having tried, as the calls of this shard have said. */
export function reportDequeued(session: EngineSession, shard: TrackedShard, nowMs: CallTime): Promise<void> {
  return atServers(session, shard.takeDequeued(), nowMs, (keeper, some) => keeper.leaveQueue(some, nowMs))
}

/** Hosts may try their servers again. */
export async function wake(session: EngineSession, list: readonly Woken[], nowMs: CallTime): Promise<void> {
  if (list.length === 0) return
  const known = list.filter(({ hostShard }) => hostShard < session.shards.length)
  await inEachShard(
    session,
    known,
    ({ hostShard }) => hostShard,
    async (shard, woken) => {
      await shard.wake(woken, nowMs)
      await changed(session, shard, nowMs)
    },
  )
}

/** Does this in every shard that keeps some of these servers, and wakes the hosts that it returns. */
async function atServers<Item extends { readonly server: string }>(
  session: EngineSession,
  list: readonly Item[],
  nowMs: CallTime,
  act: (shard: TrackedShard, some: Item[]) => Promise<readonly Woken[]>,
): Promise<void> {
  if (list.length === 0) return
  const woken = await inEachShard(session, list, ({ server }) => session.hosts.ofServer(server), act)
  await wake(session, woken.flat(), nowMs)
}
