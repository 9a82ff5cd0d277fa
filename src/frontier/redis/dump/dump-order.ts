import { type HostRecord, readRecord } from '../shard/host-record.ts'
import type { Packed } from '../shard/pack.ts'
import { bytesOf, listOf, numberOf } from '../shard/shard-calls.ts'
import type { HostPiece, HostsCursor, ShardDump } from './shard-dump.ts'

/** A host of a shard as it comes: its record, then its other pieces, which are to be read before the next host. */
export interface ComingHost {
  /** Its number in its shard. */
  readonly number: number
  readonly record: HostRecord
  readonly isVisited: boolean
  /** Its leased link, and the notes that the text may refer to. Depth -1: an errand. */
  readonly leased:
    | { readonly depth: number; readonly text: Buffer; readonly notes: ReadonlyMap<number, string> }
    | undefined
  /** {key, end in ms and note, …} */
  readonly notes: readonly Packed[]
  pieces(): AsyncGenerator<LinkPiece>
}

/** Some links of a host, and the notes that they refer to. */
export interface LinkPiece {
  readonly piece: HostPiece
  readonly notes: ReadonlyMap<number, string>
}

/** The hosts of all shards in the order in which they became known; in the same millisecond, by shard. */
export async function* inOrder(
  shards: readonly ShardDump[],
  isBrief: boolean,
  nowMs: number,
): AsyncGenerator<{ readonly shard: number; readonly host: ComingHost }> {
  const readers = shards.map(shard => new ShardReader(shard, isBrief, nowMs))
  const next = await Promise.all(readers.map(reader => reader.nextHost()))
  for (;;) {
    let first = -1
    for (const [n, host] of next.entries()) {
      if (host !== undefined && (first < 0 || host.record.sinceMs < next[first]!.record.sinceMs)) first = n
    }
    if (first < 0) return
    yield { shard: first, host: next[first]! }
    next[first] = await readers[first]!.nextHost()
  }
}

/** The pieces of one shard's hosts, in order. */
class ShardReader {
  private readonly shard: ShardDump
  private readonly isBrief: boolean
  private readonly nowMs: number
  private read: readonly LinkPiece[] = []
  private at = 0
  private cursor: HostsCursor | undefined = { number: 1, part: 0, place: 0 }

  constructor(shard: ShardDump, isBrief: boolean, nowMs: number) {
    this.shard = shard
    this.isBrief = isBrief
    this.nowMs = nowMs
  }

  /** The next host; what is left of the one before is passed over. */
  async nextHost(): Promise<ComingHost | undefined> {
    for (let next = await this.peek(); next !== undefined; next = await this.peek()) {
      this.at++
      if (numberOf(next.piece[0]) === 0) return this.hostOf(next)
    }
    return undefined
  }

  private async *pieces(): AsyncGenerator<LinkPiece> {
    for (let next = await this.peek(); next !== undefined; next = await this.peek()) {
      if (numberOf(next.piece[0]) === 0) return
      this.at++
      yield next
    }
  }

  private async peek(): Promise<LinkPiece | undefined> {
    while (this.at === this.read.length && this.cursor !== undefined) {
      const { pieces, notes, next } = await this.shard.hosts(this.cursor, this.isBrief, this.nowMs)
      this.read = pieces.map(piece => ({ piece, notes }))
      this.at = 0
      this.cursor = next
    }
    return this.read[this.at]
  }

  private hostOf({ piece, notes }: LinkPiece): ComingHost {
    const [, number, record, visited, leasedDepth, text, hostNotes] = piece
    const depth = numberOf(leasedDepth)
    return {
      ...{ number: numberOf(number), record: readRecord(bytesOf(record)), isVisited: visited === 1 },
      ...{ leased: depth === -2 ? undefined : { depth, text: bytesOf(text), notes }, notes: listOf(hostNotes) },
      pieces: () => this.pieces(),
    }
  }
}
