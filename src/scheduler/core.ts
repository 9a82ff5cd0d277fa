import type { Refusal } from '../url/classic.ts'
import { type ClassicKernel, REFUSALS } from '../url/classic-kernel.ts'
import { type Batch, BatchRoom } from './batch.ts'
import { BulkOrder } from './bulk-order.ts'
import { DepthLists } from './depth-lists.ts'
import { type HostId, Hosts } from './hosts.ts'
import { Lines } from './lines.ts'
import { Pieces } from './pieces.ts'
import { StoreMemory } from './store-memory.ts'
import { newStrategy, type Strategy, type StrategyName } from './strategy.ts'
import { type UrlSlot, UrlStore } from './url-store.ts'

/** Less than most URLs need, so that tables sized by it seldom grow. */
const BYTES_PER_URL = 64
/** A file may be long and hold few URLs; beyond this, tables grow as they fill. */
const MOST_EXPECTED_URLS = 1 << 21

/** How many URLs leave at a time, when not all do. */
export const MOST_LEAVING = 256
/** An order is made in bulk for at least this many arrivals, and for at least one per this many hosts. */
const LEAST_IN_BULK = 256
const HOSTS_PER_ARRIVAL = 4

/**
 * The scheduler on bytes: lines in the kernel's window go in, slots whose text can be read come out. No string
 * or object is made for a URL. `Scheduler` is the same for people.
 *
 * Adding only notes who arrived. When all leave at once, their order is made in bulk; before anything else is asked, the
 * arrivals join the lists of their hosts.
 */
export class SchedulerCore {
  /** Is shown every new scheduler. Only the access log asks for that; see analysis/recording.ts. */
  static onNew: ((core: SchedulerCore) => void) | undefined
  readonly counts = newCounts()
  readonly memory = new StoreMemory()
  readonly pieces: Pieces
  /** Where the batch is that was added last. */
  batchAt = 0
  readonly urls: UrlStore
  readonly hosts: Hosts
  /** What is to be printed. */
  readonly lines: Lines
  /** The address of the slots of the last take, in order; their texts can be read until the next URL is added. */
  takenAt: number
  private readonly fewTaken: Int32Array
  private readonly lists: DepthLists
  private readonly order: BulkOrder
  private readonly room: BatchRoom
  private readonly strategy: Strategy
  private readonly kernel: ClassicKernel
  private hostsForgotten = 0

  /** `expectedBytes` of input, when they are known, size the tables. */
  constructor(strategy: StrategyName, kernel: ClassicKernel, expectedBytes = 0) {
    const expectedUrls = Math.min(Math.ceil(expectedBytes / BYTES_PER_URL), MOST_EXPECTED_URLS)
    const pieces = new Pieces(this.memory)
    this.pieces = pieces
    this.kernel = kernel
    this.room = new BatchRoom(pieces)
    this.hosts = new Hosts(pieces, expectedUrls)
    this.urls = new UrlStore(pieces, expectedUrls)
    this.lists = new DepthLists(this.hosts)
    this.order = new BulkOrder(pieces)
    this.lines = new Lines(pieces)
    this.takenAt = pieces.table(MOST_LEAVING * 4, 'slots taken')
    this.fewTaken = this.memory.words(this.takenAt, MOST_LEAVING)
    this.strategy = newStrategy(strategy)
    SchedulerCore.onNew?.(this)
  }

  /**
   * Adds at most `maxLines` whole lines of the window, from `from` to `to`, where an LF must be. Returns where the first
   * line begins that it did not read; how many it read is the growth of `counts.read`.
   */
  addLines(from: number, to: number, maxLines: number): number {
    const { kernel, room } = this
    let at = from
    for (let left = maxLines; left > 0; left -= kernel.lines) {
      const rows = kernel.scan(at, to, left)
      if (rows > 0) this.addBatch(room.take(kernel, rows))
      this.count(
        kernel.lines,
        REFUSALS.map(reason => kernel.refused(reason)),
      )
      at = kernel.next
      if (kernel.lines === 0) break
    }
    return at
  }

  /** Counts lines that were read, and how many of them are refused, in the order of {@link REFUSALS}. */
  count(lines: number, refused: readonly number[]): void {
    this.counts.read += lines
    for (const [n, reason] of REFUSALS.entries()) this.counts.refused[reason] += refused[n]!
  }

  /** Adds the URLs of a batch. A duplicate's host is known already, so every host may become known. */
  addBatch(batch: Batch): void {
    const { counts, urls } = this
    this.order.drop()
    urls.sweepIfWorthwhile()
    const { waiting } = urls
    this.batchAt = batch.at
    this.hosts.know(batch)
    urls.add(batch)
    const accepted = urls.waiting - waiting
    counts.accepted += accepted
    counts.duplicates += batch.rows - accepted
    counts.hosts = this.hostsForgotten + this.hosts.known
  }

