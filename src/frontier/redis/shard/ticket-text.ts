import { readAuxiliary, readPage } from './link-text.ts'
import type { ShardTicket } from './moves.ts'
import type { MsgpackValue } from './pack.ts'

/**
 * Reads the tickets of `lua/shard/take.lua`, one after the other: id of the host (4 bytes), its name, its server (texts after their
 * lengths of 16 bits), depth (16 bits; -1: an auxiliary link), its pages (24 bits), proven (8 bits), the link's text (after its length
 * of 32 bits). All big-endian. Throws a RangeError when they end early.
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
    const depth = bytes.readInt16BE(serverEnd)
    const hostPages = bytes.readUIntBE(serverEnd + 2, 3)
    const isProven = bytes.readUInt8(serverEnd + 5) === 1
    const textEnd = serverEnd + 10 + bytes.readUInt32BE(serverEnd + 6)
    if (textEnd > bytes.length) throw new RangeError('a text ends early')
    const text = bytes.subarray(serverEnd + 10, textEnd)
    const id = firstId + tickets.length
    const isAuxiliary = depth < 0
    const rest = { host, leaseMs, server, hostPages, isProven, hostId, isAuxiliary }
    tickets.push(
      isAuxiliary ? auxiliaryTicket(id, text, rest) : pageTicket(id, text, depth, notes.get(tickets.length), rest),
    )
    at = textEnd
  }
  return tickets
}

type Rest = Pick<ShardTicket, 'host' | 'leaseMs' | 'server' | 'hostPages' | 'isProven' | 'hostId' | 'isAuxiliary'>

// Written out: hundreds of thousands of these are made.
function pageTicket(
  id: number,
  text: Buffer,
  pathDepth: number,
  note: MsgpackValue | undefined,
  { host, leaseMs, server, hostPages, isProven, hostId, isAuxiliary }: Rest,
): ShardTicket {
  const { url, hops, attempts } = readPage(text, host)
  const attempt = attempts + 1
  const kind = 'page'
  const token = id
  if (!Buffer.isBuffer(note)) {
    return {
      id,
      url,
      kind,
      pathDepth,
      hops,
      host,
      attempt,
      leaseMs,
      server,
      hostPages,
      isProven,
      hostId,
      token,
      isAuxiliary,
    }
  }
  return {
    ...{ id, url, kind, pathDepth, hops, note: note.toString() },
    ...{ host, attempt, leaseMs, server, hostPages, isProven, hostId, token, isAuxiliary },
  }
}

function auxiliaryTicket(id: number, text: Buffer, rest: Rest): ShardTicket {
  const { kind, depth: pathDepth, url, hops, attempts, note } = readAuxiliary(text, rest.host)
  const ticket = { id, url, kind, pathDepth, hops, ...rest, attempt: attempts + 1, token: id }
  return typeof note === 'string' ? { ...ticket, note } : ticket
}
