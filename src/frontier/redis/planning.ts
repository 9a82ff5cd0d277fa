import { hostOf } from '../../url/host-of.ts'
import type { Hint, PlannedVisit } from '../frontier.ts'
import { changed } from './servers.ts'
import { type Call, grouped, inShards } from './session.ts'

// Visits of done links are planned in the shards of their hosts.

/** `isAnew`: those that are planned already, and only those. Returns how many were. */
export async function plan(call: Call, visits: readonly PlannedVisit[], isAnew: boolean): Promise<number> {
  const { session, nowMs } = call
  const those = visits.map(visit => ({ ...visit, host: session.hosts.of(hostOf(visit.url)) }))
  const groups = grouped(those, ({ host }) => host.shard)
  const counts = await inShards(session, groups, async (shard, some) => {
    const count = await shard.plan(some, isAnew, nowMs)
    await changed(call, shard)
    return count
  })
  return counts.reduce((total, count) => total + count, 0)
}

/** Returns how many links are due earlier. One shard after the other: together they bring no more than `most`. */
export async function hint({ session, nowMs }: Call, hints: readonly Hint[], most: number): Promise<number> {
  const those = hints.map(one => ({ hint: one, host: session.hosts.of(hostOf(one.url)) }))
  let hinted = 0
  for (const [number, some] of grouped(those, ({ host }) => host.shard)) {
    const shard = session.shards[number]!
    hinted += await shard.hint(some, most - hinted, nowMs)
    shard.isChanged = true
  }
  return hinted
}
