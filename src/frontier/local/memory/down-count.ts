import type { HostId, Hosts } from './hosts.ts'
import type { Plans } from './plans.ts'
import type { ServerId, Servers } from './servers.ts'
import type { WaitingLists } from './waiting-lists.ts'

/**
 * Counts what waits at hosts that are down, or whose server is. A server knows how much waits at those of its hosts that
 * are not down themselves, so when it goes down or comes back, its hosts need not be visited.
 */
export class DownCount {
  /** Page links that wait there. */
  waiting = 0
  /** The hosts at which they wait. */
  hosts = 0
  /** Auxiliary links that wait there. */
  auxiliaries = 0
  /** Done links that are due there. */
  due = 0
  private readonly all: Hosts
  private readonly servers: Servers
  private readonly lists: WaitingLists
  private readonly plans: Plans
  private readonly retries: number

  constructor(hosts: Hosts, servers: Servers, lists: WaitingLists, plans: Plans, retries: number) {
    this.all = hosts
    this.servers = servers
    this.lists = lists
    this.plans = plans
    this.retries = retries
  }

  isDown(host: HostId): boolean {
    return this.isDownItself(host) || this.isServerDown(this.all.server(host))
  }

  /** The number of page links that wait at a host has changed by `change`, to `count`. */
  changeWaiting(host: HostId, change: number, count: number): void {
    const server = this.all.server(host)
    const isDownItself = this.isDownItself(host)
    if (server === 0 && !isDownItself) return
    const hosts = (count > 0 ? 1 : 0) - (count > change ? 1 : 0)
    if (!isDownItself) {
      this.servers.addWaiting(server, change)
      if (hosts !== 0) this.servers.addWaitingHosts(server, hosts)
    }
    if (!isDownItself && !this.isServerDown(server)) return
    this.waiting += change
    this.hosts += hosts
  }

  /** The same for auxiliary links. */
  changeAuxiliaries(host: HostId, change: number): void {
    const server = this.all.server(host)
    if (this.isDownItself(host)) this.auxiliaries += change
    else if (server !== 0) {
      this.servers.addAuxiliaries(server, change)
      if (this.isServerDown(server)) this.auxiliaries += change
    }
  }

  /** The same for links that are due. */
  changeDue(host: HostId, change: number): void {
    const server = this.all.server(host)
    if (this.isDownItself(host)) this.due += change
    else if (server !== 0) {
      this.servers.addDue(server, change)
      if (this.isServerDown(server)) this.due += change
    }
  }

  setFailures(host: HostId, failures: number): void {
    if (failures > this.retries === this.isDownItself(host)) this.all.setFailures(host, failures)
    else this.recount(host, () => this.all.setFailures(host, failures))
  }

  setServer(host: HostId, server: ServerId): void {
    this.recount(host, () => this.all.setServer(host, server))
  }

  setServerFailures(server: ServerId, failures: number): void {
    const wasDown = this.isServerDown(server)
    this.servers.setFailures(server, failures)
    if (this.isServerDown(server) === wasDown) return
    const sign = wasDown ? -1 : 1
    this.waiting += sign * this.servers.waiting(server)
    this.hosts += sign * this.servers.waitingHosts(server)
    this.auxiliaries += sign * this.servers.auxiliaries(server)
    this.due += sign * this.servers.due(server)
  }

  clear(): void {
    this.waiting = 0
    this.hosts = 0
    this.auxiliaries = 0
    this.due = 0
  }

  private recount(host: HostId, change: () => void): void {
    const waiting = this.lists.count(host)
    const auxiliaries = this.all.auxiliaries(host)
    const due = this.plans.dueAt(host)
    this.changeWaiting(host, -waiting, 0)
    this.changeAuxiliaries(host, -auxiliaries)
    this.changeDue(host, -due)
    change()
    this.changeWaiting(host, waiting, waiting)
    this.changeAuxiliaries(host, auxiliaries)
    this.changeDue(host, due)
  }

  private isDownItself(host: HostId): boolean {
    return this.all.failures(host) > this.retries
  }

  private isServerDown(server: ServerId): boolean {
    return server !== 0 && this.servers.failures(server) > this.retries
  }
}
