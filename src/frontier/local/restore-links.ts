import type { Comeback } from './comebacks.ts'
import type { HostId } from './hosts.ts'
import type { LinkEntry } from './ledger.ts'
import { FORGOTTEN, isRefused, type LinkId, needsText, STATE_BITS_OF_BYTE, WAITING } from './links.ts'
import type { ReasonNumber } from './refusals.ts'
import type { FrontierState } from './state.ts'

const WAITING_ROWS = 256

/**
 * Restores all links in the order of their numbers, each with its state. A waiting link goes to the end of its list when
 * its number comes up, so the lists are in order of arrival. A link that came back goes there after as many links as were
 * known when it did.
 */
export class LinkRestorer {
  private readonly state: FrontierState
  private readonly states: Uint8Array
  private readonly comebacks: readonly Comeback[]
  private readonly nextReason: () => ReasonNumber
  private readonly hasText: (segment: number) => boolean
  private readonly waiting = {
    hosts: new Int32Array(WAITING_ROWS),
    depths: new Int32Array(WAITING_ROWS),
    links: new Int32Array(WAITING_ROWS),
  }
  /** The list of each waiting link that came back, as soon as it is known. */
  private readonly homes = new Map<LinkId, { host: HostId; depth: number }>()
  private segment = 0
  /** How many links of the segment still need their text. */
  private texts = 0
  private waitingFilled = 0
  private nextComeback = 0

  /**
   * `states`: of all links, from the first; `comebacks`: in order; `nextReason`: returns that of the next refused link;
   * `hasText`: whether a segment still has the texts of refused links.
   */
  constructor(
    state: FrontierState,
    states: Uint8Array,
    comebacks: readonly Comeback[],
    nextReason: () => ReasonNumber,
    hasText: (segment: number) => boolean,
  ) {
    this.state = state
    this.states = states
    this.comebacks = comebacks
    this.nextReason = nextReason
    this.hasText = hasText
    for (const { link, knownThen } of comebacks) {
      if ((states[link - 1]! & STATE_BITS_OF_BYTE) === WAITING) this.homes.set(link, { host: 0, depth: 0 })
      state.comebacks.add(link, knownThen, () => false)
    }
    state.links.beginLoading(states.length)
  }

  add({ low, high, host, depth, segment, at }: LinkEntry): void {
    const { links } = this.state
    if (segment !== this.segment) this.endSegment(segment)
    if (this.nextComeback < this.comebacks.length) this.comeBack(links.last)
    const byte = this.states[links.last]!
    const linkState = byte & STATE_BITS_OF_BYTE
    const isGone = isRefused(linkState) && !this.hasText(segment)
    const link = links.add(low, high, isGone ? FORGOTTEN : byte, segment, at)
    if (isRefused(linkState)) this.refuse(link)
    if (needsText(linkState) && !isGone) this.texts++
    if (linkState !== WAITING) return
    if (this.homes.size > 0 && this.homes.has(link)) this.homes.set(link, { host, depth })
    else this.queue(host, depth, link)
  }

  /** Call it when all links were added. */
  finish(): void {
    const { hosts, lists, links } = this.state
    this.comeBack(links.last)
    this.flushWaiting()
    this.endSegment(0)
    links.finishLoading()
    for (let host = 1; host <= hosts.known; host++) this.state.counted(host, lists.count(host))
  }

  private refuse(link: LinkId): void {
    const reason = this.nextReason()
    this.state.links.setReason(link, reason)
    this.state.refusals.change(reason, 1)
  }

  /** All links of a segment were added; those of another follow. */
  private endSegment(next: number): void {
    if (this.texts > 0) this.state.needed.set(this.segment, this.texts)
    this.texts = 0
    this.segment = next
  }

  /** Puts back the links that came back when at most `known` links were known. */
  private comeBack(known: LinkId): void {
    for (; this.nextComeback < this.comebacks.length; this.nextComeback++) {
      const { link, knownThen } = this.comebacks[this.nextComeback]!
      if (knownThen > known) return
      const home = this.homes.get(link)
      if (home !== undefined) this.queue(home.host, home.depth, link)
    }
  }

  private queue(host: HostId, depth: number, link: LinkId): void {
    const { waiting, waitingFilled } = this
    waiting.hosts[waitingFilled] = host
    waiting.depths[waitingFilled] = depth
    waiting.links[waitingFilled] = link
    this.waitingFilled = waitingFilled + 1
    if (this.waitingFilled === WAITING_ROWS) this.flushWaiting()
  }

  /** Adds to the lists, many at once: then the waits for memory overlap. */
  private flushWaiting(): void {
    const { hosts, depths, links } = this.waiting
    for (let i = 0; i < this.waitingFilled; i++) this.state.lists.append(hosts[i]!, depths[i]!, links[i]!)
    this.waitingFilled = 0
  }
}
