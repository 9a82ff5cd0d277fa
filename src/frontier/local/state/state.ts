import { ALL_PARTS } from '../../dump.ts'
import type { FrontierSettings } from '../../options.ts'
import { Domains } from '../choice/domains.ts'
import { HostQueue } from '../choice/host-queue.ts'
import { LeasableLinks, newChoice, type PageChoice, usesDomains } from '../choice/page-choice.ts'
import type { Ledger } from '../journal/ledger.ts'
import { type AuxiliaryLink, AuxiliaryLinks } from '../memory/auxiliaries.ts'
import { type HostId, HostTable, LEASED } from '../memory/hosts.ts'
import { type Lease, LeaseTable } from '../memory/leases.ts'
import {
  DONE,
  isOver,
  type LinkId,
  LinkTable,
  PAGE,
  type ReasonNumber,
  Refusals,
  TAKEN,
  WAITING,
} from '../memory/links.ts'
import { LookupKey } from '../memory/lookup-key.ts'
import { Notes } from '../memory/notes.ts'
import { type PlanId, Plans } from '../memory/plans.ts'
import { type ServerId, ServerTable } from '../memory/servers.ts'
import { LineHeap } from '../memory/skew-heap.ts'
import { NeededTexts } from '../memory/text-offsets.ts'
import { Backlog, DownCount } from '../memory/waiting-counts.ts'
import { RequeuedLinks, type UnusualOrder, WaitingLists } from '../memory/waiting-lists.ts'
import { Revisits } from './revisits.ts'

export const BOUNDS = ['max-hosts', 'domain-hosts', 'page-hosts'] as const

/**
 * A frontier's memory: what is waiting, leased, done and refused, and when hosts may be asked. It changes only through the
 * methods under "What happens", which are called when it happens and when the journal is replayed. They check nothing.
 */
export class FrontierState {
  readonly hosts = new HostTable()
  readonly servers = new ServerTable()
  readonly links = new LinkTable()
  readonly lists = new WaitingLists(this.hosts, this.links)
  readonly auxiliaries = new AuxiliaryLinks(this.hosts)
  readonly plans = new Plans(this.links, this.lists)
  readonly revisits = new Revisits(this)
  readonly leasable = new LeasableLinks(this.hosts, this.lists, this.plans)
  readonly leases = new LeaseTable()
  readonly backlog = new Backlog()
  readonly notes = new Notes()
  choice: PageChoice
  readonly hostQueue: HostQueue
  readonly down: DownCount
  /** Undefined when no setting needs them. */
  domains: Domains | undefined
  readonly requeued = new RequeuedLinks()
  readonly refusals = new Refusals()
  readonly needed = new NeededTexts()
  /** How many links each of the {@link BOUNDS} turned away. */
  readonly turnedAway = [0, 0, 0]
  lastTicket = 0
  done = 0
  pages = 0
  /** The hosts of done links are known only modulo this many parts of them all: see `DumpHead.parts`. */
  parts = ALL_PARTS
  /** The latest time ever seen. */
  latestMs = 0
  /** See `changing.ts`. */
  settings: FrontierSettings
  readonly order: UnusualOrder | undefined
  private readonly ledger: Ledger
  readonly fingerprintSeed: readonly [number, number]
  readonly heaps = new LineHeap(this.hosts)
  /** What was looked up last, unless a key is passed. */
  readonly key = new LookupKey()

  constructor(settings: FrontierSettings, ledger: Ledger, seed: readonly [number, number], order?: UnusualOrder) {
    const { hosts, servers, lists, plans, leasable, heaps } = this
    this.settings = settings
    this.ledger = ledger
    this.fingerprintSeed = seed
    this.order = order
    lists.isNewestFirst = order === 'newest'
    this.domains = usesDomains(settings) ? new Domains(hosts) : undefined
    this.choice = newChoice(this)
    this.hostQueue = new HostQueue(hosts, servers, leasable, this.choice, heaps, settings.perServer)
    this.down = new DownCount(hosts, servers, lists, plans, settings.retries)
  }

  get waiting(): number {
    return this.links.last - this.leases.pages - this.done - this.refusals.count
  }

  // Questions

  /** Reads a URL into `key`; returns its link, or 0 when it was never seen. */
  find(url: string | Uint8Array, key = this.key): LinkId {
    key.readUrl(url, this.fingerprintSeed)
    return this.links.find(key.low, key.high)
  }

  /**
   * Reads what a search for these links and their hosts will read first, so that the waits for memory overlap. The sum keeps
   * it from being optimised away.
   */
  readAhead(keys: readonly LookupKey[], count: number): number {
    const { links, hosts } = this
    let sum = 0
    for (let n = 0; n < count; n++) sum = (sum + links.touch(keys[n]!.low, keys[n]!.high)) | 0
    for (let n = 0; n < count; n++) sum = (sum + hosts.touch(keys[n]!.hostHash)) | 0
    return sum
  }

  /** The host with this name, or 0. */
  hostNamed(name: string): HostId {
    return this.hosts.find(this.key.readName(name))
  }

