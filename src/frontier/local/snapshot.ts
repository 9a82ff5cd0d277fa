import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { ByteReader } from '../../base/byte-reader.ts'
import { ByteWriter } from '../../base/byte-writer.ts'
import { syncFolder } from '../../base/sync-folder.ts'
import { writeAll } from '../../base/write-all.ts'
import { damaged } from './damaged.ts'
import type { LedgerFile, LedgerMark } from './ledger.ts'
import { REFUSED } from './links.ts'
import { LinkRestorer } from './restore-links.ts'
import type { FrontierState, Lease } from './state.ts'

/**
 * A snapshot is, with the ledger, the whole state before a segment of the journal, which its name tells: `ESCS`, version
 * (32 bits), the parts below, and the CRC-32 of all that (32 bits). Numbers are varints unless a unit says otherwise.
 *
 * - last ticket; done; refused; how many reasons, each a text; how many turns, each a number
 * - how many hosts, each: name (a text), ready time and delay (doubles, ms), leader's number
 * - how many visited domains, each a text
 * - the ledger, which has what never changes of the links: its number, how many of its bytes count, their CRC-32 (32 bits)
 * - how many links, the state of each (a byte); how many of the waiting ones came back, each: link, how many links were known
 *   then; for each refused one the number of the reason
 * - how many attempts, each: link, number; how many leases, each: ticket, link, host, depth (a byte), attempt, taken and due
 *   time (doubles)
 */
const MAGIC = Buffer.from('ESCS')
const VERSION = 2
const WRITTEN_AT_ONCE = 1 << 22

/** Writes the state before `segment`, and removes older snapshots and what only they needed. */
export function writeSnapshot(folder: string, segment: number, state: FrontierState, ledger: LedgerFile): void {
  const path = snapshotPath(folder, segment)
  const mark = ledger.sync()
  const file = new SnapshotFile(`${path}.tmp`)
  try {
    try {
      writeState(file, state, mark)
      file.finish()
    } finally {
      file.close()
    }
    renameSync(`${path}.tmp`, path)
    syncFolder(folder)
  } catch (error) {
    rmSync(`${path}.tmp`, { force: true })
    throw error
  }
  for (const number of snapshotNumbers(folder)) if (number < segment) rmSync(snapshotPath(folder, number))
  ledger.dropOthers()
}

/** Reads the newest snapshot into an empty state; tells the segment to go on with. Without a snapshot it is the first. */
export function readSnapshot(folder: string, state: FrontierState, ledger: LedgerFile): number {
  const segment = snapshotNumbers(folder).at(-1)
  if (segment === undefined) return 1
  const path = snapshotPath(folder, segment)
  const bytes = readFileSync(path)
  const end = bytes.length - 4
  if (end < 8 || !bytes.subarray(0, 4).equals(MAGIC) || bytes.readUInt32LE(4) !== VERSION) {
    throw damaged(path, 0, 'it is not a snapshot of this version')
  }
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) throw damaged(path, end, 'the checksum is wrong')
  readState(new ByteReader(bytes, 8, end), state, ledger)
  return segment
}

class SnapshotFile {
  readonly out = new ByteWriter(WRITTEN_AT_ONCE * 2)
  private readonly fd: number
  private crc = 0

  constructor(path: string) {
    this.fd = openSync(path, 'w')
    this.out.raw(MAGIC)
    this.out.u32(VERSION)
  }

  /** Lets go of what has been written, when it is much. */
  spill(): void {
    if (this.out.length >= WRITTEN_AT_ONCE) this.write()
  }

  finish(): void {
    this.write()
    this.out.u32(this.crc)
    this.write()
    fsyncSync(this.fd)
  }

  close(): void {
    closeSync(this.fd)
  }

  private write(): void {
    const { bytes } = this.out
    this.crc = crc32(bytes, this.crc)
    writeAll(this.fd, bytes)
    this.out.clear()
  }
}

