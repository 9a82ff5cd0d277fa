import { hostOf } from '../../url/host-of.ts'
import { badCursor, checkLimit } from '../checks.ts'
import type { BacklogClass, Cursor, Explanation, FrontierCounts, HostView, Outlook, Page } from '../frontier.ts'
import type { Moment } from './moment.ts'
import type { Part } from './part.ts'
import { type EngineSession, grouped, partFor } from './session.ts'
import type { ShardHostView } from './shard/host-record.ts'
import type { Shard } from './shard/shard.ts'

// What all shards show together. Every shard is asked at once.

export async function countsOf(parts: readonly { readonly shard: Pick<Shard, 'counts'> }[]): Promise<FrontierCounts> {
  const all = await Promise.all(parts.map(({ shard }) => shard.counts()))
  const sum = (count: (counts: FrontierCounts) => number) => all.reduce((total, counts) => total + count(counts), 0)
  const refusedFor = new Map<string, number>()
  for (const [reason, count] of all.flatMap(counts => Object.entries(counts.refusedFor))) {
    refusedFor.set(reason, (refusedFor.get(reason) ?? 0) + count)
  }
  return {
    known: sum(({ known }) => known),
    waiting: sum(({ waiting }) => waiting),
    leased: sum(({ leased }) => leased),
    done: sum(({ done }) => done),
    refused: sum(({ refused }) => refused),
    refusedFor: Object.fromEntries(refusedFor),
    pages: sum(({ pages }) => pages),
    planned: 0,
    due: 0,
    revisiting: 0,
    down: sum(({ down }) => down),
    auxiliaries: sum(({ auxiliaries }) => auxiliaries),
    hosts: sum(({ hosts }) => hosts),
    turnedAway: {
      'max-hosts': sum(({ turnedAway }) => turnedAway['max-hosts']),
      'domain-hosts': sum(({ turnedAway }) => turnedAway['domain-hosts']),
      'page-hosts': sum(({ turnedAway }) => turnedAway['page-hosts']),
    },
  }
}

/** Classes of the same kind in several shards become one. */
export async function backlogOf(parts: readonly Part[]): Promise<BacklogClass[]> {
  const all = await Promise.all(parts.map(({ shard }) => shard.backlog()))
  const classes = new Map<string, BacklogClass>()
  for (const one of all.flat()) {
    const key = `${one.waiting} ${one.delayMs}`
    const same = classes.get(key)
    classes.set(key, same === undefined ? one : { ...same, hosts: same.hosts + one.hosts })
  }
  return [...classes.values()]
}

export async function outlookOf(parts: readonly Part[], now: Moment): Promise<Outlook> {
  const all = await Promise.all(parts.map(({ shard }) => shard.outlook(now.engineMs)))
  let next: HostView | undefined
  for (const { next: one } of all) if (one && (next === undefined || one.readyInMs < next.readyInMs)) next = one
  return {
    ready: all.reduce((total, { ready }) => total + ready, 0),
    resting: all.reduce((total, { resting }) => total + resting, 0),
    down: all.reduce((total, { down }) => total + down, 0),
    next,
  }
}

/** Hosts of one shard, in the order in which they became known. */
export async function hostsOf({ shard }: Part, { after = '0', limit }: Cursor, now: Moment): Promise<Page<HostView>> {
  if (!/^\d{1,10}$/.test(after)) throw badCursor()
  const found = await shard.hosts(Number(after), limit + 1, now.engineMs)
  const shown = found.slice(0, limit)
  const next = found.length > limit ? String(shown.at(-1)!.number) : undefined
  return { items: shown.map(shownHost), next }
}

/** Without what only the shard wants to know. */
export function shownHost({ number: _, ...view }: ShardHostView): HostView {
  return view
}

export async function explainAll(session: EngineSession, urls: readonly string[], now: Moment): Promise<Explanation[]> {
  const answers = urls.map((): Explanation => ({ state: 'unknown' }))
  const asked = urls.map((url, at) => ({ url, at })).filter(({ url }) => hostOf(url) !== '')
  const groups = grouped(asked, ({ url }) => partFor(session, hostOf(url)).number)
  await Promise.all(
    [...groups].map(async ([number, some]) => {
      const { shard } = session.parts[number]!
      const explained = await shard.explain(
        some.map(({ url }) => url),
        now.engineMs,
      )
      for (const [i, { at }] of some.entries()) answers[at] = explained[i]!
    }),
  )
  return answers
}

/**
 * A page of a list that runs through the shards, one after the other. A cursor is the number of a shard and where to go on in
 * it. `pageOf` gives at most `limit` items of a shard, and where it goes on, if it does.
 */
export async function pageThrough<Item>(
  parts: readonly Part[],
  { after, limit }: Cursor,
  pageOf: (part: Part, page: Cursor) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  checkLimit(limit)
  const items: Item[] = []
  let { number, rest } = placeOf(after, parts.length)
  for (;;) {
    const part = parts[number]
    if (part === undefined) return { items, next: undefined }
    const page = await pageOf(part, { limit: limit - items.length, ...(rest !== undefined && { after: rest }) })
    items.push(...page.items)
    if (page.next !== undefined) return { items, next: `${number}.${page.next}` }
    number++
    rest = undefined
    if (items.length >= limit && number < parts.length) return { items, next: `${number}` }
  }
}

function placeOf(after: string | undefined, shards: number): { number: number; rest: string | undefined } {
  if (after === undefined) return { number: 0, rest: undefined }
  const [, number, rest] = /^(\d{1,5})(?:\.(.+))?$/s.exec(after) ?? []
  if (number === undefined || Number(number) >= shards) throw badCursor()
  return { number: Number(number), rest }
}
