import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { message } from '../../../base/messages/message.ts'
import { ByteReader } from '../../../base/structures/byte-reader.ts'
import { KINDS } from '../journal/events.ts'
import type { LedgerFile, LedgerMark, LinkEntry } from '../journal/ledger.ts'
import type { AuxiliaryKind, AuxiliaryLink } from '../memory/auxiliaries.ts'
import { damaged, otherFormat } from '../memory/damaged.ts'
import type { HostId } from '../memory/hosts.ts'
import type { Lease } from '../memory/leases.ts'
import {
  type LinkId,
  type LinkTable,
  needsText,
  REFUSED,
  type ReasonNumber,
  STATE_BITS_OF_BYTE,
  WAITING,
} from '../memory/links.ts'
import { HINTED, PAGE } from '../memory/plans.ts'
import type { RequeuedLink, WaitingLists } from '../memory/waiting-lists.ts'
import type { FrontierState } from '../state/state.ts'
import {
  HAS_DELAY,
  HAS_FAILURES,
  HAS_PAGES,
  HAS_READY,
  HAS_RECEIVED,
  HAS_SERVER,
  HAS_TURNS,
  SNAPSHOT_MAGIC,
  SNAPSHOT_VERSION,
  snapshotNumbers,
  snapshotPath,
} from './snapshot.ts'

/** Reads the newest snapshot into an empty state; returns the segment to continue with. Without a snapshot that is the first. */
export function readSnapshot(folder: string, state: FrontierState, ledger: LedgerFile): number {
  const segment = snapshotNumbers(folder).at(-1)
  if (segment === undefined) return 1
  const path = snapshotPath(folder, segment)
  const bytes = readFileSync(path)
  const end = bytes.length - 4
  const version = end < 8 || !bytes.subarray(0, 4).equals(SNAPSHOT_MAGIC) ? undefined : bytes.readUInt32LE(4)
  if (version === undefined) throw damaged(path, 0, message('local/not-a-snapshot'))
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end))
    throw damaged(path, end, message('local/wrong-checksum'))
  if (version !== SNAPSHOT_VERSION) throw otherFormat(path, version, SNAPSHOT_VERSION)
  readState(new ByteReader(bytes, 8, end), state, ledger)
  return segment
}

function readState(from: ByteReader, state: FrontierState, ledger: LedgerFile): void {
  state.latestMs = from.f64()
  state.lastTicket = from.varint()
  state.done = from.varint()
  // How many are refused is not needed: they are counted when the links are read.
  from.varint()
  state.pages = from.varint()
  for (let bound = 0; bound < state.turnedAway.length; bound++) state.turnAway(bound, from.varint())
  for (let left = from.varint(); left > 0; left--) state.refusals.numberOf(from.text())
  const turns = Array.from({ length: from.varint() }, () => from.varint())
  readServers(from, state)
  readHosts(from, state)
  readLinks(from, state, ledger)
  for (let left = from.varint(); left > 0; left--) state.links.setAttempts(from.varint(), from.varint())
  for (let left = from.varint(); left > 0; left--) state.addAuxiliary(readAuxiliary(from, from.varint()))
  readPlans(from, state)
  for (let left = from.varint(); left > 0; left--) state.restoreLease(readLease(from, state))
  state.parts = from.varint()
  for (const [i, turn] of turns.entries()) if (i < state.choice.turns.length) state.choice.turns[i] = turn
}

function readServers(from: ByteReader, state: FrontierState): void {
  const { servers } = state
  for (let left = from.varint(); left > 0; left--) {
    const server = state.knowServer(from.text())
    servers.setReadyAtMs(server, from.f64())
    servers.setLastFailureMs(server, from.f64())
    servers.setFailures(server, from.varint())
  }
}

function readHosts(from: ByteReader, state: FrontierState): void {
  const { hosts } = state
  const count = from.varint()
  hosts.expect(count)
  for (let left = count; left > 0; left--) {
    const host = state.knowHost(from.block())
    const bits = from.varint()
    hosts.setKeptFlags(host, bits)
    if (hosts.isVisited(host)) state.visit(host)
    if ((bits & HAS_READY) !== 0) hosts.setReadyAtMs(host, from.f64())
    if ((bits & HAS_DELAY) !== 0) hosts.delays.set(host, from.f64())
    if ((bits & HAS_SERVER) !== 0) hosts.setServer(host, from.varint())
    if ((bits & HAS_FAILURES) !== 0) hosts.setFailures(host, from.varint())
    if ((bits & HAS_PAGES) !== 0) hosts.setPages(host, from.varint())
    if ((bits & HAS_RECEIVED) !== 0) hosts.received.set(host, from.f64())
    if ((bits & HAS_TURNS) !== 0) hosts.turns.set(host, from.varint())
  }
}

function readLinks(from: ByteReader, state: FrontierState, ledger: LedgerFile): void {
  const mark: LedgerMark = { number: from.varint(), bytes: from.varint(), crc: from.u32() }
  const states = from.block()
  const requeued = Array.from({ length: from.varint() }, () => ({ link: from.varint(), knownThen: from.varint() }))
  const restorer = new LinkRestorer(state, states, requeued, () => from.varint())
  ledger.read(mark, states.length, entry => restorer.add(entry))
  restorer.finish()
}

