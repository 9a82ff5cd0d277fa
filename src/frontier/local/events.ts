import type { ByteReader } from '../../base/byte-reader.ts'
import type { ByteWriter } from '../../base/byte-writer.ts'

/**
 * What happens to a frontier, as it stands in the journal: a kind, then the fields below. Each is applied the same way
 * when it happens and when it is read again. All numbers are varints from 0 up unless a unit says otherwise; times are
 * doubles, milliseconds since 1970.
 *
 * | kind | fields |
 * |---|---|
 * | OFFERED | new links |
 * | LENT | time, due time, how many ran out; each: ticket; then, to the end: ticket, link, host, depth (a byte), attempt |
 * | SETTLED | how many; each: ticket, outcome (a byte), reason (a text, of a refused one), time the host is ready, new links |
 * | GIVEN_BACK | how many; each: ticket, time the host is ready (0: as before) |
 * | RENEWED | due time, how many; each: ticket |
 * | DELAYED | host (a text), delay in milliseconds (a double) |
 * | BLOCKED | host (a text), time |
 * | TIED | how many; each: host (a text) |
 * | HOST_CLEARED | host (a text) |
 * | CLEARED | |
 *
 * New links: how many (32 bits); each: depth (a byte), hops (four bits; 15: a varint follows) and four bits of check above
 * them, URL (a text).
 */
export const OFFERED = 1
export const LENT_OUT = 2
export const SETTLED = 3
export const GIVEN_BACK = 4
export const RENEWED = 5
export const DELAYED = 6
export const BLOCKED = 7
export const TIED = 8
export const HOST_CLEARED = 9
export const CLEARED = 10

/** Why a link is refused whose host was cleared. */
export const CLEARED_REASON = 'cleared'

export const OUTCOMES = ['done', 'refused', 'again'] as const

/** A link as it stands in the log. */
export interface WrittenLink {
  readonly depth: number
  readonly hops: number
  readonly url: Buffer
}

/** Writes a link whose URL stands in `view`. */
export function writeLink(
  to: ByteWriter,
  depth: number,
  hops: number,
  view: DataView,
  start: number,
  length: number,
): void {
  const few = Math.min(hops, MANY_HOPS)
  to.u8(depth)
  to.u8((checkOf(depth, hops) << 4) | few)
  if (few === MANY_HOPS) to.varint(hops)
  to.block(view, start, length)
}

/** Reads a link; `undefined` when its depth and hops are not what was written. Its URL has a fingerprint to be told by. */
export function readLink(from: ByteReader): WrittenLink | undefined {
  const depth = from.u8()
  const packed = from.u8()
  const hops = (packed & 15) === MANY_HOPS ? from.varint() : packed & 15
  return packed >> 4 === checkOf(depth, hops) ? { depth, hops, url: from.block() } : undefined
}

const MANY_HOPS = 15

/** Four bits that change with every bit of both. */
function checkOf(depth: number, hops: number): number {
  let check = depth ^ (depth >> 4) ^ 5
  for (let left = hops; left > 0; left = Math.floor(left / 16)) check ^= left % 16
  return check & 15
}

/** The most bytes that a link's URL may have, and what stands before it. */
export const MOST_URL_BYTES = 65_535
export const MOST_LINK_BYTES = MOST_URL_BYTES + 16
