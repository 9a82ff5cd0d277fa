import type { DumpNote, DumpServer } from '../../dump.ts'
import { SHARD_SCRIPTS } from '../engine/scripts.ts'
import { type Packed, Packer, unpack } from '../shard/pack.ts'
import * as replies from '../shard/replies.ts'
import { listOf, numberOf, ShardCalls, textOf } from '../shard/shard-calls.ts'
import { reading } from '../shard/shard-words.ts'
import { dumpScripts } from './dump-scripts.ts'

/** What a shard says about itself as a whole. */
export interface ShardHead {
  readonly hosts: number
  readonly pages: number
  readonly tickets: number
  /** Of hosts; of domains that were never visited; of the others. 0: never used. */
  readonly turns: readonly [number, number, number]
  /** By max-hosts, domain-hosts and page-hosts. */
  readonly turnedAway: readonly [number, number, number]
  readonly buckets: number
  readonly refused: number
  readonly known: number
  /** The engine's time. */
  readonly nowMs: number
  /** By their numbers. */
  readonly reasons: ReadonlyMap<number, string>
}

/** Where to go on in the hosts of a shard: a host's number, a part of it, and a place there; see `lua/dump-hosts.lua`. */
export interface HostsCursor {
  readonly number: number
  readonly part: number
  readonly place: Packed
}

/** A piece of a host; see `lua/dump-hosts.lua`. */
export type HostPiece = readonly Packed[]

/** How many hosts' times and turns a shard has in the end. */
export type ShardEnd = Pick<ShardHead, 'pages' | 'tickets' | 'turns' | 'turnedAway'>

const BUCKETS_AT_ONCE = 8
const SERVERS_AT_ONCE = 256

/** One shard, as exports read it and imports fill it. Nobody else works on it meanwhile. */
export class ShardDump extends ShardCalls {
  async head(nowMs?: number): Promise<ShardHead> {
    const answer = await this.read(dumpScripts.head, new Packer(8).list(0).done(), nowMs)
    const [hosts = 0, pages = 0, tickets = 0, ...more] = answer.slice(0, 13).map(numberOf)
    const [turn = 0, fresh = 0, visited = 0, maxHosts = 0, domainHosts = 0, pageHosts = 0] = more
    const [buckets = 0, refused = 0, known = 0, engineMs = 0] = more.slice(6)
    const reasons = new Map<number, string>()
    const list = listOf(answer[13])
    for (let k = 0; k < list.length; k += 2) reasons.set(numberOf(list[k]), textOf(list[k + 1]))
    return {
      ...{ hosts, pages, tickets, turns: [turn, fresh, visited], turnedAway: [maxHosts, domainHosts, pageHosts] },
      ...{ buckets, refused, known, nowMs: engineMs, reasons },
    }
  }

  /** Some hosts, or parts of them, from a place on; `next` is undefined at the end. */
  async hosts(
    { number, part, place }: HostsCursor,
    isBrief: boolean,
    nowMs: number,
  ): Promise<{ pieces: readonly HostPiece[]; notes: ReadonlyMap<number, string>; next: HostsCursor | undefined }> {
    const input = new Packer(64).list(4).number(number).number(part)
    if (Buffer.isBuffer(place)) input.raw(place)
    else input.number(numberOf(place))
    const answer = await this.read(dumpScripts.hosts, input.number(isBrief ? 1 : 0).done(), nowMs)
    const notes = new Map<number, string>()
    const texts = listOf(answer[1])
    for (let k = 0; k < texts.length; k += 2) notes.set(numberOf(texts[k]), textOf(texts[k + 1]))
    const next = numberOf(answer[2])
    return {
      pieces: listOf(answer[0]).map(listOf),
      notes,
      next: next === 0 ? undefined : { number: next, part: numberOf(answer[3]), place: answer[4] ?? 0 },
    }
  }

