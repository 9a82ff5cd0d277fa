import { chanceAt } from '../../../base/random.ts'
import { BitTree } from '../../../base/structures/bit-tree.ts'
import { newStrategy, type Strategy } from '../../../scheduler/strategy.ts'
import type { FrontierSettings } from '../../options.ts'
import type { HostId, HostTable } from '../memory/hosts.ts'
import type { Plans } from '../memory/plans.ts'
import type { LineHeap } from '../memory/skew-heap.ts'
import type { WaitingLists } from '../memory/waiting-lists.ts'
import type { FrontierState } from '../state/state.ts'
import type { DomainId, Domains } from './domains.ts'
import { MostImportant } from './most-important.ts'

/** Chooses the host that the next page comes from, among those that can be leased. */
export interface PageChoice {
  /** A host can be leased from now on. */
  enter(host: HostId): void
  /** A host that entered can no longer be leased. It must be as proven as it was then. */
  withdraw(host: HostId): void
  /** The number of links that can be leased of a host that entered has changed. */
  changed(host: HostId): void
  /** A host that entered has received importance. */
  received(host: HostId): void
  /** The host whose turn it is, or 0. */
  pick(isProvenOnly: boolean): HostId
  /** A page of this host, which was picked, is leased. */
  served(host: HostId): void
  /** Anything of this host is leased. */
  visited(host: HostId): void
  /** Whose turn it is: all that must be kept to continue later. */
  readonly turns: number[]
  clear(): void
}

/** A strategy of the scheduler over all candidates, and a second one over the proven ones, if these are ever chosen from alone. */
export class StrategyChoice implements PageChoice {
  private readonly hosts: HostTable
  private readonly leasable: LeasableLinks
  private readonly all: Strategy
  private readonly proven: Strategy | undefined

  constructor(make: () => Strategy, hosts: HostTable, leasable: LeasableLinks, isProvenEverAlone: boolean) {
    this.hosts = hosts
    this.leasable = leasable
    this.all = make()
    this.proven = isProvenEverAlone ? make() : undefined
    // Both share their turns: what one strategy moves, the other sees.
    if (this.proven !== undefined) Object.defineProperty(this.proven, 'turns', { value: this.all.turns })
  }

  get turns(): number[] {
    return this.all.turns
  }

  enter(host: HostId): void {
    const count = this.leasable.pages(host)
    this.all.grew(host, count)
    if (this.hosts.isProven(host)) this.proven?.grew(host, count)
  }

  withdraw(host: HostId): void {
    this.all.shrank(host, 0)
    if (this.hosts.isProven(host)) this.proven?.shrank(host, 0)
  }

  changed(host: HostId): void {
    if (this.all.wantsAllGrowth) this.enter(host)
  }

  received(host: HostId): void {
    if (this.all instanceof MostImportant) this.enter(host)
  }

  pick(isProvenOnly: boolean): HostId {
    return (isProvenOnly ? this.proven! : this.all).pick()
  }

  served(host: HostId): void {
    this.all.served(host)
  }

  visited(): void {}

  clear(): void {
    this.all.clear()
    this.proven?.clear()
  }
}

/** What can be leased at hosts: auxiliary links, page links that wait, and done links that are due. */
export class LeasableLinks {
  /** Enough pages are done, and due links are the only ones that are still wanted. */
  isFull = false
  private readonly hosts: HostTable
  private readonly lists: WaitingLists
  private readonly plans: Plans

  constructor(hosts: HostTable, lists: WaitingLists, plans: Plans) {
    this.hosts = hosts
    this.lists = lists
    this.plans = plans
  }

  /** How many links of a host can be leased, without auxiliary links. */
  pages(host: HostId): number {
    return (this.isFull ? 0 : this.lists.count(host)) + this.plans.dueAt(host)
  }

  hasAny(host: HostId): boolean {
    return this.pages(host) + this.hosts.auxiliaries(host) > 0
  }

  /** Whether the next page of a host is a due link, not a new one: they take turns. */
  isDueNext(host: HostId): boolean {
    if (this.plans.dueAt(host) === 0) return false
    return this.isFull || this.plans.isDueNext(host) || this.lists.count(host) === 0
  }
}

/** Whether these settings need to know the domains of the hosts. */
export function usesDomains({ strategy, maxHostsPerDomain }: FrontierSettings): boolean {
  return strategy === 'explore' || maxHostsPerDomain < Number.POSITIVE_INFINITY
}

/** What a state's settings choose by. It has no candidates yet. */
export function newChoice(state: FrontierState): PageChoice {
  const { hosts, leasable, heaps, settings } = state
  const { strategy, unproven } = settings
  const isProvenEverAlone = unproven < Number.POSITIVE_INFINITY
  if (state.order === 'random')
    return new StrategyChoice(() => new RandomHost(state), hosts, leasable, isProvenEverAlone)
  if (strategy === 'important')
    return new StrategyChoice(() => new MostImportant(state), hosts, leasable, isProvenEverAlone)
  if (strategy !== 'explore') return new StrategyChoice(() => newStrategy(strategy), hosts, leasable, isProvenEverAlone)
  const isFreshTurn = () => chanceAt(settings.seed, state.lastTicket) < state.settings.exploreChance
  return new Explore(hosts, state.domains!, heaps, isFreshTurn)
}

/** Any host; the next one from a number that is drawn. */
class RandomHost implements Strategy {
  readonly order = 'in turn'
  readonly run = 1
  readonly wantsAllGrowth = false
  readonly turns: number[] = []
  private readonly filled = new BitTree()
  private readonly state: Pick<FrontierState, 'hosts' | 'lastTicket' | 'settings'>

  constructor(state: Pick<FrontierState, 'hosts' | 'lastTicket' | 'settings'>) {
    this.state = state
  }

  grew(host: HostId): void {
    this.filled.add(host)
  }

  shrank(host: HostId, count: number): void {
    if (count === 0) this.filled.delete(host)
  }

  pick(): HostId {
    const { hosts, lastTicket, settings } = this.state
    const from = 1 + Math.floor(chanceAt(settings.seed, lastTicket) * hosts.known)
    const host = this.filled.firstFrom(from)
    return host > 0 ? host : Math.max(this.filled.firstFrom(1), 0)
  }

  served(): void {}

  clear(): void {
    this.filled.clear()
  }
}

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
class Explore implements PageChoice {
  readonly turns: number[] = [1, 1]
  private readonly hosts: HostTable
  private readonly domains: Domains
  private readonly heaps: LineHeap
  private readonly isFreshTurn: () => boolean
  /** The domains of each kind that have candidates, and those that have proven ones. */
  private readonly all = [new BitTree(), new BitTree()] as const
  private readonly proven = [new BitTree(), new BitTree()] as const

  /** `isFreshTurn`: whether an unvisited domain comes next, if there is one. */
  constructor(hosts: HostTable, domains: Domains, heaps: LineHeap, isFreshTurn: () => boolean) {
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

  received(): void {}

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
