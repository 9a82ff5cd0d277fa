import { BATCH_COLUMNS } from '../scheduler/batch.ts'
import type { SchedulerCore } from '../scheduler/core.ts'
import { HOST_WORDS } from '../scheduler/hosts.ts'
import { PIECE_BYTES } from '../scheduler/pieces.ts'
import { CELL } from '../scheduler/store-memory.ts'
import { ROWS } from '../url/classic-kernel.ts'
import { ELEMENTS, LAST_LIST } from './phases.ts'
import type { ArrayRole, StoreRole } from './scheduler-insides.ts'

/** A part of an access that has one id; `at` is an address in the store's memory. */
interface OwnedPart {
  readonly id: number
  readonly at: number
  readonly bytes: number
}

/** An access to the store's memory, by the kernel or by other code. */
export interface StoreAccess {
  readonly kind: 'read' | 'write'
  readonly by: 'kernel' | 'code'
  readonly at: number
  readonly bytes: number
}

/** While memory is watched, the global name means another. */
const RealInt32Array = Int32Array

const WORD_BYTES = 4
const RECORD_BYTES = HOST_WORDS * WORD_BYTES
const NAME_FROM = 24
/** A host's record (see scheduler/hosts.ts): words of its list, its own, its name, and words of its list again. */
const RECORD_PARTS = [
  { from: 0, to: 16, of: 'list' },
  { from: 16, to: NAME_FROM, of: 'host' },
  { from: NAME_FROM, to: 64, of: 'name' },
  { from: 64, to: 128, of: 'list' },
] as const
/** A slot, a place of an index, an arrival. */
const PAIR_BYTES = 8

/**
 * Whose memory is touched: the ids of docs/rules.md, 4.3. The owner of memory that belongs to one host is known from its place (a
 * record, a slot, a text) or its content (the URL in a place of the index, the host of an arrival). Memory that hosts share
 * (free places of the index, the bits of URLs that are gone, cells of queues) counts for the host that is being served.
 */
export class Ownership {
  private readonly core: SchedulerCore
  /** All of the store's memory, as it really is. */
  private words: Int32Array
  /** The host of each slot. */
  private readonly hosts: number[] = []
  /** At a piece: the id of each of its bytes; 0 where there was no text yet. */
  private readonly textIds = new Map<number, Uint8Array>()
  private lastTextId = ELEMENTS
  /** The host whose list was touched last. */
  private listHost = 0
  /** The host of the URL that was looked at last. */
  private urlHost = 0
  /** The bytes of the URL that is being added and is not written yet. */
  private addedBytes = 0

  constructor(core: SchedulerCore) {
    this.core = core
    this.words = new Int32Array(core.memory.bytes.buffer)
  }

  /** No host is being served any more. */
  forget(): void {
    this.listHost = 0
    this.urlHost = 0
  }

  /** The batch was read at this address: when it is the hash of a row's URL, that row is looked at from now on. */
  lookedAtBatch(at: number): void {
    const row = (at - this.core.batchAt - BATCH_COLUMNS.urlHash) / WORD_BYTES
    if (row < 0 || row >= ROWS) return
    this.urlHost = this.wordAt(this.core.batchAt + BATCH_COLUMNS.host + row * WORD_BYTES)
    this.addedBytes = this.wordAt(this.core.batchAt + BATCH_COLUMNS.length + row * WORD_BYTES)
  }

  idOfArray(role: ArrayRole): number {
    return role === 'hosts with URLs' ? 0 : listId(this.listHost)
  }

  partsOf(role: StoreRole, access: StoreAccess): readonly OwnedPart[] {
    const { at, bytes } = access
    switch (role) {
      case 'host records':
        return this.partsOfRecord(at, bytes)
      case 'host index':
        return [{ id: 0, at, bytes }]
      case 'long names':
        return [{ id: ELEMENTS, at, bytes }]
      case 'gone bits':
      case 'order':
        return [{ id: listId(this.urlHost), at, bytes }]
      case 'URL slots':
        return [{ id: listId(this.hostOfSlot(access)), at, bytes }]
      case 'URL index':
        return [{ id: listId(this.hostOfPlace(at, bytes)), at, bytes }]
      case 'arrivals':
        return [{ id: listId(this.hostOfArrival(access)), at, bytes }]
      case 'texts':
        return this.partsOfTexts(access)
    }
  }

