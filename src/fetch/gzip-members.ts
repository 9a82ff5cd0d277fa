import { inflateRawSync } from 'node:zlib'

/** Bits of the flags in a gzip header, RFC 1952 2.3.1. */
const HAS_CRC = 2
const HAS_EXTRA = 4
const HAS_NAME = 8
const HAS_COMMENT = 16
const TRAILER_BYTES = 8

/**
 * Where the last whole member of a gzip file ends (RFC 1952 2.2); 0 without one. Some servers send bytes after it, which browsers
 * ignore and zlib takes for the next member. A member that holds more than `maxBytes` counts as none.
 */
export function endOfMembers(wire: Uint8Array, maxBytes: number): number {
  let end = 0
  for (;;) {
    const dataAt = end + headerBytes(wire.subarray(end))
    if (dataAt === end) return end
    try {
      const { engine } = inflateRawSync(wire.subarray(dataAt), {
        info: true,
        maxOutputLength: maxBytes,
      }) as unknown as {
        readonly engine: { readonly bytesWritten: number }
      }
      const memberEnd = dataAt + engine.bytesWritten + TRAILER_BYTES
      if (memberEnd > wire.length) return end
      end = memberEnd
    } catch {
      return end
    }
  }
}

/** The length of a gzip header; 0 where there is none. */
function headerBytes(wire: Uint8Array): number {
  if (wire.length < 10 || wire[0] !== 0x1f || wire[1] !== 0x8b || wire[2] !== 8) return 0
  const flags = wire[3]!
  let at = 10
  if (flags & HAS_EXTRA) at += 2 + ((wire[at] ?? 0) | ((wire[at + 1] ?? 0) << 8))
  for (const text of [HAS_NAME, HAS_COMMENT]) {
    if ((flags & text) === 0) continue
    const zero = wire.indexOf(0, at)
    if (zero < 0) return 0
    at = zero + 1
  }
  return flags & HAS_CRC ? at + 2 : at
}
