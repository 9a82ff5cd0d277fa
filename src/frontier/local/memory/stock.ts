import type { HostId, Hosts } from './hosts.ts'
import type { Plans } from './plans.ts'
import type { WaitingLists } from './waiting-lists.ts'

/** What can be leased at hosts: auxiliary links, page links that wait, and done links that are due. */
export class Stock {
  /** Enough pages are done, and due links are the only ones that are still wanted. */
  isFull = false
  private readonly hosts: Hosts
  private readonly lists: WaitingLists
  private readonly plans: Plans

  constructor(hosts: Hosts, lists: WaitingLists, plans: Plans) {
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
