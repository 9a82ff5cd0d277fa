import { Heap } from '../../../base/structures/heap.ts'
import {
  AUXILIARY,
  CLASSES,
  type HostId,
  type HostTable,
  IDLE,
  JOINED,
  LEASED,
  PROVEN_PAGE,
  QUEUED,
  type QueueClass,
  UNPROVEN_PAGE,
} from '../memory/hosts.ts'
import type { ServerId, ServerTable } from '../memory/servers.ts'
import type { LineHeap } from '../memory/skew-heap.ts'
import type { LeasableLinks, PageChoice } from './page-choice.ts'

/** After every host that has joined, and before every host whose time is later than 0. */
const EARLY = 0.5

/**
 * Which hosts may be leased when. A host with something waiting stays in a heap until its time, then joins the line of its
 * class at its server. The first of each line is a *candidate* while its server admits hosts; a host without a server
 * always is. Servers with a line whose time has not come wait in a heap, too. So a step takes the same time for any number
 * of hosts. None of this is stored: when a frontier is opened, no host has joined.
 *
 * A host that was never asked and has no server joins at once: the next take would let it join before all others, in the
 * order of the hosts' numbers. So a million new hosts cause no pause.
 */
export class HostQueue {
  private readonly hosts: HostTable
  private readonly servers: ServerTable
  private readonly leasable: LeasableLinks
  private pages: PageChoice
  private readonly heaps: LineHeap
  private perServer: number
  /** Hosts that wait for their time, each once; some entries have a time that was changed since. */
  private readonly queue = new Heap()
  /** Servers that wait for their time; some entries are out of date. */
  private readonly serverQueue = new Heap()
  /** How many hosts have joined. */
  private joined = 0
  /** Hosts in the heap at which nothing waits any more; some entries are out of date. */
  private readonly emptied = new Set<HostId>()
  /** The auxiliary link candidate that joined first. */
  private firstAuxiliary: HostId = 0
  private lastNumber = 0
  isLive = false
  /** False if a host's time is before 0, which happens when the clock went back. */
  private canJoinEarly = true

  constructor(
    hosts: HostTable,
    servers: ServerTable,
    leasable: LeasableLinks,
    pages: PageChoice,
    heaps: LineHeap,
    perServer: number,
  ) {
    this.hosts = hosts
    this.servers = servers
    this.leasable = leasable
    this.pages = pages
    this.heaps = heaps
    this.perServer = perServer
  }

  /** Called when everything is read: from now on hosts wait for their time. */
  goLive(): void {
    this.isLive = true
    for (let host = 1; host <= this.hosts.known; host++) if (this.hosts.readyAtMs(host) < 0) this.canJoinEarly = false
    for (let host = 1; host <= this.hosts.known; host++) this.invite(host)
  }

  /** Lets a host wait for its time, if it has something waiting. */
  invite(host: HostId): void {
    if (!this.isLive || this.hosts.queueState(host) !== IDLE || !this.leasable.hasAny(host)) return
    const readyAtMs = this.hosts.readyAtMs(host)
    if (readyAtMs === 0 && this.canJoinEarly && this.hosts.server(host) === 0) {
      this.joinOne(host, this.lastNumber + EARLY)
      return
    }
    this.hosts.setQueueState(host, QUEUED)
    this.queue.push(readyAtMs, host)
  }

  /** A host's time is later than before. If it has joined, it stays, unless it joined early. */
  delayed(host: HostId): void {
    if (this.hosts.lineNumber(host) === this.lastNumber + EARLY) this.leave(host)
  }

  /** A host's time is earlier than before. */
  hastened(host: HostId): void {
    if (this.hosts.queueState(host) === QUEUED) this.queue.rekey(host, this.hosts.readyAtMs(host))
  }

  /** From now on, servers may have this many open tickets. */
  setPerServer(perServer: number): void {
    this.perServer = perServer
    for (let server = 1; server <= this.servers.known; server++) {
      if (this.servers.open(server) >= perServer) this.stop(server)
      else this.wake(server)
    }
  }

