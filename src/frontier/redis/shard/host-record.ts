import type { HostView } from '../../frontier.ts'
import type { ShardRules } from './moves.ts'
import { reading } from './shard-words.ts'

/** A host as its shard keeps it; see `lua/parts/record.lua`. */
export interface HostRecord {
  readonly name: string
  readonly readyAtMs: number
  readonly isLeased: boolean
  readonly waiting: number
  /** Where something may wait. */
  readonly depths: Uint8Array
  readonly domain: number
  readonly auxiliaries: number
  readonly isProven: boolean
  readonly isResting: boolean
  readonly delayMs: number
  readonly failures: number
  readonly pages: number
  readonly server: string | undefined
  readonly isServerDown: boolean
  /** A ticket of this host was leased. */
  readonly isVisited: boolean
  /** Its open ticket: the depth of the link (-1: an auxiliary link), and its text. */
  readonly lease: { readonly depth: number; readonly text: Buffer } | undefined
}

/** A host as its shard shows it. */
export interface ShardHostView extends HostView {
  /** Its number in the shard, from 1. */
  readonly number: number
}

/** All numbers are big-endian; texts follow their lengths of 16 bits. */
export function readRecord(bytes: Buffer): HostRecord {
  return reading('a host', () => {
    let at = 0
    const next = (length: number) => (at += length) - length
    const text = () => {
      const length = bytes.readUInt16BE(next(2))
      if (at + length > bytes.length) throw new RangeError('a text ends early')
      return bytes.subarray(at, (at += length))
    }
    const name = text().toString()
    // When it became known.
    next(6)
    const readyAtMs = bytes.readDoubleBE(next(8))
    const isLeased = bytes.readUInt8(next(1)) === 1
    const waiting = bytes.readUInt32BE(next(4))
    const depths = text()
    const domain = bytes.readUInt32BE(next(4))
    const auxiliaries = bytes.readUIntBE(next(3), 3)
    const isProven = bytes.readUInt8(next(1)) === 1
    const isResting = bytes.readUInt8(next(1)) === 1
    const delayMs = bytes.readDoubleBE(next(8))
    const failures = bytes.readUInt16BE(next(2))
    const pages = bytes.readUInt32BE(next(4))
    const server = text().toString()
    const isServerDown = bytes.readUInt8(next(1)) === 1
    next(2)
    const isVisited = bytes.readUInt8(next(1)) === 1
    const leaseOf = () => {
      // After its owner and its ticket.
      text()
      next(8)
      return { depth: bytes.readInt16BE(next(2)), text: bytes.subarray(next(1) + 1) }
    }
    const lease = isLeased ? leaseOf() : undefined
    return {
      ...{
        name,
        readyAtMs,
        isLeased,
        waiting,
        depths,
        domain,
        auxiliaries,
        isProven,
        isResting,
        delayMs,
        failures,
      },
      ...{ pages, server: server === '' ? undefined : server, isServerDown, isVisited, lease },
    }
  })
}

export function viewOf(record: HostRecord, nowMs: number, { retries }: ShardRules): Omit<ShardHostView, 'number'> {
  const { name, waiting, auxiliaries, isLeased, readyAtMs, delayMs, server, pages, failures } = record
  return {
    ...{ host: name, waiting, due: 0, state: isLeased ? 'leased' : waiting + auxiliaries > 0 ? 'waiting' : 'idle' },
    ...{ readyInMs: Math.max(readyAtMs - nowMs, 0), delayMs, server, pages, failures },
    ...{ isDown: failures > retries || record.isServerDown },
  }
}
