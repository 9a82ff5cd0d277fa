import { Heap } from '../../base/heap.ts'
import type { HostId } from '../../scheduler/hosts.ts'

/** Where a group stands. */
const RESTING = 0
const QUEUED = 1
const READY = 2

/**
 * When hosts may be asked. A group is the hosts that share a server; mostly it is a single host. It has one time at which
 * it is ready and one delay, and is lent as long as any of its tickets is open.
 *
 * A group with waiting links that is not lent is either ready, and its hosts take part in the strategy, or queued by its
 * time. So groups that wait cost nothing. A group is named by one of its hosts, its leader; its hosts form a ring.
 */
export class Groups {
  private leaders = new Int32Array(1024)
  private ring = new Int32Array(1024)
  private open = new Int32Array(1024)
  private states = new Uint8Array(1024)
  private times = new Float64Array(1024)
  private delays = new Float64Array(1024)
  /** The groups that wait for their time; some entries are out of date. */
  private readonly queue = new Heap()
  private last: HostId = 0

  /** Makes hosts up to this one groups of their own, ready at once. */
  reach(host: HostId): void {
    if (host >= this.leaders.length) this.grow(host)
    while (this.last < host) {
      const added = ++this.last
      this.leaders[added] = added
      this.ring[added] = added
      this.open[added] = 0
      this.states[added] = RESTING
      this.times[added] = 0
      this.delays[added] = 0
    }
  }

  leader(host: HostId): HostId {
    return this.leaders[host]!
  }

  *members(leader: HostId): Iterable<HostId> {
    let host = leader
    do {
      yield host
      host = this.ring[host]!
    } while (host !== leader)
  }

  /** The next host of the ring. A loop over it costs less than the generator, which is for those who are not in a hurry. */
  next(host: HostId): HostId {
    return this.ring[host]!
  }

  isAlone(leader: HostId): boolean {
    return this.ring[leader] === leader
  }

  readyAtMs(leader: HostId): number {
    return this.times[leader]!
  }

  delayMs(leader: HostId): number {
    return this.delays[leader]!
  }

  setDelay(leader: HostId, delayMs: number): void {
    this.delays[leader] = delayMs
  }

  isLent(leader: HostId): boolean {
    return this.open[leader]! > 0
  }

  isReady(leader: HostId): boolean {
    return this.states[leader] === READY
  }

  /** One more or one less open ticket. */
  countOpen(leader: HostId, change: 1 | -1): void {
    this.open[leader]! += change
  }

  /** The group is not ready before this time. */
  holdUntil(leader: HostId, atMs: number): void {
    if (atMs > this.times[leader]!) this.times[leader] = atMs
  }

  /** The group takes no part for now. */
  rest(leader: HostId): void {
    this.states[leader] = RESTING
  }

  /** Queues a group that rests. */
  enqueue(leader: HostId): void {
    if (this.states[leader] !== RESTING) return
    this.states[leader] = QUEUED
    this.queue.push(this.times[leader]!, leader)
  }

  /** The next group whose time has come, now ready; 0 when there is none. */
  nextReady(nowMs: number): HostId {
    this.dropOutdated()
    if (this.queue.length === 0 || this.queue.topKey > nowMs) return 0
    const leader = this.queue.topId
    this.queue.pop()
    this.states[leader] = READY
    return leader
  }

  /** When the first queued group is ready. */
  firstReadyAtMs(): number | undefined {
    this.dropOutdated()
    return this.queue.length === 0 ? undefined : this.queue.topKey
  }

  /** Joins two groups, both resting; tells the leader. */
  join(a: HostId, b: HostId): HostId {
    if (a === b) return a
    const leader = Math.min(a, b)
    const other = Math.max(a, b)
    for (const host of this.members(other)) this.leaders[host] = leader
    const behind = this.ring[leader]!
    this.ring[leader] = this.ring[other]!
    this.ring[other] = behind
    this.open[leader]! += this.open[other]!
    this.times[leader] = Math.max(this.times[leader]!, this.times[other]!)
    this.delays[leader] = Math.max(this.delays[leader]!, this.delays[other]!)
    return leader
  }

  clear(): void {
    this.last = 0
    this.queue.clear()
  }

  private dropOutdated(): void {
    const { queue } = this
    while (queue.length > 0) {
      const leader = queue.topId
      if (this.states[leader] === QUEUED && this.times[leader] === queue.topKey && this.leaders[leader] === leader)
        return
      queue.pop()
      // Its time was moved while it was queued: it is queued again, by its new time.
      if (this.states[leader] === QUEUED && this.leaders[leader] === leader)
        this.queue.push(this.times[leader]!, leader)
    }
  }

  private grow(host: HostId): void {
    const size = Math.max(host + 1, this.leaders.length * 2)
    const larger = <T extends { set(from: T): void }>(to: T, from: T): T => {
      to.set(from)
      return to
    }
    this.leaders = larger(new Int32Array(size), this.leaders)
    this.ring = larger(new Int32Array(size), this.ring)
    this.open = larger(new Int32Array(size), this.open)
    this.states = larger(new Uint8Array(size), this.states)
    this.times = larger(new Float64Array(size), this.times)
    this.delays = larger(new Float64Array(size), this.delays)
  }
}
