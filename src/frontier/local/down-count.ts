import type { HostId, Hosts } from './hosts.ts'
import type { ServerId, Servers } from './servers.ts'
import type { WaitingLists } from './waiting-lists.ts'

/**
 * How much waits at hosts that are down, or whose server is. A server knows how much waits at those of its hosts that are
 * not down themselves; so when it goes down, or comes back, nobody has to look at its hosts.
 */
export class DownCount {
  /** Page links that wait there. */
  waiting = 0
  /** Errands that wait there. */
  errands = 0
  private readonly hosts: Hosts
  private readonly servers: Servers
  private readonly lists: WaitingLists
  private readonly retries: number

  constructor(hosts: Hosts, servers: Servers, lists: WaitingLists, retries: number) {
    this.hosts = hosts
    this.servers = servers
    this.lists = lists
    this.retries = retries
  }

  isDown(host: HostId): boolean {
    return this.isDownItself(host) || this.isServerDown(this.hosts.server(host))
  }

  /** More or fewer page links of a host wait. */
  changeWaiting(host: HostId, change: number): void {
    const server = this.hosts.server(host)
    if (this.isDownItself(host)) this.waiting += change
    else if (server !== 0) {
      this.servers.addWaiting(server, change)
      if (this.isServerDown(server)) this.waiting += change
    }
  }

  /** The same for errands. */
  changeErrands(host: HostId, change: number): void {
    const server = this.hosts.server(host)
    if (this.isDownItself(host)) this.errands += change
    else if (server !== 0) {
      this.servers.addErrands(server, change)
      if (this.isServerDown(server)) this.errands += change
    }
  }

  setFailures(host: HostId, failures: number): void {
    if (failures > this.retries === this.isDownItself(host)) this.hosts.setFailures(host, failures)
    else this.recount(host, () => this.hosts.setFailures(host, failures))
  }

  setServer(host: HostId, server: ServerId): void {
    this.recount(host, () => this.hosts.setServer(host, server))
  }

  setServerFailures(server: ServerId, failures: number): void {
    const wasDown = this.isServerDown(server)
    this.servers.setFailures(server, failures)
    if (this.isServerDown(server) === wasDown) return
    const sign = wasDown ? -1 : 1
    this.waiting += sign * this.servers.waiting(server)
    this.errands += sign * this.servers.errands(server)
  }

  clear(): void {
    this.waiting = 0
    this.errands = 0
  }

  private recount(host: HostId, change: () => void): void {
    const waiting = this.lists.count(host)
    const errands = this.hosts.errands(host)
    this.changeWaiting(host, -waiting)
    this.changeErrands(host, -errands)
    change()
    this.changeWaiting(host, waiting)
    this.changeErrands(host, errands)
  }

  private isDownItself(host: HostId): boolean {
    return this.hosts.failures(host) > this.retries
  }

  private isServerDown(server: ServerId): boolean {
    return server !== 0 && this.servers.failures(server) > this.retries
  }
}
