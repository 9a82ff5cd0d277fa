import type { SchedulerCore } from '../scheduler/core.ts'
import type { AccessLog } from './access-log.ts'
import { Ownership } from './ownership.ts'
import { type Field, fieldsOf, type Insides, insidesOf, type Role } from './scheduler-insides.ts'
import { type Piece, WatchedMemory } from './watched-memory.ts'

/** Arrays begin at cache lines; the first one a page above 0, where no program has addresses. */
const FIRST_ADDRESS = 4096
const LINE_BYTES = 64

/** What the log must know of a piece of memory. */
interface Placed {
  readonly role: Role
  readonly address: number
}

/**
 * Logs every access to a scheduler's structures. The scheduler does not notice: its arrays are replaced with watched ones,
 * and while one of its operations runs, new arrays are created watched.
 *
 * The structures get consecutive addresses in the order of `ROLES`. The regions of texts, which are large and filled from
 * the front, and everything made later get theirs when they are first touched. No address is used twice.
 */
export class SchedulerRecorder {
  private readonly log: AccessLog
  private readonly insides: Insides
  private readonly memory: WatchedMemory
  private readonly ownership: Ownership
  private readonly placed = new WeakMap<Piece, Placed>()
  private nextAddress = FIRST_ADDRESS
  private last: Placed | undefined

  constructor(log: AccessLog, core: SchedulerCore) {
    this.log = log
    this.insides = insidesOf(core)
    this.memory = new WatchedMemory((piece, kind, at, bytes) => this.touched(piece, kind, at, bytes))
    this.ownership = new Ownership(this.insides)
    for (const field of fieldsOf(this.insides)) this.watch(field)
    for (const { regions } of [this.insides.urls.texts, this.insides.hosts.longNames]) {
      for (const region of regions) Object.assign(region, { view: this.memory.view(region.bytes.buffer) })
    }
    this.insides.hosts.ownNames = this.memory.view(this.insides.hosts.words.buffer)
    this.bracketOperations(core)
  }

  /** The address at which this memory begins in the log; undefined when it has not been touched. */
  addressOf(memory: ArrayBufferLike): number | undefined {
    const piece = this.memory.pieceOf(memory)
    return piece === undefined ? undefined : this.placed.get(piece)?.address
  }

  private watch(field: Field): void {
    const array = field.holder[field.key]
    if (array === undefined) throw new Error(`the scheduler no longer has ${field.key} for its ${field.role}`)
    const watched = this.memory.watch(array)
    field.holder[field.key] = watched
    if (field.role !== 'texts' && field.role !== 'long names')
      this.place(this.memory.pieceOf(array.buffer)!, field.role)
  }

  /** Wraps every operation that may make new arrays, or that shows whose memory is touched next. */
  private bracketOperations(core: SchedulerCore): void {
    const { memory, ownership } = this
    for (const name of ['addLines', 'take', 'takeOf', 'hostNamed', 'clearHost'] as const) {
      const operation = core[name].bind(core) as (...args: number[]) => number
      Object.assign(core, { [name]: (...args: number[]) => memory.during(() => operation(...args)) })
    }
    const clear = core.clear.bind(core)
    core.clear = () => {
      ownership.forget()
      memory.during(clear)
    }
    const { urls } = core
    const add = urls.add.bind(urls)
    urls.add = (kernel, rows) => ownership.whileAdding(kernel, rows, watched => add(watched, rows))
    const leave = urls.leave.bind(urls)
    urls.leave = (slots, count) => leave(ownership.followingSlots(slots), count)
  }

  private touched(piece: Piece, kind: 'read' | 'write', at: number, bytes: number): void {
    const placed = this.placed.get(piece) ?? this.place(piece, this.roleOf(piece))
    this.last = placed
    for (const part of this.ownership.partsOf(placed.role, piece.memory, kind, at, bytes)) {
      this.log.access(kind, part.id, placed.address + part.at, part.bytes)
    }
  }

  /** A new array that no structure holds yet is a larger copy of the one touched just before. */
  private roleOf(piece: Piece): Role {
    for (const { role, holder, key } of fieldsOf(this.insides)) {
      if (holder[key]!.buffer === piece.memory) return role
    }
    return this.last!.role
  }

  private place(piece: Piece, role: Role): Placed {
    const placed = { role, address: this.nextAddress }
    this.placed.set(piece, placed)
    this.nextAddress += Math.ceil(piece.memory.byteLength / LINE_BYTES) * LINE_BYTES
    return placed
  }
}
