import type { SchedulerCore } from '../scheduler/core.ts'
import type { PieceUse } from '../scheduler/pieces.ts'

/** The arrays of JavaScript, in the order in which they get their addresses. The last isn't part of a structure, and not logged. */
const ARRAY_ROLES = ['hosts with URLs', 'queue cells', 'queue ends', 'deepest URLs', 'free pieces'] as const

/** What the store's memory is used for that is a structure of the scheduler. */
export const STORE_ROLES = [
  'host records',
  'host index',
  'URL slots',
  'gone bits',
  'URL index',
  'arrivals',
  'order',
  'texts',
  'long names',
] as const satisfies readonly PieceUse[]

export type StoreRole = (typeof STORE_ROLES)[number]
export type ArrayRole = (typeof ARRAY_ROLES)[number]

/** Where a structure keeps an array. */
export interface Field {
  readonly role: ArrayRole
  readonly holder: Record<string, Int32Array | Float64Array>
  readonly key: string
}

interface BitSet {
  readonly levels: Int32Array[]
}

interface Table {
  words: Int32Array
}

/** The private parts of a scheduler, which the access log must see. The recorder notices at once when one was renamed. */
export interface Insides {
  readonly hosts: { readonly records: Table }
  readonly pieces: { readonly free: BitSet }
  readonly urls: { readonly slots: Table; readonly goneBits: Table; readonly arrivals: Table }
  readonly lists: {
    readonly queues: { cells: Int32Array }
    readonly blocks: { words: Int32Array }
    readonly abysses: ReadonlyMap<number, { keys: Float64Array; ids: Float64Array }>
  }
  /** Depth- and breadth-first keep a set of hosts, best-first a tournament and a column. */
  readonly strategy: { readonly filled?: BitSet; readonly tournament?: { tree: Int32Array }; grown?: Int32Array }
}

export function insidesOf(core: SchedulerCore): Insides {
  return core as unknown as Insides
}

/** The tables of the store that are also read and written by TypeScript. */
export function tablesOf({ hosts, urls }: Insides): Table[] {
  return [hosts.records, urls.slots, urls.goneBits, urls.arrivals]
}

/** All arrays of JavaScript that a scheduler has now. */
export function* fieldsOf({ pieces, lists, strategy }: Insides): Generator<Field, void, void> {
  if (strategy.filled !== undefined) yield* setFields('hosts with URLs', strategy.filled)
  if (strategy.tournament !== undefined) yield field('hosts with URLs', strategy.tournament, 'tree')
  if (strategy.grown !== undefined) yield field('hosts with URLs', strategy, 'grown')
  yield field('queue cells', lists.queues, 'cells')
  yield field('queue ends', lists.blocks, 'words')
  for (const heap of lists.abysses.values()) {
    yield field('deepest URLs', heap, 'keys')
    yield field('deepest URLs', heap, 'ids')
  }
  yield* setFields('free pieces', pieces.free)
}

function* setFields(role: ArrayRole, { levels }: BitSet): Generator<Field, void, void> {
  for (const level of levels.keys()) yield field(role, levels, String(level))
}

function field(role: ArrayRole, holder: object, key: string): Field {
  return { role, holder: holder as Field['holder'], key }
}
