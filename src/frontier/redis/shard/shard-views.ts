import { hostOf } from '../../../url/host-of.ts'
import type {
  BacklogClass,
  Cursor,
  Explanation,
  FrontierCounts,
  Link,
  LinkFilter,
  LinkView,
  Outlook,
  Page,
} from '../../frontier.ts'
import type { Reply } from '../engine/engine.ts'
import { SHARD_SCRIPTS as SCRIPTS } from '../engine/scripts.ts'
import { type HostRecord, queueKey, readRecord, type ShardHostView, viewOf } from './host-record.ts'
import type { HostShard } from './host-shards.ts'
import { endingOf, fingerprintBytes, readPage } from './link-text.ts'
import type { ShardLeft } from './moves.ts'
import { type MsgpackValue, Packer, unpack } from './pack.ts'
import * as replies from './replies.ts'
import { bytesOf, listOf, numberOf, ShardCalls, textOf } from './shard-calls.ts'
import { readVisit } from './visit-record.ts'

const MOST_LINKS = 256
/** The counters of `lua/parts/call.lua`, in their order. */
const COUNTERS = [
  ...['known', 'waiting', 'leased', 'done', 'pages', 'refused', 'auxiliaries', 'hosts', 'domains', 'down', 'downHosts'],
  ...['downAuxiliaries', 'buckets', 'tickets', 'joins', 'turn', 'freshTurn', 'visitedTurn', 'reasons', 'clearings'],
  ...['wiped', 'maxHosts', 'domainHosts', 'pageHosts', 'damaged', 'lookedAt', 'heldUntil'],
  ...['planned', 'due', 'downDue', 'revisiting', 'plans', 'full'],
] as const
type Counters = Readonly<Record<(typeof COUNTERS)[number], number>>

/** What can be seen of a shard. For people: not atomic, and nothing waits for it. */
export class ShardViews extends ShardCalls {
  async counts(): Promise<FrontierCounts> {
    const [counters, reasons] = await Promise.all([this.counters(), this.reasons()])
    const { known, waiting, leased, done, refused, pages, planned, due, revisiting, down, auxiliaries, hosts } =
      counters
    const refusedFor = [...reasons.values()].filter(({ links }) => links > 0).map(({ name, links }) => [name, links])
    return {
      ...{ known, waiting, leased, done, refused, refusedFor: Object.fromEntries(refusedFor) },
      ...{ pages, planned: planned - revisiting, due, revisiting, down, auxiliaries, hosts },
      turnedAway: {
        'max-hosts': counters.maxHosts,
        'domain-hosts': counters.domainHosts,
        'page-hosts': counters.pageHosts,
      },
    }
  }

  async left(nowMs?: number): Promise<ShardLeft> {
    const { known, waiting, down, leased, auxiliaries, downAuxiliaries, ...again } = await this.counters()
    const { due, downDue, revisiting } = again
    const planned = again.planned - revisiting
    const visitMs = planned > due ? await this.nextVisitMs() : undefined
    const hasCome = visitMs !== undefined && visitMs <= (await this.now(nowMs))
    const left = { known, waiting, down, leased, auxiliaries: auxiliaries - downAuxiliaries }
    return { ...left, planned, due, downDue, revisiting, hasCome }
  }

  /** Which of these hosts are not known, and how many hosts of their domains are. */
  async unknownHosts(hosts: readonly HostShard[]): Promise<{ name: string; domainHosts: number }[]> {
    if (hosts.length === 0) return []
    const names = hosts.map(({ name }) => name)
    const ids = replies.listOf(await this.ask(['HMGET', `${this.tag}h`, ...names]))
    const unknown = hosts.filter((_, k) => ids[k] === null)
    if (unknown.length === 0) return []
    const domains = unknown.map(({ domain }) => domain)
    const [many, alone] = await Promise.all([
      this.ask(['HMGET', `${this.tag}d`, ...domains]),
      this.ask(['HMGET', `${this.tag}h`, ...domains]),
    ])
    return unknown.map(({ name }, k) => {
      const domain = replies.listOf(many)[k]
      if (Buffer.isBuffer(domain)) return { name, domainHosts: numberOf(listOf(unpacked(domain))[1]) }
      return { name, domainHosts: replies.listOf(alone)[k] === null ? 0 : 1 }
    })
  }

