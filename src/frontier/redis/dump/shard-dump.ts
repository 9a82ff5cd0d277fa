import {
  type DoneLink,
  DoneLinks,
  type DumpHost,
  type DumpLink,
  type DumpNote,
  type DumpPlanned,
  type DumpRecord,
  type DumpServer,
  linkRecord,
  msUntil,
} from '../../dump.ts'
import type { LinkView, Page } from '../../frontier.ts'
import { CALL, HOSTS, OFFERING, script } from '../engine/scripts.ts'
import { type HostRecord, keyOf, queueKey, readRecord } from '../shard/host-record.ts'
import type { HostShard } from '../shard/host-shards.ts'
import { readAuxiliary, readPage, VISIT_AGAIN } from '../shard/link-text.ts'
import { Packer, unpack } from '../shard/pack.ts'
import { packDomain } from '../shard/pack-links.ts'
import * as replies from '../shard/replies.ts'
import { damaged, reading } from '../shard/replies.ts'
import { Shard } from '../shard/shard.ts'
import { listOf, numberOf } from '../shard/shard-calls.ts'
import { idOf } from '../shard/shard-views.ts'
import { readVisit, type VisitRecord } from '../shard/visit-record.ts'

const scripts = {
  done: script('dump/done', HOSTS, false),
  restoreHosts: script('dump/restore-hosts', HOSTS),
  restoreDone: script('dump/restore-done', OFFERING),
  restoreServers: script('dump/restore-servers', CALL),
} as const

const HOSTS_AT_ONCE = 128
const SERVERS_AT_ONCE = 256
const BUCKETS_AT_ONCE = 16
const DONE_AT_ONCE = 512
const LINKS_AT_ONCE = 1000
const VISITS_AT_ONCE = 256
/** A scan ends in the middle of what it found only at the limit; then it might go on at another place. It looks at fewer. */
const REFUSED_AT_ONCE = 10_000

/** One shard, as exports read it and imports fill it. No crawler works on it meanwhile. */
export class ShardDump extends Shard {
  /** Hosts with their notes and auxiliary links; what waits; what was leased, at the end of its list; what was refused. */
  async *records(nowMs: number, delayMs: number): AsyncGenerator<DumpRecord[]> {
    // What a client began to refuse, and did not finish.
    for (const number of replies.listOf(await this.ask(['HKEYS', `${this.tag}z`])))
      await this.refuseAside(replies.numberOf(number), nowMs)
    yield [...(await this.servers(nowMs))]
    const leased: DumpLink[] = []
    const { hosts } = await this.counters()
    for (let first = 1; first <= hosts; first += HOSTS_AT_ONCE) {
      const ids = idsFrom(first, hosts)
      const records = replies.listOf(await this.ask(['HMGET', `${this.tag}i`, ...ids])).map(record => {
        if (!Buffer.isBuffer(record)) throw damaged('a host')
        return readRecord(record)
      })
      yield records.map(record => hostOf(record, nowMs, delayMs))
      yield (await Promise.all(records.map(({ name }) => this.notesOf(name, nowMs)))).flat()
      yield (await Promise.all(records.map((record, k) => this.auxiliariesOf(record, ids[k]!)))).flat()
      // A done link that is visited again is among the planned ones.
      for (const { name, lease } of records)
        if (lease !== undefined && lease.rank !== VISIT_AGAIN) leased.push(await this.leasedLink(name, lease))
    }
    yield* this.linksOf('waiting', LINKS_AT_ONCE)
    yield leased
    yield* this.linksOf('refused', REFUSED_AT_ONCE)
  }

  /** `part`: the number of this shard. */
  async *done(part: number): AsyncGenerator<readonly DumpRecord[]> {
    const done = new DoneLinks()
    const { buckets } = await this.counters()
    for (let from = 0; from < buckets; from += BUCKETS_AT_ONCE) {
      const input = new Packer(16).list(2).numbers(from, BUCKETS_AT_ONCE).done()
      const list = await this.read(scripts.done, input, undefined)
      for (let k = 0; k < list.length; k += 2) {
        const bytes = list[k] as Buffer
        const full = done.add({
          part,
          low: bytes.readInt32LE(0),
          high: bytes.readInt32LE(4),
          isPage: list[k + 1] === 1,
        })
        if (full.length > 0) yield full
      }
    }
    yield done.rest()
  }