  /** Another strategy chooses from now on, among the same candidates. */
  setChoice(pages: PageChoice): void {
    const { hosts } = this
    this.pages = pages
    for (let host = 1; host <= hosts.known; host++) {
      if (hosts.isAble(host) && hosts.classOf(host) !== AUXILIARY) pages.enter(host)
    }
  }

  /** From now on the limit is reached, or no longer; see {@link LeasableLinks.isFull}. Goes over all hosts. */
  setFull(isFull: boolean): void {
    const { hosts } = this
    this.leasable.isFull = isFull
    this.queue.clear()
    this.emptied.clear()
    for (let host = 1; host <= hosts.known; host++) {
      if (hosts.queueState(host) === QUEUED) hosts.setQueueState(host, IDLE)
      this.counted(host)
    }
  }

  /** If it has joined, it may join again. */
  leave(host: HostId): void {
    if (this.hosts.queueState(host) !== JOINED) return
    this.unjoin(host)
    this.hosts.setQueueState(host, IDLE)
    this.invite(host)
  }

  /** A host's page links were added or removed, for any reason but its own ticket. */
  counted(host: HostId): void {
    const queueState = this.hosts.queueState(host)
    if (queueState === IDLE) this.invite(host)
    else if (queueState === QUEUED && !this.leasable.hasAny(host)) this.emptied.add(host)
    else if (queueState !== JOINED) return
    else if (!this.leasable.hasAny(host)) this.leave(host)
    else if (this.hosts.isAble(host) && this.hosts.classOf(host) !== AUXILIARY) this.pages.changed(host)
  }

  /** Hosts whose time has come join, in the order of those times; servers whose time has come admit hosts. */
  join(nowMs: number): void {
    const early = this.lastNumber + EARLY
    for (let atMs = this.nextHostMs(); atMs !== undefined && atMs <= nowMs; atMs = this.nextHostMs()) {
      const host = this.queue.topId
      this.queue.pop()
      // Hosts that joined early have the same time, 0; among them, the hosts' numbers decide.
      this.joinOne(host, atMs === 0 && this.canJoinEarly ? early : ++this.lastNumber)
    }
    this.lastNumber++
    for (let atMs = this.nextServerMs(); atMs !== undefined && atMs <= nowMs; atMs = this.nextServerMs()) {
      const server = this.serverQueue.topId
      this.serverQueue.pop()
      this.servers.setQueued(server, false)
      this.admit(server)
    }
  }

  /** Of the hosts that can be leased for an auxiliary link, the one that joined first; 0 when there is none. */
  pickAuxiliary(nowMs: number): HostId {
    while (this.firstAuxiliary !== 0 && !this.isInTime(this.firstAuxiliary, nowMs));
    return this.firstAuxiliary
  }

  /** The host that the next page comes from; 0 when there is none. */
  pickPage(isProvenOnly: boolean, nowMs: number): HostId {
    let host = this.pages.pick(isProvenOnly)
    while (host !== 0 && !this.isInTime(host, nowMs)) host = this.pages.pick(isProvenOnly)
    return host
  }

  /** One more open ticket at a server, which admits no others before `readyAtMs`. */
  enterServer(server: ServerId, nowMs: number, readyAtMs: number): void {
    this.servers.setOpen(server, this.servers.open(server) + 1)
    this.servers.setReadyAtMs(server, readyAtMs)
    this.stopUnlessRoom(server, nowMs)
  }

  /** The host's ticket is leased: it leaves its line. */
  lease(host: HostId): void {
    if (this.hosts.queueState(host) === JOINED) this.unjoin(host)
    this.hosts.setQueueState(host, LEASED)
    this.wake(this.hosts.server(host))
  }

  /** The host's ticket is closed. */
  close(host: HostId): void {
    this.hosts.setQueueState(host, IDLE)
    this.invite(host)
  }

