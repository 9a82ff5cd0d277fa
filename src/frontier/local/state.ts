import { ByteReader } from '../../base/byte-reader.ts'
import { COLON, HASH, QUESTION, SLASH } from '../../base/bytes.ts'
import { Heap } from '../../base/heap.ts'
import { chanceAt } from '../../base/random.ts'
import { DepthLists } from '../../scheduler/depth-lists.ts'
import { type HostId, Hosts } from '../../scheduler/hosts.ts'
import { newStrategy, type Strategy, type StrategyName } from '../../scheduler/strategy.ts'
import { sharedKernel } from '../../url/classic.ts'
import { Explore } from '../explore.ts'
import { damaged } from './damaged.ts'
import { MOST_LINK_BYTES, readLink, type WrittenLink } from './events.ts'
import { Groups } from './groups.ts'
import type { Ledger } from './ledger.ts'
import type { LinkLog } from './link-log.ts'
import { DONE, LENT, type LinkId, Links, WAITING } from './links.ts'

/** A ticket that is open. */
export interface Lease {
  readonly ticketId: number
  readonly link: LinkId
  readonly host: HostId
  readonly depth: number
  readonly attempt: number
  readonly takenMs: number
  dueMs: number
}

export interface StateOptions {
  readonly strategy: StrategyName | 'explore'
  readonly exploreChance: number
  readonly seed: number
}

const SCHEME_END = '://'
/** Most links are shorter; a longer one is read in two steps. */
const USUAL_LINK_BYTES = 256

/**
 * A frontier's memory: what is waiting, lent, done and refused, and when hosts may be asked. It changes only by the
 * methods under "what happens", which are called when it happens and again when the journal is read.
 */
export class FrontierState {
  readonly hosts = new Hosts(0)
  readonly links = new Links()
  readonly groups = new Groups()
  readonly lists = new DepthLists(this.hosts, 0)
  readonly strategy: Strategy
  readonly leases = new Map<number, Lease>()
  /** How often a link was tried, where that is more than never. */
  readonly attempts = new Map<LinkId, number>()
  /** The waiting links that came back, in the order in which they did, each with how many links were known then. */
  readonly comebacks = new Map<LinkId, number>()
  readonly reasons: string[] = []
  /** Registrable domains that were visited, as far as somebody explored. */
  readonly visitedDomains = new Set<string>()
  /** How many links with their text still needed each segment of the log holds. */
  readonly needed = new Map<number, number>()
  lastTicket = 0
  done = 0
  refused = 0
  private readonly due = new Heap()
  private readonly log: LinkLog
  private readonly ledger: Ledger
  private readonly fingerprintSeed: readonly [number, number]
  private readonly one = { host: new Int32Array(1), depth: new Int32Array(1), slot: new Int32Array(1) }
  private readonly scratch = Buffer.allocUnsafeSlow(MOST_LINK_BYTES)
  private readonly usualScratch = this.scratch.subarray(0, USUAL_LINK_BYTES)
  private readonly reader = new ByteReader(this.scratch)

  constructor(options: StateOptions, log: LinkLog, ledger: Ledger, fingerprintSeed: readonly [number, number]) {
    this.log = log
    this.ledger = ledger
    this.fingerprintSeed = fingerprintSeed
    this.strategy =
      options.strategy === 'explore'
        ? new Explore(
            () => chanceAt(options.seed, this.lastTicket),
            options.exploreChance,
            host => this.hosts.name(host),
            this.visitedDomains,
          )
        : newStrategy(options.strategy)
  }

  get waiting(): number {
    return this.links.last - this.leases.size - this.done - this.refused
  }

  // Questions

  /** What a person calls a segment of the log. */
  nameOf(segment: number): string {
    return this.log.name(segment)
  }

  /** The link with this URL, which is put into the kernel's window; 0 when it was never seen. */
  find(url: string | Uint8Array): LinkId {
    const end = sharedKernel.putRaw(url)
    sharedKernel.fingerprint(sharedKernel.start, end, this.fingerprintSeed)
    return this.links.find(sharedKernel.fingerprintLow, sharedKernel.fingerprintHigh)
  }

  /** The host with this name, or 0. */
  hostNamed(name: string): HostId {
    const end = sharedKernel.putRaw(name)
    const { start, view } = sharedKernel
    return this.hosts.find(sharedKernel.hashHost(start, end), view, start, end - start)
  }

  /** A link's text, out of the log. What is not what was offered is damage: its fingerprint tells. */
  read(link: LinkId): WrittenLink {
    const segment = this.links.segment(link)
    const at = this.links.at(link)
    const got = this.log.read(segment, at, this.usualScratch)
    const read =
      this.parse(got) ?? (got < USUAL_LINK_BYTES ? undefined : this.parse(this.log.read(segment, at, this.scratch)))
    if (read !== undefined && this.isTextOf(link, read.url)) return read
    throw damaged(this.log.name(segment), at, 'a link is not what was offered')
  }

