import type { HostId } from './hosts.ts'
import { type LinkId, type LinkTable, PLANNED } from './links.ts'
import { Rows } from './rows.ts'
import { SkewHeap } from './skew-heap.ts'
import type { WaitingLists } from './waiting-lists.ts'

/** A planned visit's number, from 1 up; that of a visit that is over is used again. 0 means "none". */
export type PlanId = number

/** Doubles, at words 0 to 3: when it is due, and when its link was visited last. */
const DUE_AT = 0
const VISITED_AT = 1
/** 0: the row is free, and the first word of its node is the next free one. */
const LINK = 4
const HOST = 5
/** The bits of a 32-bit float that is not negative: they are ordered as the floats are. */
const GAIN = 6
/** The segment of its text, above four bits of flags. */
const SEGMENT = 7
/** The offset of the text in its segment. */
const AT = 8
const NODE = 9
const PLAN_WORDS = 12
const PLAN_BITS = 12

/** These two are kept in a snapshot. */
export const HINTED = 1
export const PAGE = 2
const DUE = 4
const OUT = 8
const FLAGS_SHIFT = 4
const FLAG_BITS = 15

/** The words of a host: its due visit with the highest gain, how many are due, how many are planned, and whose turn it is. */
const TOP = 0
const DUE_COUNT = 1
const ALL_COUNT = 2
const IS_DUE_NEXT = 3
const HOST_WORDS = 4
const HOST_BITS = 12

/** The next visit of a link, as it is planned. */
export interface Planned {
  readonly visitedAtMs: number
  readonly dueAtMs: number
  /** A 32-bit float. */
  readonly gain: number
  /** Where the text of the link is from now on. */
  readonly segment: number
  readonly at: number
}

/**
 * The next visits of done links: 48 bytes each, and 16 per host, as soon as there is one. A visit whose time has not come is in
 * a heap of all, by time; a due one is in a heap of its host, by gain; one that is leased is in none.
 *
 * A planned link is in no list, so the word that threads lists holds its visit. One that was settled while it waited may still
 * be in a list, where it will be passed over; these are kept apart.
 */
export class Plans {
  /** How many there are, with those that are leased; how many of them are due; how many are leased. */
  count = 0
  due = 0
  out = 0
  rows = new Rows(PLAN_WORDS, PLAN_BITS)
  private hosts = new Rows(HOST_WORDS, HOST_BITS)
  private lastHost: HostId = 0
  last: PlanId = 0
  private free: PlanId = 0
  private first: PlanId = 0
  private byTime = new ByTime(this.rows)
  private byGain = new ByGain(this.rows)
  private readonly apart = new Map<LinkId, PlanId>()
  private readonly links: LinkTable
  private readonly lists: WaitingLists

  constructor(links: LinkTable, lists: WaitingLists) {
    this.links = links
    this.lists = lists
  }

  /** The next visit of a link, or 0. */
  of(link: LinkId): PlanId {
    if (this.links.state(link) !== PLANNED) return 0
    return (this.apart.size === 0 ? undefined : this.apart.get(link)) ?? this.links.next(link)
  }

  /** How many due visits a host has. */
  dueAt(host: HostId): number {
    return host > this.lastHost ? 0 : this.hosts.get(host, DUE_COUNT)
  }

  /** How many planned visits a host has, with a leased one. */
  allAt(host: HostId): number {
    return host > this.lastHost ? 0 : this.hosts.get(host, ALL_COUNT)
  }

  /** The due visit of a host with the highest gain. */
  bestAt(host: HostId): PlanId {
    return this.hosts.get(host, TOP)
  }

  /** A host leased a new link last, while it had a due one. */
  isDueNext(host: HostId): boolean {
    return host <= this.lastHost && this.hosts.get(host, IS_DUE_NEXT) === 1
  }

  setDueNext(host: HostId, isDueNext: boolean): void {
    if (host <= this.lastHost) this.hosts.set(host, IS_DUE_NEXT, isDueNext ? 1 : 0)
  }

  /** Of the visits whose time has not come, the first; 0 when there is none. */
  get next(): PlanId {
    return this.first
  }

  /** How many visits are neither due nor leased. */
  get coming(): number {
    return this.count - this.due - this.out
  }

