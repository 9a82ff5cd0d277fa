import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { ByteReader } from '../../base/byte-reader.ts'
import { ByteWriter } from '../../base/byte-writer.ts'
import { syncFolder } from '../../base/sync-folder.ts'
import { writeAll } from '../../base/write-all.ts'
import { damaged } from './damaged.ts'
import { LENT, REFUSED, WAITING } from './links.ts'
import type { FrontierState, Lease } from './state.ts'

/**
 * A snapshot is the whole state before a segment of the journal, which its name tells: `ESCS`, version (32 bits), the
 * parts below, and the CRC-32 of all that (32 bits). Numbers are varints unless a unit says otherwise.
 *
 * - last ticket; done; refused; how many reasons, each a text; how many turns, each a number
 * - how many hosts, each: name (a text), ready time and delay (doubles, ms), leader's number
 * - how many visited domains, each a text
 * - how many links, each: fingerprint (two 32-bit halves), state (a byte), then for waiting and lent ones: how many segments
 *   further than the one before, and the offset (counted from the one before, in the same segment); for refused ones: the
 *   number of the reason
 * - for each host: how many queues, each: depth (a byte), how many links, each as the difference to the one before (zigzag)
 * - how many attempts, each: link, number; how many leases, each: ticket, link, host, depth (a byte), attempt, taken and due
 *   time (doubles)
 */
const MAGIC = Buffer.from('ESCS')
const VERSION = 1
const WRITTEN_AT_ONCE = 1 << 22

/** Writes the state before `segment`, and removes older snapshots. */
export function writeSnapshot(folder: string, segment: number, state: FrontierState): void {
  const path = snapshotPath(folder, segment)
  const file = new SnapshotFile(`${path}.tmp`)
  try {
    writeState(file, state)
    file.finish()
    renameSync(`${path}.tmp`, path)
    syncFolder(folder)
  } catch (error) {
    rmSync(`${path}.tmp`, { force: true })
    throw error
  }
  for (const number of snapshotNumbers(folder)) if (number < segment) rmSync(snapshotPath(folder, number))
}

/** Reads the newest snapshot into an empty state; tells the segment to go on with. Without a snapshot it is the first. */
export function readSnapshot(folder: string, state: FrontierState): number {
  const segment = snapshotNumbers(folder).at(-1)
  if (segment === undefined) return 1
  const path = snapshotPath(folder, segment)
  const bytes = readFileSync(path)
  const end = bytes.length - 4
  if (end < 8 || !bytes.subarray(0, 4).equals(MAGIC) || bytes.readUInt32LE(4) !== VERSION) {
    throw damaged(path, 0, 'it is not a snapshot of this version')
  }
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) throw damaged(path, end, 'the checksum is wrong')
  readState(new ByteReader(bytes, 8, end), state)
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
    closeSync(this.fd)
  }

  private write(): void {
    const { bytes } = this.out
    this.crc = crc32(bytes, this.crc)
    writeAll(this.fd, bytes)
    this.out.clear()
  }
}

function writeState(file: SnapshotFile, state: FrontierState): void {
  const { out } = file
  const { hosts, links, groups, lists, strategy } = state
  out.varint(state.lastTicket)
  out.varint(state.done)
  out.varint(state.refused)
  out.varint(state.reasons.length)
  for (const reason of state.reasons) out.text(reason)
  out.varint(strategy.turns.length)
  for (const turn of strategy.turns) out.varint(turn)

  out.varint(hosts.known)
  for (let host = 1; host <= hosts.known; host++) {
    out.text(hosts.name(host))
    const leader = groups.leader(host)
    out.f64(groups.readyAtMs(leader))
    out.f64(groups.delayMs(leader))
    out.varint(leader)
    file.spill()
  }
  out.varint(state.visitedDomains.size)
  for (const domain of state.visitedDomains) out.text(domain)

  out.varint(links.last)
  const highs = links.highs()
  let segment = 0
  let at = 0
  for (let link = 1; link <= links.last; link++) {
    const linkState = links.state(link)
    out.u32(links.low(link))
    out.u32(highs[link]!)
    out.u8(linkState)
    if (linkState === REFUSED) out.varint(links.reason(link))
    if (linkState === WAITING || linkState === LENT) {
      const further = links.segment(link) - segment
      out.varint(further)
      if (further > 0) at = 0
      out.varint(links.at(link) - at)
      segment = links.segment(link)
      at = links.at(link)
    }
    file.spill()
  }

  for (let host = 1; host <= hosts.known; host++) {
    for (const { depth, slots } of lists.depthsOf(host)) {
      const inQueue = [...slots]
      if (inQueue.length === 0) continue
      out.varint(inQueue.length)
      out.u8(depth)
      let before = 0
      for (const link of inQueue) {
        out.varint(link >= before ? 2 * (link - before) : 2 * (before - link) - 1)
        before = link
      }
    }
    out.varint(0)
    file.spill()
  }

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

function readState(from: ByteReader, state: FrontierState): void {
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

  const count = from.varint()
  state.links.reserve(count)
  let segment = 0
  let at = 0
  for (let link = 1; link <= count; link++) {
    const low = from.u32() | 0
    const high = from.u32() | 0
    const linkState = from.u8()
    const reason = linkState === REFUSED ? from.varint() : 0
    if (linkState === WAITING || linkState === LENT) {
      const further = from.varint()
      segment += further
      at = (further > 0 ? 0 : at) + from.varint()
    }
    state.restoreLink(low, high, linkState, segment, at, reason)
  }

  for (let host = 1; host <= hosts; host++) {
    for (let length = from.varint(); length > 0; length = from.varint()) {
      const depth = from.u8()
      for (let link = 0; length > 0; length--) {
        const difference = from.varint()
        link += difference % 2 === 0 ? difference / 2 : -(difference + 1) / 2
        state.restoreWaiting(host, depth, link)
      }
    }
  }

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
