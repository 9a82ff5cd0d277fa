import type { HostView } from '../../frontier.ts'
import type { ShardRules } from './moves.ts'
import { reading } from './replies.ts'

/** A host as its shard keeps it. */
export type HostRecord = ReturnType<typeof readRecord>

/** Reads what `lua/parts/record.lua` writes. All numbers are big-endian; texts follow their lengths of 16 bits. */
export function readRecord(bytes: Buffer) {
  return reading('a host', () => {
    let end = 0
    let state = 0
    const next = (length: number) => (end += length) - length
    const flag = () => bytes.readUInt8(next(1)) === 1
    const text = () => {
      const length = bytes.readUInt16BE(next(2))
      if (end + length > bytes.length) throw new RangeError('a text ends early')
      return bytes.subarray(end, (end += length))
    }
    // In the order in which they are written.
    const record = {
      name: text().toString(),
      knownSinceMs: bytes.readUIntBE(next(6), 6),
      readyAtMs: bytes.readDoubleBE(next(8)),
      isLeased: ((state = bytes.readUInt8(next(1))) & 1) === 1,
      waiting: bytes.readUInt32BE(next(4)),
      /** Where something may wait. */
      ranks: text(),
      domain: bytes.readUInt32BE(next(4)),
      auxiliaries: bytes.readUIntBE(next(3), 3),
      isProven: flag(),
      isResting: flag(),
      delayMs: bytes.readDoubleBE(next(8)),
      failures: bytes.readUInt16BE(next(2)),
      pages: bytes.readUInt32BE(next(4)),
      server: text().toString() || undefined,
      isServerDown: flag(),
      isDown: flag(),
      isQueued: flag(),
      /** A ticket of this host was leased. */
      isVisited: flag(),
      received: bytes.readDoubleBE(next(8)),
      turns: bytes.readUInt32BE(next(4)),
    }
    const at = state < 2 ? undefined : next(9)
    /** Planned visits, with a leased one, and how many of them are due. */
    const plans = {
      planned: at === undefined ? 0 : bytes.readUInt32BE(at),
      due: at === undefined ? 0 : bytes.readUInt32BE(at + 4),
    }
    if (!record.isLeased) return { ...record, ...plans, lease: undefined }
    const [owner, ticketId] = [text().toString(), bytes.readDoubleBE(next(8))]
    // Of an auxiliary link: -1; of a visit again: -2.
    const rank = bytes.readInt16BE(next(2))
    return { ...record, ...plans, lease: { owner, ticketId, rank, text: bytes.subarray(next(1) + 1) } }
  })
}

/** A host as its shard shows it; `number`: in the shard, from 1. */
export type ShardHostView = HostView & { readonly number: number }

/** `isFull`: what waits does not count as waiting, since enough pages are done. */
export function viewOf(record: HostRecord, nowMs: number, { retries }: ShardRules, isFull = false): HostView {
  const { name, waiting, due, auxiliaries, isLeased, readyAtMs, delayMs, server, pages, failures, received, turns } =
    record
  const hasWaiting = (isFull ? 0 : waiting) + due + auxiliaries > 0
  return {
    ...{ host: name, waiting, due, state: isLeased ? 'leased' : hasWaiting ? 'waiting' : 'idle' },
    ...{ readyInMs: Math.max(readyAtMs - nowMs, 0), delayMs, server, pages, received, turns, failures },
    ...{ isDown: failures > retries || record.isServerDown },
  }
}

/** The list of a host's page links that wait at this rank, or of its auxiliary links; `lua/parts/call.lua` describes every key. */
export function queueKey(tag: string, hostId: Buffer, rank?: number): Buffer {
  const end = rank === undefined ? [] : [Buffer.from(':'), Buffer.from([rank])]
  return Buffer.concat([keyOf(tag, 'q', hostId), ...end])
}

/** A key of a host. */
export function keyOf(tag: string, name: 'l' | 'q', hostId: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${tag}${name}:`), hostId])
}
