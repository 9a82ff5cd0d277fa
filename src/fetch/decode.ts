import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { gzipHeaderBytes } from '../base/structures/unpacked-pieces.ts'

export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd'

/** `isCut`: there was more than the limit, or the input was already cut. */
export interface Decoded {
  readonly body: Uint8Array
  readonly isCut: boolean
}

export interface DecodeLimits {
  readonly maxBytes: number
  /** What can be decoded counts, and the missing end isn't an error. */
  readonly isCut: boolean
}

/** Two are seen in the wild by mistake; more are an attack. */
const MOST_CODINGS = 2
/** Longer inputs are decoded off the event loop. */
const LONGEST_AT_ONCE = 128 << 10
const CHUNK_BYTES = 64 << 10
/** `ZSTD_e_flush` */
const ZSTD_FLUSH = 1

/** Node >= 22.15 has it. It is not offered, so that a crawl gets the same answers with every Node, but some servers send it unasked. */
const { createZstdDecompress, zstdDecompressSync } = zlib as {
  createZstdDecompress?: (options: object) => Transform
  zstdDecompressSync?: (wire: Uint8Array, options: object) => Buffer
}

const CODINGS: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ...(createZstdDecompress === undefined ? [] : [['zstd', 'zstd'] as const]),
])

/** The other codings of IANA's registry. */
const NOT_UNDONE = new Set(['aes128gcm', 'compress', 'dcb', 'dcz', 'exi', 'pack200-gzip', 'x-compress', 'zstd'])

/**
 * The codings in the order in which they were applied; `unknown` when they can't be undone. A `Content-Encoding` that isn't a coding, such as
 * `none` or `utf-8`, is ignored, as browsers do.
 */
export function codingsOf(content: string, transfer: string): readonly Coding[] | 'unknown' {
  const codings: Coding[] = []
  for (const name of namesIn(content)) {
    const coding = CODINGS.get(name)
    if (coding !== undefined) codings.push(coding)
    else if (NOT_UNDONE.has(name)) return 'unknown'
  }
  for (const name of namesIn(transfer)) {
    const coding = CODINGS.get(name)
    if (coding === undefined) return 'unknown'
    codings.push(coding)
  }
  return codings.length <= MOST_CODINGS ? codings : 'unknown'
}

function namesIn(list: string): string[] {
  const names = list.split(',').map(word => word.trim().toLowerCase())
  return names.filter(name => name !== '' && name !== 'identity')
}

/**
 * Undoes the codings, the last one first. No step produces more than `maxBytes`, so a bomb costs no more memory than a long page. Short bodies
 * are decoded at once, which is faster than a stream; those that turn out too long again as a stream, which can be stopped midway.
 */
export function decode(wire: Uint8Array, codings: readonly Coding[], limits: DecodeLimits): Step | Promise<Step> {
  const coding = codings.at(-1)
  if (coding === undefined || wire.length === 0) return { body: wire, isCut: limits.isCut }
  const step = wire.length <= LONGEST_AT_ONCE ? decodeAtOnce(wire, coding, limits) : 'too-long'
  if (codings.length === 1 && step !== 'too-long') return step
  return decodeInSteps(wire, codings, limits)
}

type Step = Decoded | 'broken'

async function decodeInSteps(wire: Uint8Array, codings: readonly Coding[], limits: DecodeLimits): Promise<Step> {
  let decoded: Decoded = { body: wire, isCut: limits.isCut }
  for (const coding of codings.toReversed()) {
    const step = await decodeStreaming(decoded.body, coding, { maxBytes: limits.maxBytes, isCut: decoded.isCut })
    if (step === 'broken') return step
    decoded = step
  }
  return decoded
}

function decodeAtOnce(wire: Uint8Array, coding: Coding, limits: DecodeLimits): Step | 'too-long' {
  const { maxBytes, isCut } = limits
  try {
    return { body: undoSync(wire, coding, { maxOutputLength: maxBytes, ...flushOf(coding, isCut) }), isCut }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return 'too-long'
    const whole = withoutRest(wire, coding, limits)
    return whole === undefined ? 'broken' : decodeAtOnce(whole, coding, limits)
  }
}