  async noted(host: string, key: string, nowMs?: number): Promise<Uint8Array | undefined> {
    const input = new Packer(64).list(2).text(host).text(key).done()
    const [note] = await this.read(SCRIPTS.noted, input, nowMs)
    return note === undefined ? undefined : new Uint8Array(bytesOf(note))
  }

  async explain(urls: readonly string[], nowMs?: number): Promise<Explanation[]> {
    const [found, reasons, now] = await Promise.all([this.look(urls, nowMs), this.reasons(), this.now(nowMs)])
    return found.map((one, k): Explanation => {
      const host = hostOf(urls[k]!)
      const state = numberOf(one[0])
      if (state === -1) return { state: 'unknown' }
      if (state === -2) {
        return { state: 'leased', host, ticketId: numberOf(one[1]), leaseMs: numberOf(one[2]) }
      }
      if (state === 0) {
        const { readyInMs, isDown } = viewOf(readRecord(bytesOf(one[3])), now, this.rules)
        return { state: 'waiting', host, place: numberOf(one[1]), isExact: one[2] === 1, readyInMs, isDown }
      }
      if (state < 3) {
        const isPage = state === 1
        if (one[3] === undefined) return { state: 'done', host, isPage }
        const [ticketId, inMs] = [numberOf(one[1]), numberOf(one[2])]
        if (ticketId > 0) return { state: 'leased', host, ticketId, leaseMs: inMs }
        return { state: 'done', host, isPage, againInMs: inMs }
      }
      return { state: 'refused', host, reason: reasons.get(state - 3)?.name ?? '' }
    })
  }

  /** When these links were visited last, as far as a former visit can settle them: -Infinity, if they wait; Infinity, if none can. */
  async visited(urls: readonly string[], nowMs?: number): Promise<number[]> {
    return (await this.look(urls, nowMs)).map((one, k) => {
      if (one[0] === 0) return Number.NEGATIVE_INFINITY
      const isPlanned = (one[0] === 1 || one[0] === 2) && one[1] === 0
      return isPlanned ? readVisit(bytesOf(one[3]), hostOf(urls[k]!)).visitedAtMs : Number.POSITIVE_INFINITY
    })
  }

  /** Hosts in the order of their numbers, after this one. */
  async hosts(after: number, limit: number, nowMs?: number): Promise<ShardHostView[]> {
    const { hosts, full } = await this.counters()
    const numbers = Array.from({ length: Math.max(0, Math.min(limit, hosts - after)) }, (_, k) => after + 1 + k)
    if (numbers.length === 0) return []
    const [records, now] = await Promise.all([
      this.ask(['HMGET', `${this.tag}i`, ...numbers.map(idOf)]),
      this.now(nowMs),
    ])
    return replies
      .listOf(records)
      .flatMap((record, k) =>
        Buffer.isBuffer(record) ? [this.viewOf(readRecord(record), numbers[k]!, now, full)] : [],
      )
  }

  async host(name: string, nowMs?: number): Promise<ShardHostView | undefined> {
    const found = await this.recordOf(name)
    if (found === undefined) return undefined
    const { id, record } = found
    const [now, { full }] = await Promise.all([this.now(nowMs), this.counters()])
    return this.viewOf(record, id.readUInt32BE(), now, full)
  }

  private viewOf(record: HostRecord, number: number, nowMs: number, full: number): ShardHostView {
    return { ...viewOf(record, nowMs, this.rules, number <= full), number }
  }

  async link(url: string): Promise<LinkView | undefined> {
    const [found] = await this.look([url], undefined)
    const state = numberOf(found![0])
    if (Buffer.isBuffer(found![3]) && (state === 1 || state === 2)) {
      const host = hostOf(url)
      const { visitedAtMs, dueAtMs: _, gain: __, isHinted: ___, ...view } = readVisit(found![3], host)
      return { ...view, kind: 'page', host, again: { visitedAtMs } }
    }
    const at = state === 0 ? 4 : state === -2 ? 3 : state >= 3 ? 1 : undefined
    const text = at === undefined ? false : found![at]
    if (!Buffer.isBuffer(text)) return undefined
    const reason = state >= 3 ? (await this.reasons()).get(state - 3)?.name : undefined
    return linkViewOf(hostOf(url), text, found![at! + 1], reason)
  }

