import { ByteWriter } from '../../../base/structures/byte-writer.ts'
import { printable } from '../../../base/words/printable.ts'
import { hostOf } from '../../../url/host-of.ts'
import { domainHash } from '../../domain-hash.ts'
import type { DumpHead, DumpHost, DumpLink, DumpOver, DumpPlanned, DumpRecord, DumpServer } from '../../dump.ts'
import { damagedDump, dumpWords } from '../../dump-words.ts'
import { NEW_LINKS, OFFERED } from '../journal/events.ts'
import type { Ledger } from '../journal/ledger.ts'
import type { LinkLog } from '../journal/link-log.ts'
import { LinkWriter } from '../journal/written-link.ts'
import type { HostId } from '../memory/hosts.ts'
import { DONE, FORGOTTEN, PAGE } from '../memory/links.ts'
import { Sought } from '../memory/sought.ts'
import { BOUNDS, type FrontierState } from '../state/state.ts'

/** A frame is written when it has grown to this. */
const FRAME_BYTES = 1 << 20
/** Where a frame says how many links it holds. */
const LINKS_AT = 2

/**
 * Fills an empty state with the records of a dump. The texts of links go to the log; everything else is only in memory, and
 * is kept by the snapshot that must follow.
 */
export class Restoring {
  private readonly state: FrontierState
  private readonly log: LinkLog
  private readonly ledger: Ledger
  private readonly nowMs: number
  private readonly from: string
  private readonly out = new ByteWriter()
  private readonly writer = new LinkWriter(this.out)
  private readonly sought = new Sought()
  private host: HostId = 0
  private links = 0
  private frame = { segment: 0, at: 0 }
  /** Where the last text stands; links without one come after all others, and their places only have to grow. */
  private lastAt = 0
  /** One host of each part, once the first link without a text has come. */
  private hostOfPart: Map<number, HostId> | undefined

  /** `from`: the name of the dump in messages. */
  constructor(state: FrontierState, log: LinkLog, ledger: Ledger, nowMs: number, from: string) {
    this.state = state
    this.log = log
    this.ledger = ledger
    this.nowMs = nowMs
    this.from = from
    state.saw(nowMs)
  }

  head({ parts, pages, tickets, turns, turnedAway }: DumpHead): void {
    const { state } = this
    state.parts = parts
    state.pages = pages
    state.lastTicket = tickets
    for (const [bound, name] of BOUNDS.entries()) state.turnAway(bound, turnedAway[name])
    for (const [n, turn] of turns.entries()) state.choice.turns[n] = turn
    this.begin()
  }

  /** Adds a record; returns whether something was written that should be made safe now and then. */
  add(record: DumpRecord): boolean {
    switch (record.kind) {
      case 'server':
        this.addServer(record)
        return false
      case 'host':
        this.addHost(record)
        return false
      case 'link':
        return this.addLink(record)
      case 'planned':
        return this.addPlanned(record)
      case 'over':
        this.addOver(record)
        return false
      case 'note':
        return false
      case 'head':
        throw this.damaged(dumpWords().wrongOrder)
    }
  }

  /** Call it after the last record. */
  finish(): void {
    if (this.links > 0) this.flush()
  }

  private addServer({ server: name, readyInMs, failures = 0, failedAgoMs }: DumpServer): void {
    const { servers } = this.state
    const server = this.state.knowServer(name)
    if (readyInMs !== undefined) servers.setReadyAtMs(server, this.nowMs + readyInMs)
    if (failedAgoMs !== undefined) servers.setLastFailureMs(server, this.nowMs - failedAgoMs)
    servers.setFailures(server, failures)
  }

  private addHost(record: DumpHost): void {
    const { state } = this
    const { hosts } = state
    const host = state.knowHost(record.host)
    this.host = host
    if (record.isVisited) state.visit(host)
    if (record.isProven) hosts.setProven(host, true)
    if (record.readyInMs !== undefined) this.setReady(host, record.readyInMs, record.isResting === true)
    if (record.delayMs !== undefined) hosts.delays.set(host, record.delayMs)
    if (record.server !== undefined) hosts.setServer(host, state.knowServer(record.server))
    hosts.setFailures(host, record.failures ?? 0)
    hosts.setPages(host, record.pages ?? 0)
  }

  private setReady(host: HostId, readyInMs: number, isResting: boolean): void {
    const { hosts } = this.state
    hosts.holdUntil(host, this.nowMs + readyInMs, isResting)
    // Even a time before 1970, which it has if the clock ever went back.
    hosts.setReadyAtMs(host, this.nowMs + readyInMs)
  }

