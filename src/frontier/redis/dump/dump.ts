import { type DumpHead, type DumpRecord, linksIn, sortedServers } from '../../dump.ts'
import { OverLinks } from '../../over-records.ts'
import type { Settings } from '../../settings.ts'
import { fingerprintBytes } from '../shard/link-text.ts'
import { HostReader } from './dump-host.ts'
import { inOrder } from './dump-order.ts'
import type { ShardDump, ShardHead } from './shard-dump.ts'

/** What to dump: the shards of a crawl that nobody works on. */
export interface RedisDumpOptions {
  readonly shards: readonly ShardDump[]
  readonly fingerprintSeed: readonly [number, number]
  /** The least delay of every host: hosts that were being asked keep it. */
  readonly delayMs: Settings['delayMs']
  /** For tests: now, in milliseconds since 1970; default: the engine's time. */
  readonly nowMs?: number
  /** The error when there are not as many links as there were in the beginning: somebody has changed something. */
  changed(): Error
}

/** The whole frontier, shard after shard, hosts in the order in which they became known. Needs memory for the fingerprints of one shard. */
export async function* dumpRedis(options: RedisDumpOptions): AsyncGenerator<DumpRecord> {
  const { shards, fingerprintSeed, delayMs } = options
  const heads = await Promise.all(shards.map(shard => shard.head(options.nowMs)))
  const nowMs = options.nowMs ?? heads[0]!.nowMs
  yield headOf(heads, fingerprintSeed, await turnsOf(shards, heads, nowMs))
  const servers = (await Promise.all(shards.map(shard => shard.servers(nowMs)))).flat()
  yield* sortedServers(servers)
  const refused = shards.map(() => 0)
  let links = 0
  for await (const { shard, host } of inOrder(shards, false, nowMs)) {
    const { reasons } = heads[shard]!
    const reader = new HostReader(host, { nowMs, delayMs, fingerprintSeed, reasons })
    yield* reader.records()
    refused[shard]! += reader.refused
    links += reader.pages
  }
  for (const [n, shard] of shards.entries()) {
    const isComplete = refused[n] === heads[n]!.refused
    const group = new OverLinks()
    const listed = isComplete ? undefined : await listedIn(shard, options, nowMs)
    for await (const { low, high, state } of shard.over(heads[n]!.buckets)) {
      if (state <= 2) group.add({ done: state === 1 ? 'page' : 'other' }, low, high)
      else if (listed !== undefined && !listed.has(`${low} ${high}`))
        group.add({ refused: heads[n]!.reasons.get(state - 3) ?? '' }, low, high)
    }
    for (const record of group.records(n)) {
      yield record
      links += linksIn(record)
    }
  }
  if (links !== heads.reduce((sum, { known }) => sum + known, 0)) throw options.changed()
}

function headOf(
  heads: readonly ShardHead[],
  fingerprintSeed: DumpHead['fingerprintSeed'],
  turns: readonly number[],
): DumpHead {
  const sum = (of: (head: ShardHead) => number) => heads.reduce((total, head) => total + of(head), 0)
  return {
    kind: 'head',
    fingerprintSeed,
    parts: heads.length,
    pages: sum(({ pages }) => pages),
    tickets: sum(({ tickets }) => tickets),
    turns,
    turnedAway: {
      'max-hosts': sum(({ turnedAway }) => turnedAway[0]),
      'domain-hosts': sum(({ turnedAway }) => turnedAway[1]),
      'page-hosts': sum(({ turnedAway }) => turnedAway[2]),
    },
  }
}

/**
 * Whose turn it is, over all shards. Each shard has its own turn; the whole's is the first of them. After an import that is the
 * one that was imported.
 */
async function turnsOf(shards: readonly ShardDump[], heads: readonly ShardHead[], nowMs: number): Promise<number[]> {
  const isExplore = heads.some(({ turns }) => turns[1] > 0 || turns[2] > 0)
  if (!isExplore && heads.every(({ turns }) => turns[0] === 0)) return []
  const of = isExplore ? [1, 2] : [0]
  if (shards.length === 1) return of.map(which => Math.max(1, heads[0]!.turns[which]!))
  const firsts = of.map(() => Number.POSITIVE_INFINITY)
  const lastOf = shards.map(() => 0)
  let known = 0
  for await (const { shard, host } of inOrder(shards, true, nowMs)) {
    const number = isExplore ? host.record.domain : host.number
    if (number <= lastOf[shard]!) continue
    lastOf[shard] = number
    known++
    for (const [k, which] of of.entries()) {
      if (number === Math.max(1, heads[shard]!.turns[which]!)) firsts[k] = Math.min(firsts[k]!, known)
    }
  }
  return firsts.map(first => (first === Number.POSITIVE_INFINITY ? known + 1 : first))
}

/** The fingerprints of a shard's refused links that have a text. */
async function listedIn(shard: ShardDump, options: RedisDumpOptions, nowMs: number): Promise<ReadonlySet<string>> {
  const { delayMs, fingerprintSeed } = options
  const listed = new Set<string>()
  for await (const { host } of inOrder([shard], false, nowMs)) {
    const reader = new HostReader(host, { nowMs, delayMs, fingerprintSeed, reasons: new Map() })
    for await (const record of reader.records()) {
      if (record.kind !== 'link' || record.refused === undefined) continue
      const bytes = fingerprintBytes(record.url, fingerprintSeed)
      listed.add(`${bytes.readInt32LE(0)} ${bytes.readInt32LE(4)}`)
    }
  }
  return listed
}
