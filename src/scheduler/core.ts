import { type ClassicKernel, REFUSALS } from '../url/classic-kernel.ts'
import { newCounts } from './counts.ts'
import { DepthLists } from './depth-lists.ts'
import { type HostId, Hosts } from './hosts.ts'
import { newStrategy, type Strategy, type StrategyName } from './strategy.ts'
import { MOST_LEAVING, UrlStore } from './url-store.ts'

/** Less than most URLs need, so that tables sized by it seldom grow. */
const BYTES_PER_URL = 64
/** A file may be long and hold few URLs; beyond this, tables grow as they fill. */
const MOST_EXPECTED_URLS = 1 << 21
/** Less than most crawls have. */
const URLS_PER_HOST = 32

/**
 * The scheduler on bytes: lines that stand in the kernel's window go in, slots whose text can be read come out. No string
 * or object is made for a URL. `Scheduler` is the same for people.
 */
export class SchedulerCore {
  /** Is shown every new scheduler. Only the access log asks for that; see analysis/recording.ts. */
  static onNew: ((core: SchedulerCore) => void) | undefined
  readonly counts = newCounts()
  readonly urls: UrlStore
  readonly hosts: Hosts
  readonly lists: DepthLists
  /** The slots of the last take, in order; their texts can be read until the next URL is added. */
  readonly taken = new Int32Array(MOST_LEAVING)
  private readonly strategy: Strategy
  private readonly kernel: ClassicKernel
  private hostsForgotten = 0

  /** `expectedBytes` of input, when they are known, size the tables. */
  constructor(strategy: StrategyName, kernel: ClassicKernel, expectedBytes = 0) {
    const expectedUrls = Math.min(Math.ceil(expectedBytes / BYTES_PER_URL), MOST_EXPECTED_URLS)
    this.kernel = kernel
    this.urls = new UrlStore(expectedUrls, expectedBytes)
    this.hosts = new Hosts(expectedUrls / URLS_PER_HOST)
    this.lists = new DepthLists(this.hosts, expectedUrls)
    this.strategy = newStrategy(strategy)
    SchedulerCore.onNew?.(this)
  }

  /**
   * Adds at most `maxLines` whole lines of the window, from `from` to `to`, where an LF must stand. Returns where the first
   * line begins that it did not read; how many it read is the growth of `counts.read`.
   */
  addLines(from: number, to: number, maxLines: number): number {
    const { kernel, counts } = this
    this.urls.sweepIfWorthwhile()
    let at = from
    for (let left = maxLines; left > 0; left -= kernel.lines) {
      this.addRows(kernel.scan(at, to, left))
      for (const reason of REFUSALS) counts.refused[reason] += kernel.refused(reason)
      counts.read += kernel.lines
      at = kernel.next
      if (kernel.lines === 0) break
    }
    return at
  }

  /** Takes at most `max` of the URLs that the strategy wants next; they are in {@link taken}. Returns how many. */
  take(max: number): number {
    const wanted = Math.min(max, MOST_LEAVING)
    let count = 0
    while (count < wanted) {
      const host = this.strategy.pick()
      if (host === 0) break
      this.strategy.served(host)
      count += this.takeFrom(host, Math.min(wanted - count, this.strategy.run), count)
    }
    this.urls.leave(this.taken, count)
    return count
  }

  /** Takes at most `max` URLs of one host, the same way. */
  takeOf(host: HostId, max: number): number {
    const count = this.takeFrom(host, Math.min(max, MOST_LEAVING), 0)
    this.urls.leave(this.taken, count)
    return count
  }

  /** The host whose name stands in the window from `from` to `to`, as a command writes it; 0 when it is not known. */
  hostNamed(from: number, to: number): HostId {
    const { start, end, hash } = this.kernel.readHost(from, to)
    return this.hosts.find(hash, this.kernel.view, start, end - start)
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
    this.urls.clear()
    this.hosts.clear()
    this.lists.clear()
    this.strategy.clear()
  }

  private takeFrom(host: HostId, max: number, from: number): number {
    const count = this.lists.take(host, max, this.taken, from)
    if (count === 0) return 0
    this.counts.scheduled += count
    this.strategy.shrank(host, this.lists.count(host))
    return count
  }

  /** Adds the URLs that the last scan found. A duplicate's host is known already, so every host may become known. */
  private addRows(rows: number): void {
    if (rows === 0) return
    const { kernel, counts, urls } = this
    const { waiting } = urls
    const hosts = this.hosts.know(kernel, rows)
    const slots = urls.add(kernel, rows)
    this.lists.append(hosts, kernel.depth, slots, rows, this.strategy)
    const accepted = urls.waiting - waiting
    counts.accepted += accepted
    counts.duplicates += rows - accepted
    counts.hosts = this.hostsForgotten + this.hosts.known
  }
}