  private addLink(record: DumpLink): boolean {
    const { url, errand, pathDepth, hops, note, attempts = 0, refused } = record
    const { state, sought, host } = this
    if (errand !== undefined) {
      if (state.hostNamed(hostOf(url)) !== host || host === 0) throw this.damaged(dumpWords().wrongOrder)
      state.addErrand({ kind: errand, url, pathDepth, hops, note, host, attempts, next: undefined })
      return false
    }
    if (state.find(url, sought) !== 0) throw this.damaged(dumpWords().linkTwice(printable(url)))
    if (state.hosts.find(sought) !== host || host === 0) throw this.damaged(dumpWords().wrongOrder)
    this.writeText(record)
    const reason = refused === undefined ? undefined : state.refusals.numberOf(refused)
    state.addLink(sought, pathDepth, this.frame.segment, this.lastAt, reason)
    if (attempts > 0) state.links.setAttempts(state.links.last, attempts)
    return this.flushWhenFull()
  }

  private addPlanned(record: DumpPlanned): boolean {
    const { url, done, attempts = 0, againInMs, visitedAtMs, gain, isHinted = false } = record
    const { state, sought } = this
    if (state.find(url, sought) !== 0) throw this.damaged(dumpWords().linkTwice(printable(url)))
    const host = state.hosts.find(sought)
    if (host === 0) throw this.damaged(dumpWords().wrongOrder)
    this.writeText(record)
    const { low, high } = sought
    const place = { segment: this.frame.segment, at: this.lastAt }
    const link = state.links.add(low, high, done === 'page' ? PAGE : DONE, place.segment, place.at)
    this.ledger.add({ low, high, host, depth: record.pathDepth, ...place })
    state.done++
    state.revisits.plan(link, host, { visitedAtMs, dueAtMs: this.nowMs + againInMs, gain, ...place }, isHinted)
    if (attempts > 0) state.links.setAttempts(link, attempts)
    return this.flushWhenFull()
  }

  /** Writes the text of the link in `sought`. */
  private writeText({ pathDepth, hops, note }: DumpLink | DumpPlanned): void {
    this.lastAt = this.frame.at + this.out.length
    this.writer.write(pathDepth, hops, note, this.sought.view, this.sought.length)
    this.links++
  }

  private flushWhenFull(): boolean {
    if (this.out.length < FRAME_BYTES) return false
    this.flush()
    this.begin()
    return true
  }

  private addOver({ part, end, fingerprints }: DumpOver): void {
    const { state } = this
    const host = this.hostIn(part)
    const bytes = Buffer.from(fingerprints.buffer, fingerprints.byteOffset, fingerprints.byteLength)
    const reason = 'refused' in end ? state.refusals.numberOf(end.refused) : 0
    const linkState = 'refused' in end ? FORGOTTEN : end.done === 'page' ? PAGE : DONE
    const { segment } = this.frame
    for (let from = 0; from < bytes.length; from += 8) {
      const [low, high] = [bytes.readInt32LE(from), bytes.readInt32LE(from + 4)]
      if (state.links.find(low, high) !== 0) throw this.damaged(dumpWords().fingerprintTwice)
      const link = state.links.add(low, high, linkState, segment, ++this.lastAt)
      this.ledger.add({ low, high, host, depth: 0, segment, at: this.lastAt })
      if (linkState === FORGOTTEN) {
        state.links.setReason(link, reason)
        state.refusals.change(reason, 1)
      } else state.done++
    }
  }

  /** Any host of a part: which one it was is not known. */
  private hostIn(part: number): HostId {
    const { hosts, parts } = this.state
    if (this.hostOfPart === undefined) {
      this.hostOfPart = new Map()
      for (let host = hosts.known; host > 0; host--) this.hostOfPart.set(domainHash(hosts.text(host)) % parts, host)
    }
    const host = this.hostOfPart.get(part)
    if (host === undefined) throw this.damaged(dumpWords().noHostOf)
    return host
  }

  private begin(): void {
    const { out } = this
    this.frame = this.log.next()
    out.clear()
    out.u8(OFFERED)
    out.u8(NEW_LINKS)
    out.u32(0)
    this.links = 0
    this.writer.begin()
  }

  private flush(): void {
    this.out.patchU32(LINKS_AT, this.links)
    this.log.append(this.out.bytes)
  }

  private damaged(what: string): Error {
    return damagedDump(this.from, what)
  }
}
