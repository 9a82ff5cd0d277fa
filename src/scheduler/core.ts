import { Blocks } from '../base/blocks.ts'
import { hashBytes } from '../base/bytes.ts'
import { ClassicScanner } from '../url/classic.ts'
import { newCounts } from './counts.ts'
import { DepthLists, type HostId, type Slot } from './depth-lists.ts'
import { Hosts } from './hosts.ts'
import { newStrategy, type Strategy, type StrategyName } from './strategy.ts'
import { type ChunkId, TextArena } from './text-arena.ts'
import { UrlStore } from './url-store.ts'

/** URLs are looked up in batches of this size: long enough that memory waits overlap, short enough for the cache. */
const BATCH = 128

/** The words that a URL has while it waits in the batch. */
const START = 0
const HOST_LENGTH = 1
const LENGTH = 2
const DEPTH = 3
const HOST_HASH = 4
const URL_HASH = 5
const BATCH_WORDS = 6

/** How many URLs are taken off the lists at a time; see {@link SchedulerCore.taken}. */
const TAKE = 256

/**
 * The scheduler on bytes: lines of a chunk go in, slots whose text can be read come out. No string or object is made for
 * a URL. {@link Scheduler} is the same for people.
 */
export class SchedulerCore {
  readonly texts = new TextArena()
  readonly urls: UrlStore
  readonly hosts: Hosts
  readonly lists: DepthLists
  readonly counts = newCounts()
  /** The slots of the last take, in order. */
  readonly taken = new Int32Array(TAKE)
  private readonly strategy: Strategy
  private readonly scanner = new ClassicScanner()
  private readonly blocks = new Blocks()
  private readonly batch = new Int32Array(BATCH * BATCH_WORDS)
  private sink = 0

  constructor(strategy: StrategyName, seed: number, expectedUrls = 0) {
    this.hosts = new Hosts(seed)
    this.urls = new UrlStore(this.texts, expectedUrls)
    this.lists = new DepthLists(this.hosts.records, this.urls.slots, this.blocks)
    this.strategy = newStrategy(strategy)
  }

  /**
   * Adds at most `maxLines` whole lines of a chunk, from `from` to `to`, where an LF must stand. Tells where the first
   * line begins that it did not read; how many lines it read is the growth of `counts.read`.
   */
  addLines(chunkId: ChunkId, from: number, to: number, maxLines: number): number {
    this.urls.sweepIfWorthwhile(chunkId)
    const chunk = this.texts.chunk(chunkId)
    const { view } = chunk
    const { scanner, batch, counts } = this
    let at = from
    let staged = 0
    let lines = 0
    while (lines < maxLines && at < to) {
      const refusal = scanner.scan(chunk, at)
      if (scanner.lineEnd >= to) break
      at = scanner.lineEnd + 1
      lines++
      if (refusal !== undefined) {
        counts.refused[refusal]++
        continue
      }
      const { start, hostEnd, end } = scanner
      const hostHash = this.hosts.hash(view, start, hostEnd)
      const words = staged * BATCH_WORDS
      batch[words + START] = start
      batch[words + HOST_LENGTH] = hostEnd - start
      batch[words + LENGTH] = end - start
      batch[words + DEPTH] = scanner.depth
      batch[words + HOST_HASH] = hostHash
      batch[words + URL_HASH] = hashBytes(view, hostEnd, end, hostHash)
      if (++staged === BATCH) {
        this.addBatch(chunkId, staged)
        staged = 0
      }
    }
    this.addBatch(chunkId, staged)
    counts.read += lines
    return at
  }

  /** Takes at most `max` of the URLs that the strategy wants next; they are in {@link taken}. Tells how many. */
  take(max: number): number {
    const wanted = Math.min(max, TAKE)
    let count = 0
    while (count < wanted) {
      const host = this.strategy.pick()
      if (host === 0) break
      count += this.takeFrom(host, Math.min(wanted - count, this.strategy.run), count)
    }
    return count
  }

  /** Takes at most `max` URLs of one host, the same way. */
  takeOf(host: HostId, max: number): number {
    return this.takeFrom(host, Math.min(max, TAKE), 0)
  }

  /** Empties a host's list; the host stays known. */
  clearHost(host: HostId): void {
    const scheduled = this.counts.scheduled
    while (this.takeOf(host, TAKE) > 0);
    this.counts.scheduled = scheduled
  }

  /** Forgets all URLs and all hosts; chunk `open` stays as it is. */
  clear(open: ChunkId): void {
    this.urls.clear(open)
    this.hosts.clear()
    this.blocks.clear()
    this.strategy.clear()
  }

  private takeFrom(host: HostId, max: number, from: number): number {
    const count = this.lists.take(host, max, this.taken, from)
    if (count === 0) return 0
    for (let i = from; i < from + count; i++) this.urls.remove(this.taken[i]! as Slot)
    this.counts.scheduled += count
    this.strategy.shrank(host, this.lists.count(host))
    return count
  }

  private addBatch(chunkId: ChunkId, count: number): void {
    const { batch, hosts, urls, lists, counts } = this
    const chunk = this.texts.chunk(chunkId)
    const end = count * BATCH_WORDS
    for (let url = 0; url < end; url += BATCH_WORDS) {
      this.sink ^= hosts.touch(batch[url + HOST_HASH]!) ^ urls.touch(batch[url + URL_HASH]!)
    }
    for (let url = 0; url < end; url += BATCH_WORDS) {
      const start = batch[url + START]!
      const slot = urls.add(batch[url + URL_HASH]!, chunkId, chunk, start, batch[url + LENGTH]!)
      if (slot === 0) {
        counts.duplicates++
        continue
      }
      counts.accepted++
      const host = this.known(batch[url + HOST_HASH]!, chunk.view, start, batch[url + HOST_LENGTH]!)
      this.strategy.grew(host, lists.append(host, batch[url + DEPTH]!, slot))
    }
  }

  private known(hash: number, view: DataView, start: number, length: number): HostId {
    const host = this.hosts.find(hash, view, start, length)
    if (host !== 0) return host
    const added = this.hosts.add(hash, view, start, length)
    this.lists.open(added)
    this.counts.hosts++
    return added
  }
}
