import type { Clock } from '../base/clock.ts'
import { SchedulerCore } from '../scheduler/core.ts'
import { StoreMemory } from '../scheduler/store-memory.ts'
import type { ByteSource } from '../script/script-reader.ts'
import { AccessLog, type LogSink } from './access-log.ts'
import { CommandSource } from './command-source.ts'
import { Ownership, type StoreAccess } from './ownership.ts'
import { phaseOf } from './phases.ts'
import {
  type ArrayRole,
  type Field,
  fieldsOf,
  type Insides,
  insidesOf,
  STORE_ROLES,
  tablesOf,
} from './scheduler-insides.ts'
import { type WatchedArray, WatchedMemory } from './watched-memory.ts'

export interface Recording {
  /** The script must read its commands from here. */
  readonly source: ByteSource
  /** Ends the log. */
  end(): void
}

/** Records every scheduler that is made from now on, until `end`. One recording at a time. */
export function startRecording(source: ByteSource, sink: LogSink, clock: Clock): Recording {
  const log = new AccessLog(sink, clock)
  StoreMemory.isWatched = true
  SchedulerCore.onNew = core => {
    new SchedulerRecorder(log, core)
  }
  return {
    source: new CommandSource(source, command => {
      log.phase = phaseOf(command.name)
    }),
    end() {
      SchedulerCore.onNew = undefined
      StoreMemory.isWatched = false
      log.end()
    },
  }
}

/** Arrays begin at cache lines; the first one a page above 0, where no program has addresses. */
const FIRST_ADDRESS = 4096
const LINE_BYTES = 64
/** Bytes of the store's memory that get an address together. */
const BLOCK_BYTES = 4096

/** What the log must know of an array of JavaScript. */
interface Placed {
  readonly role: ArrayRole
  readonly address: number
}

/**
 * Logs every access to a scheduler's structures. The scheduler does not notice: its kernel reports its accesses, and its
 * arrays are replaced with watched ones; while one of its operations runs, new arrays are created watched.
 *
 * Arrays get consecutive addresses; the blocks of the store's memory, and every array that is made later, get theirs when
 * they are first touched. No address is used twice.
 */
export class SchedulerRecorder {
  private readonly log: AccessLog
  private readonly core: SchedulerCore
  private readonly insides: Insides
  private readonly memory: WatchedMemory
  private readonly ownership: Ownership
  private readonly placed = new WeakMap<WatchedArray, Placed>()
  /** The address of each block of the store's memory that has been touched. */
  private readonly blocks = new Map<number, number>()
  private nextAddress = FIRST_ADDRESS
  private last: Placed | undefined

  constructor(log: AccessLog, core: SchedulerCore) {
    this.log = log
    this.core = core
    this.insides = insidesOf(core)
    this.memory = new WatchedMemory((piece, kind, at, bytes) => this.touched(piece, kind, at, bytes))
    this.ownership = new Ownership(core)
    for (const field of fieldsOf(this.insides)) this.watch(field)
    this.watchStore()
    this.bracketOperations(core)
  }

  /** The address in the log of a byte of the store's memory, or of an array's first; undefined when it was never touched. */
  addressOf(memory: ArrayBufferLike, at: number): number | undefined {
    if (memory instanceof SharedArrayBuffer) {
      const address = this.blocks.get(Math.floor(at / BLOCK_BYTES))
      return address === undefined ? undefined : address + (at % BLOCK_BYTES)
    }
    const piece = this.memory.pieceOf(memory)
    const placed = piece === undefined ? undefined : this.placed.get(piece)
    return placed === undefined ? undefined : placed.address + at
  }

  private watch(field: Field): void {
    const array = field.holder[field.key]
    if (array === undefined) throw new Error(`the scheduler no longer has ${field.key} for its ${field.role}`)
    field.holder[field.key] = this.memory.watch(array)
    this.place(this.memory.pieceOf(array.buffer)!, field.role)
  }

  private watchStore(): void {
    const store = this.core.memory
    store.watcher = { touched: (kind, at, bytes) => this.touchedStore({ kind, by: 'kernel', at, bytes }) }
    for (const table of tablesOf(this.insides)) {
      if (table.words === undefined) throw new Error('the scheduler no longer has the words of a table')
      table.words = this.memory.watch(table.words)
    }
    const words = store.words.bind(store)
    store.words = (at, count) => this.memory.watch(words(at, count))
    const [zero, move] = [store.zero.bind(store), store.move.bind(store)]
    store.zero = (at, bytes) => {
      zero(at, bytes)
      this.touchedStore({ kind: 'write', by: 'code', at, bytes })
    }
    store.move = (from, to, bytes) => {
      this.touchedStore({ kind: 'read', by: 'code', at: from, bytes })
      move(from, to, bytes)
      this.touchedStore({ kind: 'write', by: 'code', at: to, bytes })
    }
  }

  /** Wraps every operation that may make new arrays. */
  private bracketOperations(core: SchedulerCore): void {
    const { memory, ownership } = this
    for (const name of ['addLines', 'take', 'takeOf', 'hostNamed', 'clearHost', 'waitingOf', 'slotsOf'] as const) {
      const operation = core[name].bind(core) as (...args: number[]) => unknown
      Object.assign(core, { [name]: (...args: number[]) => memory.during(() => operation(...args)) })
    }
    const clear = core.clear.bind(core)
    core.clear = () => {
      ownership.forget()
      memory.during(clear)
    }
  }

  private touched(piece: WatchedArray, kind: 'read' | 'write', at: number, bytes: number): void {
    if (piece.memory instanceof SharedArrayBuffer) {
      this.touchedStore({ kind, by: 'code', at, bytes })
      return
    }
    const placed = this.placed.get(piece) ?? this.place(piece, this.roleOf(piece))
    this.last = placed
    if (placed.role === 'free pieces') return
    this.log.access(kind, this.ownership.idOfArray(placed.role), placed.address + at, bytes)
  }

  private touchedStore(access: StoreAccess): void {
    const { kind, at } = access
    const use = this.core.pieces.useAt(at)
    if (use === 'batch') this.ownership.lookedAtBatch(at)
    const role = STORE_ROLES.find(one => one === use)
    if (role === undefined) return
    for (const part of this.ownership.partsOf(role, access)) {
      for (let from = part.at; from < part.at + part.bytes; ) {
        const end = Math.min(part.at + part.bytes, (Math.floor(from / BLOCK_BYTES) + 1) * BLOCK_BYTES)
        this.log.access(kind, part.id, this.addressInStore(from), end - from)
        from = end
      }
    }
  }

  private addressInStore(at: number): number {
    const block = Math.floor(at / BLOCK_BYTES)
    let address = this.blocks.get(block)
    if (address === undefined) {
      address = this.nextAddress
      this.nextAddress += BLOCK_BYTES
      this.blocks.set(block, address)
    }
    return address + (at % BLOCK_BYTES)
  }

  /** A new array that no structure holds yet is a larger copy of the one touched just before. */
  private roleOf(piece: WatchedArray): ArrayRole {
    for (const { role, holder, key } of fieldsOf(this.insides)) {
      if (holder[key]!.buffer === piece.memory) return role
    }
    return this.last!.role
  }

  private place(piece: WatchedArray, role: ArrayRole): Placed {
    const placed = { role, address: this.nextAddress }
    this.placed.set(piece, placed)
    this.nextAddress += Math.ceil(piece.memory.byteLength / LINE_BYTES) * LINE_BYTES
    return placed
  }
}