  /** By half of its fingerprint: the other half lies in the index, which a visit need not touch. */
  private isTextOf(link: LinkId, url: Uint8Array): boolean {
    sharedKernel.fingerprint(sharedKernel.start, sharedKernel.putRaw(url), this.fingerprintSeed)
    return sharedKernel.fingerprintLow === this.links.low(link)
  }

  private parse(bytes: number): WrittenLink | undefined {
    this.reader.moveTo(0, bytes)
    try {
      return readLink(this.reader)
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }

  /** The leases that have run out, in the order in which they come back. */
  runOut(nowMs: number): Lease[] {
    const out: Lease[] = []
    while (this.due.length > 0 && this.due.topKey <= nowMs) {
      const lease = this.leases.get(this.due.topId)
      // A lease that was renewed at the same time again stands here twice, one behind the other.
      if (lease !== undefined && lease.dueMs === this.due.topKey && lease !== out.at(-1)) out.push(lease)
      this.due.pop()
    }
    return out
  }

  /** The next host to lend a link of; 0 when none is ready. */
  pick(nowMs: number): HostId {
    for (let leader = this.groups.nextReady(nowMs); leader !== 0; leader = this.groups.nextReady(nowMs)) {
      let host = leader
      do {
        const count = this.lists.count(host)
        if (count > 0) this.strategy.grew(host, count)
        host = this.groups.next(host)
      } while (host !== leader)
    }
    return this.strategy.pick()
  }

  nextReadyAtMs(): number | undefined {
    if (this.strategy.pick() !== 0) return 0
    while (this.due.length > 0 && this.leases.get(this.due.topId)?.dueMs !== this.due.topKey) this.due.pop()
    const lease = this.due.length > 0 ? this.due.topKey : undefined
    const group = this.groups.firstReadyAtMs()
    return lease === undefined ? group : Math.min(lease, group ?? lease)
  }

  // What happens

  /** The host of this name becomes known, if it is not. */
  knowHost(name: string | Uint8Array): HostId {
    const end = sharedKernel.putRaw(name)
    return this.knowHostInWindow(sharedKernel.start, end)
  }

  /** The URL in the kernel's window, up to `end`, whose fingerprint was just told, is new: it waits from now on. */
  addFound(end: number, depth: number, segment: number, at: number): void {
    const { bytes, start } = sharedKernel
    let hostStart = start
    while (bytes[hostStart] !== COLON) hostStart++
    hostStart += SCHEME_END.length
    let hostEnd = hostStart
    while (hostEnd < end && bytes[hostEnd] !== SLASH && bytes[hostEnd] !== QUESTION && bytes[hostEnd] !== HASH)
      hostEnd++

    const { fingerprintLow: low, fingerprintHigh: high } = sharedKernel
    const link = this.links.add(low, high, WAITING, segment, at)
    this.needed.set(segment, (this.needed.get(segment) ?? 0) + 1)
    const host = this.knowHostInWindow(hostStart, hostEnd)
    this.ledger.add({ low, high, host, depth, segment, at })
    this.append(host, depth, link)
  }

  lend(lease: Lease): void {
    const leader = this.groups.leader(lease.host)
    this.strategy.served(lease.host)
    this.withdraw(leader)
    this.groups.countOpen(leader, 1)
    this.links.setState(lease.link, LENT)
    this.leases.set(lease.ticketId, lease)
    this.due.push(lease.dueMs, lease.ticketId)
    this.lastTicket = lease.ticketId
  }

  renew(ticketId: number, dueMs: number): void {
    this.leases.get(ticketId)!.dueMs = dueMs
    this.due.push(dueMs, ticketId)
  }

  /** Closes a ticket; its host is not ready before `readyAtMs`. */
  finish(ticketId: number, outcome: 'done' | 'refused' | 'again', reason: string, readyAtMs: number): void {
    const lease = this.closeLease(ticketId, readyAtMs)
    if (outcome === 'again') {
      this.attempts.set(lease.link, lease.attempt)
      this.comeBack(lease)
    } else {
      this.attempts.delete(lease.link)
      this.forgetText(lease.link)
      if (outcome === 'done') {
        this.links.setState(lease.link, DONE)
        this.done++
      } else this.refuse(lease.link, reason)
    }
    this.invite(this.groups.leader(lease.host))
  }

  giveBack(ticketId: number, readyAtMs: number): void {
    const lease = this.closeLease(ticketId, readyAtMs)
    this.comeBack(lease)
    this.invite(this.groups.leader(lease.host))
  }

  delay(name: string, delayMs: number): void {
    const leader = this.groups.leader(this.knowHost(name))
    const leastMs = this.groups.isAlone(leader) ? 0 : this.groups.delayMs(leader)
    this.groups.setDelay(leader, Math.max(delayMs, leastMs))
  }

  block(name: string, atMs: number): void {
    const leader = this.groups.leader(this.knowHost(name))
    this.withdraw(leader)
    this.groups.holdUntil(leader, atMs)
    this.invite(leader)
  }

  tie(names: readonly string[]): void {
    let joined: HostId = 0
    for (const name of names) {
      const leader = this.groups.leader(this.knowHost(name))
      this.withdraw(leader)
      if (joined !== 0) this.withdraw(joined)
      joined = joined === 0 ? leader : this.groups.join(joined, leader)
    }
    if (joined !== 0) this.invite(joined)
  }

  clearHost(name: string, reason: string): void {
    const host = this.hostNamed(name)
    if (host === 0) return
    const leader = this.groups.leader(host)
    this.withdraw(leader)
    const taken = new Int32Array(256)
    for (let count = 1; count > 0; ) {
      count = this.lists.take(host, taken.length, taken, 0)
      for (let i = 0; i < count; i++) {
        this.attempts.delete(taken[i]!)
        this.comebacks.delete(taken[i]!)
        this.forgetText(taken[i]!)
        this.refuse(taken[i]!, reason)
      }
    }
    this.invite(leader)
  }

  clear(): void {
    this.hosts.clear()
    this.links.clear()
    this.groups.clear()
    this.lists.clear()
    this.strategy.clear()
    this.leases.clear()
    this.attempts.clear()
    this.comebacks.clear()
    this.ledger.restart()
    this.due.clear()
    this.visitedDomains.clear()
    for (const segment of this.needed.keys()) this.needed.set(segment, 0)
    this.done = 0
    this.refused = 0
  }

  /** The number of a reason, which is kept once. */
  reasonNumber(reason: string): number {
    const known = this.reasons.indexOf(reason)
    return known >= 0 ? known : this.reasons.push(reason) - 1
  }

  /** Takes the first link off a host's list. */
  takeFirst(host: HostId): LinkId {
    if (this.lists.take(host, 1, this.one.slot, 0) === 0) return 0
    const link = this.one.slot[0]!
    this.comebacks.delete(link)
    return link
  }

  // What a snapshot says

  restoreTimes(host: HostId, readyAtMs: number, delayMs: number, leader: HostId): void {
    const joined = this.groups.join(host, leader)
    this.groups.holdUntil(joined, readyAtMs)
    this.groups.setDelay(joined, delayMs)
  }

  restoreLease(lease: Lease): void {
    const leader = this.groups.leader(lease.host)
    this.withdraw(leader)
    this.groups.countOpen(leader, 1)
    this.leases.set(lease.ticketId, lease)
    this.due.push(lease.dueMs, lease.ticketId)
  }

  visitDomain(domain: string): void {
    if (this.strategy instanceof Explore) this.strategy.visit(domain)
    else this.visitedDomains.add(domain)
  }

  private knowHostInWindow(start: number, end: number): HostId {
    this.hosts.reserve(1)
    const hash = sharedKernel.hashHost(start, end)
    const host = this.hosts.findOrAdd(hash, sharedKernel.view, start, end - start)
    this.groups.reach(host)
    return host
  }

  private append(host: HostId, depth: number, link: LinkId): void {
    const { one } = this
    one.host[0] = host
    one.depth[0] = depth
    one.slot[0] = link
    this.lists.append(one.host, one.depth, one.slot, 1, NOBODY)
    const leader = this.groups.leader(host)
    if (this.groups.isReady(leader)) this.strategy.grew(host, this.lists.count(host))
    else if (!this.groups.isLent(leader)) this.groups.enqueue(leader)
  }

  private closeLease(ticketId: number, readyAtMs: number): Lease {
    const lease = this.leases.get(ticketId)!
    const leader = this.groups.leader(lease.host)
    this.leases.delete(ticketId)
    this.groups.countOpen(leader, -1)
    this.groups.holdUntil(leader, readyAtMs)
    return lease
  }

  private comeBack(lease: Lease): void {
    this.links.setState(lease.link, WAITING)
    this.comebacks.set(lease.link, this.links.last)
    this.append(lease.host, lease.depth, lease.link)
  }

  private refuse(link: LinkId, reason: string): void {
    this.links.refuse(link, this.reasonNumber(reason))
    this.refused++
  }

  private forgetText(link: LinkId): void {
    const segment = this.links.segment(link)
    this.needed.set(segment, this.needed.get(segment)! - 1)
  }

  /** A group takes no part in the choice any more. */
  private withdraw(leader: HostId): void {
    if (this.groups.isReady(leader)) {
      let host = leader
      do {
        this.strategy.shrank(host, 0)
        host = this.groups.next(host)
      } while (host !== leader)
    }
    this.groups.rest(leader)
  }

  /** A group takes part again when its time comes, if it has anything waiting and is not lent. */
  private invite(leader: HostId): void {
    if (this.groups.isLent(leader) || this.groups.isReady(leader)) return
    for (const host of this.groups.members(leader)) {
      if (this.lists.count(host) === 0) continue
      this.groups.enqueue(leader)
      return
    }
  }
}

/** Nobody hears of growth: who may take part is decided here. */
export const NOBODY = { wantsAllGrowth: false, grew(): void {} }
