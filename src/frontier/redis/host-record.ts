import type { HostView } from '../frontier.ts'
import type { ShardRules } from './moves.ts'
import { unpack } from './pack.ts'
import { bytesOf, listOf, numberOf, textOf } from './shard-calls.ts'
import { reading } from './shard-words.ts'

/** A host as its shard keeps it; see `lua/hosts.lua`. */
export interface HostRecord {
  readonly name: string
  readonly sinceMs: number
  readonly readyAtMs: number
  readonly isLeased: boolean
  readonly waiting: number
  /** Where something may wait. */
  readonly depths: Uint8Array
  readonly errands: number
  readonly delayMs: number
  readonly failures: number
  readonly pages: number
  readonly server: string | undefined
  readonly isServerDown: boolean
}

/** A host as its shard shows it. */
export interface ShardHostView extends HostView {
  /** Its number in the shard, from 1. */
  readonly number: number
  /** When it became known, in ms since 1970. */
  readonly sinceMs: number
}

export function readRecord(bytes: Buffer): HostRecord {
  const fields = listOf(reading('a host', () => unpack(bytes)))
  const server = textOf(fields[13])
  return {
    ...{
      name: textOf(fields[0]),
      sinceMs: numberOf(fields[1]),
      readyAtMs: numberOf(fields[2]),
      isLeased: fields[3] === 1,
    },
    ...{ waiting: numberOf(fields[4]), depths: bytesOf(fields[5]), errands: numberOf(fields[7]) },
    ...{ delayMs: numberOf(fields[10]), failures: numberOf(fields[11]), pages: numberOf(fields[12]) },
    ...{ server: server === '' ? undefined : server, isServerDown: fields[14] === 1 },
  }
}

export function viewOf(record: HostRecord, nowMs: number, { retries }: ShardRules): Omit<ShardHostView, 'number'> {
  const { name, waiting, errands, isLeased, readyAtMs, delayMs, server, pages, failures, sinceMs } = record
  return {
    ...{ host: name, waiting, state: isLeased ? 'leased' : waiting + errands > 0 ? 'waiting' : 'idle' },
    ...{ readyInMs: Math.max(readyAtMs - nowMs, 0), delayMs, server, pages, failures },
    ...{ isDown: failures > retries || record.isServerDown, sinceMs },
  }
}