  serverNamed(name: string): ServerId {
    return this.servers.find(this.key.readName(name))
  }

  delayOf(host: HostId): number {
    return Math.max(this.hosts.delays.get(host), this.settings.delayMs)
  }

  // What happens

  saw(nowMs: number): void {
    if (nowMs > this.latestMs) this.latestMs = nowMs
  }

  /** Returns the host whose name is in `key`, which becomes known if it is not. */
  know(key: LookupKey): HostId {
    const known = this.hosts.find(key)
    if (known !== 0) return known
    const host = this.hosts.add(key)
    this.domains?.admit(host)
    return host
  }

  knowHost(name: string | Uint8Array): HostId {
    return this.know(this.key.readName(name))
  }

  knowServer(name: string): ServerId {
    const key = this.key.readName(name)
    return this.servers.find(key) || this.servers.add(key)
  }

  /** Adds the page link in `key`, which is new: it waits from now on, or is refused for this reason. */
  addLink(key: LookupKey, rank: number, segment: number, at: number, reason?: ReasonNumber): void {
    const { low, high } = key
    const link = this.links.add(low, high, WAITING, segment, at)
    this.needed.change(segment, 1)
    const host = this.know(key)
    this.ledger.add({ low, high, host, rank, segment, at })
    if (reason !== undefined) {
      this.refuse(link, reason)
      return
    }
    this.lists.append(host, rank, link)
    this.counted(host, 1)
  }

  /** A refused link waits again, at the end of its list. */
  requeue(link: LinkId, host: HostId, rank: number): void {
    this.refusals.change(this.links.reason(link), -1)
    this.links.requeue(link)
    this.appendAgain(link, host, rank)
  }

  addAuxiliary(auxiliary: AuxiliaryLink): void {
    this.auxiliaries.begin(auxiliary)
    this.queueAuxiliary(auxiliary)
    this.hostQueue.leave(auxiliary.host)
  }

  turnAway(bound: number, links: number): void {
    this.turnedAway[bound]! += links
  }

  /** Leases what is next at a host, which must have something waiting. `plan`: a visit of a done link; 0: something else. */
  lease(host: HostId, plan: PlanId, nowMs: number, dueMs: number, gapMs: number): Lease {
    const { hostQueue } = this
    const server = this.hosts.server(host)
    const serverBeforeMs = server === 0 ? 0 : this.servers.readyAtMs(server)
    const serverSetMs = nowMs + gapMs
    if (server !== 0) hostQueue.enterServer(server, nowMs, serverSetMs)
    hostQueue.lease(host)
    const auxiliary = this.takeAuxiliary(host)
    if (auxiliary === undefined) this.choice.served(host)
    if (auxiliary === undefined) this.hosts.turns.set(host, this.hosts.turns.get(host) + 1)
    this.visit(host)
    const link = auxiliary !== undefined ? 0 : plan === 0 ? this.takeLink(host) : this.revisits.lease(plan)
    const attempt = 1 + (auxiliary === undefined ? this.links.attempts(link) : auxiliary.attempts)
    const lease: Lease = {
      ticketId: ++this.lastTicket,
      host,
      link,
      auxiliary,
      plan,
      rank: this.lists.takenRank,
      attempt,
      isProven: this.hosts.isProven(host),
      takenMs: nowMs,
      dueMs,
      server,
      serverSetMs,
      serverBeforeMs,
    }
    this.leases.add(lease)
    return lease
  }

  /** A lease has expired, or its outcome is unknown: its link goes to the end of its list. */
  comeBack(lease: Lease): void {
    this.leaveServer(lease, true)
    this.leases.delete(lease)
    this.returnLease(lease)
    this.hostQueue.close(lease.host)
  }

  /** A lease was not used: its link keeps its place. */
  giveBack(lease: Lease): void {
    this.leaveServer(lease, false)
    this.leases.delete(lease)
    const { host, rank, link, auxiliary, plan } = lease
    if (plan !== 0) this.plans.comeBack(plan)
    else if (auxiliary !== undefined) {
      this.auxiliaries.putBack(auxiliary)
      this.down.changeAuxiliaries(host, 1)
    } else {
      this.links.setState(link, WAITING)
      this.lists.putBack(host, rank, link)
      this.counted(host, 1)
    }
    this.hostQueue.close(host)
  }

  /** The host of a ticket moves to another server; without room there, the ticket is closed. */
  place(lease: Lease, server: ServerId, nowMs: number, gapMs: number, hasRoom: boolean): void {
    this.leaveServer(lease, false)
    this.down.setServer(lease.host, server)
    if (hasRoom) {
      lease.takenMs = nowMs
      lease.server = server
      lease.serverBeforeMs = this.servers.readyAtMs(server)
      lease.serverSetMs = nowMs + gapMs
      this.hostQueue.enterServer(server, nowMs, lease.serverSetMs)
      this.hostQueue.wake(server)
    } else this.giveBack(lease)
  }

  setDelay(host: HostId, delayMs: number): void {
    const beforeMs = this.delayOf(host)
    this.hosts.delays.set(host, delayMs)
    const count = this.lists.count(host)
    this.backlog.move(host, count, count, beforeMs, this.delayOf(host))
  }

