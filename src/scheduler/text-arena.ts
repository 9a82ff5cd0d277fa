import { type Chunk, newChunk, SPARE_BYTES } from '../base/bytes.ts'

/** The place of a chunk in its arena, from 0 up. */
export type ChunkId = number

const CHUNK_BYTES = 1 << 18

/**
 * The texts of all URLs, in chunks. A chunk is filled from outside, usually by reading a file straight into it, and its
 * texts stay where they are: nothing is copied. The arena knows how many bytes of each chunk are still of use, so that
 * chunks of which nothing is left can be filled again.
 */
export class TextArena {
  /** Bytes in use and not, over all chunks. */
  bytes = 0
  /** Bytes of texts that somebody holds, over all chunks. */
  heldBytes = 0
  private readonly chunks: (Chunk | undefined)[] = []
  private readonly held: number[] = []
  private readonly freeIds: ChunkId[] = []
  /** Chunks of the usual size that wait to be filled again. */
  private readonly spares: Chunk[] = []
  private openedSinceTrim = 0

  /** A chunk to fill, with room for at least so many bytes. */
  open(roomBytes = CHUNK_BYTES): ChunkId {
    const chunk = roomBytes > CHUNK_BYTES ? newChunk(roomBytes) : (this.spares.pop() ?? newChunk(CHUNK_BYTES))
    const id = this.freeIds.pop() ?? this.chunks.length
    this.chunks[id] = chunk
    this.held[id] = 0
    this.bytes += chunk.bytes.length
    this.openedSinceTrim++
    return id
  }

  chunk(id: ChunkId): Chunk {
    return this.chunks[id]!
  }

  hold(id: ChunkId, bytes: number): void {
    this.held[id]! += bytes
    this.heldBytes += bytes
  }

  /** Forgets what is held, so that it can be counted anew. */
  unholdAll(): void {
    this.held.fill(0)
    this.heldBytes = 0
  }

  /** The share of a chunk that is held, from 0 to 1. */
  heldShare(id: ChunkId): number {
    return this.held[id]! / this.chunk(id).bytes.length
  }

  *openIds(): Iterable<ChunkId> {
    for (let id = 0; id < this.chunks.length; id++) if (this.chunks[id] !== undefined) yield id
  }

  /** Gives a chunk back. Nobody may hold a text in it any more. */
  release(id: ChunkId): void {
    const chunk = this.chunk(id)
    this.bytes -= chunk.bytes.length
    this.chunks[id] = undefined
    this.held[id] = 0
    this.freeIds.push(id)
    if (chunk.bytes.length === CHUNK_BYTES + SPARE_BYTES) this.spares.push(chunk)
  }

  /** Keeps no more spare chunks than were opened since the last time: what a peak needed goes back to the system. */
  trim(): void {
    this.spares.length = Math.min(this.spares.length, this.openedSinceTrim)
    this.openedSinceTrim = 0
  }
}
