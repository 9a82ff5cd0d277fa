import { readFileSync } from 'node:fs'
import { EscalonaError } from '../base/errors.ts'
import { PIECE_BYTES } from './pieces.ts'

/** What we use of it; TypeScript knows WebAssembly only together with the browser's other types. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: object)
    readonly exports: object
  }
  class Memory {
    constructor(size: { initial: number; maximum: number; shared: boolean })
    readonly buffer: SharedArrayBuffer
    grow(pages: number): number
  }
}

/** `kernel/` says what each function does. All addresses are in bytes. */
interface StoreKernel {
  longNameBytes(batch: number, rows: number): number
  know(batch: number, rows: number): void
  findHost(hash: number, name: number, length: number): number
  nameAt(host: number): number
  nameLength(host: number): number
  add(batch: number, rows: number): void
  leave(slots: number, count: number): void
  rehash(from: number, fromPlaces: number, to: number, toPlaces: number, isSweeping: boolean): number
  depthOf(slot: number): number
  greatestDepth(): number
  placeByDepth(starts: number, depths: number, to: number): void
  placeByHost(from: number, arrived: number, ends: number, hosts: number, to: number): void
  largestHost(ends: number, hosts: number): number
  spread(
    slots: number,
    ends: number,
    hosts: number,
    first: number,
    starts: number,
    largest: number,
    isBySize: boolean,
    to: number,
  ): number
  writeLines(slots: number, count: number, to: number, end: number): number
  writeNames(host: number, count: number, to: number, end: number): number
}

/** The cells at the beginning, in which the kernel and TypeScript keep where the tables are and how far they are used. */
export const CELL = {
  hostIndex: 0,
  hostPlaces: 1,
  hostRecords: 2,
  hostsKnown: 3,
  namesEnd: 4,
  urlIndex: 5,
  urlPlaces: 6,
  slots: 7,
  lastSlot: 8,
  freeSlot: 9,
  goneBits: 10,
  textsEnd: 11,
  arrivals: 12,
  arrived: 13,
  waiting: 14,
  gone: 15,
  heldBytes: 16,
  linesEnd: 17,
} as const

const CELLS = 64
const PAGE_BYTES = 1 << 16
const MOST_PAGES = 1 << 16
const MOST_BYTES = MOST_PAGES * PAGE_BYTES
/** Memory costs nothing before it is used, so it is asked for in large parts. */
const LEAST_GROWTH_BYTES = 64 * PIECE_BYTES

/** Is told every access of a kernel to its memory. */
interface Watcher {
  touched(kind: 'read' | 'write', at: number, bytes: number): void
}

/** What another thread gets of a scheduler's memory; it sees when that grows. */
export type SharedMemory = Pick<WebAssembly.Memory, 'buffer'>

let module: WebAssembly.Module | undefined

/**
 * The memory of a scheduler, at most 4 GiB, and the kernel that works in it. It is shared, so that another thread can write
 * into it, and so that what is a view of it stays one when it grows.
 */
export class StoreMemory {
  /** Whether accesses are to be reported, to {@link watcher}. Only the access log asks for that; see analysis/. */
  static isWatched = false
  watcher: Watcher | undefined
  readonly kernel: StoreKernel
  readonly cells: Uint32Array
  /** All of it; must be read anew when it may have grown. */
  bytes: Buffer
  private readonly memory: WebAssembly.Memory

  constructor() {
    this.memory = new WebAssembly.Memory({ initial: PIECE_BYTES / PAGE_BYTES, maximum: MOST_PAGES, shared: true })
    this.kernel = StoreMemory.isWatched ? this.watchedKernel() : this.plainKernel()
    this.cells = new Uint32Array(this.memory.buffer, 0, CELLS)
    this.bytes = Buffer.from(this.memory.buffer)
  }

  private plainKernel(): StoreKernel {
    module ??= new WebAssembly.Module(readFileSync(new URL('./store.wasm', import.meta.url)))
    return new WebAssembly.Instance(module, { env: { memory: this.memory } }).exports as StoreKernel
  }

  /** The same kernel, compiled so that it reports each access before it happens. */
  private watchedKernel(): StoreKernel {
    const watched = new WebAssembly.Module(readFileSync(new URL('./store-watched.wasm', import.meta.url)))
    const reporting = (kind: 'read' | 'write') => (_: number, bytes: number, offset: number, address: number) => {
      this.watcher?.touched(kind, (address >>> 0) + offset, bytes)
      return address
    }
    const value = (_: number, loadedOrStored: unknown) => loadedOrStored
    const values = ['i32', 'i64', 'f32', 'f64'].flatMap(type => [
      [`load_val_${type}`, value],
      [`store_val_${type}`, value],
    ])
    const env = {
      memory: this.memory,
      load_ptr: reporting('read'),
      store_ptr: reporting('write'),
      memory_grow_pre: value,
      memory_grow_post: value,
      ...Object.fromEntries(values),
    }
    return new WebAssembly.Instance(watched, { env }).exports as StoreKernel
  }

  get shared(): SharedMemory {
    return this.memory
  }

  /** Whether it may grow to this size. */
  mayHave(bytes: number): boolean {
    return bytes <= MOST_BYTES
  }

  /** Makes it at least this large. */
  grow(bytes: number): void {
    const missing = bytes - this.bytes.length
    if (missing <= 0) return
    if (!this.mayHave(bytes)) throw new EscalonaError('SCHEDULER_FULL')
    const most = MOST_BYTES - this.bytes.length
    try {
      this.memory.grow(Math.ceil(Math.min(Math.max(missing, LEAST_GROWTH_BYTES), most) / PAGE_BYTES))
    } catch (error) {
      throw new EscalonaError('SCHEDULER_FULL/no-memory', {}, { cause: error })
    }
    this.bytes = Buffer.from(this.memory.buffer)
  }

  /** Makes bytes 0 in a table: as words, because V8 fills shared memory one element at a time. */
  zero(at: number, bytes: number): void {
    this.words(at, bytes / 4).fill(0)
  }

  move(from: number, to: number, bytes: number): void {
    this.bytes.copyWithin(to, from, from + bytes)
  }

  words(at: number, count: number): Int32Array {
    return new Int32Array(this.bytes.buffer, at, count)
  }
}
