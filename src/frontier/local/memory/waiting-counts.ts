import type { BacklogClass } from '../../frontier.ts'
import type { HostId, HostTable } from './hosts.ts'
import type { Plans } from './plans.ts'
import type { ServerId, ServerTable } from './servers.ts'
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
  private readonly all: HostTable
  private readonly servers: ServerTable
  private readonly lists: WaitingLists
  private readonly plans: Plans
  private readonly retries: number

  constructor(hosts: HostTable, servers: ServerTable, lists: WaitingLists, plans: Plans, retries: number) {
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

/** Powers of two of the links that wait, and of the delay; a delay below a millisecond is the first. */
const COUNT_CLASSES = 32
const DELAY_CLASSES = 33
const CELLS = COUNT_CLASSES * DELAY_CLASSES

/** Counts hosts by about how many links wait and about which delay they have. A host moves only when it crosses a power of two. */
export class Backlog {
  private readonly hosts = new Float64Array(CELLS)
  private readonly delaysMs = new Float64Array(CELLS)
  /** The latest host of each cell, unless it has left. */
  private readonly examples = new Float64Array(CELLS)

  /** The number of waiting links, or the delay, of a host has changed. */
  move(host: HostId, countBefore: number, count: number, delayBeforeMs: number, delayMs: number): void {
    if (Math.clz32(countBefore) === Math.clz32(count) && delayBeforeMs === delayMs) return
    if (countBefore > 0) this.change(host, countBefore, delayBeforeMs, -1)
    if (count > 0) this.change(host, count, delayMs, 1)
  }

  classes(nameOf: (host: HostId) => string): BacklogClass[] {
    const found: BacklogClass[] = []
    for (let cell = 0; cell < CELLS; cell++) {
      const hosts = this.hosts[cell]!
      if (hosts === 0) continue
      const least = 2 ** Math.floor(cell / DELAY_CLASSES)
      const waiting = least === 1 ? 1 : least * 1.5
      const example = this.examples[cell] === 0 ? undefined : nameOf(this.examples[cell]!)
      found.push({ hosts, waiting, delayMs: Math.max(0, this.delaysMs[cell]! / hosts), example })
    }
    return found
  }

  clear(): void {
    this.hosts.fill(0)
    this.delaysMs.fill(0)
    this.examples.fill(0)
  }

  private change(host: HostId, count: number, delayMs: number, change: 1 | -1): void {
    const cell = (31 - Math.clz32(count)) * DELAY_CLASSES + (32 - Math.clz32(Math.min(delayMs, 2 ** 32 - 1)))
    this.hosts[cell]! += change
    this.delaysMs[cell]! += change * delayMs
    if (this.hosts[cell] === 0) this.delaysMs[cell] = 0
    if (change > 0) this.examples[cell] = host
    else if (this.examples[cell] === host) this.examples[cell] = 0
  }
}