  /** One fewer open ticket at a server, whose time is `readyAtMs` from now on. */
  leaveServer(server: ServerId, readyAtMs: number): void {
    const isEarlier = readyAtMs < this.servers.readyAtMs(server)
    this.servers.setOpen(server, this.servers.open(server) - 1)
    this.servers.setReadyAtMs(server, readyAtMs)
    // An entry in the heap with the later time is recognized as out of date there.
    if (isEarlier) this.servers.setQueued(server, false)
    this.wake(server)
  }

  /** A server rests until this time. */
  holdServer(server: ServerId, nowMs: number, atMs: number): void {
    if (atMs <= this.servers.readyAtMs(server)) return
    this.servers.setReadyAtMs(server, atMs)
    this.stopUnlessRoom(server, nowMs)
    this.wake(server)
  }

  /** Lets a server wait for its time, if it could admit a host then. */
  wake(server: ServerId): void {
    if (server === 0 || this.servers.isQueued(server) || !this.canAdmit(server)) return
    this.servers.setQueued(server, true)
    this.serverQueue.push(this.servers.readyAtMs(server), server)
  }

  /** Whether a host of this class could be asked at a server now without jumping the line. */
  hasRoom(server: ServerId, hostClass: QueueClass, nowMs: number): boolean {
    return this.admits(server, nowMs) && this.servers.lastInLine(server, hostClass) === 0
  }

  /** When the next host that has something waiting and has not joined is ready. */
  nextHostMs(): number | undefined {
    const { queue, hosts } = this
    while (queue.length > 0) {
      const host = queue.topId
      const readyAtMs = hosts.readyAtMs(host)
      const hasWaiting = this.leasable.hasAny(host)
      if (hasWaiting && queue.topKey === readyAtMs) return readyAtMs
      queue.pop()
      if (hasWaiting) queue.push(readyAtMs, host)
      else {
        hosts.setQueueState(host, IDLE)
        this.emptied.delete(host)
      }
    }
    return undefined
  }

  /** When the time of the next server that has room and a line comes. */
  nextServerMs(): number | undefined {
    const { serverQueue, servers } = this
    while (serverQueue.length > 0) {
      const server = serverQueue.topId
      const readyAtMs = servers.readyAtMs(server)
      const keyMs = serverQueue.topKey
      const isWaiting = servers.isQueued(server) && this.canAdmit(server)
      if (isWaiting && keyMs === readyAtMs) return readyAtMs
      serverQueue.pop()
      if (isWaiting && keyMs < readyAtMs) serverQueue.push(readyAtMs, server)
      else if (!isWaiting) servers.setQueued(server, false)
    }
    return undefined
  }

  /**
   * Of the hosts with something waiting and no open ticket: how many can be leased now or wait for their turn, how many wait
   * for their time, and which of these comes first. Looks only at those whose time has come since the last take, and at those
   * whose time was changed since they began to wait for it.
   */
  outlook(nowMs: number): { ready: number; resting: number; next: HostId } {
    const { hosts, queue, emptied } = this
    let ready = this.joined
    let resting = queue.length
    let next: HostId = 0
    let nextMs = Number.POSITIVE_INFINITY
    for (const host of emptied) {
      if (hosts.queueState(host) === QUEUED && !this.leasable.hasAny(host)) resting--
      else emptied.delete(host)
    }
    queue.walk((keyMs, host) => {
      const readyAtMs = hosts.readyAtMs(host)
      if (!this.leasable.hasAny(host)) return true
      if (readyAtMs <= nowMs) {
        ready++
        resting--
        return true
      }
      if (readyAtMs < nextMs || (readyAtMs === nextMs && host < next)) {
        next = host
        nextMs = readyAtMs
      }
      return keyMs < readyAtMs && keyMs <= nextMs
    })
    return { ready, resting, next }
  }

  clear(): void {
    this.queue.clear()
    this.joined = 0
    this.emptied.clear()
    this.serverQueue.clear()
    this.firstAuxiliary = 0
  }

