import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { ByteReader } from '../../../base/structures/byte-reader.ts'
import { damaged, otherFormat } from '../journal/damaged.ts'
import { KINDS } from '../journal/events.ts'
import type { LedgerFile, LedgerMark } from '../journal/ledger.ts'
import type { AuxiliaryKind, AuxiliaryLink } from '../memory/auxiliaries.ts'
import type { Lease } from '../memory/leases.ts'
import { IS_HINTED, IS_PAGE } from '../memory/plans.ts'
import { words } from '../memory/words.ts'
import type { FrontierState } from '../state/state.ts'
import { LinkRestorer } from './restore-links.ts'
import {
  HAS_DELAY,
  HAS_FAILURES,
  HAS_PAGES,
  HAS_READY,
  HAS_SERVER,
  SNAPSHOT_MAGIC,
  SNAPSHOT_VERSION,
  snapshotNumbers,
  snapshotPath,
} from './snapshot.ts'

/**
 * Reads the newest snapshot into an empty state; returns the segment to continue with. Without a snapshot that is the
 * first.
 */
export function readSnapshot(folder: string, state: FrontierState, ledger: LedgerFile): number {
  const segment = snapshotNumbers(folder).at(-1)
  if (segment === undefined) return 1
  const path = snapshotPath(folder, segment)
  const bytes = readFileSync(path)
  const end = bytes.length - 4
  const version = end < 8 || !bytes.subarray(0, 4).equals(SNAPSHOT_MAGIC) ? undefined : bytes.readUInt32LE(4)
  if (version === undefined) throw damaged(path, 0, words().notASnapshot)
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) throw damaged(path, end, words().wrongChecksum)
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
    const bits = from.u8()
    hosts.setKeptFlags(host, bits)
    if (hosts.isVisited(host)) state.visit(host)
    if ((bits & HAS_READY) !== 0) hosts.setReadyAtMs(host, from.f64())
    if ((bits & HAS_DELAY) !== 0) hosts.delays.set(host, from.f64())
    if ((bits & HAS_SERVER) !== 0) hosts.setServer(host, from.varint())
    if ((bits & HAS_FAILURES) !== 0) hosts.setFailures(host, from.varint())
    if ((bits & HAS_PAGES) !== 0) hosts.setPages(host, from.varint())
  }
}

function readLinks(from: ByteReader, state: FrontierState, ledger: LedgerFile): void {
  const mark: LedgerMark = { number: from.varint(), bytes: from.varint(), crc: from.u32() }
  const states = from.block()
  const comebacks = Array.from({ length: from.varint() }, () => ({ link: from.varint(), knownThen: from.varint() }))
  const restorer = new LinkRestorer(state, states, comebacks, () => from.varint())
  ledger.read(mark, states.length, entry => restorer.add(entry))
  restorer.finish()
}

function readPlans(from: ByteReader, { revisits }: FrontierState): void {
  for (let left = from.varint(); left > 0; left--) {
    const [link, host, bits] = [from.varint(), from.varint(), from.u8()]
    const times = { visitedAtMs: from.f64(), dueAtMs: from.f64(), gain: from.f64() }
    const place = { segment: from.varint(), at: from.varint() }
    revisits.restore(link, host, (bits & IS_PAGE) !== 0, (bits & IS_HINTED) !== 0, { ...times, ...place })
  }
}

function readAuxiliary(from: ByteReader, host: number): AuxiliaryLink {
  const kind = KINDS[from.u8()] as AuxiliaryKind
  const attempts = from.varint()
  const [pathDepth, hops, url] = [from.u8(), from.varint(), from.text()]
  const note = from.u8() === 1 ? from.text() : undefined
  return { kind, attempts, pathDepth, hops, url, note, host, next: undefined }
}

function readLease(from: ByteReader, { plans }: FrontierState): Lease {
  const [ticketId, host, link, attempt] = [from.varint(), from.varint(), from.varint(), from.varint()]
  const times = { takenMs: from.f64(), dueMs: from.f64(), isProven: from.u8() === 1 }
  const server = { server: from.varint(), serverSetMs: from.f64(), serverBeforeMs: from.f64() }
  const auxiliary = link === 0 ? readAuxiliary(from, host) : undefined
  const depth = link === 0 ? 0 : from.u8()
  const plan = link === 0 ? 0 : plans.of(link)
  return { ticketId, host, link, auxiliary, plan, depth, attempt, ...times, ...server }
}
