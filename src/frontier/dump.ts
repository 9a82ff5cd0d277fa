import { hasShape, parsedAs, type StoredShape } from '../base/structures/json-shape.ts'
import { checkLinks, checkName, checkPlans } from './checks.ts'
import type { FrontierCounts, Link, PlannedVisit } from './frontier.ts'

/**
 * A frontier as facts of the contract, the same for every implementation: `escalona frontier WHERE export` writes it to a folder
 * (`dump-files.ts`), and `import` makes a frontier of it (`restore-dump.ts`).
 *
 * Nothing is leased in a dump: a link with an open ticket waits at the end of its list, and its host keeps its delay, as after
 * the next opening. Durations count from the moment of the dump.
 */
export interface Dump {
  readonly head: DumpHead
  /**
   * To be read once, in this order: a host before its links, all links before what is done, that before what is planned. Some at a
   * time: a step of an asynchronous iteration costs more than a record.
   */
  readonly records: AsyncIterable<readonly DumpRecord[]>
}

/** What holds for the whole frontier. */
export interface DumpHead {
  /** The seed of the fingerprints: two signed 32-bit numbers. */
  readonly fingerprintSeed: readonly [number, number]
  /** How many parts {@link DumpDone} tells apart: 2^32 when the hosts of done links are known. */
  readonly parts: number
  /** Page links, hosts and auxiliary links of the frontier. What is restored must have as many. */
  readonly known: number
  readonly hosts: number
  readonly auxiliaries: number
  readonly turnedAway: FrontierCounts['turnedAway']
}

/** A line of JSON. Numbers that are left out are 0, flags false. */
export type DumpRecord = DumpServer | DumpHost | DumpLink | DumpNote | DumpDone | DumpPlanned

/** A server that has failed, or whose time has not come. */
export interface DumpServer {
  readonly kind: 'server'
  readonly server: string
  /** Left out, or negative: its time has come. */
  readonly readyInMs?: number | undefined
  /** Failures in a row. */
  readonly failures?: number | undefined
  /** How long ago the last one was; left out when there was none. */
  readonly failedAgoMs?: number | undefined
}

/** A known host. Those of one part are in the order in which they became known. */
export interface DumpHost {
  readonly kind: 'host'
  readonly host: string
  /** Left out when it was never asked nor blocked; negative since its time came. */
  readonly readyInMs?: number | undefined
  /** That time was set by its rest after failures, and by nothing else. */
  readonly isResting?: true | undefined
  readonly isProven?: true | undefined
  /** A ticket of this host was leased, so its registrable domain counts as visited. */
  readonly isVisited?: true | undefined
  /** Its own delay; 0: none. */
  readonly delayMs?: number | undefined
  /** Where it is placed; left out: nowhere. */
  readonly server?: string | undefined
  /** Failures in a row. */
  readonly failures?: number | undefined
  /** Its pages that are done. */
  readonly pages?: number | undefined
  /** The importance that it has received. */
  readonly received?: number | undefined
  /** Its page tickets that were ever leased. */
  readonly turns?: number | undefined
}

/** An auxiliary link, or a page link that waits or was refused. Those of a list are in its order; lists are by host and rank. */
export interface DumpLink {
  readonly kind: 'link'
  readonly link: Link
  /** How many of its tickets were settled since it began to wait. */
  readonly attempts?: number | undefined
}

/** A note about a host; its bytes in base64. A folder keeps none. */
export interface DumpNote {
  readonly kind: 'note'
  readonly host: string
  readonly key: string
  readonly bytes: string
  /** How long it is still kept. */
  readonly forMs: number
}

/**
 * Done links: of most, only the fingerprint is left. 13 bytes each, in base64: the part of the link's host, that is the hash of its
 * registrable domain (`domain-hash.ts`) modulo {@link DumpHead.parts}; the lower and the higher half of the fingerprint; each 32 bits,
 * little-endian; then 1 for a page, 0 for anything else. At most {@link MOST_DONE}.
 */
export interface DumpDone {
  readonly kind: 'done'
  readonly fingerprints: string
}

/** One of them. */
export interface DoneLink {
  readonly part: number
  readonly low: number
  readonly high: number
  /** It counts as a page. */
  readonly isPage: boolean
}

/** The next visit of a link that is done, in the order in which the links became known. */
export interface DumpPlanned {
  readonly kind: 'planned'
  readonly visit: PlannedVisit
  readonly attempts?: number | undefined
  readonly isHinted?: true | undefined
}

