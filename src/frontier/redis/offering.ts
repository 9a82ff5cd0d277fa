import { hostOf } from '../../url/host-of.ts'
import type { Link } from '../frontier.ts'
import type { FrontierSettings } from '../options.ts'
import type { Engine } from './engine/engine.ts'
import { CRAWL_SCRIPTS } from './engine/scripts.ts'
import { changed } from './servers.ts'
import { type Call, type EngineSession, grouped, inShards } from './session.ts'
import type { HostShard } from './shard/host-shards.ts'
import type { OfferedLink, OuterBound, ShardOffered } from './shard/moves.ts'
import { numberOf } from './shard/replies.ts'

/** Links that are being offered to the shards of their hosts, and what came of it. */
export class Offer {
  readonly links: readonly OfferedLink[]
  /** How many were new, by group. */
  readonly fresh: number[]
  private readonly call: Call
  private readonly reserved: number
  private readonly became: string[] = []

  private constructor(call: Call, links: readonly OfferedLink[], groups: number, reserved: number) {
    this.call = call
    this.links = links
    this.fresh = new Array<number>(groups).fill(0)
    this.reserved = reserved
  }

  /** Begins to offer the links of one call, or of several settlements or visits. */
  static async begin(call: Call, groups: readonly (readonly Link[])[]): Promise<Offer> {
    const { hosts, bounds, shards } = call.session
    const links = groups.flatMap((list, group) => list.map(link => ({ link, host: hosts.of(hostOf(link.url)), group })))
    if (!bounds.isBounded) return new Offer(call, links, groups.length, 0)
    const judged = await bounds.judge(links, shards)
    return new Offer(call, judged.links, groups.length, judged.reserved)
  }

  /** Offers those links that are meant. */
  async send(isMeant: (link: OfferedLink) => boolean): Promise<void> {
    const { call } = this
    const groups = grouped(this.links.filter(isMeant), ({ host }) => host.shard)
    await inShards(call.session, groups, async (shard, links) => {
      this.heard(await shard.offer(links, call.nowMs))
      await changed(call, shard)
    })
  }

  /** `groups`: those of the counts in `fresh`; they are the same unless something else was sent along. */
  heard({ fresh, became }: ShardOffered, groups?: readonly number[]): void {
    for (const [i, count] of fresh.entries()) this.fresh[groups?.[i] ?? i]! += count
    this.became.push(...became)
  }

  /** After all links were sent, by themselves or with settlements. */
  async end(): Promise<void> {
    const { bounds } = this.call.session
    if (bounds.isBounded) await bounds.over(this.reserved, this.became)
  }
}

/** How many names of known hosts are remembered. */
const MOST_KEPT = 100_000

/**
 * The bounds on hosts that no shard can see alone: how many are known in all, and how many a call makes known. Hosts that
 * may become known are reserved before they are offered, so that the bound holds over all crawlers; a crash in between
 * leaves a reservation, until the next crawler that finds no other alive counts anew.
 */
export class HostBounds {
  readonly isBounded: boolean
  private readonly settings: FrontierSettings
  /** Numbered: a reservation that is repeated does nothing. */
  private readonly send: (number: number, hosts: number, bound: number, how: 'add' | 'set') => Promise<number>
  private known = new Set<string>()
  private calls: number
  private last: Promise<unknown> = Promise.resolve()

  constructor(engine: Engine, tag: string, owner: string, opening: number, settings: FrontierSettings) {
    const { maxHosts, maxNewHosts } = settings
    this.settings = settings
    this.isBounded = Math.min(maxHosts, maxNewHosts) < Number.POSITIVE_INFINITY
    this.calls = opening * 2 ** 32
    this.send = async (number, hosts, bound, how) => {
      const args = [owner, ...[number, hosts, bound].map(String), how]
      return numberOf(await engine.run(CRAWL_SCRIPTS.reserve, tag, args))
    }
  }

  /** Marks the links of hosts that may not become known, and returns how many hosts were reserved for the others. */
  async judge(
    links: readonly OfferedLink[],
    shards: EngineSession['shards'],
  ): Promise<{ links: OfferedLink[]; reserved: number }> {
    const unknown = await this.unknownAmong(links, shards)
    const reserved = this.hasMost ? await this.reserve(unknown.size, this.settings.maxHosts) : unknown.size
    return { links: this.mark(links, unknown, reserved), reserved }
  }

  /** These hosts became known; what was reserved beyond them is given back. */
  async over(reserved: number, became: readonly string[]): Promise<void> {
    if (this.known.size >= MOST_KEPT) this.known = new Set()
    for (const host of became) this.known.add(host)
    const unused = reserved - became.length
    if (unused !== 0 && this.hasMost) await this.reserve(-unused)
  }

  /** A host became known without being offered: no bound keeps it out, but it counts. */
  async countOne(): Promise<void> {
    if (this.hasMost) await this.reserve(1)
  }

  /** This many hosts are known, and no other crawler is at work. */
  async countAnew(hosts: number): Promise<void> {
    if (this.hasMost) await this.reserve(hosts, -1, 'set')
  }

  forget(): void {
    this.known = new Set()
  }

  private get hasMost(): boolean {
    return this.settings.maxHosts < Number.POSITIVE_INFINITY
  }

  private mark(links: readonly OfferedLink[], unknown: ReadonlyMap<string, number>, reserved: number): OfferedLink[] {
    const { maxNewHosts, maxHostsPerDomain } = this.settings
    const made = new Set<string>()
    const domains = new Map<string, number>()
    let group = -1
    let madeByGroup = 0
    const boundOf = ({ name, domain }: HostShard): OuterBound | undefined => {
      const domainHosts = unknown.get(name)
      if (domainHosts === undefined || made.has(name)) return undefined
      if (made.size >= reserved) return 'max-hosts'
      const madeInDomain = domains.get(domain) ?? 0
      // The shard turns it away, and it does not become known.
      if (domainHosts + madeInDomain >= maxHostsPerDomain) return undefined
      if (madeByGroup >= maxNewHosts) return 'page-hosts'
      made.add(name)
      madeByGroup++
      domains.set(domain, madeInDomain + 1)
      return undefined
    }
    return links.map(link => {
      if (link.group !== group) madeByGroup = 0
      group = link.group
      const bound = boundOf(link.host)
      return bound === undefined ? link : { ...link, bound }
    })
  }

  /** The hosts that are not known, with how many hosts of their domains are. */
  private async unknownAmong(
    links: readonly OfferedLink[],
    shards: EngineSession['shards'],
  ): Promise<Map<string, number>> {
    const asked = new Map(links.filter(({ host }) => !this.known.has(host.name)).map(({ host }) => [host.name, host]))
    const groups = grouped([...asked.values()], ({ shard }) => shard)
    const found = await inShards({ shards }, groups, (shard, hosts) => shard.unknownHosts(hosts))
    const unknown = new Map(found.flat().map(({ name, domainHosts }) => [name, domainHosts]))
    for (const name of asked.keys()) if (!unknown.has(name)) this.known.add(name)
    return unknown
  }

  /** One after the other. */
  private reserve(hosts: number, bound = -1, how: 'add' | 'set' = 'add'): Promise<number> {
    const send = () => this.send(++this.calls, hosts, bound, how)
    const reserved = this.last.then(send, send)
    this.last = reserved
    return reserved
  }
}