  /** Adds a visit that is neither due nor leased. The link must be in the state `PLANNED`. */
  add(link: LinkId, host: HostId, isPage: boolean, isHinted: boolean, planned: Planned): PlanId {
    const { rows } = this
    const plan = this.free === 0 ? ++this.last : this.free
    if (plan === this.free) this.free = rows.get(plan, NODE)
    else rows.reach(plan)
    rows.set(plan, LINK, link)
    rows.set(plan, HOST, host)
    rows.set(plan, SEGMENT, (isPage ? PAGE : 0) | (isHinted ? HINTED : 0))
    this.put(plan, planned)
    if (this.lists.passed.has(link)) this.apart.set(link, plan)
    else this.links.setNext(link, plan)
    this.reachHost(host)
    this.hosts.set(host, ALL_COUNT, this.allAt(host) + 1)
    this.count++
    this.first = this.byTime.add(this.first, plan)
    return plan
  }

  /** The visit was made: its link is visited again then. It was leased. */
  renew(plan: PlanId, planned: Planned): void {
    this.rows.set(plan, SEGMENT, this.flags(plan) & (PAGE | OUT))
    this.put(plan, planned)
    this.comeBack(plan)
  }

  /** Removes a visit from everything. */
  remove(plan: PlanId): void {
    const { rows } = this
    this.leaveHeap(plan)
    const [link, host] = [this.link(plan), this.host(plan)]
    this.apart.delete(link)
    this.hosts.set(host, ALL_COUNT, this.allAt(host) - 1)
    this.count--
    if (this.isOut(plan)) this.out--
    rows.set(plan, LINK, 0)
    rows.set(plan, NODE, this.free)
    this.free = plan
  }

  /** The visit that comes first is due from now on. */
  fall(): PlanId {
    const plan = this.first
    const host = this.host(plan)
    this.first = this.byTime.remove(plan, plan)
    this.setFlags(plan, this.flags(plan) | DUE)
    this.hosts.set(host, TOP, this.byGain.add(this.hosts.get(host, TOP), plan))
    this.hosts.set(host, DUE_COUNT, this.dueAt(host) + 1)
    this.due++
    return plan
  }

  /** Leases a visit. */
  lease(plan: PlanId): void {
    this.leaveHeap(plan)
    this.setFlags(plan, this.flags(plan) | OUT)
    this.out++
  }

  /** A leased visit was not made: it is planned with the time that it had. */
  comeBack(plan: PlanId): void {
    this.setFlags(plan, this.flags(plan) & ~OUT)
    this.out--
    this.first = this.byTime.add(this.first, plan)
  }

  /** A visit whose time has not come is due at this time, which is earlier. */
  hasten(plan: PlanId, atMs: number): void {
    this.first = this.byTime.remove(this.first, plan)
    this.rows.setDouble(plan, DUE_AT, atMs)
    this.setFlags(plan, this.flags(plan) | HINTED)
    this.first = this.byTime.add(this.first, plan)
  }

  /** Makes all times earlier. No visit was later than now. */
  moveBack(byMs: number, nowMs: number): void {
    for (let plan = 1; plan <= this.last; plan++) {
      this.rows.setDouble(plan, DUE_AT, this.dueAtMs(plan) - byMs)
      this.rows.setDouble(plan, VISITED_AT, Math.min(this.visitedAtMs(plan), nowMs))
    }
  }

  /** All visits of a host. Goes over those of all hosts, unless it has none. */
  *at(host: HostId): Iterable<PlanId> {
    let left = this.allAt(host)
    for (let plan = 1; left > 0; plan++) {
      if (this.link(plan) === 0 || this.host(plan) !== host) continue
      left--
      yield plan
    }
  }

  link(plan: PlanId): LinkId {
    return this.rows.get(plan, LINK)
  }

  host(plan: PlanId): HostId {
    return this.rows.get(plan, HOST)
  }

  dueAtMs(plan: PlanId): number {
    return this.rows.getDouble(plan, DUE_AT)
  }

  visitedAtMs(plan: PlanId): number {
    return this.rows.getDouble(plan, VISITED_AT)
  }

