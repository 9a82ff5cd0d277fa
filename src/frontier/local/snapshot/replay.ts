import { type Message, message } from '../../../base/messages/message.ts'
import { ByteReader } from '../../../base/structures/byte-reader.ts'
import { hostOf } from '../../../url/host-of.ts'
import type { Outcome } from '../../frontier.ts'
import {
  CLEARED_REASON,
  EVENT,
  FORMER_PAGE,
  FORMER_PLANNED,
  GIVEN,
  KINDS,
  NEW_LINKS,
  OF_ALL_KINDS,
  OUTCOME_BITS,
  OUTCOMES,
  SHOWN,
  SHOWN_SHIFT,
  TURNED_AWAY,
  type WrittenOutcome,
} from '../journal/events.ts'
import type { LedgerFile } from '../journal/ledger.ts'
import type { LinkLog, LogPosition } from '../journal/link-log.ts'
import { readLink, readNote } from '../journal/link-texts.ts'
import type { OnPayload } from '../journal/segment-files.ts'
import type { AuxiliaryKind } from '../memory/auxiliaries.ts'
import { damaged } from '../memory/damaged.ts'
import type { HostId } from '../memory/hosts.ts'
import type { Lease } from '../memory/leases.ts'
import { isOver, type LinkId, REFUSED, type ReasonNumber, WAITING } from '../memory/links.ts'
import type { PlanId, Planned } from '../memory/plans.ts'
import { give } from '../moves/offering.ts'
import { reopen } from '../moves/reopening.ts'
import { finish, finishFormer, forgetAll } from '../moves/settling.ts'
import { BOUNDS, type FrontierState } from '../state/state.ts'
import { readSnapshot } from './read-snapshot.ts'

/** Replays the changes in the journal; see `events.ts`. */
export class Replay {
  private readonly state: FrontierState
  private readonly nameOf: (segment: number) => string
  private payload: Buffer = Buffer.alloc(0)
  private from = new ByteReader(this.payload)
  private position: LogPosition = { segment: 0, at: 0 }

  /** `nameOf`: a segment's name in messages. */
  constructor(state: FrontierState, nameOf: (segment: number) => string) {
    this.state = state
    this.nameOf = nameOf
  }

  play(payload: Buffer, position: LogPosition): void {
    this.payload = payload
    this.from = new ByteReader(payload)
    this.position = position
    try {
      const player = this.players.get(this.from.u8())
      if (player === undefined) throw this.damaged(message('local/newer-version'))
      player()
    } catch (error) {
      if (error instanceof RangeError) throw this.damaged(message('local/too-short'))
      throw error
    }
  }

  private readonly players: ReadonlyMap<number, () => void> = new Map([
    [EVENT.OFFERED, () => this.readNew()],
    [EVENT.LEASED, () => this.readLeased()],
    [EVENT.PLACED, () => this.readPlaced()],
    [EVENT.SETTLED, () => this.readSettled()],
    [EVENT.SETTLED_FORMER, () => this.readSettledFormer()],
    [EVENT.PLANNED, () => this.readPlanned()],
    [EVENT.HINTED, () => this.readHinted()],
    [EVENT.GIVEN_BACK, () => this.each(() => this.state.giveBack(this.readLease()))],
    [EVENT.RENEWED, () => this.readRenewed()],
    [EVENT.DELAYED, () => this.state.setDelay(this.state.knowHost(this.from.text()), this.from.f64())],
    [EVENT.HELD, () => this.readHeld(false)],
    [EVENT.HOST_CLEARED, () => forgetAll(this.state, this.readHostName(), CLEARED_REASON)],
    [EVENT.FIRST_CLEARED, () => forgetAll(this.state, this.readHostName(), CLEARED_REASON, this.from.varint())],
    [EVENT.CLEARED, () => this.state.clear()],
    [EVENT.OPENED, () => this.readOpened()],
    [EVENT.REQUEUED, () => this.each(() => this.readRequeued())],
    [EVENT.HELD_ANEW, () => this.readHeld(true)],
    [EVENT.NEW_TURNS, () => this.state.choice.clear()],
    [EVENT.SEEN, () => this.state.saw(this.from.f64())],
  ])

