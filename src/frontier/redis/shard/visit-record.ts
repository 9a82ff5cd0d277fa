import type { PlannedVisit } from '../../frontier.ts'
import { readPage } from './link-text.ts'
import { reading } from './replies.ts'

const HINTED = 1
const NOTED = 4
const FINGERPRINT_BYTES = 8

/** The next visit of a done link as its shard keeps it. */
export interface VisitRecord extends PlannedVisit {
  /** How many of its tickets were settled since it was planned. */
  readonly attempts: number
  /** A hint made it due. */
  readonly isHinted: boolean
}

/** Reads what `lua/parts/plans.lua` writes, of a link of this host. */
export function readVisit(bytes: Buffer, host: string): VisitRecord {
  return reading('a planned visit', () => {
    const visitedAtMs = bytes.readDoubleBE(0)
    const dueAtMs = bytes.readDoubleBE(8)
    const gain = bytes.readFloatBE(16)
    const [flags, rank] = [bytes.readUInt8(20), bytes.readUInt8(21)]
    const noteAt = 22 + FINGERPRINT_BYTES + 2
    const textAt = noteAt + bytes.readUInt16BE(noteAt - 2)
    if (textAt > bytes.length) throw new RangeError('a note ends early')
    const { url, hops, attempts } = readPage(bytes.subarray(textAt), host)
    const noted = (flags & NOTED) === 0 ? {} : { note: bytes.toString('utf8', noteAt, textAt) }
    const isHinted = (flags & HINTED) !== 0
    return { ...{ url, rank, hops }, ...noted, visitedAtMs, dueAtMs, gain, attempts, isHinted }
  })
}
