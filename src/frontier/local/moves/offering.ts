import type { ByteWriter } from '../../../base/structures/byte-writer.ts'
import { LAST_RANK } from '../../checks.ts'
import type { Link } from '../../frontier.ts'
import { GIVEN, KINDS, NEW_LINKS, OF_ALL_KINDS, TURNED_AWAY } from '../journal/events.ts'
import type { LogPosition } from '../journal/link-log.ts'
import { LinkWriter, type OfferedLink } from '../journal/link-texts.ts'
import type { AuxiliaryKind } from '../memory/auxiliaries.ts'
import { AUXILIARY, type HostId } from '../memory/hosts.ts'
import type { ReasonNumber } from '../memory/links.ts'
import { LookupKey } from '../memory/lookup-key.ts'
import { BOUNDS, type FrontierState } from '../state/state.ts'

const NO_BOUND = -1
/** This many links are looked up together: their waits for memory overlap. */
const AHEAD = 32

/** Adds links to the state, and writes the new ones; see `events.ts`. */
export class LocalOffering {
  /** Something was written since the frame began that must not be lost. */
  hasChanged = false
  private readonly state: FrontierState
  private readonly out: ByteWriter
  private readonly writer: LinkWriter
  private readonly ahead = Array.from({ length: AHEAD }, () => new LookupKey())
  /** The link that is being added, or written. */
  private key = this.ahead[0]!
  private readonly isBounded: boolean
  private readonly turnedAway = BOUNDS.map(() => 0)
  /** What is given to hosts by this call, settlement or visit. */
  private readonly given = new Map<HostId, number>()
  /** Of the links that were added by this call, settlement or visit. */
  private refused = 0
  private position: LogPosition = { segment: 0, at: 0 }
  /** How many hosts were known before this call, settlement or visit. */
  private hostsBefore: HostId = 0

  constructor(state: FrontierState, out: ByteWriter) {
    this.state = state
    this.out = out
    this.writer = new LinkWriter(out)
    const { maxHosts, maxHostsPerDomain, maxNewHosts } = state.settings
    this.isBounded = Math.min(maxHosts, maxHostsPerDomain, maxNewHosts) < Infinity
  }

  /** Begins a frame whose payload will be at this position. */
  begin(position: LogPosition): void {
    this.position = position
    this.hasChanged = false
    this.writer.begin()
  }

  /** Adds the new links of one call, settlement or visit. Returns how many there are, without the refused ones. */
  add(links: readonly Link[]): number {
    const { out } = this
    const at = out.length
    out.u8(0)
    if (links.length === 0) return 0
    out.u32(0)
    const isMixed = links.some(isSpecial)
    this.hostsBefore = this.state.hosts.known
    this.turnedAway.fill(0)
    this.refused = 0
    let added = 0
    for (let from = 0; from < links.length; from += AHEAD) added += this.addSome(links, from, isMixed)
    const isAnyTurnedAway = this.turnedAway.some(count => count > 0)
    if (added > 0) out.patchU32(at + 1, added)
    else out.length = at + 1
    if (isAnyTurnedAway) this.writeTurnedAway()
    const isAnyGiven = this.given.size > 0
    if (isAnyGiven) this.giveAll()
    const kinds = isMixed ? NEW_LINKS | OF_ALL_KINDS : NEW_LINKS
    out.patchU8(at, (added > 0 ? kinds : 0) | (isAnyTurnedAway ? TURNED_AWAY : 0) | (isAnyGiven ? GIVEN : 0))
    if (added > 0 || isAnyTurnedAway || isAnyGiven) this.hasChanged = true
    return added - this.refused
  }

  /** Writes a link's text once more; returns where it is. */
  writeAgain({ url, rank, hops, note }: OfferedLink): LogPosition {
    const { state, key, out, position } = this
    const at = position.at + out.length
    state.find(url, key)
    this.writer.write(Math.min(rank, LAST_RANK), hops, note, key.view, key.length)
    return { segment: position.segment, at }
  }

