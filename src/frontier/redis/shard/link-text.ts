import { ByteWriter } from '../../../base/structures/byte-writer.ts'
import { sharedKernel } from '../../../url/classic.ts'
import { LINK_KINDS, type LinkKind } from '../../frontier.ts'
import type { ShardTicket } from './moves.ts'
import type { MsgpackValue, Packer } from './pack.ts'
import { readVisit } from './visit-record.ts'

/**
 * The text of a page link as a shard keeps it, without its host and rank:
 *
 * - flags (a byte): 0 `http`, 1 `https`, 2 another scheme; 4: it has a note; 8: it was tried; 16 times the hops, at most 15
 * - if it was tried: how many of its tickets were settled, at most 65,535 (two bytes, the higher one first)
 * - if it has a note: the note's number (a varint)
 * - if 15 hops: the hops (a varint)
 * - what follows the host in the URL; for another scheme, what is before the host is put in front
 *
 * The text of an auxiliary link begins with its fingerprint (8 bytes), its kind (a byte) and its rank (a byte). Where a page has the
 * number of its note, an auxiliary link has the note itself, after its length (a varint).
 */
interface StoredLink {
  readonly url: string
  readonly hops: number
  /** How many of its tickets were settled. */
  readonly attempts: number
  /** A number, or the text of an auxiliary link's note. */
  readonly note: number | string | undefined
}

const NOTED = 4
const TRIED = 8
const MANY_HOPS = 15
const MOST_ATTEMPTS = 0xffff
const FINGERPRINT_BYTES = 8
/** Instead of the rank of a leased page. */
const AUXILIARY = -1
export const VISIT_AGAIN = -2
const SCHEMES = ['http://', 'https://']

/** Which of the known schemes a URL has, and what of it follows its host. */
export function endingOf(url: string, host: string): { scheme: number; ending: string } {
  const start = url.indexOf('://') + 3
  const known = SCHEMES.indexOf(url.slice(0, start))
  const ending = url.slice(start + host.length)
  return known >= 0 ? { scheme: known, ending } : { scheme: 2, ending: url.slice(0, start) + ending }
}

/** What a URL's text says besides the URL. */
interface Said {
  readonly hops: number
  /** The number of its note. */
  readonly note: number | undefined
  /** Default 0. */
  readonly attempts?: number | undefined
}

/** The fingerprint of a URL: 64 bits of the kernel, the lower half first, little-endian. */
export function fingerprintBytes(url: string | Uint8Array, seed: readonly [number, number]): Buffer {
  sharedKernel.fingerprint(sharedKernel.start, sharedKernel.putRaw(url), seed)
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeInt32LE(sharedKernel.fingerprintLow, 0)
  bytes.writeInt32LE(sharedKernel.fingerprintHigh, 4)
  return bytes
}

/** Writes fingerprint, rank and text of a page link. The bytes of the URL are taken from where its fingerprint was computed. */
export function packPage(
  out: Packer,
  url: string,
  hostBytes: number,
  rank: number,
  { hops, note, attempts = 0 }: Said,
  seed: readonly [number, number],
): void {
  const { start } = sharedKernel
  const end = sharedKernel.putRaw(url)
  sharedKernel.fingerprint(start, end, seed)
  out.pair(sharedKernel.fingerprintLow, sharedKernel.fingerprintHigh)
  out.number(rank)
  const schemeBytes = url.indexOf('://') + 3
  const scheme = schemeBytes === 8 && url.startsWith('https') ? 1 : schemeBytes === 7 && url.startsWith('http') ? 0 : 2
  const few = Math.min(hops, MANY_HOPS)
  const hopBytes = few === MANY_HOPS ? varintBytes(hops) : 0
  const noteBytes = note === undefined ? 0 : varintBytes(note)
  const front = scheme === 2 ? schemeBytes : 0
  const tail = start + schemeBytes + hostBytes
  const tried = triedBytes(attempts)
  out.beginText(1 + tried.length + noteBytes + hopBytes + front + end - tail)
  out.byte(scheme | (note === undefined ? 0 : NOTED) | (attempts > 0 ? TRIED : 0) | (few << 4))
  for (const byte of tried) out.byte(byte)
  if (note !== undefined) out.varint(note)
  if (hopBytes > 0) out.varint(hops)
  if (front > 0) out.bytesOf(sharedKernel.bytes, start, start + front)
  out.bytesOf(sharedKernel.bytes, tail, end)
}