  /** Within a record the parts differ; several records are touched at once only when the table grows. */
  private partsOfRecord(at: number, bytes: number): OwnedPart[] {
    const table = this.core.memory.cells[CELL.hostRecords]!
    const host = Math.floor((at - table) / RECORD_BYTES)
    const start = table + host * RECORD_BYTES
    if (at + bytes > start + RECORD_BYTES) return [{ id: 0, at, bytes }]
    const parts: OwnedPart[] = []
    for (const { from, to, of } of RECORD_PARTS) {
      // The kernel reads names in steps, over their end.
      if (parts.length > 0 && at >= start + NAME_FROM) break
      const first = Math.max(at, start + from)
      const end = Math.min(at + bytes, start + to)
      if (end <= first) continue
      if (of === 'list') this.listHost = host
      const id = of === 'list' ? listId(host) : of === 'name' ? ELEMENTS : 0
      parts.push({ id, at: first, bytes: end - first })
    }
    return parts
  }

  /** The kernel writes a slot only when its URL is added. */
  private hostOfSlot({ kind, by, at, bytes }: StoreAccess): number {
    if (bytes > PAIR_BYTES) return this.urlHost
    const slot = Math.floor((at - this.core.memory.cells[CELL.slots]!) / PAIR_BYTES)
    if (kind === 'write' && by === 'kernel') this.hosts[slot] = this.urlHost
    else this.urlHost = this.hosts[slot] ?? this.urlHost
    return this.hosts[slot] ?? 0
  }

  /** A free place counts for the URL that is looked for. */
  private hostOfPlace(at: number, bytes: number): number {
    if (bytes > PAIR_BYTES) return this.urlHost
    const slot = this.wordAt(pairAt(at) + WORD_BYTES)
    return slot === 0 ? this.urlHost : (this.hosts[slot] ?? this.urlHost)
  }

  private hostOfArrival({ kind, at, bytes }: StoreAccess): number {
    if (kind === 'read' && bytes <= PAIR_BYTES) this.urlHost = this.hosts[this.wordAt(pairAt(at))] ?? this.urlHost
    return this.urlHost
  }

  /** The kernel writes a text only when it is added: that counts as one write, whatever steps it takes. Others move texts. */
  private partsOfTexts({ kind, by, at, bytes }: StoreAccess): OwnedPart[] {
    if (kind === 'read') {
      this.lastTextId = this.idsOfPiece(at)[at % PIECE_BYTES] || this.lastTextId
      return [{ id: this.lastTextId, at, bytes }]
    }
    if (by === 'code') return [this.written(this.lastTextId, at, bytes)]
    if (this.addedBytes === 0) return []
    const length = this.addedBytes
    this.addedBytes = 0
    return [this.written(ELEMENTS + listId(this.urlHost), at, length)]
  }

  private written(id: number, at: number, bytes: number): OwnedPart {
    for (let from = at; from < at + bytes; from = pieceEnd(from)) {
      this.idsOfPiece(from).fill(id, from % PIECE_BYTES, ((Math.min(at + bytes, pieceEnd(from)) - 1) % PIECE_BYTES) + 1)
    }
    return { id, at, bytes }
  }

  private idsOfPiece(at: number): Uint8Array {
    const piece = Math.floor(at / PIECE_BYTES)
    const ids = this.textIds.get(piece) ?? new Uint8Array(PIECE_BYTES)
    this.textIds.set(piece, ids)
    return ids
  }

  /** A word of the store's memory, which is not logged. */
  private wordAt(at: number): number {
    if (at >= this.words.byteLength) this.words = new RealInt32Array(this.core.memory.bytes.buffer)
    return this.words[at / WORD_BYTES]!
  }
}

function pieceEnd(at: number): number {
  return (Math.floor(at / PIECE_BYTES) + 1) * PIECE_BYTES
}

function pairAt(at: number): number {
  return at - (at % PAIR_BYTES)
}

function listId(host: number): number {
  return Math.min(host, LAST_LIST)
}
