import type { LinkEntry } from '../journal/ledger.ts'
import type { Comeback } from '../memory/comebacks.ts'
import { type LinkId, needsText, REFUSED, STATE_BITS_OF_BYTE, WAITING } from '../memory/links.ts'
import type { ReasonNumber } from '../memory/refusals.ts'
import type { FrontierState } from '../state/state.ts'
import { ListMaker } from './list-maker.ts'

/**
 * Restores all links in the order of their numbers, each with its state. Lists are made at the end, from behind: a link goes
 * before all others of its list, so none of them is touched. A link that came back stands after as many links as were known
 * when it did.
 */
export class LinkRestorer {
  private readonly state: FrontierState
  private readonly states: Uint8Array
  private readonly comebacks: readonly Comeback[]
  private readonly nextReason: () => ReasonNumber
  /** By link. Until the lists are made, the host of a waiting link is kept where its next link will be. */
  private readonly depths: Uint8Array
  private segment = 0
  /** How many links of the segment still need their text. */
  private texts = 0

  /**
   * `states`: of all links, from the first; `comebacks`: in order; `nextReason`: returns that of the next refused link.
   */
  constructor(
    state: FrontierState,
    states: Uint8Array,
    comebacks: readonly Comeback[],
    nextReason: () => ReasonNumber,
  ) {
    this.state = state
    this.states = states
    this.comebacks = comebacks
    this.nextReason = nextReason
    this.depths = new Uint8Array(states.length + 1)
    for (const { link, knownThen } of comebacks) state.comebacks.add(link, knownThen, () => false)
    state.links.beginLoading(states.length)
  }

  add({ low, high, host, depth, segment, at }: LinkEntry): void {
    const { links } = this.state
    if (segment !== this.segment) this.endSegment(segment)
    const byte = this.states[links.last]!
    const linkState = byte & STATE_BITS_OF_BYTE
    if (linkState === WAITING) {
      this.depths[links.add(low, high, byte, segment, at, host)] = depth
      this.texts++
      return
    }
    const link = links.add(low, high, byte, segment, at)
    if (linkState === REFUSED) this.refuse(link)
    if (needsText(linkState)) this.texts++
  }

  /** Call it when all links were added. */
  finish(): void {
    const { hosts, lists, links } = this.state
    this.endSegment(0)
    links.finishLoading()
    this.makeLists()
    for (let host = 1; host <= hosts.known; host++) this.state.counted(host, lists.count(host))
  }

  private refuse(link: LinkId): void {
    const reason = this.nextReason()
    this.state.links.setReason(link, reason)
    this.state.refusals.change(reason, 1)
  }

  /** All links of a segment were added; those of another follow. */
  private endSegment(next: number): void {
    if (this.texts > 0) this.state.needed.change(this.segment, this.texts)
    this.texts = 0
    this.segment = next
  }

  private makeLists(): void {
    const { links, lists, hosts } = this.state
    const maker = new ListMaker(lists, links, hosts.known)
    const putFirst = (link: LinkId) => maker.putFirst(links.next(link), this.depths[link]!, link)
    const placed = new Set<LinkId>()
    let left = this.comebacks.length
    for (let link = links.last; link > 0; link--) {
      while (left > 0 && this.comebacks[left - 1]!.knownThen >= link) {
        const returned = this.comebacks[--left]!.link
        if (links.state(returned) !== WAITING) continue
        putFirst(returned)
        placed.add(returned)
      }
      if (links.state(link) === WAITING && (placed.size === 0 || !placed.has(link))) putFirst(link)
    }
    maker.finish()
  }
}
