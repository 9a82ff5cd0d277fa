import type { HostView } from '../../frontier/frontier.ts'

/** Hosts in columns: entry i of each belongs to `names[i]`. */
export interface HostColumns {
  readonly names: readonly string[]
  /** Page links that wait. */
  readonly waiting: Uint32Array
  /** Archived pages. */
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

/** Columns as they travel over the wire: base64 of little-endian numbers. */
export interface PackedColumns {
  readonly names: readonly string[]
  readonly waiting: string
  readonly pages: string
  readonly delayMs: string
  readonly readyAtMs: string
  readonly isDown: string
  readonly next?: string | undefined
}

export function packed({ names, waiting, pages, delayMs, readyAtMs, isDown, next }: HostColumns): PackedColumns {
  return {
    names,
    waiting: text(waiting),
    pages: text(pages),
    delayMs: text(delayMs),
    readyAtMs: text(readyAtMs),
    isDown: text(isDown),
    next,
  }
}

export function unpacked({ names, waiting, pages, delayMs, readyAtMs, isDown, next }: PackedColumns): HostColumns {
  return {
    names,
    waiting: new Uint32Array(bytesOf(waiting)),
    pages: new Uint32Array(bytesOf(pages)),
    delayMs: new Uint32Array(bytesOf(delayMs)),
    readyAtMs: new Float64Array(bytesOf(readyAtMs)),
    isDown: new Uint8Array(bytesOf(isDown)),
    next,
  }
}

function text({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array | Float64Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

/** In memory of its own: what a Buffer comes from may begin at any address. */
function bytesOf(text: string): ArrayBuffer {
  return new Uint8Array(Buffer.from(text, 'base64')).buffer
}