  private readNew(): void {
    const { from, state } = this
    const parts = from.u8()
    if ((parts & NEW_LINKS) !== 0) {
      for (let left = from.u32(); left > 0; left--) {
        const kind = (parts & OF_ALL_KINDS) === 0 ? 'page' : KINDS[from.u8()]
        if (kind === undefined) throw this.damaged(message('local/newer-version'))
        if (kind === 'page') this.readNewLink()
        else if (kind === 'refused') this.readNewLink(this.readReason())
        else this.readNewAuxiliary(kind)
      }
    }
    if ((parts & TURNED_AWAY) !== 0) for (const bound of BOUNDS.keys()) state.turnAway(bound, from.varint())
    if ((parts & GIVEN) !== 0) this.each(() => give(state, this.readHost(), from.f64()))
  }

  private readReason(): ReasonNumber {
    const { reasons } = this.state.refusals
    const reason = this.from.varint()
    if (reason > reasons.length) throw this.misfit()
    return reason < reasons.length ? reason : this.state.refusals.numberOf(this.from.text())
  }

  private readNewLink(reason?: ReasonNumber): void {
    const { from, state, position } = this
    const at = position.at + from.at
    const link = readLink(from)
    if (link === undefined) throw this.damaged(message('local/link-differs'), at)
    if (state.find(link.url) !== 0) throw this.damaged(message('local/link-twice'), at)
    state.addLink(state.key, link.rank, position.segment, at, reason)
  }

  private readNewAuxiliary(kind: AuxiliaryKind): void {
    const { from, state } = this
    const start = from.at
    const link = readLink(from)
    if (link === undefined) throw this.damaged(message('local/auxiliary-differs'))
    const note = typeof link.note === 'number' ? readNote(new ByteReader(this.payload, start - link.note)) : link.note
    const url = link.url.toString()
    const host = state.knowHost(hostOf(url))
    state.addAuxiliary({ kind, url, rank: link.rank, hops: link.hops, note, host, attempts: 0, next: undefined })
  }

  private readLeased(): void {
    const { from, state } = this
    const nowMs = this.readTime()
    const dueMs = from.f64()
    const gapMs = from.f64()
    this.each(() => state.comeBack(this.readLease()))
    while (!from.isAtEnd) {
      const host = this.readHost()
      const link = from.varint()
      const plan = link === 0 || link > state.links.last ? 0 : state.plans.of(link)
      const isThere = plan === 0 ? state.leasable.hasAny(host) : this.canLease(plan, host)
      if (!isThere || state.lease(host, plan, nowMs, dueMs, gapMs).link !== link) throw this.misfit()
    }
  }

  private readPlaced(): void {
    const { from, state } = this
    const nowMs = this.readTime()
    const gapMs = from.f64()
    const lease = this.readLease()
    const hasRoom = from.u8() === 1
    const number = from.varint()
    const server = number === state.servers.known + 1 ? state.knowServer(from.text()) : number
    if (server === 0 || server > state.servers.known) throw this.misfit()
    state.place(lease, server, nowMs, gapMs, hasRoom)
  }

  private readSettled(): void {
    const { from, state } = this
    const nowMs = this.readTime()
    this.each(() => {
      const ticketId = from.varint()
      if (ticketId !== 0) {
        const lease = state.leases.get(ticketId)
        if (lease === undefined) throw this.misfit()
        const end = from.u8()
        const written = OUTCOMES[end & OUTCOME_BITS]
        if (written === undefined) throw this.damaged(message('local/newer-version'))
        const outcome = this.readOutcome(written)
        const shown = SHOWN[end >> SHOWN_SHIFT]
        const pauseMs = shown === undefined ? 0 : from.f64()
        const planned = isPlanned(written) ? this.readVisit(lease.link) : undefined
        finish(state, lease, outcome, planned, shown, pauseMs, nowMs)
      }
      this.readNew()
    })
  }

  private readOutcome(kind: WrittenOutcome): Outcome {
    if (kind === 'refused') return { kind, reason: this.from.text() }
    return kind === 'again' ? { kind } : { kind: 'done', isPage: kind === 'page' || kind === 'page and planned' }
  }

  private readSettledFormer(): void {
    const { from, state } = this
    this.readTime()
    this.each(() => {
      const link = from.varint()
      if (link === 0) return
      const host = this.readHost()
      if (link > state.links.last) throw this.misfit()
      if (state.links.state(link) !== WAITING && state.plans.of(link) === 0) throw this.misfit()
      const bits = from.u8()
      const planned = (bits & FORMER_PLANNED) === 0 ? undefined : this.readVisit(link)
      finishFormer(state, link, host, (bits & FORMER_PAGE) !== 0, planned)
      this.readNew()
    })
  }

