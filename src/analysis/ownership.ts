import { HOST_WORDS } from '../scheduler/hosts.ts'
import type { ClassicKernel } from '../url/classic-kernel.ts'
import { ELEMENTS, LAST_LIST } from './phases.ts'
import type { Insides, Role } from './scheduler-insides.ts'

/** A part of an access that has one id; `at` is an offset in bytes, as in the access. */
export interface Part {
  readonly id: number
  readonly at: number
  readonly bytes: number
}

const WORD_BYTES = 4
const RECORD_BYTES = HOST_WORDS * WORD_BYTES
/** A host's record (see scheduler/hosts.ts): words of its list, its own, its name, and words of its list again. */
const RECORD_PARTS = [
  { from: 0, to: 16, of: 'list' },
  { from: 16, to: 24, of: 'host' },
  { from: 24, to: 64, of: 'name' },
  { from: 64, to: 128, of: 'list' },
] as const
const SLOT_BYTES = 8
const PLACE_BYTES = 8
/** How many rows the scheduler looks at together. */
const ROWS_AHEAD = 4

const RealInt32Array = Int32Array

/**
 * Whose memory is touched: the ids of SPEC 4. The owner of memory that belongs to one host is known from its place (a
 * record, a slot, a text) or its content (the URL in a place of the index). Memory that hosts share (free places of the
 * index, the bits of URLs that are gone, cells of queues) counts for the host that is being served.
 */
export class Ownership {
  private readonly insides: Insides
  /** The host of each slot. */
  private readonly hosts: number[] = []
  /** The id of each byte of a region of texts; 0 where there was no text yet. */
  private readonly textIds = new WeakMap<ArrayBufferLike, Uint8Array>()
  private lastTextId = ELEMENTS
  /** The host whose list was touched last. */
  private listHost = 0
  /** The host of the URL that was looked at last. */
  private urlHost = 0
  private adding: { readonly kernel: ClassicKernel; readonly rows: number } | undefined
  private rowsAhead: number[] = []

  constructor(insides: Insides) {
    this.insides = insides
  }

  /** No host is being served any more. */
  forget(): void {
    this.listHost = 0
    this.urlHost = 0
  }

  /** Runs `add`, which adds URLs, with a kernel that reports which row is looked at. */
  whileAdding<T>(kernel: ClassicKernel, rows: number, add: (watched: ClassicKernel) => T): T {
    const urlHash = following(kernel.urlHash, row => this.lookAtRow(row))
    this.adding = { kernel, rows }
    this.rowsAhead = []
    try {
      return add(Object.create(kernel, { urlHash: { value: urlHash } }) as ClassicKernel)
    } finally {
      this.adding = undefined
    }
  }

  /** The same slots; reading one means looking at its URL. */
  followingSlots(slots: Int32Array): Int32Array {
    return following(slots, i => {
      this.urlHost = this.hosts[slots[i]!] ?? 0
    })
  }

  partsOf(role: Role, memory: ArrayBufferLike, kind: 'read' | 'write', at: number, bytes: number): readonly Part[] {
    switch (role) {
      case 'host records':
        return this.partsOfRecord(at, bytes)
      case 'host index':
      case 'hosts with URLs':
      case 'free pieces':
        return [{ id: 0, at, bytes }]
      case 'long names':
        return [{ id: ELEMENTS, at, bytes }]
      case 'queue cells':
      case 'queue ends':
      case 'deepest URLs':
        return [{ id: listId(this.listHost), at, bytes }]
      case 'gone bits':
        return [{ id: listId(this.urlHost), at, bytes }]
      case 'URL slots':
        return [{ id: listId(this.hostOfSlots(kind, at, bytes)), at, bytes }]
      case 'URL index':
        return [{ id: listId(this.hostOfPlace(memory, at, bytes)), at, bytes }]
      case 'texts':
        return this.partsOfTexts(memory, kind, at, bytes)
    }
  }

