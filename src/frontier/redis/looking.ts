import { hostOf } from '../../url/host-of.ts'
import { badCursor, checkLimit } from '../checks.ts'
import type { BacklogClass, Cursor, Explanation, FrontierCounts, HostView, Outlook, Page } from '../frontier.ts'
import { type Call, type CallTime, grouped, inShards, shardFor } from './session.ts'
import type { ShardHostView } from './shard/host-record.ts'
import type { Shard } from './shard/shard.ts'

// What all shards show together. Every shard is asked at once.

export async function countsOf(shards: readonly Pick<Shard, 'counts'>[]): Promise<FrontierCounts> {
  const all = await Promise.all(shards.map(shard => shard.counts()))
  return all.reduce((sum, counts) => added(sum, counts) as FrontierCounts)
}

/** Adds up counts of the same names, at every depth. A reason may be called anything, also `__proto__`. */
function added(some: object, more: object): object {
  const sum = new Map<string, number | object>(Object.entries(some))
  for (const [name, count] of Object.entries(more) as [string, number | object][]) {
    const before = sum.get(name)
    if (typeof count === 'number') sum.set(name, count + (typeof before === 'number' ? before : 0))
    else sum.set(name, added(typeof before === 'object' ? before : {}, count))
  }
  return Object.fromEntries(sum)
}

/** Classes of the same kind in several shards become one. */
export async function backlogOf(shards: readonly Shard[]): Promise<BacklogClass[]> {
  const all = await Promise.all(shards.map(shard => shard.backlog()))
  const classes = new Map<string, BacklogClass>()
  for (const one of all.flat()) {
    const key = `${one.waiting} ${one.delayMs}`
    const same = classes.get(key)
    classes.set(key, same === undefined ? one : { ...same, hosts: same.hosts + one.hosts })
  }
  return [...classes.values()]
}

export async function outlookOf(shards: readonly Shard[], nowMs: CallTime): Promise<Outlook> {
  const all = await Promise.all(shards.map(shard => shard.outlook(nowMs)))
  const visitsMs = all.flatMap(({ againInMs }) => againInMs ?? [])
  const sum = all.reduce((sum, { ready, resting, down, next }) => ({
    ready: sum.ready + ready,
    resting: sum.resting + resting,
    down: sum.down + down,
    next: next && (sum.next === undefined || next.readyInMs < sum.next.readyInMs) ? next : sum.next,
  }))
  return visitsMs.length === 0 ? sum : { ...sum, againInMs: Math.min(...visitsMs) }
}

/** Hosts of one shard, in the order in which they became known. */
export async function hostsOf(shard: Shard, { after = '0', limit }: Cursor, nowMs: CallTime): Promise<Page<HostView>> {
  if (!/^\d{1,10}$/.test(after)) throw badCursor()
  const found = await shard.hosts(Number(after), limit + 1, nowMs)
  const shown = found.slice(0, limit)
  const next = found.length > limit ? String(shown.at(-1)!.number) : undefined
  return { items: shown.map(shownHost), next }
}

/** Without what only the shard wants to know. */
export function shownHost({ number: _, ...view }: ShardHostView): HostView {
  return view
}

export async function explainAll({ session, nowMs }: Call, urls: readonly string[]): Promise<Explanation[]> {
  const answers = urls.map((): Explanation => ({ state: 'unknown' }))
  const asked = urls.map((url, at) => ({ url, at })).filter(({ url }) => hostOf(url) !== '')
  const groups = grouped(asked, ({ url }) => shardFor(session, hostOf(url)).number)
  await inShards(session, groups, async (shard, some) => {
    const those = some.map(({ url }) => url)
    const explained = await shard.explain(those, nowMs)
    for (const [i, { at }] of some.entries()) answers[at] = explained[i]!
  })
  return answers
}

/**
 * A page of a list that runs through the shards, one after the other. A cursor is the number of a shard and where to continue in
 * it. `pageOf` gives at most `limit` items of a shard, and where it continues, if it does.
 */
export async function pageThrough<Item>(
  shards: readonly Shard[],
  { after, limit }: Cursor,
  pageOf: (shard: Shard, page: Cursor) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  checkLimit(limit)
  const items: Item[] = []
  let [number, rest] = cursorOf(after)
  if (number >= shards.length) throw badCursor()
  for (;;) {
    const shard = shards[number]
    if (shard === undefined) return { items, next: undefined }
    const page = await pageOf(shard, { limit: limit - items.length, ...(rest !== undefined && { after: rest }) })
    items.push(...page.items)
    if (page.next !== undefined) return { items, next: `${number}.${page.next}` }
    number++
    rest = undefined
    if (items.length >= limit && number < shards.length) return { items, next: `${number}` }
  }
}

function cursorOf(after = '0'): [number, string | undefined] {
  const [, number, rest] = /^(\d{1,5})(?:\.(.+))?$/s.exec(after) ?? []
  if (number === undefined) throw badCursor()
  return [Number(number), rest]
}