  /** The next visits of done links, of each host in the order in which they were planned. */
  async *planned(): AsyncGenerator<readonly DumpRecord[]> {
    const { hosts, planned } = await this.counters()
    for (let first = 1; planned > 0 && first <= hosts; first += HOSTS_AT_ONCE) {
      const ids = idsFrom(first, hosts)
      const records = replies.listOf(await this.ask(['HMGET', `${this.tag}i`, ...ids]))
      for (const [k, record] of records.entries()) {
        const host = Buffer.isBuffer(record) ? readRecord(record) : undefined
        if (host !== undefined && host.planned > 0) yield* this.plannedAt(host.name, keyOf(this.tag, 'l', ids[k]!))
      }
    }
  }

  private async *plannedAt(host: string, key: Buffer): AsyncGenerator<readonly DumpRecord[]> {
    const numbers = replies.listOf(await this.ask(['HKEYS', key])) as Buffer[]
    numbers.sort(Buffer.compare)
    for (let from = 0; from < numbers.length; from += VISITS_AT_ONCE) {
      const visits = replies.listOf(await this.ask(['HMGET', key, ...numbers.slice(from, from + VISITS_AT_ONCE)]))
      yield visits.flatMap(bytes => (Buffer.isBuffer(bytes) ? [plannedOf(readVisit(bytes, host))] : []))
    }
  }

  async restoreServers(servers: readonly DumpServer[], nowMs: number | undefined): Promise<void> {
    const pack = (out: Packer, { server, readyInMs, failures = 0, failedAgoMs }: DumpServer) => {
      packTime(out.text(server), readyInMs)
      packTime(out.number(failures), failedAgoMs)
    }
    await this.writeList(scripts.restoreServers, servers, 6, pack, nowMs, SERVERS_AT_ONCE)
  }

  /** `turnedAway`: added to what the bounds on hosts turned away here. Returns how many were known already. */
  async restoreHosts(
    hosts: readonly { readonly record: DumpHost; readonly place: HostShard }[],
    turnedAway: readonly number[],
    nowMs: number | undefined,
  ): Promise<number> {
    let twice = 0
    for (let from = 0; from < hosts.length; from += HOSTS_AT_ONCE) {
      const some = hosts.slice(from, from + HOSTS_AT_ONCE)
      const out = new Packer(some.length * 96 + 64).list(2).list(3)
      for (const links of turnedAway) out.number(from === 0 ? links : 0)
      out.list(some.length * 13)
      for (const { record, place } of some) {
        const { readyInMs, isResting, isProven, isVisited, delayMs = 0, failures = 0, pages = 0, server = '' } = record
        packDomain(out.text(place.name), place)
        packTime(out, readyInMs)
        for (const flag of [isResting, isProven, isVisited]) out.number(flag ? 1 : 0)
        out.number(delayMs).number(failures).number(pages).text(server)
        out.number(record.received ?? 0).number(record.turns ?? 0)
      }
      twice += numberOf((await this.write(scripts.restoreHosts, out.done(), nowMs))[0])
    }
    return twice
  }

  async restoreDone(links: readonly DoneLink[]): Promise<void> {
    const pack = (out: Packer, { low, high, isPage }: DoneLink) => out.pair(low, high).number(isPage ? 1 : 2)
    await this.writeList(scripts.restoreDone, links, 2, pack, undefined, DONE_AT_ONCE)
  }

  /** Forgets everything, and removes even what a shard keeps after that. */
  async remove(): Promise<void> {
    await this.wipeInLine()
    await this.engine.ask(this.tag, ['UNLINK', `${this.tag}m`], true)
  }

  /** While some links are written, the next ones are read. */
  private async *linksOf(state: 'waiting' | 'refused', limit: number): AsyncGenerator<DumpLink[]> {
    for (let coming: Promise<Page<LinkView>> | undefined = this.links({ state }, { limit }); coming !== undefined; ) {
      const { items, next: after }: Page<LinkView> = await coming
      coming = after === undefined ? undefined : this.links({ state }, { limit, after })
      // It is awaited in the next round, if there is one.
      coming?.catch(() => {})
      yield items.map(linkOf)
    }
  }

