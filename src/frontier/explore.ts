import { BitTree } from '../base/bit-tree.ts'
import type { HostId } from '../scheduler/hosts.ts'
import type { Strategy } from '../scheduler/strategy.ts'
import { registrableDomain } from '../url/registrable-domain.ts'

/** The turns: behind the host served last of those never visited, and of the others. */
const FRESH = 0
const SEEN = 1

/**
 * With a given probability a host whose registrable domain was never visited, otherwise one that was; the other kind
 * when there is none. Inside each kind the hosts come in turn.
 */
export class Explore implements Strategy {
  readonly run = 1
  readonly wantsAllGrowth = false
  readonly turns: number[] = [1, 1]
  private readonly kinds = [new BitTree(), new BitTree()] as const
  private readonly chance: () => number
  private readonly share: number
  private readonly nameOf: (host: HostId) => string
  private readonly domains: string[] = []
  private readonly visited: Set<string>
  /** The hosts of domains that were never visited. */
  private readonly unvisited = new Map<string, HostId[]>()

  /**
   * `chance` gives a number from 0 to below 1; below `share` it is an unvisited domain's turn. `visited` holds the domains
   * that were visited, and grows.
   */
  constructor(chance: () => number, share: number, nameOf: (host: HostId) => string, visited: Set<string>) {
    this.chance = chance
    this.share = share
    this.nameOf = nameOf
    this.visited = visited
  }

  grew(host: HostId): void {
    this.kinds[this.kindOf(host)].add(host)
  }

  shrank(host: HostId, count: number): void {
    if (count === 0) for (const kind of this.kinds) kind.delete(host)
  }

  pick(): HostId {
    const first = this.chance() < this.share ? FRESH : SEEN
    return this.inTurn(first) || this.inTurn(1 - first)
  }

  served(host: HostId): void {
    this.turns[this.kindOf(host)] = host + 1
    this.visit(this.domainOf(host))
  }

  clear(): void {
    for (const kind of this.kinds) kind.clear()
    this.turns[FRESH] = this.turns[SEEN] = 1
    this.domains.length = 0
    this.visited.clear()
    this.unvisited.clear()
  }

  /** From now on this domain counts as visited. */
  visit(domain: string): void {
    if (this.visited.has(domain)) return
    this.visited.add(domain)
    for (const host of this.unvisited.get(domain) ?? []) {
      if (!this.kinds[FRESH].has(host)) continue
      this.kinds[FRESH].delete(host)
      this.kinds[SEEN].add(host)
    }
    this.unvisited.delete(domain)
  }

  private inTurn(kind: number): HostId {
    const hosts = this.kinds[kind]!
    const host = hosts.firstFrom(this.turns[kind]!)
    return host > 0 ? host : Math.max(hosts.firstFrom(1), 0)
  }

  private kindOf(host: HostId): 0 | 1 {
    return this.visited.has(this.domainOf(host)) ? SEEN : FRESH
  }

  private domainOf(host: HostId): string {
    const known = this.domains[host]
    if (known !== undefined) return known
    const domain = registrableDomain(this.nameOf(host))
    this.domains[host] = domain
    if (!this.visited.has(domain)) {
      const hosts = this.unvisited.get(domain)
      if (hosts === undefined) this.unvisited.set(domain, [host])
      else hosts.push(host)
    }
    return domain
  }
}