  private readPlanned(): void {
    const { from, state } = this
    this.readTime()
    while (!from.isAtEnd) {
      const link = from.varint()
      const host = this.readHost()
      if (link === 0 || link > state.links.last || !isOver(state.links.state(link))) throw this.misfit()
      const former = state.plans.of(link)
      if (former !== 0 && state.plans.isOut(former)) throw this.misfit()
      if (former !== 0) state.revisits.end(former)
      state.revisits.plan(link, host, this.readVisit(link))
    }
  }

  private readHinted(): void {
    const { from, state } = this
    this.readTime()
    while (!from.isAtEnd) {
      const link = from.varint()
      const plan = link > state.links.last ? 0 : state.plans.of(link)
      if (plan === 0 || state.plans.isOut(plan)) throw this.misfit()
      state.plans.hasten(plan, from.f64())
    }
  }

  /** The next visit of this link, whose text follows. */
  private readVisit(link: LinkId): Planned {
    const { from, position, state } = this
    const times = { visitedAtMs: from.f64(), dueAtMs: from.f64(), gain: from.f64() }
    const at = position.at + from.at
    const written = readLink(from)
    if (written === undefined || state.find(written.url) !== link) {
      throw this.damaged(message('local/link-differs'), at)
    }
    return { ...times, segment: position.segment, at }
  }

  private canLease(plan: PlanId, host: HostId): boolean {
    const { plans, hosts } = this.state
    return plans.host(plan) === host && !plans.isOut(plan) && hosts.auxiliaries(host) === 0
  }

  private readRenewed(): void {
    this.readTime()
    const dueMs = this.from.f64()
    this.each(() => this.state.leases.renew(this.readLease(), dueMs))
  }

  private readHeld(isAnew: boolean): void {
    const host = this.state.knowHost(this.from.text())
    this.state.hold(host, this.readTime(), this.from.f64(), isAnew)
  }

  private readOpened(): void {
    reopen(this.state, { nowMs: this.from.f64(), delayMs: this.from.f64(), retries: this.from.f64() })
  }

  private readRequeued(): void {
    const { from, state } = this
    const [link, host, rank] = [from.varint(), this.readHost(), from.u8()]
    if (link > state.links.last || state.links.state(link) !== REFUSED) throw this.misfit()
    state.requeue(link, host, rank)
  }

  private readTime(): number {
    const nowMs = this.from.f64()
    this.state.saw(nowMs)
    return nowMs
  }

  private readLease(): Lease {
    const lease = this.state.leases.get(this.from.varint())
    if (lease === undefined) throw this.misfit()
    return lease
  }

  private readHost(): HostId {
    const host = this.from.varint()
    if (host === 0 || host > this.state.hosts.known) throw this.misfit()
    return host
  }

  private readHostName(): number {
    const host = this.state.hostNamed(this.from.text())
    if (host === 0) throw this.misfit()
    return host
  }

  private each(read: () => void): void {
    for (let left = this.from.varint(); left > 0; left--) read()
  }

  private misfit(): Error {
    return this.damaged(message('local/misfit'))
  }

  private damaged(what: Message, at = this.position.at): Error {
    return damaged(this.nameOf(this.position.segment), at, what)
  }
}

function isPlanned(outcome: WrittenOutcome): boolean {
  return outcome === 'done and planned' || outcome === 'page and planned'
}

/** Reads the newest snapshot into an empty state, then replays what happened since: `readFrom` reads the journal from a segment on. */
export function readFolder(
  folder: string,
  state: FrontierState,
  ledger: LedgerFile,
  journal: Pick<LinkLog, 'name'> & { has(segment: number): boolean },
  readFrom: (segment: number, onPayload: OnPayload) => void,
): void {
  const from = readSnapshot(folder, state, ledger)
  const replay = new Replay(state, segment => journal.name(segment))
  readFrom(from, (payload, position) => replay.play(payload, position))
  for (const [segment, links] of state.needed.all()) {
    if (links > 0 && !journal.has(segment))
      throw damaged(`${folder}, segment ${segment}`, 0, message('local/file-missing'))
  }
}
