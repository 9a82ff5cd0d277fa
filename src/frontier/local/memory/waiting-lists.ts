import { grown } from '../../../base/structures/grow.ts'
import { FLAGS, type HostId, type HostTable, LIST_WORDS, RANK_BITS, RANK_SHIFT } from './hosts.ts'
import { type LinkId, type LinkTable, WAITING } from './links.ts'
import { Rows } from './rows.ts'

/** The words of a host's record that belong to its lists: how many links wait, the ends of its first list, its next list. */
const COUNT = LIST_WORDS
const HEAD = LIST_WORDS + 1
const TAIL = LIST_WORDS + 2
const MORE = LIST_WORDS + 3

/** The words of a list that is not the first of its host. */
const LIST_RANK = 0
const LIST_HEAD = 1
const LIST_TAIL = 2
const LIST_MORE = 3
const LIST_WIDTH = 4
const LIST_BITS = 16

/** Orders that no crawl has: random hosts; of each host the newest link first. */
export type UnusualOrder = 'random' | 'newest'

/**
 * Each host's waiting page links by rank, then in order of arrival: one list per rank in use, the lowest first. Lists are
 * threaded through the links. The first list is in the host's record, so a host with links of one rank needs nothing else;
 * adding takes one step per lower rank of the host, 255 at most.
 *
 * A link that is settled while it waits is not searched for: it stays in its list, is no longer counted, and is passed over
 * when its turn comes.
 */
export class WaitingLists {
  /** Links that no longer wait, and are still in a list. */
  readonly passed = new Set<LinkId>()
  /** The rank of the link that was taken last. */
  takenRank = 0
  /** See `UnusualOrder`. */
  isNewestFirst = false
  private readonly hosts: HostTable
  private readonly links: LinkTable
  private more = new Rows(LIST_WIDTH, LIST_BITS)
  private lastList = 0
  private freeList = 0

  constructor(hosts: HostTable, links: LinkTable) {
    this.hosts = hosts
    this.links = links
  }

  /** How many links of this host wait. */
  count(host: HostId): number {
    return this.hosts.rows.get(host, COUNT)
  }

  setCount(host: HostId, links: number): void {
    this.hosts.rows.set(host, COUNT, links)
  }

  /** A link of one of the host's lists no longer waits. */
  passOver(host: HostId, link: LinkId): void {
    this.passed.add(link)
    this.setCount(host, this.count(host) - 1)
  }

  /** Puts a link at the end of its rank. Fast in the usual case, when the host's first list has that rank. */
  append(host: HostId, rank: number, link: LinkId): void {
    if (this.isNewestFirst) {
      this.putBack(host, rank, link)
      return
    }
    const { links } = this
    const { rows } = this.hosts
    const words = rows.chunk(host)
    const at = rows.offset(host)
    words[at + COUNT] = words[at + COUNT]! + 1
    links.setNext(link, 0)
    const firstRank = (words[at + FLAGS]! >> RANK_SHIFT) & RANK_BITS
    if (words[at + HEAD] === 0 || rank < firstRank) this.putList(host, rank, link, link)
    else if (rank === firstRank) {
      links.setNext(words[at + TAIL]!, link)
      words[at + TAIL] = link
    } else this.appendTo(this.listFor(host, rank), link)
  }

  /** Puts a link before all others of its rank, where it was when it was taken. */
  putBack(host: HostId, rank: number, link: LinkId): void {
    const { links, more } = this
    const { rows } = this.hosts
    const words = rows.chunk(host)
    const at = rows.offset(host)
    words[at + COUNT] = words[at + COUNT]! + 1
    const head = words[at + HEAD]!
    const firstRank = (words[at + FLAGS]! >> RANK_SHIFT) & RANK_BITS
    if (head !== 0 && rank === firstRank) {
      links.setNext(link, head)
      words[at + HEAD] = link
    } else if (head === 0 || rank < firstRank) {
      links.setNext(link, 0)
      this.putList(host, rank, link, link)
    } else {
      const list = this.listFor(host, rank)
      const first = more.get(list, LIST_HEAD)
      links.setNext(link, first)
      if (first === 0) more.set(list, LIST_TAIL, link)
      more.set(list, LIST_HEAD, link)
    }
  }

  /** Puts a list of links, which are not counted, before the others of a host, which are deeper. */
  putList(host: HostId, rank: number, first: LinkId, last: LinkId): void {
    const { hosts } = this
    const { rows } = hosts
    if (rows.get(host, HEAD) !== 0) {
      const list = this.newList(hosts.firstRank(host), rows.get(host, MORE))
      this.more.set(list, LIST_HEAD, rows.get(host, HEAD))
      this.more.set(list, LIST_TAIL, rows.get(host, TAIL))
      rows.set(host, MORE, list)
    }
    hosts.setFirstRank(host, rank)
    rows.set(host, HEAD, first)
    rows.set(host, TAIL, last)
  }

  /** Takes a host's first waiting link; 0 when there is none. See {@link takenRank}. */
  takeFirst(host: HostId): LinkId {
    const { rows } = this.hosts
    for (;;) {
      const link = rows.get(host, HEAD)
      if (link === 0) return 0
      this.takenRank = this.hosts.firstRank(host)
      const next = this.links.next(link)
      if (next !== 0) rows.set(host, HEAD, next)
      else this.dropFirst(host)
      if (this.links.state(link) !== WAITING) {
        this.passed.delete(link)
        continue
      }
      rows.set(host, COUNT, rows.get(host, COUNT) - 1)
      return link
    }
  }