function undoSync(wire: Uint8Array, coding: Coding, options: object): Uint8Array {
  if (coding === 'br') return zlib.brotliDecompressSync(wire, options)
  if (coding === 'gzip') return zlib.gunzipSync(wire, options)
  if (coding === 'zstd') return zstdDecompressSync!(wire, options)
  return hasZlibHeader(wire) ? zlib.inflateSync(wire, options) : zlib.inflateRawSync(wire, options)
}

function decodeStreaming(wire: Uint8Array, coding: Coding, limits: DecodeLimits): Promise<Step> {
  const { maxBytes, isCut } = limits
  return new Promise(resolve => {
    const stream = undoing(wire, coding, flushOf(coding, isCut))
    const pieces: Uint8Array[] = []
    let length = 0
    stream.on('data', (piece: Buffer) => {
      pieces.push(piece)
      length += piece.length
      if (length <= maxBytes) return
      stream.destroy()
      resolve({ body: Buffer.concat(pieces, maxBytes), isCut: true })
    })
    stream.on('end', () => resolve({ body: Buffer.concat(pieces), isCut }))
    stream.on('error', () => {
      const whole = withoutRest(wire, coding, limits)
      resolve(whole === undefined ? 'broken' : decodeStreaming(whole, coding, limits))
    })
    stream.end(wire)
  })
}

/** `start`: the first bytes of what will be written to it. */
export function undoing(start: Uint8Array, coding: Coding, options: object = {}): Transform {
  const all = { chunkSize: CHUNK_BYTES, ...options }
  if (coding === 'br') return zlib.createBrotliDecompress(all)
  if (coding === 'gzip') return zlib.createGunzip(all)
  if (coding === 'zstd') return createZstdDecompress!(all)
  return hasZlibHeader(start) ? zlib.createInflate(all) : zlib.createInflateRaw(all)
}

/** What could not be decoded, without the bytes after its last gzip member; undefined where there are none. */
function withoutRest(wire: Uint8Array, coding: Coding, { maxBytes, isCut }: DecodeLimits): Uint8Array | undefined {
  if (coding !== 'gzip' || isCut) return undefined
  const end = endOfMembers(wire, maxBytes)
  return end > 0 && end < wire.length ? wire.subarray(0, end) : undefined
}

/** A missing end is an error, unless we cut it off. */
function flushOf(coding: Coding, isCut: boolean): { finishFlush?: number } {
  if (!isCut) return {}
  if (coding === 'zstd') return { finishFlush: ZSTD_FLUSH }
  return { finishFlush: coding === 'br' ? zlib.constants.BROTLI_OPERATION_FLUSH : zlib.constants.Z_SYNC_FLUSH }
}

/** `deflate` means zlib (RFC 9110 8.4.1.2), but many servers send it without the header that RFC 1950 2.2 describes. */
function hasZlibHeader(wire: Uint8Array): boolean {
  const [first = 0, second = 0] = wire
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}

const TRAILER_BYTES = 8

/**
 * Where the last whole member of a gzip file ends (RFC 1952 2.2); 0 without one. Some servers send bytes after it, which browsers
 * ignore and zlib takes for the next member. A member that holds more than `maxBytes` counts as none.
 */
function endOfMembers(wire: Uint8Array, maxBytes: number): number {
  let end = 0
  for (;;) {
    const dataAt = end + gzipHeaderBytes(wire.subarray(end))
    if (dataAt === end) return end
    try {
      const options = { info: true, maxOutputLength: maxBytes }
      const { engine } = zlib.inflateRawSync(wire.subarray(dataAt), options) as unknown as { engine: zlib.InflateRaw }
      const memberEnd = dataAt + engine.bytesWritten + TRAILER_BYTES
      if (memberEnd > wire.length) return end
      end = memberEnd
    } catch {
      return end
    }
  }
}
