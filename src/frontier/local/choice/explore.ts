import { BitTree } from '../../../base/structures/bit-tree.ts'
import type { HostId, Hosts } from '../memory/hosts.ts'
import type { LineHeap } from '../memory/line-heap.ts'
import type { DomainId, Domains } from './domains.ts'
import type { PageChoice } from './page-choice.ts'

/** Domains that were never visited, and the others. */
const FRESH = 0
const SEEN = 1

const PROVEN = 0
const UNPROVEN = 1

/**
 * Chooses, with a given probability, a host whose registrable domain was never visited, otherwise one whose domain was;
 * the other kind when there is none. Within each kind the domains take turns, and within a domain the host that joined
 * first is chosen.
 */
export class Explore implements PageChoice {
  readonly turns: number[] = [1, 1]
  private readonly hosts: Hosts
  private readonly domains: Domains
  private readonly heaps: LineHeap
  private readonly isFreshTurn: () => boolean
  /** The domains of each kind that have candidates, and those that have proven ones. */
  private readonly all = [new BitTree(), new BitTree()] as const
  private readonly proven = [new BitTree(), new BitTree()] as const

  /** `isFreshTurn`: whether an unvisited domain comes next, if there is one. */
  constructor(hosts: Hosts, domains: Domains, heaps: LineHeap, isFreshTurn: () => boolean) {
    this.hosts = hosts
    this.domains = domains
    this.heaps = heaps
    this.isFreshTurn = isFreshTurn
  }

  enter(host: HostId): void {
    const { domains } = this
    const domain = this.hosts.domain(host)
    const kind = this.hosts.isProven(host) ? PROVEN : UNPROVEN
    domains.setFirst(domain, kind, this.heaps.add(domains.first(domain, kind), host))
    this.note(domain)
  }

  withdraw(host: HostId): void {
    const { domains } = this
    const domain = this.hosts.domain(host)
    const kind = this.hosts.isProven(host) ? PROVEN : UNPROVEN
    domains.setFirst(domain, kind, this.heaps.remove(domains.first(domain, kind), host))
    this.note(domain)
  }

  changed(): void {}

  pick(isProvenOnly: boolean): HostId {
    const kinds = isProvenOnly ? this.proven : this.all
    const first = this.isFreshTurn() ? FRESH : SEEN
    const domain = this.inTurn(kinds[first], first) || this.inTurn(kinds[1 - first]!, 1 - first)
    if (domain === 0) return 0
    const proven = this.domains.first(domain, PROVEN)
    const unproven = isProvenOnly ? 0 : this.domains.first(domain, UNPROVEN)
    if (proven === 0 || unproven === 0) return proven + unproven
    return this.hosts.isBefore(proven, unproven) ? proven : unproven
  }

  served(host: HostId): void {
    const domain = this.hosts.domain(host)
    this.turns[this.kindOf(domain)] = domain + 1
  }

  visited(host: HostId): void {
    const domain = this.hosts.domain(host)
    if (this.domains.isVisited(domain)) return
    for (const kinds of [this.all, this.proven]) {
      if (!kinds[FRESH].has(domain)) continue
      kinds[FRESH].delete(domain)
      kinds[SEEN].add(domain)
    }
    this.domains.setVisited(domain)
  }

  clear(): void {
    for (const kind of [...this.all, ...this.proven]) kind.clear()
    this.turns[FRESH] = this.turns[SEEN] = 1
  }

  /** Remembers whether a domain has candidates. */
  private note(domain: DomainId): void {
    const kind = this.kindOf(domain)
    const proven = this.domains.first(domain, PROVEN)
    set(this.proven[kind], domain, proven !== 0)
    set(this.all[kind], domain, proven !== 0 || this.domains.first(domain, UNPROVEN) !== 0)
  }

  private inTurn(domains: BitTree, kind: number): DomainId {
    const domain = domains.firstFrom(this.turns[kind]!)
    return domain > 0 ? domain : Math.max(domains.firstFrom(1), 0)
  }

  private kindOf(domain: DomainId): 0 | 1 {
    return this.domains.isVisited(domain) ? SEEN : FRESH
  }
}

function set(tree: BitTree, n: number, isIn: boolean): void {
  if (isIn) tree.add(n)
  else tree.delete(n)
}
