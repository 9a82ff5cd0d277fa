import type { HostView } from '../../frontier.ts'
import type { ShardRules } from './moves.ts'
import { reading } from './replies.ts'

/** A host as its shard keeps it. */
export type HostRecord = ReturnType<typeof readRecord>

/** Reads what `lua/parts/record.lua` writes. All numbers are big-endian; texts follow their lengths of 16 bits. */
export function readRecord(bytes: Buffer) {
  return reading('a host', () => {
    let at = 0
    const next = (length: number) => (at += length) - length
    const flag = () => bytes.readUInt8(next(1)) === 1
    const text = () => {
      const length = bytes.readUInt16BE(next(2))
      if (at + length > bytes.length) throw new RangeError('a text ends early')
      return bytes.subarray(at, (at += length))
    }
    // In the order in which they are written.
    const record = {
      name: text().toString(),
      knownSinceMs: bytes.readUIntBE(next(6), 6),
      readyAtMs: bytes.readDoubleBE(next(8)),
      isLeased: flag(),
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
    if (!record.isLeased) return { ...record, lease: undefined }
    const [owner, ticketId] = [text().toString(), bytes.readDoubleBE(next(8))]
    // Of an auxiliary link: -1.
    const rank = bytes.readInt16BE(next(2))
    return { ...record, lease: { owner, ticketId, rank, text: bytes.subarray(next(1) + 1) } }
  })
}

/** A host as its shard shows it; `number`: in the shard, from 1. */
export type ShardHostView = HostView & { readonly number: number }

export function viewOf(record: HostRecord, nowMs: number, { retries }: ShardRules): HostView {
  const { name, waiting, auxiliaries, isLeased, readyAtMs, delayMs, server, pages, failures, received, turns } = record
  return {
    ...{ host: name, waiting, due: 0, state: isLeased ? 'leased' : waiting + auxiliaries > 0 ? 'waiting' : 'idle' },
    ...{ readyInMs: Math.max(readyAtMs - nowMs, 0), delayMs, server, pages, received, turns, failures },
    ...{ isDown: failures > retries || record.isServerDown },
  }
}

/** The list of a host's page links that wait at this rank, or of its auxiliary links; `lua/parts/call.lua` describes every key. */
export function queueKey(tag: string, hostId: Buffer, rank?: number): Buffer {
  const end = rank === undefined ? [] : [Buffer.from(':'), Buffer.from([rank])]
  return Buffer.concat([Buffer.from(`${tag}q:`), hostId, ...end])
}