  /** Adds the links from here on, as many as are looked up together; returns how many were new. */
  private addSome(links: readonly Link[], from: number, isMixed: boolean): number {
    const { state, ahead } = this
    const count = Math.min(AHEAD, links.length - from)
    for (let n = 0; n < count; n++) ahead[n]!.readUrl(links[from + n]!.url, state.fingerprintSeed)
    state.readAhead(ahead, count)
    let added = 0
    for (let n = 0; n < count; n++) {
      this.key = ahead[n]!
      if (this.addOne(links[from + n]!, isMixed)) added++
    }
    return added
  }

  /** Adds a link that was read into `key`. */
  private addOne(link: Link, isMixed: boolean): boolean {
    const { kind = 'page', gives = 0 } = link
    if (kind !== 'page') return this.addAuxiliary(link, kind)
    const { state, key, out, position } = this
    const isKnown = state.links.find(key.low, key.high) !== 0
    if (!isKnown && this.isTurnedAway()) return false
    if (gives > 0 && link.refused === undefined) this.give(gives)
    if (isKnown) return false
    const rank = Math.min(link.rank, LAST_RANK)
    const reason = isMixed ? this.writePageKind(link) : undefined
    const linkAt = position.at + out.length
    this.writer.write(rank, link.hops, link.note, key.view, key.length)
    state.addLink(key, rank, position.segment, linkAt, reason)
    return true
  }

  /** Returns the reason of a refused link. */
  private writePageKind({ refused }: Link): ReasonNumber | undefined {
    const { out } = this
    const { refusals } = this.state
    out.u8(KINDS.indexOf(refused === undefined ? 'page' : 'refused'))
    if (refused === undefined) return undefined
    const isNew = refusals.find(refused) === undefined
    const reason = refusals.numberOf(refused)
    out.varint(reason)
    if (isNew) out.text(refused)
    this.refused++
    return reason
  }

  private addAuxiliary({ url, hops, note, ...link }: Link, kind: AuxiliaryKind): boolean {
    const { state, key, out } = this
    if (state.auxiliaries.has({ kind, url, note }) || this.isTurnedAway()) return false
    const rank = Math.min(link.rank, LAST_RANK)
    out.u8(KINDS.indexOf(kind))
    this.writer.write(rank, hops, note, key.view, key.length)
    const host = state.know(key)
    state.addAuxiliary({ kind, url, rank, hops, note, host, attempts: 0, next: undefined })
    return true
  }

  /** Whether a bound keeps the host in `key` from becoming known; counts the link if so. */
  private isTurnedAway(): boolean {
    const bound = this.isBounded ? this.boundOf() : NO_BOUND
    if (bound === NO_BOUND) return false
    this.turnedAway[bound]! += 1
    this.state.turnAway(bound, 1)
    return true
  }

  private boundOf(): number {
    const { maxHosts, maxHostsPerDomain, maxNewHosts } = this.state.settings
    const { hosts, domains } = this.state
    if (hosts.find(this.key) !== 0) return NO_BOUND
    if (hosts.known >= maxHosts) return BOUNDS.indexOf('max-hosts')
    if (maxHostsPerDomain < Infinity && domains!.hostsLike(this.key.hostName) >= maxHostsPerDomain) {
      return BOUNDS.indexOf('domain-hosts')
    }
    return hosts.known - this.hostsBefore >= maxNewHosts ? BOUNDS.indexOf('page-hosts') : NO_BOUND
  }

  private writeTurnedAway(): void {
    for (const count of this.turnedAway) this.out.varint(count)
  }

  /** Gives to the host in `key`, at the end of the call: a page has several links to the same host. */
  private give(importance: number): void {
    const host = this.state.know(this.key)
    this.given.set(host, (this.given.get(host) ?? 0) + importance)
  }

  private giveAll(): void {
    const { given, out, state } = this
    out.varint(given.size)
    for (const [host, importance] of given) {
      out.varint(host)
      out.f64(importance)
      give(state, host, importance)
    }
    given.clear()
  }
}

/** Links have given importance to a host. */
export function give({ hosts, choice }: FrontierState, host: HostId, importance: number): void {
  const { received } = hosts
  received.set(host, Math.min(received.get(host) + importance, Number.MAX_VALUE))
  if (hosts.isAble(host) && hosts.classOf(host) !== AUXILIARY) choice.received(host)
}

/** It is not a page link that waits. */
function isSpecial({ kind, refused }: Link): boolean {
  return (kind !== undefined && kind !== 'page') || refused !== undefined
}
