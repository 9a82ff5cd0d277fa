import { type Chunk, copyBytes, SPARE_BYTES, sameBytes } from '../base/bytes.ts'
import { HashIndex } from '../base/hash-index.ts'
import { Records } from '../base/records.ts'
import { NEXT, type Slot } from './depth-lists.ts'
import type { ChunkId, TextArena } from './text-arena.ts'

const CHUNK = 1
const OFFSET = 2
/** 0 marks a record that is free; free records are threaded through {@link NEXT}. */
const LENGTH = 3
const SLOT_WORDS = 4

/** In {@link NEXT}: the URL has been scheduled. Record, text and place in the index stay until the next sweep. */
const GONE = -1

/** So many URLs may be gone before a sweep is worth its while. */
const LEAST_GONE = 1 << 16
const LEAST_WASTED_BYTES = 1 << 26

/**
 * The waiting URLs: a record each, its text in the arena, and an index by hash that finds the same URL again.
 *
 * A URL that leaves is only marked: taking touches no index. When more URLs are gone than are waiting, a sweep takes
 * their memory back in one go, and texts that lie alone in large chunks move together. So leaving costs a fixed number
 * of steps on average, and memory is bounded by about twice what is waiting.
 */
export class UrlStore {
  readonly slots = new Records(SLOT_WORDS)
  waiting = 0
  private gone = 0
  private free: Slot = 0
  private readonly index: HashIndex
  private readonly texts: TextArena

  constructor(texts: TextArena, expectedUrls = 0) {
    this.texts = texts
    this.index = new HashIndex(expectedUrls)
  }

  /** Reads ahead: see {@link HashIndex.touch}. */
  touch(hash: number): number {
    return this.index.touch(hash)
  }

  /** Adds the URL whose text stands there, and tells its slot; 0 when it is waiting already. */
  add(hash: number, chunkId: ChunkId, chunk: Chunk, offset: number, length: number): Slot {
    for (let place = this.index.first(hash); place >= 0; place = this.index.after(place, hash)) {
      const slot = this.index.id(hash, place)
      const page = this.slots.page(slot)
      const at = this.slots.at(slot)
      if (page[at + LENGTH] !== length) continue
      if (!sameBytes(this.texts.chunk(page[at + CHUNK]!).view, page[at + OFFSET]!, chunk.view, offset, length)) continue
      if (page[at + NEXT] !== GONE) return 0
      this.gone--
      this.waiting++
      return slot
    }
    const slot = this.allot()
    const page = this.slots.page(slot)
    const at = this.slots.at(slot)
    page[at + CHUNK] = chunkId
    page[at + OFFSET] = offset
    page[at + LENGTH] = length
    this.index.put(hash, slot)
    this.texts.hold(chunkId, length)
    this.waiting++
    return slot
  }

  /** Marks a URL as gone. Its text can be read until the next URL is added. */
  remove(slot: Slot): void {
    this.slots.page(slot)[this.slots.at(slot) + NEXT] = GONE
    this.waiting--
    this.gone++
  }

  length(slot: Slot): number {
    return this.slots.page(slot)[this.slots.at(slot) + LENGTH]!
  }

  offset(slot: Slot): number {
    return this.slots.page(slot)[this.slots.at(slot) + OFFSET]!
  }

  chunk(slot: Slot): Chunk {
    return this.texts.chunk(this.slots.page(slot)[this.slots.at(slot) + CHUNK]!)
  }

  /** Takes back the memory of what is gone, when that is worth its while; chunk `open` stays as it is. */
  sweepIfWorthwhile(open: ChunkId): void {
    const isMostlyGone = this.gone > this.waiting + LEAST_GONE
    const isMostlyWaste = this.texts.bytes > 3 * this.texts.heldBytes + LEAST_WASTED_BYTES
    if (isMostlyGone || isMostlyWaste) this.sweep(open)
  }

  clear(open: ChunkId): void {
    this.index.clear()
    this.slots.forget(this.slots.last)
    this.free = 0
    this.gone = 0
    this.waiting = 0
    this.texts.unholdAll()
    for (const id of this.texts.openIds()) if (id !== open) this.texts.release(id)
    this.texts.trim()
  }

  private allot(): Slot {
    const slot = this.free
    if (slot === 0) return this.slots.allot()
    this.free = this.slots.page(slot)[this.slots.at(slot) + NEXT]!
    return slot
  }

  private sweep(open: ChunkId): void {
    if (this.waiting === 0) {
      this.clear(open)
      return
    }
    this.index.retain(slot => this.slots.page(slot)[this.slots.at(slot) + NEXT] !== GONE)
    this.texts.unholdAll()
    for (let slot = 1; slot <= this.slots.last; slot++) {
      const page = this.slots.page(slot)
      const at = this.slots.at(slot)
      if (page[at + LENGTH] === 0) continue
      if (page[at + NEXT] !== GONE) {
        this.texts.hold(page[at + CHUNK]!, page[at + LENGTH]!)
        continue
      }
      page[at + LENGTH] = 0
      page[at + NEXT] = this.free
      this.free = slot
    }
    this.gone = 0
    this.gather(open)
    this.texts.trim()
  }

  /** Moves the texts of all chunks that are less than half in use into fresh ones, and gives those chunks back. */
  private gather(open: ChunkId): void {
    const sparse = new Set<ChunkId>()
    for (const id of this.texts.openIds()) if (id !== open && this.texts.heldShare(id) < 0.5) sparse.add(id)
    let to: ChunkId = -1
    let room = 0
    let at = 0
    for (let slot = 1; slot <= this.slots.last; slot++) {
      const page = this.slots.page(slot)
      const record = this.slots.at(slot)
      const length = page[record + LENGTH]!
      if (length === 0 || !sparse.has(page[record + CHUNK]!)) continue
      if (to < 0 || at + length > room) {
        to = this.texts.open(length)
        room = this.texts.chunk(to).bytes.length - SPARE_BYTES
        at = 0
      }
      const from = this.texts.chunk(page[record + CHUNK]!).view
      copyBytes(from, page[record + OFFSET]!, length, this.texts.chunk(to).view, at)
      page[record + CHUNK] = to
      page[record + OFFSET] = at
      this.texts.hold(to, length)
      at += length
    }
    for (const id of sparse) this.texts.release(id)
  }
}
