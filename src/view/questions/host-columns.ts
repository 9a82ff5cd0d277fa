import type { HostView } from '../../frontier/frontier.ts'

/** Hosts in columns: entry i of each belongs to `names[i]`. */
export interface HostColumns {
  readonly names: readonly string[]
  readonly waiting: Uint32Array
  readonly pages: Uint32Array
  /** The time between two requests that holds. */
  readonly delayMs: Uint32Array
  /** When it can be asked again, in milliseconds since 1970; 0: it can be asked now. */
  readonly readyAtMs: Float64Array
  /** 1: it, or its server, is down; 0: it is not. */
  readonly isDown: Uint8Array
  /** The cursor of the next part, as `after`; undefined at the end. Hosts keep their place in the order, so a later round gives the same names. */
  readonly next: string | undefined
}

/** Maximum hosts in one answer: packing takes about a millisecond per 1,000, in which nothing else happens. */
export const MOST_ROWS = 2000

/** Puts hosts into columns. `gapMs`: the time between two requests that holds. */
export function hostColumns(
  hosts: readonly HostView[],
  next: string | undefined,
  gapMs: (host: HostView) => number,
  nowMs: number,
): HostColumns {
  const count = hosts.length
  const names = new Array<string>(count)
  const waiting = new Uint32Array(count)
  const pages = new Uint32Array(count)
  const delayMs = new Uint32Array(count)
  const readyAtMs = new Float64Array(count)
  const isDown = new Uint8Array(count)
  for (let i = 0; i < count; i++) {
    const host = hosts[i]!
    names[i] = host.host
    waiting[i] = host.waiting
    pages[i] = host.pages
    delayMs[i] = gapMs(host)
    readyAtMs[i] = host.readyInMs > 0 ? nowMs + host.readyInMs : 0
    isDown[i] = host.isDown ? 1 : 0
  }
  return { names, waiting, pages, delayMs, readyAtMs, isDown, next }
}

const NUMBERS = {
  waiting: Uint32Array,
  pages: Uint32Array,
  delayMs: Uint32Array,
  readyAtMs: Float64Array,
  isDown: Uint8Array,
} as const
const NAMES = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]

/** Columns as they travel over the wire: base64 of little-endian numbers. */
export type PackedColumns = Pick<HostColumns, 'names' | 'next'> & Readonly<Record<keyof typeof NUMBERS, string>>

export function packed(columns: HostColumns): PackedColumns {
  const text = ({ buffer, byteOffset, byteLength }: HostColumns[keyof typeof NUMBERS]) =>
    Buffer.from(buffer, byteOffset, byteLength).toString('base64')
  const texts = Object.fromEntries(NAMES.map(name => [name, text(columns[name])]))
  return { ...columns, ...(texts as Record<keyof typeof NUMBERS, string>) }
}

/** In memory of its own: what a Buffer comes from may begin at any address. */
export function unpacked(columns: PackedColumns): HostColumns {
  const numbers = NAMES.map(name => {
    const bytes = new Uint8Array(Buffer.from(columns[name], 'base64'))
    return [name, new NUMBERS[name](bytes.buffer)]
  })
  // JSON leaves out what is undefined.
  return { ...columns, ...Object.fromEntries(numbers), next: columns.next }
}