const DONE_BYTES = 13
const MOST_DONE = 4096
/** {@link DumpHead.parts} when the hosts of done links are known. */
export const ALL_PARTS = 2 ** 32

const NONE: readonly DumpDone[] = []

/** Collects done links into records. */
export class DoneLinks {
  private readonly bytes = Buffer.alloc(MOST_DONE * DONE_BYTES)
  private length = 0

  /** Returns a record when it is full. */
  add({ part, low, high, isPage }: DoneLink): readonly DumpDone[] {
    let at = this.bytes.writeUInt32LE(part, this.length)
    at = this.bytes.writeInt32LE(low, at)
    at = this.bytes.writeInt32LE(high, at)
    this.length = this.bytes.writeUInt8(isPage ? 1 : 0, at)
    return this.length === this.bytes.length ? this.rest() : NONE
  }

  /** What was added since the last record. */
  rest(): readonly DumpDone[] {
    if (this.length === 0) return NONE
    const fingerprints = this.bytes.toString('base64', 0, this.length)
    this.length = 0
    return [{ kind: 'done', fingerprints }]
  }
}

export function* doneIn({ fingerprints }: DumpDone): Generator<DoneLink> {
  const bytes = Buffer.from(fingerprints, 'base64')
  for (let at = 0; at < bytes.length; at += DONE_BYTES) {
    const [part, isPage] = [bytes.readUInt32LE(at), bytes[at + 12] === 1]
    yield { part, low: bytes.readInt32LE(at + 4), high: bytes.readInt32LE(at + 8), isPage }
  }
}

/** How long from now a time is; undefined for 0, one that was never set. */
export function msUntil(atMs: number, nowMs: number): number | undefined {
  return atMs === 0 ? undefined : atMs - nowMs
}

/** What a frontier knows of a link, as a record. */
export function linkRecord(
  { url, kind = 'page', rank, hops }: Link,
  { note, refused, attempts }: { note: string | undefined; refused?: string | undefined; attempts: number },
): DumpLink {
  const more = { ...(note !== undefined && { note }), ...(refused !== undefined && { refused }) }
  const link = { url, ...(kind !== 'page' && { kind }), rank, hops, ...more }
  return { kind: 'link', link, attempts: attempts || undefined }
}

/** How many page links a record has. */
export function linksIn(record: DumpRecord): number {
  if (record.kind === 'done') return Buffer.byteLength(record.fingerprints, 'base64') / DONE_BYTES
  return record.kind === 'link' && (record.link.kind ?? 'page') === 'page' ? 1 : 0
}

/** What each kind of record looks like. */
const SHAPES: Readonly<Record<DumpRecord['kind'], StoredShape>> = {
  server: { server: 'string', 'readyInMs?': 'number', 'failures?': 'number', 'failedAgoMs?': 'number' },
  host: {
    ...{
      host: 'string',
      'server?': 'string',
      'isResting?': 'boolean',
      'isProven?': 'boolean',
      'isVisited?': 'boolean',
    },
    ...{ 'readyInMs?': 'number', 'delayMs?': 'number', 'failures?': 'number', 'pages?': 'number' },
    ...{ 'received?': 'number', 'turns?': 'number' },
  },
  link: { link: {}, 'attempts?': 'number' },
  note: { host: 'string', key: 'string', bytes: 'string', forMs: 'number' },
  done: { fingerprints: 'string' },
  planned: { visit: {}, 'attempts?': 'number', 'isHinted?': 'boolean' },
}

/** The record that a line is; undefined for any other line. */
export function recordIn(line: string): DumpRecord | undefined {
  const record = parsedAs<DumpRecord>(line, { kind: 'string' })
  if (record === undefined || !Object.hasOwn(SHAPES, record.kind)) return undefined
  return hasShape(record, SHAPES[record.kind]) && isSound(record) ? record : undefined
}

function isSound(record: DumpRecord): boolean {
  try {
    if (record.kind === 'link') {
      checkLinks([record.link])
      if (record.link.rank > 255) return false
    } else if (record.kind === 'planned') checkPlans([record.visit])
    else if (record.kind === 'done') return Number.isInteger(linksIn(record))
    else checkName(record.kind === 'server' ? record.server : record.host)
  } catch {
    return false
  }
  const {
    attempts = 0,
    failures = 0,
    pages = 0,
    turns = 0,
    received = 0,
  } = record as unknown as Readonly<Record<string, number>>
  if (!Number.isFinite(received) || received < 0) return false
  return [attempts, failures, pages, turns].every(count => Number.isSafeInteger(count) && count >= 0)
}
