import { EscalonaError } from '../../../base/errors.ts'
import { printable } from '../../../base/words/printable.ts'
import { hostOf } from '../../../url/host-of.ts'
import {
  ALL_PARTS,
  type DumpHead,
  type DumpHost,
  type DumpLink,
  type DumpOver,
  type DumpPlanned,
  type DumpRecord,
} from '../../dump.ts'
import { damagedDump, dumpWords } from '../../dump-words.ts'
import { type HostPlace, HostPlaces } from '../shard/host-places.ts'
import { fingerprintBytes } from '../shard/link-text.ts'
import { RestoreBuffer } from './restore-buffer.ts'
import { RestoreTurns } from './restore-turns.ts'
import type { ShardDump } from './shard-dump.ts'

/** Where to restore a dump to: the empty shards of a crawl that nobody works on. */
export interface RedisRestoreOptions {
  readonly shards: readonly ShardDump[]
  /** The name of the dump in messages. */
  readonly dump: string
  /** After more failures in a row than this, a host or a server is down. */
  readonly retries: number
  /** For tests: now, in milliseconds since 1970; default: the engine's time. */
  readonly nowMs?: number
}

const OVER_AT_ONCE = 256

/** Fills empty shards from a dump. Memory does not grow with it, except for the names of servers that are down. */
export async function restoreRedis(options: RedisRestoreOptions, records: AsyncIterable<DumpRecord>): Promise<void> {
  const restoring = new Restoring(options)
  for await (const record of records) await restoring.add(record)
  await restoring.finish()
}

/** Whether links of which only the fingerprint is left can be told apart by these shards. */
export function checkParts(parts: number, shards: number): void {
  if (parts !== ALL_PARTS && parts % shards !== 0)
    throw new EscalonaError('DUMP_OTHER_SHARDS', dumpWords().parts(parts, shards))
}

class Restoring {
  private readonly options: RedisRestoreOptions
  private readonly places: HostPlaces
  private readonly buffers: readonly RestoreBuffer[]
  private readonly downServers = new Set<string>()
  private head: DumpHead | undefined
  private turns = new RestoreTurns([], 1)
  private host: HostPlace | undefined
  private hosts = 0
  private readonly pages: number[]
  /** Planned links of one shard with the same end, to be written together. */
  private planned: { last: { part: number; done: 'page' | 'other' } | undefined; some: Buffer[] } = {
    ...{ last: undefined, some: [] },
  }

  constructor(options: RedisRestoreOptions) {
    const { shards, nowMs } = options
    this.options = options
    this.places = new HostPlaces(shards.length)
    this.buffers = shards.map(shard => new RestoreBuffer(shard, nowMs, () => this.damaged(dumpWords().linksTwice)))
    this.pages = shards.map(() => 0)
  }

  async add(record: DumpRecord): Promise<void> {
    const { nowMs, retries } = this.options
    if ((record.kind === 'head') !== (this.head === undefined)) throw this.damaged(dumpWords().wrongOrder)
    switch (record.kind) {
      case 'head':
        this.begin(record)
        return
      case 'server':
        if ((record.failures ?? 0) > retries) this.downServers.add(record.server)
        await this.shardOfServer(record.server).restoreServers([record], nowMs)
        return
      case 'host':
        await this.addHost(record)
        return
      case 'link':
        await this.addLink(record)
        return
      case 'note':
        if (this.host === undefined) throw this.damaged(dumpWords().wrongOrder)
        await this.shards[this.host.shard]!.restoreNote(this.host.name, record, nowMs)
        return
      case 'planned':
        await this.addPlanned(record)
        return
      case 'over':
        await this.addOver(record)
    }
  }

  async finish(): Promise<void> {
    if (this.head === undefined) throw this.damaged(dumpWords().wrongOrder)
    const { pages, tickets, turnedAway } = this.head
    await this.flushPlanned()
    await Promise.all(this.buffers.map(buffer => buffer.finish()))
    const marked = this.pages.reduce((sum, some) => sum + some, 0)
    const away = [turnedAway['max-hosts'], turnedAway['domain-hosts'], turnedAway['page-hosts']] as const
    await Promise.all(
      this.shards.map((shard, n) =>
        shard.restoreEnd({
          // What concerns all of them is counted in the first.
          pages: this.pages[n]! + (n === 0 ? Math.max(0, pages - marked) : 0),
          tickets: n === 0 ? tickets : 0,
          turns: this.turns.of(n),
          turnedAway: n === 0 ? away : [0, 0, 0],
        }),
      ),
    )
  }

  private get shards(): readonly ShardDump[] {
    return this.options.shards
  }

  private begin(head: DumpHead): void {
    this.head = head
    this.turns = new RestoreTurns(head.turns, this.shards.length)
    for (const buffer of this.buffers) buffer.fingerprintSeed = head.fingerprintSeed
  }

  private async addHost(record: DumpHost): Promise<void> {
    const place = this.places.of(record.host)
    this.host = place
    this.hosts++
    this.turns.saw(place)
    const isServerDown = record.server !== undefined && this.downServers.has(record.server)
    await this.buffers[place.shard]!.addHost(place, { ...record, since: this.hosts, isServerDown })
  }

  private async addLink(record: DumpLink): Promise<void> {
    const { host } = this
    if (host === undefined || hostOf(record.url) !== host.name) throw this.damaged(dumpWords().wrongOrder)
    await this.buffers[host.shard]!.addLink(host, record)
  }

  /** Nothing is visited again here: it stays done, like those of which only the fingerprint is left. */
  private async addPlanned({ url, done }: DumpPlanned): Promise<void> {
    const { shard } = this.places.of(hostOf(url))
    const { last } = this.planned
    if (last !== undefined && (last.part !== shard || last.done !== done || this.planned.some.length >= OVER_AT_ONCE)) {
      await this.flushPlanned()
    }
    this.planned.last = { part: shard, done }
    this.planned.some.push(fingerprintBytes(url, this.head!.fingerprintSeed))
  }

  private async flushPlanned(): Promise<void> {
    const { last, some } = this.planned
    this.planned = { last: undefined, some: [] }
    if (last !== undefined) await this.addEnded(last.part, { done: last.done }, Buffer.concat(some))
  }

  private async addOver({ part, end, fingerprints }: DumpOver): Promise<void> {
    checkParts(this.head!.parts, this.shards.length)
    await this.flushPlanned()
    const bytes = Buffer.from(fingerprints.buffer, fingerprints.byteOffset, fingerprints.byteLength)
    await this.addEnded(part % this.shards.length, end, bytes)
  }

  private async addEnded(shard: number, end: DumpOver['end'], bytes: Buffer): Promise<void> {
    const { shards } = this
    await this.buffers[shard]!.flush()
    for (let from = 0; from < bytes.length; from += 8 * OVER_AT_ONCE) {
      const some: Buffer[] = []
      for (let at = from; at < Math.min(bytes.length, from + 8 * OVER_AT_ONCE); at += 8)
        some.push(bytes.subarray(at, at + 8))
      const how = 'refused' in end ? end.refused : end.done === 'page' ? 1 : 2
      if ((await shards[shard]!.restoreOver(how, some)) > 0) throw this.damaged(dumpWords().fingerprintTwice)
    }
    if ('done' in end && end.done === 'page') this.pages[shard]! += bytes.length / 8
  }

  private shardOfServer(server: string): ShardDump {
    return this.shards[this.places.ofServer(server)]!
  }

  private damaged(what: string): EscalonaError {
    return damagedDump(printable(this.options.dump), what)
  }
}