  /** Takes some of the URLs that the strategy wants next, to {@link takenAt}. Returns how many: 0 only if none is left. */
  take(max: number): number {
    if (max >= this.urls.waiting && this.isWorthBulk()) return this.takeAll()
    this.fold()
    const wanted = Math.min(max, MOST_LEAVING)
    let count = 0
    while (count < wanted) {
      const host = this.strategy.pick()
      if (host === 0) break
      this.strategy.served(host)
      count += this.takeFrom(host, Math.min(wanted - count, this.strategy.run), count)
    }
    return this.leave(this.fewTaken.byteOffset, count)
  }

  /** Takes some URLs of one host, the same way. */
  takeOf(host: HostId, max: number): number {
    this.fold()
    const count = this.takeFrom(host, Math.min(max, MOST_LEAVING), 0)
    return this.leave(this.fewTaken.byteOffset, count)
  }

  slotAt(address: number): UrlSlot {
    return this.memory.words(address, 1)[0]!
  }

  /** How many URLs of this host are waiting. */
  waitingOf(host: HostId): number {
    this.fold()
    return this.lists.count(host)
  }

  /** A host's slots in order; nothing leaves. */
  slotsOf(host: HostId): Iterable<UrlSlot> {
    this.fold()
    return this.lists.slotsOf(host)
  }

  /** A host's URLs in order, some at a time: the address of their slots, and how many. Nothing leaves. */
  *shown(host: HostId): Generator<[slotsAt: number, count: number], void, void> {
    const { fewTaken } = this
    let count = 0
    for (const slot of this.slotsOf(host)) {
      fewTaken[count++] = slot
      if (count < MOST_LEAVING) continue
      yield [fewTaken.byteOffset, count]
      count = 0
    }
    yield [fewTaken.byteOffset, count]
  }

  /** The host whose name is in the window from `from` to `to`, as a command writes it; 0 when it is not known. */
  hostNamed(from: number, to: number): HostId {
    const { start, end, hash } = this.kernel.readHost(from, to)
    const at = this.room.put(this.kernel.bytes.subarray(start, end))
    return this.hosts.find(hash, at, end - start)
  }

  /** Empties a host's list; the host stays known. */
  clearHost(host: HostId): void {
    const { scheduled } = this.counts
    while (this.takeOf(host, MOST_LEAVING) > 0);
    this.counts.scheduled = scheduled
  }

  /** Forgets all URLs and all hosts. */
  clear(): void {
    this.hostsForgotten += this.hosts.known
    this.order.drop()
    this.urls.clear()
    this.hosts.clear()
    this.lists.clear()
    this.strategy.clear()
  }

  private isWorthBulk(): boolean {
    const { arrived, waiting } = this.urls
    const isMany = arrived >= Math.max(LEAST_IN_BULK, this.hosts.known / HOSTS_PER_ARRIVAL)
    return arrived === waiting && isMany && this.order.hasRoom
  }

  private takeAll(): number {
    const count = this.urls.arrived
    this.urls.dropIndex()
    const { at, lastHost } = this.order.make(this.strategy)
    this.urls.leaveAll()
    if (lastHost !== 0) this.strategy.served(lastHost)
    this.counts.scheduled += count
    this.takenAt = at
    return count
  }

  /** The arrivals join the lists of their hosts. */
  private fold(): void {
    if (this.urls.arrived > 0) this.lists.append(this.urls.takeArrivals(), this.urls, this.strategy)
  }

  private takeFrom(host: HostId, max: number, from: number): number {
    const count = this.lists.take(host, max, this.fewTaken, from)
    if (count === 0) return 0
    this.counts.scheduled += count
    this.strategy.shrank(host, this.lists.count(host))
    return count
  }

  private leave(slotsAt: number, count: number): number {
    this.takenAt = slotsAt
    this.urls.leave(slotsAt, count)
    return count
  }
}

/** What has happened to the URLs so far. */
export interface Counts {
  /** Texts that were to be added: the sum of accepted, duplicates and refused. */
  read: number
  accepted: number
  duplicates: number
  refused: Record<Refusal, number>
  scheduled: number
  /** Hosts that became known, those that were forgotten later included. */
  hosts: number
}

function newCounts(): Counts {
  const refused = { protocol: 0, malformed: 0, extension: 0 }
  return { read: 0, accepted: 0, duplicates: 0, refused, scheduled: 0, hosts: 0 }
}