  private joinOne(host: HostId, number: number): void {
    const { hosts, servers } = this
    const page = hosts.isProven(host) ? PROVEN_PAGE : UNPROVEN_PAGE
    const hostClass = hosts.auxiliaries(host) > 0 ? AUXILIARY : page
    hosts.setQueueState(host, JOINED)
    this.joined++
    hosts.setClass(host, hostClass)
    hosts.setLineNumber(host, number)
    const server = hosts.server(host)
    if (server === 0) {
      this.enter(host)
      return
    }
    const last = servers.lastInLine(server, hostClass)
    const first = last === 0 ? host : hosts.next(last)
    hosts.setNext(host, first)
    hosts.setPrevious(first, host)
    hosts.setPrevious(host, last === 0 ? host : last)
    if (last !== 0) hosts.setNext(last, host)
    servers.setLastInLine(server, hostClass, host)
    if (!servers.isAdmitting(server)) this.wake(server)
    else if (last === 0) this.enter(host)
  }

  /** Removes a host from its line; the next one there may become a candidate. */
  private unjoin(host: HostId): void {
    const { hosts, servers } = this
    this.joined--
    const wasAble = hosts.isAble(host)
    if (wasAble) this.withdraw(host)
    const server = hosts.server(host)
    if (server === 0) return
    const hostClass = hosts.classOf(host)
    const next = hosts.next(host)
    if (next === host) {
      servers.setLastInLine(server, hostClass, 0)
      return
    }
    const previous = hosts.previous(host)
    hosts.setNext(previous, next)
    hosts.setPrevious(next, previous)
    if (servers.lastInLine(server, hostClass) === host) servers.setLastInLine(server, hostClass, previous)
    if (wasAble) this.enter(next)
  }

  private enter(host: HostId): void {
    this.hosts.setAble(host, true)
    if (this.hosts.classOf(host) === AUXILIARY) this.firstAuxiliary = this.heaps.add(this.firstAuxiliary, host)
    else this.pages.enter(host)
  }

  private withdraw(host: HostId): void {
    this.hosts.setAble(host, false)
    if (this.hosts.classOf(host) === AUXILIARY) this.firstAuxiliary = this.heaps.remove(this.firstAuxiliary, host)
    else this.pages.withdraw(host)
  }

  private admits(server: ServerId, nowMs: number): boolean {
    return this.servers.open(server) < this.perServer && this.servers.readyAtMs(server) <= nowMs
  }

  /** Whether it has a line and room, and does not admit hosts yet. */
  private canAdmit(server: ServerId): boolean {
    const { servers } = this
    if (servers.isAdmitting(server) || servers.open(server) >= this.perServer) return false
    for (let n = 0; n < CLASSES; n++) if (servers.lastInLine(server, n as QueueClass) !== 0) return true
    return false
  }

  private admit(server: ServerId): void {
    this.servers.setAdmitting(server, true)
    for (let n = 0; n < CLASSES; n++) {
      const last = this.servers.lastInLine(server, n as QueueClass)
      if (last !== 0) this.enter(this.hosts.next(last))
    }
  }

  private stopUnlessRoom(server: ServerId, nowMs: number): void {
    if (!this.admits(server, nowMs)) this.stop(server)
  }

  private stop(server: ServerId): void {
    if (!this.servers.isAdmitting(server)) return
    this.servers.setAdmitting(server, false)
    for (let n = 0; n < CLASSES; n++) {
      const last = this.servers.lastInLine(server, n as QueueClass)
      if (last !== 0) this.withdraw(this.hosts.next(last))
    }
  }

  /** Whether its server's time has come, too. It may not have if the clock went back: then the server waits again. */
  private isInTime(host: HostId, nowMs: number): boolean {
    const server = this.hosts.server(host)
    if (server === 0 || this.servers.readyAtMs(server) <= nowMs) return true
    this.stopUnlessRoom(server, nowMs)
    this.wake(server)
    return false
  }
}