  gain(plan: PlanId): number {
    return gainOf(this.rows.get(plan, GAIN))
  }

  segment(plan: PlanId): number {
    return this.rows.get(plan, SEGMENT) >>> FLAGS_SHIFT
  }

  textAt(plan: PlanId): number {
    return this.rows.get(plan, AT)
  }

  keptFlags(plan: PlanId): number {
    return this.flags(plan) & (HINTED | PAGE)
  }

  isHinted(plan: PlanId): boolean {
    return (this.flags(plan) & HINTED) !== 0
  }

  isPage(plan: PlanId): boolean {
    return (this.flags(plan) & PAGE) !== 0
  }

  isDue(plan: PlanId): boolean {
    return (this.flags(plan) & DUE) !== 0
  }

  /** Whether it is leased. */
  isOut(plan: PlanId): boolean {
    return (this.flags(plan) & OUT) !== 0
  }

  clear(): void {
    this.rows = new Rows(PLAN_WORDS, PLAN_BITS)
    this.hosts = new Rows(HOST_WORDS, HOST_BITS)
    this.byTime = new ByTime(this.rows)
    this.byGain = new ByGain(this.rows)
    this.apart.clear()
    this.count = this.due = this.out = 0
    this.last = this.free = this.first = this.lastHost = 0
  }

  /** What a snapshot needs, as it is now. See {@link Rows.letGo}. */
  keep(): Plans {
    const copy = new Plans(this.links, this.lists)
    copy.count = this.count
    copy.last = this.last
    copy.rows = this.rows.keep()
    return copy
  }

  private put(plan: PlanId, { visitedAtMs, dueAtMs, gain, segment, at }: Planned): void {
    const { rows } = this
    rows.setDouble(plan, VISITED_AT, visitedAtMs)
    rows.setDouble(plan, DUE_AT, dueAtMs)
    rows.set(plan, GAIN, bitsOf(gain))
    rows.set(plan, SEGMENT, (segment << FLAGS_SHIFT) | this.flags(plan))
    rows.set(plan, AT, at)
  }

  private leaveHeap(plan: PlanId): void {
    if (this.isOut(plan)) return
    if (!this.isDue(plan)) {
      this.first = this.byTime.remove(this.first, plan)
      return
    }
    const host = this.host(plan)
    this.hosts.set(host, TOP, this.byGain.remove(this.hosts.get(host, TOP), plan))
    this.hosts.set(host, DUE_COUNT, this.dueAt(host) - 1)
    this.due--
    this.setFlags(plan, this.flags(plan) & ~DUE)
  }

  private reachHost(host: HostId): void {
    this.hosts.reach(host)
    this.lastHost = Math.max(this.lastHost, host)
  }

  private flags(plan: PlanId): number {
    return this.rows.get(plan, SEGMENT) & FLAG_BITS
  }

  private setFlags(plan: PlanId, flags: number): void {
    this.rows.set(plan, SEGMENT, (this.rows.get(plan, SEGMENT) & ~FLAG_BITS) | flags)
  }
}

/** By time, then by link. */
class ByTime extends SkewHeap {
  protected readonly nodes: Rows

  constructor(rows: Rows) {
    super(NODE)
    this.nodes = rows
  }

  protected isBefore(a: PlanId, b: PlanId): boolean {
    const { nodes } = this
    const [first, second] = [nodes.getDouble(a, DUE_AT), nodes.getDouble(b, DUE_AT)]
    return first < second || (first === second && nodes.get(a, LINK) < nodes.get(b, LINK))
  }
}

/** The highest gain first, then by time, then by link. */
class ByGain extends ByTime {
  protected override isBefore(a: PlanId, b: PlanId): boolean {
    const [first, second] = [this.nodes.get(a, GAIN), this.nodes.get(b, GAIN)]
    return first > second || (first === second && super.isBefore(a, b))
  }
}

const floats = new Float32Array(1)
const bits = new Int32Array(floats.buffer)

function bitsOf(gain: number): number {
  // -0 has the sign bit.
  floats[0] = Math.abs(gain)
  return bits[0]!
}

function gainOf(ofGain: number): number {
  bits[0] = ofGain
  return floats[0]!
}
