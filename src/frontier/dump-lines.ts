import { checkLinks } from './checks.ts'
import type { DumpHost, DumpLink, DumpNote, DumpOver, DumpPlanned, DumpRecord, DumpServer } from './dump.ts'
import type { Link } from './frontier.ts'

/** Records that a dump keeps as lines of JSON: all but its head. */
export type LineRecord = Exclude<DumpRecord, { kind: 'head' }>

/** A record as a line of JSON, without its `kind`: its first name says it. Bytes are base64. */
export function lineOf(record: LineRecord): string {
  switch (record.kind) {
    case 'note':
      return JSON.stringify({ note: record.key, bytes: base64(record.bytes), forMs: record.forMs })
    case 'over':
      return JSON.stringify({ part: record.part, ...record.end, fingerprints: base64(record.fingerprints) })
    case 'planned': {
      const { kind: _, url, ...rest } = record
      return JSON.stringify({ planned: url, ...rest })
    }
    default: {
      const { kind: _, ...rest } = record
      return JSON.stringify(rest)
    }
  }
}

/** Reads a line; undefined when it is not one of a dump. */
export function recordIn(line: string): LineRecord | undefined {
  const value = asObject(line)
  if (value === undefined) return undefined
  if ('url' in value) return linkIn(value)
  if ('planned' in value) return plannedIn(value)
  if ('host' in value) return hostIn(value)
  if ('server' in value) return serverIn(value)
  if ('part' in value) return overIn(value)
  return 'note' in value ? noteIn(value) : undefined
}

type Value = Readonly<Record<string, unknown>>

function linkIn(value: Value): DumpLink | undefined {
  const { errand, refused, attempts, url } = value
  if (!areNumbers(value, ['attempts']) || !isWhole(attempts)) return undefined
  if (errand !== undefined && errand !== 'robots' && errand !== 'sitemap') return undefined
  try {
    checkLinks([{ ...value, kind: errand ?? 'page', refused } as unknown as Link])
  } catch {
    return undefined
  }
  return Number(value.pathDepth) > 255 || typeof url !== 'string' ? undefined : ({ kind: 'link', ...value } as DumpLink)
}

function plannedIn({ planned: url, ...value }: Value): DumpPlanned | undefined {
  const { done, againInMs, visitedAtMs, gain } = value
  const isRight =
    (done === 'page' || done === 'other') &&
    [againInMs, visitedAtMs, gain].every(Number.isFinite) &&
    Number(gain) >= 0 &&
    linkIn({ ...value, url }) !== undefined
  return isRight ? ({ kind: 'planned', url, ...value } as unknown as DumpPlanned) : undefined
}

function hostIn(value: Value): DumpHost | undefined {
  const isRight =
    isName(value.host) &&
    (value.server === undefined || isName(value.server)) &&
    areNumbers(value, ['readyInMs', 'delayMs', 'failures', 'pages']) &&
    isWhole(value.failures) &&
    isWhole(value.pages)
  return isRight ? ({ kind: 'host', ...value } as unknown as DumpHost) : undefined
}

function serverIn(value: Value): DumpServer | undefined {
  const isRight =
    isName(value.server) && areNumbers(value, ['readyInMs', 'failures', 'failedAgoMs']) && isWhole(value.failures)
  return isRight ? ({ kind: 'server', ...value } as unknown as DumpServer) : undefined
}

function overIn({ part, done, refused, fingerprints }: Value): DumpOver | undefined {
  if (typeof part !== 'number' || !isWhole(part) || typeof fingerprints !== 'string') return undefined
  const bytes = Buffer.from(fingerprints, 'base64')
  if (bytes.length % 8 !== 0) return undefined
  if (done === 'page' || done === 'other') return { kind: 'over', part, end: { done }, fingerprints: bytes }
  if (!isName(refused)) return undefined
  return { kind: 'over', part, end: { refused }, fingerprints: bytes }
}

function noteIn({ note, bytes, forMs }: Value): DumpNote | undefined {
  if (typeof note !== 'string' || typeof bytes !== 'string' || typeof forMs !== 'number') return undefined
  return { kind: 'note', key: note, bytes: Buffer.from(bytes, 'base64'), forMs }
}

function areNumbers(value: Value, names: readonly string[]): boolean {
  return names.every(name => value[name] === undefined || typeof value[name] === 'number')
}

function isWhole(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

function asObject(line: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Value) : undefined
  } catch {
    return undefined
  }
}
