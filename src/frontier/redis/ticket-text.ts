import { type LinkText, readErrand, readPage } from './link-text.ts'
import type { ShardTicket } from './moves.ts'
import type { Packed } from './pack.ts'

/**
 * Reads the tickets of `lua/take.lua`, one after the other: id of the host (4 bytes), its name, its server (texts after their
 * lengths of 16 bits), depth (16 bits; -1: an errand), its pages (24 bits), proven (8 bits), the link's text (after its length
 * of 32 bits). All big-endian. Throws a RangeError when they end early.
 */
export function readTickets(
  bytes: Buffer,
  firstId: number,
  leaseMs: number,
  notes: ReadonlyMap<number, Packed | undefined>,
): ShardTicket[] {
  const tickets: ShardTicket[] = []
  for (let at = 0; at < bytes.length; ) {
    const hostId = Buffer.from(bytes.subarray(at, at + 4))
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
    const place = tickets.length
    const id = firstId + place
    const isErrand = depth < 0
    const link: LinkText = isErrand ? readErrand(text, host) : readPage(text, host)
    const { kind, depth: pathDepth } = isErrand
      ? (link as ReturnType<typeof readErrand>)
      : { kind: 'page' as const, depth }
    const attempt = link.attempts + 1
    const note = isErrand ? link.note : notes.get(place)?.toString()
    const ticket = {
      ...{ id, url: link.url, kind, pathDepth, hops: link.hops },
      ...{ host, attempt, leaseMs, server, hostPages, isProven, hostId, token: id, isErrand },
    }
    tickets.push(typeof note === 'string' ? { ...ticket, note } : ticket)
    at = textEnd
  }
  return tickets
}
