import { newStrategy, type Strategy, type StrategyName } from '../../../scheduler/strategy.ts'
import type { HostId, Hosts } from '../memory/hosts.ts'
import type { Stock } from '../memory/stock.ts'

/** Chooses the host that the next page comes from, among those that can be leased. */
export interface PageChoice {
  /** A host can be leased from now on. */
  enter(host: HostId): void
  /** A host that entered can no longer be leased. It must be as proven as it was then. */
  withdraw(host: HostId): void
  /** The number of links that can be leased of a host that entered has changed. */
  changed(host: HostId): void
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

/**
 * A strategy of the scheduler over all candidates, and a second one over the proven ones, if these are ever chosen from
 * alone.
 */
export class StrategyChoice implements PageChoice {
  private readonly hosts: Hosts
  private readonly stock: Stock
  private readonly all: Strategy
  private readonly proven: Strategy | undefined

  constructor(name: StrategyName, hosts: Hosts, stock: Stock, isProvenEverAlone: boolean) {
    this.hosts = hosts
    this.stock = stock
    this.all = newStrategy(name)
    this.proven = isProvenEverAlone ? newStrategy(name) : undefined
    // Both share their turns: what one strategy moves, the other sees.
    if (this.proven !== undefined) Object.defineProperty(this.proven, 'turns', { value: this.all.turns })
  }

  get turns(): number[] {
    return this.all.turns
  }

  enter(host: HostId): void {
    const count = this.stock.pages(host)
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