/** The text of a page link without a note. */
export function pageText(
  { url, hops, attempts = 0 }: Omit<Said, 'note'> & { readonly url: string },
  host: string,
): Uint8Array {
  const { scheme, ending } = endingOf(url, host)
  const text = new ByteWriter(256)
  text.u8(scheme | (attempts > 0 ? TRIED : 0) | (Math.min(hops, MANY_HOPS) << 4))
  for (const byte of triedBytes(attempts)) text.u8(byte)
  if (hops >= MANY_HOPS) text.varint(hops)
  text.raw(Buffer.from(ending))
  return text.bytes
}

/** What auxiliary links of one host are told apart by, and an auxiliary link's rank, hops and attempts. */
interface AuxiliaryLink {
  readonly url: string
  readonly kind: LinkKind
  readonly note: string | undefined
  readonly rank: number
  readonly hops: number
  /** Default 0. */
  readonly attempts?: number
}

/** Writes fingerprint, -1 and text of an auxiliary link. */
export function packAuxiliary(
  out: Packer,
  { url, kind, note, rank, hops, attempts = 0 }: AuxiliaryLink,
  host: string,
  seed: readonly [number, number],
): void {
  const identity = fingerprintBytes(`${kind}\n${note === undefined ? '' : `${note.length} ${note}`}\n${url}`, seed)
  const { scheme, ending } = endingOf(url, host)
  const text = new ByteWriter(256)
  text.raw(identity)
  text.u8(LINK_KINDS.indexOf(kind))
  text.u8(rank)
  const flags = (note === undefined ? 0 : NOTED) | (attempts > 0 ? TRIED : 0)
  text.u8(scheme | flags | (Math.min(hops, MANY_HOPS) << 4))
  for (const byte of triedBytes(attempts)) text.u8(byte)
  if (note !== undefined) text.text(note)
  if (hops >= MANY_HOPS) text.varint(hops)
  text.raw(Buffer.from(ending))
  out.raw(identity)
  out.number(-1)
  out.raw(text.bytes)
}

/** Reads the text of a page link at this host. Throws a RangeError when it ends early. */
export function readPage(bytes: Buffer, host: string): StoredLink {
  return readText(bytes, 0, host, readVarint)
}

/** Reads the text of an auxiliary link. */
export function readAuxiliary(bytes: Buffer, host: string): StoredLink & { kind: LinkKind; rank: number } {
  const kind = LINK_KINDS[bytes.readUInt8(FINGERPRINT_BYTES)]
  if (kind === undefined) throw new RangeError('an unknown kind')
  const rank = bytes.readUInt8(FINGERPRINT_BYTES + 1)
  return { kind, rank, ...readText(bytes, FINGERPRINT_BYTES + 2, host, readNote) }
}

/** Where the last number or note that was read ends. */
let end = 0

function readText(bytes: Buffer, at: number, host: string, read: typeof readVarint | typeof readNote): StoredLink {
  const flags = bytes.readUInt8(at)
  end = at + 1
  const attempts = flags & TRIED ? bytes.readUInt16BE(end) : 0
  if (flags & TRIED) end += 2
  const note = flags & NOTED ? read(bytes, end) : undefined
  const hops = flags >> 4 === MANY_HOPS ? readVarint(bytes, end) : flags >> 4
  const rest = bytes.toString('utf8', end)
  const scheme = SCHEMES[flags & 3]
  if (scheme !== undefined) return { url: scheme + host + rest, hops, attempts, note }
  const start = rest.indexOf('://') + 3
  return { url: rest.slice(0, start) + host + rest.slice(start), hops, attempts, note }
}

function readVarint(bytes: Buffer, at: number): number {
  let value = 0
  end = at
  for (let unit = 1; ; unit *= 0x80) {
    const byte = bytes.readUInt8(end++)
    value += (byte & 0x7f) * unit
    if (byte < 0x80) return value
  }
}

function readNote(bytes: Buffer, at: number): string {
  const length = readVarint(bytes, at)
  if (end + length > bytes.length) throw new RangeError('a note ends early')
  const start = end
  end += length
  return bytes.toString('utf8', start, end)
}

