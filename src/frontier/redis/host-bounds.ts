import { crawlScripts } from './crawl-scripts.ts'
import { type EngineSession, grouped } from './session.ts'
import type { HostShard } from './shard/host-places.ts'
import type { OfferedLink, OuterBound } from './shard/moves.ts'
import { numberOf } from './shard/replies.ts'

/** How many names of known hosts are remembered. */
const MOST_KEPT = 100_000

/**
 * The bounds on hosts that no shard can see alone: how many are known in all, and how many a call makes known. Hosts that
 * may become known are reserved before they are offered, so that the bound holds over all crawlers; a crash in between
 * leaves a reservation, until the next crawler that finds no other alive counts anew.
 */
export class HostBounds {
  readonly isBounded: boolean
  private readonly session: EngineSession
  private known = new Set<string>()
  private calls: number
  private last: Promise<unknown> = Promise.resolve()

  constructor(session: EngineSession) {
    this.session = session
    const { maxHosts, maxNewHosts } = session.settings
    this.isBounded = Math.min(maxHosts, maxNewHosts) < Number.POSITIVE_INFINITY
    this.calls = session.opening * 2 ** 32
  }

  /** Marks the links of hosts that may not become known, and returns how many hosts were reserved for the others. */
  async judge(links: readonly OfferedLink[]): Promise<{ links: OfferedLink[]; reserved: number }> {
    const unknown = await this.unknownAmong(links)
    const { maxHosts } = this.session.settings
    const reserved = maxHosts < Number.POSITIVE_INFINITY ? await this.reserve(unknown.size, maxHosts) : unknown.size
    return { links: this.mark(links, unknown, reserved), reserved }
  }

  /** These hosts became known; what was reserved beyond them is given back. */
  async over(reserved: number, became: readonly string[]): Promise<void> {
    if (this.known.size >= MOST_KEPT) this.known = new Set()
    for (const host of became) this.known.add(host)
    const unused = reserved - became.length
    if (unused !== 0 && this.session.settings.maxHosts < Number.POSITIVE_INFINITY) await this.reserve(-unused)
  }

  /** A host became known without being offered: no bound keeps it out, but it counts. */
  async countOne(): Promise<void> {
    if (this.session.settings.maxHosts < Number.POSITIVE_INFINITY) await this.reserve(1)
  }

  /** So many hosts are known, and nobody else is at work. */
  async countAnew(hosts: number): Promise<void> {
    if (this.session.settings.maxHosts < Number.POSITIVE_INFINITY) await this.reserve(hosts, -1, 'set')
  }

  forget(): void {
    this.known = new Set()
  }

  private mark(links: readonly OfferedLink[], unknown: ReadonlyMap<string, number>, reserved: number): OfferedLink[] {
    const { maxNewHosts, maxHostsPerDomain } = this.session.settings
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
  private async unknownAmong(links: readonly OfferedLink[]): Promise<Map<string, number>> {
    const asked = new Map(links.filter(({ host }) => !this.known.has(host.name)).map(({ host }) => [host.name, host]))
    const groups = grouped([...asked.values()], ({ shard }) => shard)
    const found = await Promise.all(
      [...groups].map(([number, hosts]) => this.session.parts[number]!.shard.unknownHosts(hosts)),
    )
    const unknown = new Map(found.flat().map(({ name, domainHosts }) => [name, domainHosts]))
    for (const name of asked.keys()) if (!unknown.has(name)) this.known.add(name)
    return unknown
  }

  /** One after the other, and numbered: one that is repeated does nothing. */
  private reserve(hosts: number, bound = -1, how: 'add' | 'set' = 'add'): Promise<number> {
    const { engine, tag, owner } = this.session
    const send = async () => {
      const numbers = [++this.calls, hosts, bound]
      return numberOf(await engine.run(crawlScripts.reserve, tag, [owner, ...numbers.map(String), how]))
    }
    const reserved = this.last.then(send, send)
    this.last = reserved
    return reserved
  }
}