  /** A host's waiting links in order; nothing leaves. */
  *of(host: HostId): Iterable<LinkId> {
    const { rows } = this.hosts
    yield* this.from(rows.get(host, HEAD))
    for (let list = rows.get(host, MORE); list !== 0; list = this.more.get(list, LIST_MORE)) {
      yield* this.from(this.more.get(list, LIST_HEAD))
    }
  }

  clear(): void {
    this.passed.clear()
    this.more = new Rows(LIST_WIDTH, LIST_BITS)
    this.lastList = 0
    this.freeList = 0
  }

  private *from(head: LinkId): Iterable<LinkId> {
    for (let link = head; link !== 0; link = this.links.next(link)) if (this.links.state(link) === WAITING) yield link
  }

  private appendTo(list: number, link: LinkId): void {
    const { more } = this
    const tail = more.get(list, LIST_TAIL)
    if (tail === 0) more.set(list, LIST_HEAD, link)
    else this.links.setNext(tail, link)
    more.set(list, LIST_TAIL, link)
  }

  /** The list of a rank that is not the first list's; made when there is none. */
  private listFor(host: HostId, rank: number): number {
    const { more } = this
    let before = 0
    let list = this.hosts.rows.get(host, MORE)
    while (list !== 0 && more.get(list, LIST_RANK) < rank) {
      before = list
      list = more.get(list, LIST_MORE)
    }
    if (list !== 0 && more.get(list, LIST_RANK) === rank) return list
    const made = this.newList(rank, list)
    if (before === 0) this.hosts.rows.set(host, MORE, made)
    else more.set(before, LIST_MORE, made)
    return made
  }

  /** The first list is empty: the next one takes its place. */
  private dropFirst(host: HostId): void {
    const { rows } = this.hosts
    const list = rows.get(host, MORE)
    if (list === 0) {
      rows.set(host, HEAD, 0)
      rows.set(host, TAIL, 0)
      return
    }
    this.hosts.setFirstRank(host, this.more.get(list, LIST_RANK))
    rows.set(host, HEAD, this.more.get(list, LIST_HEAD))
    rows.set(host, TAIL, this.more.get(list, LIST_TAIL))
    rows.set(host, MORE, this.more.get(list, LIST_MORE))
    this.more.set(list, LIST_MORE, this.freeList)
    this.freeList = list
  }

  private newList(rank: number, more: number): number {
    const list = this.freeList === 0 ? ++this.lastList : this.freeList
    if (list === this.freeList) this.freeList = this.more.get(list, LIST_MORE)
    else this.more.reach(list)
    this.more.set(list, LIST_RANK, rank)
    this.more.set(list, LIST_HEAD, 0)
    this.more.set(list, LIST_TAIL, 0)
    this.more.set(list, LIST_MORE, more)
    return list
  }
}

/** The list has room for this many pairs at first. When it is full, it is pruned, and grows if that freed little. */
const FEWEST = 1024

/** A link that came back: it is after the first `knownThen` links. */
export interface RequeuedLink {
  readonly link: LinkId
  readonly knownThen: LinkId
}

/**
 * The links that came back, in that order, each with how many links were known then: a snapshot needs this to restore the
 * order of the lists. Only a link's last return counts, and only until it is done; other entries are dropped now and then.
 */
export class RequeuedLinks {
  /** Pairs of link and number. */
  private pairs: Int32Array = new Int32Array(2 * FEWEST)
  private end = 0

  add(link: LinkId, knownThen: LinkId, isOver: (link: LinkId) => boolean): void {
    if (this.end === this.pairs.length) this.makeRoom(isOver)
    this.pairs[this.end] = link
    this.pairs[this.end + 1] = knownThen
    this.end += 2
  }

  /** A copy of the pairs as they are now, including those that no longer count. */
  copy(): Int32Array {
    return this.pairs.slice(0, this.end)
  }

  clear(): void {
    this.pairs = new Int32Array(2 * FEWEST)
    this.end = 0
  }

  private makeRoom(isOver: (link: LinkId) => boolean): void {
    const kept = currentPairs(this.pairs, isOver)
    this.end = kept.length
    if (this.end > this.pairs.length / 2) this.pairs = grown(this.pairs, this.pairs.length)
    this.pairs.set(kept)
  }
}

/** The last pair of each link that is not over, in order. */
export function currentPairs(pairs: Int32Array, isOver: (link: LinkId) => boolean): Int32Array {
  let last = 0
  for (let at = 0; at < pairs.length; at += 2) last = Math.max(last, pairs[at]!)
  const seen = new Uint8Array((last >> 3) + 1)
  const kept = new Int32Array(pairs.length)
  let first = kept.length
  for (let at = pairs.length - 2; at >= 0; at -= 2) {
    const link = pairs[at]!
    const bit = 1 << (link & 7)
    if ((seen[link >> 3]! & bit) !== 0 || isOver(link)) continue
    seen[link >> 3]! |= bit
    first -= 2
    kept[first] = link
    kept[first + 1] = pairs[at + 1]!
  }
  return kept.subarray(first)
}