const NEVER_TRIED: readonly number[] = []

/** What follows the flags. */
function triedBytes(attempts: number): readonly number[] {
  const most = Math.min(attempts, MOST_ATTEMPTS)
  return attempts === 0 ? NEVER_TRIED : [most >> 8, most & 0xff]
}

function varintBytes(value: number): number {
  let bytes = 1
  for (let left = value; left >= 0x80; left = Math.floor(left / 0x80)) bytes++
  return bytes
}

/**
 * Reads the tickets of `lua/shard/take.lua`, one after the other: id of the host (4 bytes), its name, its server (texts after their
 * lengths of 16 bits), rank (16 bits; -1: an auxiliary link, -2: a visit again), its pages (24 bits), proven (8 bits), the link's text, or the
 * planned visit (after its length of 32 bits). All big-endian. Throws a RangeError when they end early.
 */
export function readTickets(
  bytes: Buffer,
  firstId: number,
  leaseMs: number,
  notes: ReadonlyMap<number, MsgpackValue | undefined>,
): ShardTicket[] {
  const tickets: ShardTicket[] = []
  for (let at = 0; at < bytes.length; ) {
    const hostId = bytes.subarray(at, at + 4)
    const hostEnd = at + 6 + bytes.readUInt16BE(at + 4)
    const host = bytes.toString('utf8', at + 6, hostEnd)
    const serverEnd = hostEnd + 2 + bytes.readUInt16BE(hostEnd)
    const server = serverEnd === hostEnd + 2 ? undefined : bytes.toString('utf8', hostEnd + 2, serverEnd)
    const rank = bytes.readInt16BE(serverEnd)
    const hostPages = bytes.readUIntBE(serverEnd + 2, 3)
    const isProven = bytes.readUInt8(serverEnd + 5) === 1
    const textEnd = serverEnd + 10 + bytes.readUInt32BE(serverEnd + 6)
    if (textEnd > bytes.length) throw new RangeError('a text ends early')
    const text = bytes.subarray(serverEnd + 10, textEnd)
    const id = firstId + tickets.length
    const isAuxiliary = rank === AUXILIARY
    const rest = { host, leaseMs, server, hostPages, isProven, hostId, isAuxiliary }
    if (isAuxiliary) tickets.push(auxiliaryTicket(id, text, rest))
    else if (rank === VISIT_AGAIN) tickets.push(visitTicket(id, text, rest))
    else tickets.push(pageTicket(id, text, rank, notes.get(tickets.length), rest))
    at = textEnd
  }
  return tickets
}

type Rest = Pick<ShardTicket, 'host' | 'leaseMs' | 'server' | 'hostPages' | 'isProven' | 'hostId' | 'isAuxiliary'>

// Written out: hundreds of thousands of these are made.
function pageTicket(
  id: number,
  text: Buffer,
  rank: number,
  note: MsgpackValue | undefined,
  { host, leaseMs, server, hostPages, isProven, hostId, isAuxiliary }: Rest,
): ShardTicket {
  const { url, hops, attempts } = readPage(text, host)
  const attempt = attempts + 1
  const kind = 'page'
  const ticket = {
    id,
    url,
    kind,
    rank,
    hops,
    host,
    attempt,
    leaseMs,
    server,
    hostPages,
    isProven,
    hostId,
    isAuxiliary,
  } as const
  return Buffer.isBuffer(note) ? { ...ticket, note: note.toString() } : ticket
}

function visitTicket(id: number, bytes: Buffer, rest: Rest): ShardTicket {
  const { visitedAtMs, dueAtMs: _, gain: __, attempts, isHinted, ...link } = readVisit(bytes, rest.host)
  return { id, ...link, kind: 'page', attempt: attempts + 1, ...rest, again: { visitedAtMs, isHinted } }
}

function auxiliaryTicket(id: number, text: Buffer, rest: Rest): ShardTicket {
  const { kind, rank, url, hops, attempts, note } = readAuxiliary(text, rest.host)
  const ticket = { id, url, kind, rank, hops, ...rest, attempt: attempts + 1 }
  return typeof note === 'string' ? { ...ticket, note } : ticket
}