  /** A host's waiting page links, by place. */
  async waiting(host: string, { after = '0', limit }: Cursor): Promise<Page<Link>> {
    const found = await this.recordOf(host)
    if (found === undefined) return { items: [], next: undefined }
    const { id, record } = found
    const lists = [...record.ranks].map(rank => ({ rank, key: queueKey(this.tag, id, rank) }))
    const items: Link[] = []
    let skipped = Number(after)
    for (const { rank, key } of lists) {
      const length = Number(await this.ask(['LLEN', key]))
      if (skipped >= length) {
        skipped -= length
        continue
      }
      const most = limit + 1 - items.length
      const texts = replies.listOf(await this.ask(['LRANGE', key, String(skipped), String(skipped + most - 1)]))
      skipped = 0
      items.push(...(await this.waitingLinks(host, rank, texts)))
      if (items.length > limit) return { items: items.slice(0, limit), next: String(Number(after) + limit) }
    }
    return { items, next: undefined }
  }

  /** By host, then by rank and place, or in no order; `after` is the `next` of this shard. */
  async links({ state, reasons, host = '' }: LinkFilter, { after, limit }: Cursor): Promise<Page<LinkView>> {
    const names = state === 'refused' ? await this.reasons() : new Map<number, Reason>()
    const wanted = [...names].filter(([, { name }]) => reasons?.includes(name)).map(([number]) => number)
    if (state === 'refused' && reasons !== undefined && wanted.length === 0) return { items: [], next: undefined }
    const [number = 1, position = 0, skip = 0] = after === undefined ? [] : after.split('.').map(Number)
    const out = new Packer(128).list(7).text(state).text(host).number(number).number(position).number(skip)
    out.number(limit).list(wanted.length)
    for (const reason of wanted) out.number(reason)
    const [found, next] = await this.read(SCRIPTS.list, out.done(), undefined)
    const list = listOf(found)
    const items: LinkView[] = []
    for (let k = 0; k < list.length; k += 4) {
      const reason = state === 'refused' ? (names.get(numberOf(list[k + 2]))?.name ?? '') : undefined
      items.push(linkViewOf(textOf(list[k]), bytesOf(list[k + 1]), list[k + 3], reason))
    }
    const rest = listOf(next)
    return { items, next: rest.length === 0 ? undefined : rest.map(numberOf).join('.') }
  }

  async outlook(nowMs?: number): Promise<Outlook> {
    const now = await this.now(nowMs)
    const key = (name: string) => `${this.tag}${name}`
    const [{ downHosts, planned, due: dueVisits, revisiting }, due, resting, first, ...joined] = await Promise.all([
      this.counters(),
      this.ask(['ZCOUNT', key('r'), '-inf', String(now)]),
      this.ask(['ZCOUNT', key('r'), `(${now}`, '+inf']),
      this.ask(['ZRANGEBYSCORE', key('r'), `(${now}`, '+inf', 'LIMIT', '0', '1']),
      ...['p', 'j', 'a', 'f', 'A', 'F'].map(name => this.ask(['ZCARD', key(name)])),
    ])
    const [member] = replies.listOf(first)
    const visitMs =
      planned - revisiting > 0 ? ((dueVisits > 0 ? undefined : await this.nextVisitMs()) ?? now) : undefined
    const record = Buffer.isBuffer(member) ? await this.ask(['HGET', key('i'), member.subarray(0, 4)]) : null
    return {
      ready: Number(due) + joined.reduce<number>((sum, count) => sum + Number(count), 0),
      resting: Number(resting),
      down: downHosts,
      next: Buffer.isBuffer(record) ? viewOf(readRecord(record), now, this.rules) : undefined,
      ...(visitMs !== undefined && { againInMs: Math.max(0, visitMs - now) }),
    }
  }

  async backlog(): Promise<BacklogClass[]> {
    const cells = replies.fieldsOf(await this.ask(['HGETALL', `${this.tag}bk`]))
    return [...cells].flatMap(([cell, count]) => {
      const hosts = Number(count)
      if (cell.endsWith('+') || hosts <= 0) return []
      const least = 2 ** Number(cell.split(':')[0])
      const delayMs = Math.max(Number(cells.get(`${cell}+`) ?? 0) / hosts, this.rules.delayMs)
      return [{ hosts, waiting: least === 1 ? 1 : least * 1.5, delayMs, example: undefined }]
    })
  }