  private lookAtRow(row: number): void {
    this.rowsAhead.push(row)
    if (this.rowsAhead.length > ROWS_AHEAD) this.rowsAhead.shift()
    this.urlHost = this.insides.hosts.found[row] ?? 0
  }

  /** Within a record the parts differ; several records are touched at once only when the table grows. */
  private partsOfRecord(at: number, bytes: number): Part[] {
    const host = Math.floor(at / RECORD_BYTES)
    const start = host * RECORD_BYTES
    if (at + bytes > start + RECORD_BYTES) return [{ id: 0, at, bytes }]
    const parts: Part[] = []
    for (const { from, to, of } of RECORD_PARTS) {
      const first = Math.max(at, start + from)
      const end = Math.min(at + bytes, start + to)
      if (end <= first) continue
      if (of === 'list') this.listHost = host
      const id = of === 'list' ? listId(host) : of === 'name' ? ELEMENTS : 0
      parts.push({ id, at: first, bytes: end - first })
    }
    return parts
  }

  /** A slot written while URLs are added gets the host of its URL. */
  private hostOfSlots(kind: 'read' | 'write', at: number, bytes: number): number {
    if (bytes > SLOT_BYTES) return this.urlHost
    const slot = Math.floor(at / SLOT_BYTES)
    if (kind === 'write' && this.adding !== undefined) this.hosts[slot] = this.urlHost
    return this.hosts[slot] ?? 0
  }

  private hostOfPlace(memory: ArrayBufferLike, at: number, bytes: number): number {
    if (bytes > PLACE_BYTES) return this.urlHost
    const place = Math.floor(at / PLACE_BYTES)
    const words = new RealInt32Array(memory, 0, memory.byteLength / WORD_BYTES)
    const slot = words[2 * place + 1]!
    if (slot === 0) return this.hostLookingAt(2 * place, words.length - 1)
    this.urlHost = this.hosts[slot] ?? this.urlHost
    return this.urlHost
  }

  /** The host of the row, of those looked at together, whose search begins at this place. */
  private hostLookingAt(place: number, mask: number): number {
    const { kernel } = this.adding ?? {}
    const row = this.rowsAhead.find(ahead => kernel !== undefined && ((kernel.urlHash[ahead]! << 1) & mask) === place)
    return row === undefined ? this.urlHost : this.insides.hosts.found[row]!
  }

  private partsOfTexts(memory: ArrayBufferLike, kind: 'read' | 'write', at: number, bytes: number): Part[] {
    let ids = this.textIds.get(memory)
    if (ids === undefined) {
      ids = new Uint8Array(memory.byteLength)
      this.textIds.set(memory, ids)
    }
    if (kind === 'write' && this.adding !== undefined) return this.partsOfBatch(ids, at)
    if (kind === 'write') ids.fill(this.lastTextId, at, at + bytes)
    else this.lastTextId = ids[at] || this.lastTextId
    return [{ id: this.lastTextId, at, bytes }]
  }

  /** The texts of a batch are copied in one go, from the first to the last. */
  private partsOfBatch(ids: Uint8Array, start: number): Part[] {
    const { kernel, rows } = this.adding!
    const parts: Part[] = []
    for (let row = 0; row < rows; row++) {
      const at = start + kernel.at[row]! - kernel.at[0]!
      const bytes = kernel.length[row]!
      const id = ELEMENTS + listId(this.insides.hosts.found[row]!)
      ids.fill(id, at, at + bytes)
      parts.push({ id, at, bytes })
    }
    return parts
  }
}

function listId(host: number): number {
  return Math.min(host, LAST_LIST)
}

/** The same column; `onRead` is called when an element is read. */
function following(column: Int32Array, onRead: (index: number) => void): Int32Array {
  return new Proxy(column, {
    get: (_, key) => {
      const index = Number(key)
      if (!Number.isInteger(index)) return Reflect.get(column, key, column) as unknown
      onRead(index)
      return column[index]
    },
  })
}
