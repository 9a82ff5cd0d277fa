import { readdirSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { ByteWriter } from '../../../base/structures/byte-writer.ts'
import { KINDS } from '../journal/events.ts'
import { type LedgerFile, type LedgerMark, syncPath } from '../journal/ledger.ts'
import type { AuxiliaryLink } from '../memory/auxiliaries.ts'
import type { HostTable } from '../memory/hosts.ts'
import type { Lease } from '../memory/leases.ts'
import { isOver, type LinksCopy, REFUSED } from '../memory/links.ts'
import type { Plans } from '../memory/plans.ts'
import type { ServerTable } from '../memory/servers.ts'
import { currentPairs } from '../memory/waiting-lists.ts'
import type { FrontierState } from '../state/state.ts'

/**
 * Together with the ledger, a snapshot is the whole state before a segment of the journal; the file name says which one. It
 * is `ESCS`, version (32 bits), the parts below, and the CRC-32 of all that (32 bits). Numbers are varints and times are
 * doubles, in ms, unless a unit says otherwise.
 *
 * - the latest time seen; last ticket; done; refused; pages; turned away by each of three bounds
 * - how many reasons, each a text; how many turns, each a number
 * - how many servers, each: name (a text), ready time, time of the last failure, failures
 * - how many hosts, each: name (a text), bits: three flags of `hosts.ts`, and which of these follow: ready time,
 *   delay (a double), server, failures, pages, importance received (a double), turns
 * - the ledger, with the part of the links that never changes: its number, how many of its bytes count, their CRC-32 (32 bits)
 * - how many links, each: state and attempts (a byte; see `links.ts`); how many of them came back, each: link, how many links
 *   were known then; for each refused one the number of the reason
 * - how many links with many attempts, each: link, number; how many waiting auxiliary links, each: host, auxiliary link
 * - how many planned visits, each: link, host, bits (a byte: hinted, a page), when it was visited, when it is due, gain (a double),
 *   segment and offset of its text
 * - how many leases, each: ticket, host, link, attempt, taken and due time, whether it is proven (a byte), server, the time it
 *   gave that and the one before; rank (a byte) of a link, or an auxiliary link where the link is 0
 * - among how many parts the hosts of done links are told apart (see `dump.ts`)
 *
 * An auxiliary link: kind (a byte), attempts, rank (a byte), hops, URL (a text), whether it has a note (a byte), the note (a text).
 */
export const SNAPSHOT_MAGIC = Buffer.from('ESCS')
export const SNAPSHOT_VERSION = 7
/** This many bytes are made and written at once: a few milliseconds' work. */
const WRITTEN_AT_ONCE = 1 << 18
const LOOKED_AT_AT_ONCE = 1 << 17

/** The bits of a host that say what follows; below them are its flags. */
export const HAS_READY = 8
export const HAS_DELAY = 16
export const HAS_SERVER = 32
export const HAS_FAILURES = 64
export const HAS_PAGES = 128
export const HAS_RECEIVED = 256
export const HAS_TURNS = 512

/**
 * A state as it was at one moment. Making it is quick: small parts are copied at once, hosts and servers only when they
 * change, and names, which never change, not at all. It is written while the frontier keeps working.
 */
export class Snapshot {
  private readonly hosts: HostTable
  private readonly servers: ServerTable
  private readonly links: LinksCopy
  private readonly plans: Plans
  private readonly head: Buffer
  private readonly requeued: Int32Array
  private readonly auxiliaries: readonly AuxiliaryLink[]
  private readonly leases: readonly Lease[]
  private readonly parts: number

  constructor(state: FrontierState) {
    this.hosts = state.hosts.keep()
    this.servers = state.servers.keep()
    this.links = state.links.copy()
    this.plans = state.plans.keep()
    this.head = headOf(state)
    this.parts = state.parts
    this.requeued = state.requeued.copy()
    this.auxiliaries = state.auxiliaries.all().map(auxiliary => ({ ...auxiliary }))
    this.leases = state.leases.all().map(lease => ({ ...lease, auxiliary: lease.auxiliary && { ...lease.auxiliary } }))
  }

  /** Call it when the snapshot is written, or won't be. */
  letGo(): void {
    for (const { rows } of [this.hosts, this.servers, this.plans]) rows.letGo(Infinity)
    this.links.letGo()
  }

  /** Writes it as the state before `segment`, and removes older snapshots and what only they needed. */
  async write(folder: string, segment: number, ledger: LedgerFile, mark: LedgerMark): Promise<void> {
    const path = snapshotPath(folder, segment)
    await ledger.makeSafe(mark)
    try {
      await this.writeTo(`${path}.tmp`, mark)
      await rename(`${path}.tmp`, path)
      await syncPath(folder, 'r')
    } catch (error) {
      await rm(`${path}.tmp`, { force: true })
      throw error
    }
    for (const number of snapshotNumbers(folder)) if (number < segment) await rm(snapshotPath(folder, number))
    ledger.dropBefore(mark)
  }

  private async writeTo(path: string, mark: LedgerMark): Promise<void> {
    const handle = await open(path, 'w')
    try {
      const file = new SnapshotFile(handle)
      file.out.raw(this.head)
      await this.writeServers(file)
      await this.writeHosts(file)
      await this.writeLinks(file, mark)
      writePairs(file.out, this.links.manyAttempts)
      file.out.varint(this.auxiliaries.length)
      for (const auxiliary of this.auxiliaries) {
        file.out.varint(auxiliary.host)
        writeAuxiliary(file.out, auxiliary)
        if (file.isFull) await file.write()
      }
      await this.writePlans(file)
      file.out.varint(this.leases.length)
      for (const lease of this.leases) writeLease(file.out, lease)
      file.out.varint(this.parts)
      await file.finish()
    } finally {
      await handle.close()
    }
  }

  private async writeServers(file: SnapshotFile): Promise<void> {
    const { servers } = this
    const { out } = file
    out.varint(servers.known)
    for (let server = 1; server <= servers.known; server++) {
      servers.rows.letGo(server)
      out.text(servers.text(server))
      out.f64(servers.readyAtMs(server))
      out.f64(servers.lastFailureMs(server))
      out.varint(servers.failures(server))
      if (file.isFull) await file.write()
    }
  }

  private async writeHosts(file: SnapshotFile): Promise<void> {
    const { hosts } = this
    file.out.varint(hosts.known)
    for (let host = 1; host <= hosts.known; host++) {
      hosts.rows.letGo(host)
      writeHost(file.out, hosts, host)
      if (file.isFull) await file.write()
    }
  }

  private async writePlans(file: SnapshotFile): Promise<void> {
    const { plans } = this
    const { out } = file
    out.varint(plans.count)
    for (let plan = 1; plan <= plans.last; plan++) {
      plans.rows.letGo(plan)
      if (plans.link(plan) === 0) continue
      out.varint(plans.link(plan))
      out.varint(plans.host(plan))
      out.u8(plans.keptFlags(plan))
      out.f64(plans.visitedAtMs(plan))
      out.f64(plans.dueAtMs(plan))
      out.f64(plans.gain(plan))
      out.varint(plans.segment(plan))
      out.varint(plans.textAt(plan))
      if (file.isFull) await file.write()
    }
  }

  private async writeLinks(file: SnapshotFile, mark: LedgerMark): Promise<void> {
    const { out } = file
    const { links } = this
    out.varint(mark.number)
    out.varint(mark.bytes)
    out.u32(mark.crc)
    out.varint(links.last)
    for (const bytes of links.bytes) {
      for (let at = 0; at < bytes.length; at += WRITTEN_AT_ONCE) {
        out.raw(bytes.subarray(at, at + WRITTEN_AT_ONCE))
        if (file.isFull) await file.write()
      }
    }
    const requeued = currentPairs(this.requeued, link => isOver(links.state(link)))
    out.varint(requeued.length / 2)
    for (const number of requeued) {
      out.varint(number)
      if (file.isFull) await file.write()
    }
    for (let link = 1; link <= links.last; link++) {
      if (link % LOOKED_AT_AT_ONCE === 0 || file.isFull) await file.write()
      if (links.state(link) === REFUSED) out.varint(links.reason(link))
    }
  }
}

class SnapshotFile {
  readonly out = new ByteWriter(WRITTEN_AT_ONCE * 2)
  private readonly handle: FileHandle
  private crc = 0

  constructor(handle: FileHandle) {
    this.handle = handle
    this.out.raw(SNAPSHOT_MAGIC)
    this.out.u32(SNAPSHOT_VERSION)
  }

  get isFull(): boolean {
    return this.out.length >= WRITTEN_AT_ONCE
  }

  async finish(): Promise<void> {
    await this.write()
    this.out.u32(this.crc)
    await this.write()
    await this.handle.sync()
  }

  /** Lets other work run meanwhile, even when there is nothing to write. */
  async write(): Promise<void> {
    const { bytes } = this.out
    this.crc = crc32(bytes, this.crc)
    for (let at = 0; at < bytes.length; ) at += (await this.handle.write(bytes, at, bytes.length - at)).bytesWritten
    if (bytes.length === 0) await setImmediate()
    this.out.clear()
  }
}

function headOf(state: FrontierState): Buffer {
  const out = new ByteWriter(1 << 12)
  out.f64(state.latestMs)
  out.varint(state.lastTicket)
  out.varint(state.done)
  out.varint(state.refusals.count)
  out.varint(state.pages)
  for (const links of state.turnedAway) out.varint(links)
  out.varint(state.refusals.reasons.length)
  for (const reason of state.refusals.reasons) out.text(reason)
  out.varint(state.choice.turns.length)
  for (const turn of state.choice.turns) out.varint(turn)
  return out.bytes
}

function writeHost(out: ByteWriter, hosts: HostTable, host: number): void {
  const { names } = hosts
  const name = hosts.nameOf(host)
  const readyAtMs = hosts.readyAtMs(host)
  const delayMs = hosts.delays.get(host)
  const server = hosts.server(host)
  const failures = hosts.failures(host)
  const pages = hosts.pages(host)
  const received = hosts.received.get(host)
  const turns = hosts.turns.get(host)
  out.block(names.viewOf(name), names.startOf(name), names.lengthOf(name))
  out.varint(
    hosts.keptFlags(host) |
      (readyAtMs === 0 ? 0 : HAS_READY) |
      (delayMs === 0 ? 0 : HAS_DELAY) |
      (server === 0 ? 0 : HAS_SERVER) |
      (failures === 0 ? 0 : HAS_FAILURES) |
      (pages === 0 ? 0 : HAS_PAGES) |
      (received === 0 ? 0 : HAS_RECEIVED) |
      (turns === 0 ? 0 : HAS_TURNS),
  )
  if (readyAtMs !== 0) out.f64(readyAtMs)
  if (delayMs !== 0) out.f64(delayMs)
  if (server !== 0) out.varint(server)
  if (failures !== 0) out.varint(failures)
  if (pages !== 0) out.varint(pages)
  if (received !== 0) out.f64(received)
  if (turns !== 0) out.varint(turns)
}

function writePairs(out: ByteWriter, pairs: readonly (readonly [number, number])[]): void {
  out.varint(pairs.length)
  for (const [key, value] of pairs) {
    out.varint(key)
    out.varint(value)
  }
}

function writeAuxiliary(out: ByteWriter, { kind, attempts, rank, hops, url, note }: AuxiliaryLink): void {
  out.u8(KINDS.indexOf(kind))
  out.varint(attempts)
  out.u8(rank)
  out.varint(hops)
  out.text(url)
  out.u8(note === undefined ? 0 : 1)
  if (note !== undefined) out.text(note)
}

function writeLease(out: ByteWriter, lease: Lease): void {
  out.varint(lease.ticketId)
  out.varint(lease.host)
  out.varint(lease.link)
  out.varint(lease.attempt)
  out.f64(lease.takenMs)
  out.f64(lease.dueMs)
  out.u8(lease.isProven ? 1 : 0)
  out.varint(lease.server)
  out.f64(lease.serverSetMs)
  out.f64(lease.serverBeforeMs)
  if (lease.auxiliary === undefined) out.u8(lease.rank)
  else writeAuxiliary(out, lease.auxiliary)
}

export function snapshotPath(folder: string, segment: number): string {
  return join(folder, `snapshot-${String(segment).padStart(8, '0')}.bin`)
}

export function snapshotNumbers(folder: string): number[] {
  return readdirSync(folder)
    .map(name => /^snapshot-(\d{8})\.bin$/.exec(name)?.[1])
    .filter(digits => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b)
}
