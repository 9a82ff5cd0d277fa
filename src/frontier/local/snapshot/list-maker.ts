import type { HostId } from '../memory/hosts.ts'
import type { LinkId, Links } from '../memory/links.ts'
import type { WaitingLists } from '../memory/waiting-lists.ts'

/** Lists of greater depths are few, and made at once. */
const DEPTHS = 7
/** The words of a host: the first link of each of its lists, and how many links they have. */
const COUNT = DEPTHS
const HOST_BITS = 3

/**
 * Makes the lists of all hosts from behind. Until they are complete, a host has a few words here and no lists to go through:
 * a link takes one step, and steps don't wait for each other.
 */
export class ListMaker {
  private readonly lists: WaitingLists
  private readonly links: Links
  private readonly known: HostId
  private readonly firsts: Int32Array
  /** The last link of each list, in the same order. */
  private readonly lasts: Int32Array

  /** `known`: the last host. None has a list yet. */
  constructor(lists: WaitingLists, links: Links, known: HostId) {
    this.lists = lists
    this.links = links
    this.known = known
    this.firsts = new Int32Array((known + 1) << HOST_BITS)
    this.lasts = new Int32Array((known + 1) << HOST_BITS)
  }

  /** Puts a link before those of its list that are there. */
  putFirst(host: HostId, depth: number, link: LinkId): void {
    if (depth >= DEPTHS) {
      this.lists.putBack(host, depth, link)
      return
    }
    const { firsts } = this
    const at = host << HOST_BITS
    const second = firsts[at + depth]!
    this.links.setNext(link, second)
    if (second === 0) this.lasts[at + depth] = link
    firsts[at + depth] = link
    firsts[at + COUNT] = firsts[at + COUNT]! + 1
  }

  /** Hands the lists over. */
  finish(): void {
    const { firsts, lasts, lists } = this
    for (let host = 1; host <= this.known; host++) {
      const at = host << HOST_BITS
      if (firsts[at + COUNT] === 0) continue
      for (let depth = DEPTHS - 1; depth >= 0; depth--) {
        if (firsts[at + depth] !== 0) lists.putList(host, depth, firsts[at + depth]!, lasts[at + depth]!)
      }
      lists.setCount(host, lists.count(host) + firsts[at + COUNT]!)
    }
  }
}
