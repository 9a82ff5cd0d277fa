import type { Chunk } from '../base/structures/bytes.ts'
import type { SchedulerCore } from '../scheduler/core.ts'

/** The structures of the scheduler in the access log, in the order in which they get their addresses. */
export const ROLES = [
  'host records',
  'host index',
  'hosts with URLs',
  'URL slots',
  'gone bits',
  'URL index',
  'queue cells',
  'queue ends',
  'deepest URLs',
  'free pieces',
  'texts',
  'long names',
] as const

export type Role = (typeof ROLES)[number]

/** Where a structure keeps an array. */
export interface Field {
  readonly role: Role
  readonly holder: Record<string, Int32Array | Float64Array | Buffer>
  readonly key: string
}

interface Indexed {
  readonly index: { pairs: Int32Array }
}

interface Arena {
  readonly regions: Chunk[]
  readonly free: BitSet
}

interface BitSet {
  readonly levels: Int32Array[]
}

/**
 * The private parts of a scheduler: TypeScript hides these fields, but the access log must see them. If a field is renamed,
 * `fieldsOf` yields no array for it, which the recorder notices at once.
 */
export interface Insides {
  readonly hosts: Indexed & {
    words: Int32Array
    ownNames: DataView
    readonly longNames: Arena
    readonly found: Int32Array
  }
  readonly urls: Indexed & { words: Int32Array; leftBits: Int32Array; readonly texts: Arena }
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

/** All arrays that a scheduler has now. */
export function* fieldsOf({ hosts, urls, lists, strategy }: Insides): Generator<Field, void, void> {
  yield field('host records', hosts, 'words')
  yield field('host index', hosts.index, 'pairs')
  if (strategy.filled !== undefined) yield* setFields('hosts with URLs', strategy.filled)
  if (strategy.tournament !== undefined) yield field('hosts with URLs', strategy.tournament, 'tree')
  if (strategy.grown !== undefined) yield field('hosts with URLs', strategy, 'grown')
  yield field('URL slots', urls, 'words')
  yield field('gone bits', urls, 'leftBits')
  yield field('URL index', urls.index, 'pairs')
  yield field('queue cells', lists.queues, 'cells')
  yield field('queue ends', lists.blocks, 'words')
  for (const heap of lists.abysses.values()) {
    yield field('deepest URLs', heap, 'keys')
    yield field('deepest URLs', heap, 'ids')
  }
  for (const arena of [urls.texts, hosts.longNames]) yield* setFields('free pieces', arena.free)
  for (const region of urls.texts.regions) yield field('texts', region, 'bytes')
  for (const region of hosts.longNames.regions) yield field('long names', region, 'bytes')
}

function* setFields(role: Role, { levels }: BitSet): Generator<Field, void, void> {
  for (const level of levels.keys()) yield field(role, levels, String(level))
}

function field(role: Role, holder: object, key: string): Field {
  return { role, holder: holder as Field['holder'], key }
}
