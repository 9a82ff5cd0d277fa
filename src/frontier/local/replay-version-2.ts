import { ByteReader } from '../../base/structures/byte-reader.ts'
import { damaged } from './damaged.ts'
import { finish, forgetAll } from './ending.ts'
import { CLEARED_REASON } from './events.ts'
import type { Lease } from './leases.ts'
import type { Place } from './link-log.ts'
import { Sought } from './sought.ts'
import type { FrontierState } from './state.ts'
import { words } from './words.ts'
import { readLink } from './written-link.ts'

/**
 * The events of version 2 of the journal. Numbers are varints unless a unit says otherwise; times are doubles.
 *
 * | kind | fields |
 * |---|---|
 * | OFFERED | new links |
 * | LENT | time, due time, how many ran out; each: ticket; then, to the end: ticket, link, host, depth (a byte), attempt |
 * | SETTLED | how many; each: ticket, outcome (a byte), reason (a text), time the host is ready, new links |
 * | GIVEN_BACK | how many; each: ticket, time the host is ready (0: as before) |
 * | RENEWED | due time, how many; each: ticket |
 * | DELAYED | host (a text), delay in milliseconds (a double) |
 * | BLOCKED | host (a text), time |
 * | TIED | how many; each: host (a text) |
 * | HOST_CLEARED | host (a text) |
 * | CLEARED | |
 *
 * New links: how many (32 bits); each as in `written-link.ts`. Ties are dropped: servers take their place.
 */
const OFFERED = 1
const LENT = 2
const SETTLED = 3
const GIVEN_BACK = 4
const RENEWED = 5
const DELAYED = 6
const BLOCKED = 7
const TIED = 8
const HOST_CLEARED = 9
const CLEARED = 10
const OUTCOMES = ['done', 'refused', 'again'] as const

export class ReplayVersion2 {
  private readonly state: FrontierState
  private readonly nameOf: (segment: number) => string
  private readonly sought = new Sought()

  constructor(state: FrontierState, nameOf: (segment: number) => string) {
    this.state = state
    this.nameOf = nameOf
  }

  play(payload: Buffer, place: Place): void {
    const { state } = this
    const from = new ByteReader(payload)
    const kind = from.u8()
    if (kind === OFFERED) this.readNew(from, place)
    else if (kind === LENT) this.readLent(from, place)
    else if (kind === SETTLED) each(from, () => this.readSettled(from, place))
    else if (kind === GIVEN_BACK) each(from, () => this.comeBack(this.readLease(from, place), from.f64()))
    else if (kind === RENEWED) {
      const dueMs = from.f64()
      each(from, () => state.leases.renew(this.readLease(from, place), dueMs))
    } else if (kind === DELAYED) state.setDelay(state.knowHost(from.text()), from.f64())
    else if (kind === BLOCKED) state.hosts.holdUntil(state.knowHost(from.text()), from.f64(), false)
    else if (kind === TIED) each(from, () => state.knowHost(from.text()))
    else if (kind === HOST_CLEARED) {
      const host = state.hostNamed(from.text())
      if (host !== 0) forgetAll(state, host, CLEARED_REASON)
    } else if (kind === CLEARED) state.clear()
    else throw damaged(this.nameOf(place.segment), place.at, words().notVersion2)
  }

  private readNew(from: ByteReader, place: Place): void {
    const { state, sought } = this
    for (let left = from.u32(); left > 0; left--) {
      const at = place.at + from.at
      const link = readLink(from, 2)
      if (link === undefined) throw damaged(this.nameOf(place.segment), at, words().linkDiffers)
      if (state.find(link.url, sought) !== 0) throw damaged(this.nameOf(place.segment), at, words().linkTwice)
      state.addLink(sought, link.depth, place.segment, at)
    }
  }

  private readLent(from: ByteReader, place: Place): void {
    const { state } = this
    const takenMs = from.f64()
    const dueMs = from.f64()
    state.saw(takenMs)
    each(from, () => this.comeBack(this.readLease(from, place), 0))
    while (!from.isAtEnd) {
      const [, link, host] = [from.varint(), from.varint(), from.varint()]
      from.u8()
      from.varint()
      const isKnown = host > 0 && host <= state.hosts.known && state.standing.hasWaiting(host)
      if (!isKnown || state.lease(host, 0, takenMs, dueMs, 0).link !== link) throw this.misfit(place)
    }
  }

  private readSettled(from: ByteReader, place: Place): void {
    const { state } = this
    const lease = this.readLease(from, place)
    const kind = OUTCOMES[from.u8()]!
    const reason = from.text()
    const readyAtMs = from.f64()
    const outcome = kind === 'refused' ? { kind, reason } : kind === 'done' ? { kind, isPage: false } : { kind }
    finish(state, lease, outcome, undefined, undefined, 0, 0)
    state.hosts.holdUntil(lease.host, readyAtMs, false)
    this.readNew(from, place)
  }

  /** A lease that was given back or expired goes to the end of its list, as in that version. */
  private comeBack(lease: Lease, readyAtMs: number): void {
    this.state.comeBack(lease)
    this.state.hosts.holdUntil(lease.host, readyAtMs, false)
  }

  private readLease(from: ByteReader, place: Place): Lease {
    const lease = this.state.leases.get(from.varint())
    if (lease === undefined) throw this.misfit(place)
    return lease
  }

  private misfit(place: Place): Error {
    return damaged(this.nameOf(place.segment), place.at, words().misfit)
  }
}

function each(from: ByteReader, read: () => void): void {
  for (let left = from.varint(); left > 0; left--) read()
}