function readPlans(from: ByteReader, { revisits }: FrontierState): void {
  for (let left = from.varint(); left > 0; left--) {
    const [link, host, bits] = [from.varint(), from.varint(), from.u8()]
    const times = { visitedAtMs: from.f64(), dueAtMs: from.f64(), gain: from.f64() }
    const position = { segment: from.varint(), at: from.varint() }
    revisits.restore(link, host, (bits & PAGE) !== 0, (bits & HINTED) !== 0, { ...times, ...position })
  }
}

function readAuxiliary(from: ByteReader, host: number): AuxiliaryLink {
  const kind = KINDS[from.u8()] as AuxiliaryKind
  const attempts = from.varint()
  const [rank, hops, url] = [from.u8(), from.varint(), from.text()]
  const note = from.u8() === 1 ? from.text() : undefined
  return { kind, attempts, rank, hops, url, note, host, next: undefined }
}

function readLease(from: ByteReader, { plans }: FrontierState): Lease {
  const [ticketId, host, link, attempt] = [from.varint(), from.varint(), from.varint(), from.varint()]
  const times = { takenMs: from.f64(), dueMs: from.f64(), isProven: from.u8() === 1 }
  const server = { server: from.varint(), serverSetMs: from.f64(), serverBeforeMs: from.f64() }
  const auxiliary = link === 0 ? readAuxiliary(from, host) : undefined
  const rank = link === 0 ? 0 : from.u8()
  const plan = link === 0 ? 0 : plans.of(link)
  return { ticketId, host, link, auxiliary, plan, rank, attempt, ...times, ...server }
}

/**
 * Restores all links in the order of their numbers, each with its state. Lists are made at the end, from behind: a link goes
 * before all others of its list, so none of them is touched. A link that came back is after as many links as were known
 * when it did.
 */
class LinkRestorer {
  private readonly state: FrontierState
  private readonly states: Uint8Array
  private readonly requeued: readonly RequeuedLink[]
  private readonly nextReason: () => ReasonNumber
  /** By link. Until the lists are made, the host of a waiting link is kept where its next link will be. */
  private readonly ranks: Uint8Array
  private segment = 0
  /** How many links of the segment still need their text. */
  private texts = 0

  /** `states`: of all links, from the first; `requeued`: in order; `nextReason`: returns that of the next refused link. */
  constructor(
    state: FrontierState,
    states: Uint8Array,
    requeued: readonly RequeuedLink[],
    nextReason: () => ReasonNumber,
  ) {
    this.state = state
    this.states = states
    this.requeued = requeued
    this.nextReason = nextReason
    this.ranks = new Uint8Array(states.length + 1)
    for (const { link, knownThen } of requeued) state.requeued.add(link, knownThen, () => false)
    state.links.beginLoading(states.length)
  }

  add({ low, high, host, rank, segment, at }: LinkEntry): void {
    const { links } = this.state
    if (segment !== this.segment) this.endSegment(segment)
    const byte = this.states[links.last]!
    const linkState = byte & STATE_BITS_OF_BYTE
    if (linkState === WAITING) {
      this.ranks[links.add(low, high, byte, segment, at, host)] = rank
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
    const putFirst = (link: LinkId) => maker.putFirst(links.next(link), this.ranks[link]!, link)
    const placed = new Set<LinkId>()
    let left = this.requeued.length
    for (let link = links.last; link > 0; link--) {
      while (left > 0 && this.requeued[left - 1]!.knownThen >= link) {
        const returned = this.requeued[--left]!.link
        if (links.state(returned) !== WAITING) continue
        putFirst(returned)
        placed.add(returned)
      }
      if (links.state(link) === WAITING && (placed.size === 0 || !placed.has(link))) putFirst(link)
    }
    maker.finish()
  }
}

/** Lists of greater ranks are few, and made at once. */
const RANKS = 7
/** The words of a host: the first link of each of its lists, and how many links they have. */
const COUNT = RANKS
const HOST_BITS = 3

/**
 * Makes the lists of all hosts from behind. Until they are complete, a host has a few words here and no lists to go through:
 * a link takes one step, and steps don't wait for each other.
 */
export class ListMaker {
  private readonly lists: WaitingLists
  private readonly links: LinkTable
  private readonly known: HostId
  private readonly firsts: Int32Array
  /** The last link of each list, in the same order. */
  private readonly lasts: Int32Array

  /** `known`: the last host. None has a list yet. */
  constructor(lists: WaitingLists, links: LinkTable, known: HostId) {
    this.lists = lists
    this.links = links
    this.known = known
    this.firsts = new Int32Array((known + 1) << HOST_BITS)
    this.lasts = new Int32Array((known + 1) << HOST_BITS)
  }

  /** Puts a link before those of its list that are there. */
  putFirst(host: HostId, rank: number, link: LinkId): void {
    if (rank >= RANKS) {
      this.lists.putBack(host, rank, link)
      return
    }
    const { firsts } = this
    const at = host << HOST_BITS
    const second = firsts[at + rank]!
    this.links.setNext(link, second)
    if (second === 0) this.lasts[at + rank] = link
    firsts[at + rank] = link
    firsts[at + COUNT] = firsts[at + COUNT]! + 1
  }

  /** Hands the lists over. */
  finish(): void {
    const { firsts, lasts, lists } = this
    for (let host = 1; host <= this.known; host++) {
      const at = host << HOST_BITS
      if (firsts[at + COUNT] === 0) continue
      for (let rank = RANKS - 1; rank >= 0; rank--) {
        if (firsts[at + rank] !== 0) lists.putList(host, rank, firsts[at + rank]!, lasts[at + rank]!)
      }
      lists.setCount(host, lists.count(host) + firsts[at + COUNT]!)
    }
  }
}