function writeState(file: SnapshotFile, state: FrontierState, mark: LedgerMark): void {
  const { out } = file
  const { hosts, groups, strategy } = state
  out.varint(state.lastTicket)
  out.varint(state.done)
  out.varint(state.refused)
  out.varint(state.reasons.length)
  for (const reason of state.reasons) out.text(reason)
  out.varint(strategy.turns.length)
  for (const turn of strategy.turns) out.varint(turn)

  out.varint(hosts.known)
  for (let host = 1; host <= hosts.known; host++) {
    out.block(hosts.nameView(host), hosts.nameAt(host), hosts.nameLength(host))
    const leader = groups.leader(host)
    out.f64(groups.readyAtMs(leader))
    out.f64(groups.delayMs(leader))
    out.varint(leader)
    file.spill()
  }
  out.varint(state.visitedDomains.size)
  for (const domain of state.visitedDomains) out.text(domain)

  writeLinks(file, state, mark)

  out.varint(state.attempts.size)
  for (const [link, attempts] of state.attempts) {
    out.varint(link)
    out.varint(attempts)
  }
  out.varint(state.leases.size)
  for (const lease of state.leases.values()) {
    out.varint(lease.ticketId)
    out.varint(lease.link)
    out.varint(lease.host)
    out.u8(lease.depth)
    out.varint(lease.attempt)
    out.f64(lease.takenMs)
    out.f64(lease.dueMs)
  }
}

function writeLinks(file: SnapshotFile, { links, comebacks }: FrontierState, { number, bytes, crc }: LedgerMark): void {
  const { out } = file
  out.varint(number)
  out.varint(bytes)
  out.u32(crc)
  const states = links.allStates()
  out.varint(states.length)
  for (let at = 0; at < states.length; at += WRITTEN_AT_ONCE) {
    out.raw(states.subarray(at, at + WRITTEN_AT_ONCE))
    file.spill()
  }
  out.varint(comebacks.size)
  for (const [link, behind] of comebacks) {
    out.varint(link)
    out.varint(behind)
    file.spill()
  }
  for (let link = 1; link <= states.length; link++) {
    if (states[link - 1] !== REFUSED) continue
    out.varint(links.reason(link))
    file.spill()
  }
}

function readState(from: ByteReader, state: FrontierState, ledger: LedgerFile): void {
  state.lastTicket = from.varint()
  state.done = from.varint()
  state.refused = from.varint()
  for (let left = from.varint(); left > 0; left--) state.reasons.push(from.text())
  const turns = Array.from({ length: from.varint() }, () => from.varint())

  const hosts = from.varint()
  for (let host = 1; host <= hosts; host++) {
    state.knowHost(from.block())
    state.restoreTimes(host, from.f64(), from.f64(), from.varint())
  }
  for (let left = from.varint(); left > 0; left--) state.visitDomain(from.text())

  readLinks(from, state, ledger)

  for (let left = from.varint(); left > 0; left--) state.attempts.set(from.varint(), from.varint())
  for (let left = from.varint(); left > 0; left--) {
    const lease: Lease = {
      ticketId: from.varint(),
      link: from.varint(),
      host: from.varint(),
      depth: from.u8(),
      attempt: from.varint(),
      takenMs: from.f64(),
      dueMs: from.f64(),
    }
    state.restoreLease(lease)
  }
  for (const [i, turn] of turns.entries()) if (i < state.strategy.turns.length) state.strategy.turns[i] = turn
}

function readLinks(from: ByteReader, state: FrontierState, ledger: LedgerFile): void {
  const mark: LedgerMark = { number: from.varint(), bytes: from.varint(), crc: from.u32() }
  const states = from.block()
  const comebacks = Array.from({ length: from.varint() }, () => ({ link: from.varint(), behind: from.varint() }))
  const restorer = new LinkRestorer(state, states, comebacks, () => from.varint())
  ledger.read(mark, states.length, entry => restorer.add(entry))
  restorer.finish()
}

function snapshotPath(folder: string, segment: number): string {
  return join(folder, `snapshot-${String(segment).padStart(8, '0')}.bin`)
}

function snapshotNumbers(folder: string): number[] {
  return readdirSync(folder)
    .map(name => /^snapshot-(\d{8})\.bin$/.exec(name)?.[1])
    .filter(digits => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b)
}