  /** A host is not asked for a while; `isAnew`: whatever it waited for before. */
  hold(host: HostId, nowMs: number, forMs: number, isAnew: boolean): void {
    if (isAnew) {
      this.down.setFailures(host, 0)
      this.hosts.release(host, nowMs)
      this.hostQueue.hastened(host)
    }
    this.hosts.holdUntil(host, nowMs + forMs, false)
    if (forMs > 0) this.hostQueue.leave(host)
    else this.hostQueue.delayed(host)
  }

  clear(): void {
    this.hosts.clear()
    this.servers.clear()
    this.links.clear()
    this.lists.clear()
    this.auxiliaries.clear()
    this.plans.clear()
    this.leases.clear()
    this.backlog.clear()
    this.notes.clear()
    this.choice.clear()
    this.hostQueue.clear()
    this.heaps.clear()
    this.down.clear()
    this.domains?.clear()
    this.requeued.clear()
    this.ledger.restart()
    this.needed.clear()
    this.turnedAway.fill(0)
    this.refusals.clear()
    this.done = 0
    this.pages = 0
    this.parts = ALL_PARTS
    this.weighPages()
  }

  /** Everything is read: hosts wait for their time from now on. */
  goLive(): void {
    this.leasable.isFull = this.isFull()
    this.hostQueue.goLive()
  }

  /** Call it when the limit may be reached, or no longer. */
  weighPages(): void {
    if (this.hostQueue.isLive && this.isFull() !== this.leasable.isFull) this.hostQueue.setFull(this.isFull())
  }

  /** The number of page links that wait at a host has changed by `change`. */
  counted(host: HostId, change: number): void {
    const count = this.lists.count(host)
    const delayMs = this.delayOf(host)
    this.backlog.move(host, count - change, count, delayMs, delayMs)
    this.down.changeWaiting(host, change, count)
    this.hostQueue.counted(host)
  }

  queueAuxiliary(auxiliary: AuxiliaryLink): void {
    this.auxiliaries.append(auxiliary)
    this.down.changeAuxiliaries(auxiliary.host, 1)
    this.hostQueue.invite(auxiliary.host)
  }

  /** A ticket of this host was leased, so its domain counts as visited. */
  visit(host: HostId): void {
    this.hosts.setVisited(host)
    this.choice.visited(host)
  }

  /** Restores a ticket that was open when a snapshot was taken; its link is in no list. */
  restoreLease(lease: Lease): void {
    const { server, auxiliary, host, plan } = lease
    if (server !== 0) this.servers.setOpen(server, this.servers.open(server) + 1)
    if (auxiliary !== undefined) this.auxiliaries.begin(auxiliary)
    if (plan !== 0) this.plans.lease(plan)
    this.leases.add(lease)
    this.hosts.setQueueState(host, LEASED)
  }

  private isFull(): boolean {
    return this.settings.recrawl && this.pages >= this.settings.limit
  }

  private takeLink(host: HostId): LinkId {
    this.plans.setDueNext(host, this.plans.dueAt(host) > 0)
    const link = this.lists.takeFirst(host)
    this.links.setState(link, TAKEN)
    this.counted(host, -1)
    return link
  }

  takeAuxiliary(host: HostId): AuxiliaryLink | undefined {
    const auxiliary = this.auxiliaries.takeFirst(host)
    if (auxiliary !== undefined) this.down.changeAuxiliaries(host, -1)
    return auxiliary
  }

  /** Puts the link of a lease at the end of its list. */
  returnLease({ host, rank, link, auxiliary, plan }: Lease): void {
    if (plan !== 0) this.plans.comeBack(plan)
    else if (auxiliary !== undefined) this.queueAuxiliary(auxiliary)
    else {
      this.links.setState(link, WAITING)
      this.appendAgain(link, host, rank)
    }
  }

  private appendAgain(link: LinkId, host: HostId, rank: number): void {
    this.requeued.add(link, this.links.last, one => isOver(this.links.state(one)))
    this.lists.append(host, rank, link)
    this.counted(host, 1)
  }

  /** A server that was not asked is as it was before, unless its time was changed since. */
  leaveServer(lease: Lease, wasAsked: boolean): void {
    const { server, serverSetMs, serverBeforeMs } = lease
    if (server === 0) return
    const readyAtMs = this.servers.readyAtMs(server)
    this.hostQueue.leaveServer(server, !wasAsked && readyAtMs === serverSetMs ? serverBeforeMs : readyAtMs)
    lease.server = 0
  }

  endLink(link: LinkId, host: HostId, isPage: boolean): void {
    // Its text is no longer needed.
    this.needed.change(this.links.segment(link), -1)
    this.links.finish(link, isPage ? PAGE : DONE)
    this.done++
    if (!isPage) return
    this.pages++
    this.hosts.setPages(host, this.hosts.pages(host) + 1)
    this.weighPages()
  }

  refuse(link: LinkId, reason: ReasonNumber): void {
    this.links.refuse(link, reason)
    this.refusals.change(reason, 1)
  }
}
