import { crc32 } from 'node:zlib'

/**
 * A frame of the journal: the payload's length, its CRC-32, how many bytes of the segment were safe on the disk when the
 * frame was written, the CRC-32 of these twelve bytes (32 bits each), the payload.
 */
export const FRAME_BYTES = 16
const PAYLOAD_CRC = 4
const SAFE_BYTES = 8
const HEAD_CRC = 12

/** A disk writes a sector of this many bytes, at a multiple of them, as a whole or not at all. */
const SECTOR_BYTES = 512

export function writeHead(head: Buffer, payload: Uint8Array, safeBytes: number): void {
  head.writeUInt32LE(payload.length, 0)
  head.writeUInt32LE(crc32(payload), PAYLOAD_CRC)
  head.writeUInt32LE(safeBytes, SAFE_BYTES)
  head.writeUInt32LE(crc32(head.subarray(0, HEAD_CRC)), HEAD_CRC)
}

/** The length of the payload of the frame that begins here, or -1 when there is no whole and sound one. */
export function payloadLength(bytes: Buffer, at: number): number {
  if (at + FRAME_BYTES > bytes.length) return -1
  const length = bytes.readUInt32LE(at)
  const end = at + FRAME_BYTES + length
  // No payload is empty. So zeros, and texts taken for huge lengths, are ruled out without a checksum.
  if (length === 0 || end > bytes.length || !isHead(bytes, at)) return -1
  return crc32(bytes.subarray(at + FRAME_BYTES, end)) === bytes.readUInt32LE(at + PAYLOAD_CRC) ? length : -1
}

/**
 * Passes the payload of each sound frame from `at` on, and its position, to `onPayload`. Returns where the first frame
 * that is not sound begins, or the end.
 */
export function eachFrame(bytes: Buffer, at: number, onPayload: (payload: Buffer, at: number) => void): number {
  let next = at
  for (let length = 0; next < bytes.length; next += FRAME_BYTES + length) {
    length = payloadLength(bytes, next)
    if (length < 0) return next
    onPayload(bytes.subarray(next + FRAME_BYTES, next + FRAME_BYTES + length), next + FRAME_BYTES)
  }
  return next
}

/**
 * Whether a frame of the last segment that is not sound was never acknowledged, nor anything after it: it was being
 * written when the process or the machine died.
 *
 * - A piece of a head, or a sound head whose payload is longer than the file: the process died while it wrote.
 * - A last frame that was begun and continues in zeros: the file was extended before its bytes arrived.
 * - A hole of zeros, and no later frame that says it was safe: of several frames that were not safe yet, the disk had
 *   written some, in no particular order.
 *
 * Everything else is damage.
 */
export function isTorn(bytes: Buffer, at: number): boolean {
  const payload = at + FRAME_BYTES
  if (payload > bytes.length) return true
  if (isHead(bytes, at)) {
    const end = payload + bytes.readUInt32LE(at)
    if (end > bytes.length) return true
    if (end === bytes.length && isZero(bytes, (payload + end) >> 1, end)) return true
  } else if (isZero(bytes, payload, bytes.length)) return true
  return hasHole(bytes, at) && !wasSafe(bytes, at)
}

export function isZero(bytes: Buffer, from: number, to: number): boolean {
  return bytes.subarray(from, to).every(byte => byte === 0)
}

function isHead(bytes: Buffer, at: number): boolean {
  return crc32(bytes.subarray(at, at + HEAD_CRC)) === bytes.readUInt32LE(at + HEAD_CRC)
}

/** Whether the disk did not write a part of what should be between here and the next sound frame. */
function hasHole(bytes: Buffer, at: number): boolean {
  const to = nextSound(bytes, at)
  for (let from = at; from < to; ) {
    const end = Math.min(to, from - (from % SECTOR_BYTES) + SECTOR_BYTES)
    if (isZero(bytes, from, end)) return true
    from = end
  }
  return false
}

/** Whether a later frame says that this one was safe. */
function wasSafe(bytes: Buffer, at: number): boolean {
  for (let frame = nextSound(bytes, at); frame < bytes.length; ) {
    if (bytes.readUInt32LE(frame + SAFE_BYTES) > at) return true
    const next = frame + FRAME_BYTES + bytes.readUInt32LE(frame)
    frame = payloadLength(bytes, next) >= 0 ? next : nextSound(bytes, next)
  }
  return false
}

/** Where the first sound frame after `at` begins; the end when there is none. */
function nextSound(bytes: Buffer, at: number): number {
  let next = at + 1
  while (next < bytes.length && payloadLength(bytes, next) < 0) next++
  return Math.min(next, bytes.length)
}