  /** The fingerprints that do not wait, with their states. */
  async *over(
    buckets: number,
  ): AsyncGenerator<{ readonly low: number; readonly high: number; readonly state: number }> {
    for (let from = 0; from < buckets; from += BUCKETS_AT_ONCE) {
      const input = new Packer(16).list(2).number(from).number(BUCKETS_AT_ONCE).done()
      const list = await this.read(dumpScripts.over, input, undefined)
      for (let k = 0; k < list.length; k += 2) {
        const bytes = list[k] as Buffer
        yield { low: bytes.readInt32LE(0), high: bytes.readInt32LE(4), state: numberOf(list[k + 1]) }
      }
    }
  }

  async servers(nowMs: number): Promise<DumpServer[]> {
    const found = new Map<string, DumpServer>()
    for (let cursor = '0'; ; ) {
      const reply = await this.ask(['HSCAN', `${this.tag}v`, cursor, 'COUNT', String(SERVERS_AT_ONCE)])
      const [next, list] = replies.listOf(reply)
      const pairs = replies.listOf(list)
      for (let k = 0; k < pairs.length; k += 2) {
        const name = replies.textOf(pairs[k])
        found.set(
          name,
          serverOf(
            name,
            reading('a server', () => unpack(pairs[k + 1] as Buffer)),
            nowMs,
          ),
        )
      }
      cursor = replies.textOf(next)
      if (cursor === '0') return [...found.values()]
    }
  }

  /** Returns how many of the links were there already. */
  async restoreHosts(input: Buffer, nowMs: number | undefined): Promise<number> {
    return numberOf((await this.write(dumpScripts.restoreHosts, input, nowMs))[0])
  }

  /** Returns how many were there already. */
  async restoreOver(end: number | string, fingerprints: readonly Buffer[]): Promise<number> {
    const out = new Packer(16 * fingerprints.length + 64).list(2)
    if (typeof end === 'string') out.text(end)
    else out.number(end)
    out.list(fingerprints.length)
    for (const fingerprint of fingerprints) out.raw(fingerprint)
    return numberOf((await this.write(dumpScripts.restoreOver, out.done(), undefined))[0])
  }

  async restoreServers(servers: readonly DumpServer[], nowMs: number | undefined): Promise<void> {
    for (let from = 0; from < servers.length; from += SERVERS_AT_ONCE) {
      const some = servers.slice(from, from + SERVERS_AT_ONCE)
      const out = new Packer(some.length * 64).list(some.length * 6)
      for (const { server, readyInMs, failures = 0, failedAgoMs } of some) {
        out
          .text(server)
          .number(readyInMs === undefined ? 0 : 1)
          .number(readyInMs ?? 0)
        out
          .number(failures)
          .number(failedAgoMs === undefined ? 0 : 1)
          .number(failedAgoMs ?? 0)
      }
      await this.write(dumpScripts.restoreServers, out.done(), nowMs)
    }
  }

  async restoreEnd({ pages, tickets, turns, turnedAway }: ShardEnd): Promise<void> {
    const out = new Packer(64).list(8)
    for (const number of [pages, tickets, ...turns, ...turnedAway]) out.number(number)
    await this.write(dumpScripts.restoreEnd, out.done(), undefined)
  }

  async restoreNote(host: string, { key, bytes, forMs }: DumpNote, nowMs: number | undefined): Promise<void> {
    const input = new Packer(bytes.length + 256).list(4).text(host).text(key).raw(bytes).number(forMs).done()
    await this.write(SHARD_SCRIPTS.note, input, nowMs)
  }

  /** Forgets everything, and removes even what a shard keeps after that. */
  async remove(): Promise<void> {
    await this.wipeInLine()
    await this.engine.ask(this.tag, ['UNLINK', `${this.tag}m`], true)
  }
}

/** A record of `lua/server.lua`. */
function serverOf(server: string, record: Packed, nowMs: number): DumpServer {
  const [readyAtMs = 0, failures = 0, failedAtMs = 0] = listOf(record).slice(0, 3).map(numberOf)
  return {
    ...{ kind: 'server', server },
    ...(readyAtMs !== 0 && { readyInMs: readyAtMs - nowMs }),
    ...(failures > 0 && { failures }),
    ...(failedAtMs !== 0 && { failedAgoMs: nowMs - failedAtMs }),
  }
}