  private async auxiliariesOf({ auxiliaries, name }: HostRecord, id: Buffer): Promise<DumpLink[]> {
    const texts = auxiliaries === 0 ? [] : await this.ask(['LRANGE', queueKey(this.tag, id), '0', '-1'])
    return replies.listOf(texts).map(text => auxiliaryOf(text as Buffer, name))
  }

  private async leasedLink(host: string, { rank, text }: NonNullable<HostRecord['lease']>): Promise<DumpLink> {
    if (rank < 0) return auxiliaryOf(text, host)
    const view = await this.link(reading('a link', () => readPage(text, host)).url)
    if (view === undefined) throw damaged('a lease')
    return linkOf(view)
  }

  private async notesOf(host: string, nowMs: number): Promise<DumpNote[]> {
    const fields = replies.listOf(await this.ask(['HGETALL', `${this.tag}n:${host}`])) as Buffer[]
    return fields.flatMap((kept, k): DumpNote[] => {
      const forMs = k % 2 === 0 ? 0 : reading('a note', () => kept.readDoubleBE(0)) - nowMs
      const key = String(fields[k - 1])
      return forMs > 0 ? [{ kind: 'note', host, key, bytes: kept.toString('base64', 8), forMs }] : []
    })
  }

  /** Those that have failed, or whose time has not come; each once. */
  private async servers(nowMs: number): Promise<Iterable<DumpServer>> {
    const found = new Map<string, DumpServer>()
    for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
      const reply = replies.listOf(await this.ask(['HSCAN', `${this.tag}v`, cursor, 'COUNT', String(SERVERS_AT_ONCE)]))
      const pairs = replies.listOf(reply[1])
      for (let k = 0; k < pairs.length; k += 2) {
        const server = replies.textOf(pairs[k])
        const record = listOf(reading('a server', () => unpack(pairs[k + 1] as Buffer)))
        const [readyAtMs = 0, failures = 0, failedAtMs = 0] = record.slice(0, 3).map(numberOf)
        if (failures === 0 && readyAtMs <= nowMs) continue
        const failedAgoMs = failedAtMs === 0 ? undefined : nowMs - failedAtMs
        const readyInMs = msUntil(readyAtMs, nowMs)
        found.set(server, { kind: 'server', server, readyInMs, failures: failures || undefined, failedAgoMs })
      }
      cursor = replies.textOf(reply[0])
    }
    return found.values()
  }
}

function hostOf(record: HostRecord, nowMs: number, leastDelayMs: number): DumpHost {
  const { name, server, delayMs, lease } = record
  const heldMs = nowMs + Math.max(delayMs, leastDelayMs)
  const isHeld = lease !== undefined && heldMs >= record.readyAtMs
  return {
    ...{ kind: 'host', host: name, readyInMs: msUntil(isHeld ? heldMs : record.readyAtMs, nowMs) },
    isResting: (record.isResting && !isHeld) || undefined,
    isProven: record.isProven || undefined,
    isVisited: record.isVisited || undefined,
    delayMs: delayMs || undefined,
    server,
    failures: record.failures || undefined,
    pages: record.pages || undefined,
    received: record.received || undefined,
    turns: record.turns || undefined,
  }
}

/** The ids of some hosts from this number on. */
function idsFrom(first: number, last: number): Buffer[] {
  return Array.from({ length: Math.min(HOSTS_AT_ONCE, last + 1 - first) }, (_, k) => idOf(first + k))
}

function plannedOf({ attempts, isHinted, ...visit }: VisitRecord): DumpPlanned {
  return { kind: 'planned', visit, attempts: attempts || undefined, isHinted: isHinted || undefined }
}

function linkOf({ note, reason, attempts, ...link }: LinkView): DumpLink {
  return linkRecord(link, { note, refused: reason, attempts })
}

function auxiliaryOf(text: Buffer, host: string): DumpLink {
  const { note, rank, ...link } = reading('an auxiliary link', () => readAuxiliary(text, host))
  return linkRecord({ ...link, rank }, { note: note?.toString(), attempts: link.attempts })
}

/** Whether there is one, and how long from now it is. */
function packTime(out: Packer, ms: number | undefined): void {
  out.number(ms === undefined ? 0 : 1).number(ms ?? 0)
}