  /** The engine's clock, or a test's. */
  async now(nowMs: number | undefined): Promise<number> {
    if (nowMs !== undefined) return nowMs
    const [seconds, microseconds] = replies.listOf(await this.ask(['TIME'])).map(Number)
    return seconds! * 1000 + Math.floor(microseconds! / 1000)
  }

  private async look(urls: readonly string[], nowMs: number | undefined): Promise<(readonly MsgpackValue[])[]> {
    const found: (readonly MsgpackValue[])[] = []
    for (let from = 0; from < urls.length; from += MOST_LINKS) {
      const some = urls.slice(from, from + MOST_LINKS)
      const out = new Packer(some.length * 96).list(some.length * 4)
      for (const url of some) {
        const host = hostOf(url)
        const { scheme, ending } = endingOf(url, host)
        out.text(host).raw(fingerprintBytes(url, this.rules.fingerprintSeed)).number(scheme).text(ending)
      }
      found.push(...(await this.read(SCRIPTS.look, out.done(), nowMs)).map(listOf))
    }
    return found
  }

  protected async counters(): Promise<Counters> {
    const reply = await this.ask(['HGET', `${this.tag}m`, 'c'])
    return countersOf(Buffer.isBuffer(reply) ? reply : null)
  }

  /** When the first of the planned visits comes that are neither due nor leased. */
  private async nextVisitMs(): Promise<number | undefined> {
    const first = replies.listOf(await this.ask(['ZRANGE', `${this.tag}t`, '0', '0', 'WITHSCORES']))
    return first.length === 0 ? undefined : replies.numberOf(first[1])
  }

  private async reasons(): Promise<Map<number, Reason>> {
    const fields = replies.fieldsOf(await this.ask(['HGETALL', `${this.tag}c`]))
    const named = [...fields].filter(([field]) => field.startsWith('#'))
    return new Map(
      named.map(([field, value]) => {
        const number = Number(value)
        return [number, { name: field.slice(1), links: Number(fields.get(`+${number}`) ?? 0) }]
      }),
    )
  }

  private async recordOf(host: string) {
    const id = await this.ask(['HGET', `${this.tag}h`, host])
    if (!Buffer.isBuffer(id)) return undefined
    const record = await this.ask(['HGET', `${this.tag}i`, id])
    return Buffer.isBuffer(record) ? { id, record: readRecord(record) } : undefined
  }

  private async waitingLinks(host: string, rank: number, texts: readonly Reply[]): Promise<Link[]> {
    const pages = texts.map(text => {
      if (!Buffer.isBuffer(text)) throw replies.damaged('a text')
      return replies.reading('a text', () => readPage(text, host))
    })
    const numbers = [...new Set(pages.flatMap(({ note }) => (note === undefined ? [] : [note])))]
    const kept = numbers.length === 0 ? [] : await this.ask(['HMGET', `${this.tag}b`, ...numbers.map(String)])
    const notes = new Map(replies.listOf(kept).map((note, k) => [numbers[k], note]))
    return pages.map(({ url, hops, note: number }) => {
      const note = number === undefined ? null : notes.get(number)
      return { url, kind: 'page', rank, hops, ...(Buffer.isBuffer(note) ? { note: note.toString() } : {}) }
    })
  }
}

interface Reason {
  readonly name: string
  readonly links: number
}

function linkViewOf(host: string, text: Buffer, note: MsgpackValue | undefined, reason: string | undefined): LinkView {
  const { url, hops, attempts } = replies.reading('a text', () => readPage(text.subarray(1), host))
  return {
    ...{ url, kind: 'page', rank: text[0]!, hops },
    ...(Buffer.isBuffer(note) ? { note: note.toString() } : {}),
    ...{ host, ...(reason === undefined ? {} : { reason }), attempts },
  }
}

export function idOf(number: number): Buffer {
  const id = Buffer.allocUnsafe(4)
  id.writeUInt32BE(number)
  return id
}

function unpacked(bytes: Buffer): MsgpackValue {
  return replies.reading('a record', () => unpack(bytes))
}

function countersOf(bytes: Buffer | null): Counters {
  const numbers = bytes === null ? [] : listOf(unpacked(bytes)).map(numberOf)
  return Object.fromEntries(COUNTERS.map((name, k) => [name, numbers[k] ?? 0])) as Counters
}
