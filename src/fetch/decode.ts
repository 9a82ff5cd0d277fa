import {
  type BrotliOptions,
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib'

export type Coding = 'gzip' | 'deflate' | 'br'

/** `isCut`: there was more than the limit, or the input was already cut. */
export interface Decoded {
  readonly body: Uint8Array
  readonly isCut: boolean
}

export interface DecodeLimits {
  readonly maxBytes: number
  /** The input was cut: what can be decoded counts, and the missing end is no error. */
  readonly isCut: boolean
}

/** Two are seen in the wild by mistake; more are an attack. */
const MOST_CODINGS = 2
/** Longer inputs are decoded off the event loop. */
const LONGEST_AT_ONCE = 128 << 10
const CHUNK_BYTES = 64 << 10

/** The codings of a body in the order in which they were applied; `unknown` when they can't be undone. */
export function codingsOf(contentEncoding: string): readonly Coding[] | 'unknown' {
  const codings: Coding[] = []
  for (const word of contentEncoding.split(',')) {
    const name = word.trim().toLowerCase()
    if (name === '' || name === 'identity') continue
    if (name === 'gzip' || name === 'x-gzip') codings.push('gzip')
    else if (name === 'deflate' || name === 'br') codings.push(name)
    else return 'unknown'
  }
  return codings.length <= MOST_CODINGS ? codings : 'unknown'
}

/**
 * Undoes the codings, the last one first. No step produces more than `maxBytes`, so a bomb costs no more memory than any
 * long page. Short bodies are decoded at once, which is faster than a stream; those that turn out too long are decoded
 * again as a stream, which can be stopped midway. Broken data is `broken`, no matter how much of it could be read.
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

function decodeAtOnce(wire: Uint8Array, coding: Coding, { maxBytes, isCut }: DecodeLimits): Step | 'too-long' {
  try {
    return { body: undoSync(wire, coding, { maxOutputLength: maxBytes, ...flushOf(coding, isCut) }), isCut }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too-long' : 'broken'
  }
}

function undoSync(wire: Uint8Array, coding: Coding, options: ZlibOptions & BrotliOptions): Uint8Array {
  if (coding === 'br') return brotliDecompressSync(wire, options)
  if (coding === 'gzip') return gunzipSync(wire, options)
  return hasZlibHeader(wire) ? inflateSync(wire, options) : inflateRawSync(wire, options)
}

function decodeStreaming(wire: Uint8Array, coding: Coding, { maxBytes, isCut }: DecodeLimits): Promise<Step> {
  return new Promise(resolve => {
    const stream = streamFor(wire, coding, { chunkSize: CHUNK_BYTES, ...flushOf(coding, isCut) })
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
    stream.on('error', () => resolve('broken'))
    stream.end(wire)
  })
}

function streamFor(wire: Uint8Array, coding: Coding, options: ZlibOptions & BrotliOptions) {
  if (coding === 'br') return createBrotliDecompress(options)
  if (coding === 'gzip') return createGunzip(options)
  return hasZlibHeader(wire) ? createInflate(options) : createInflateRaw(options)
}

/** A missing end is an error, unless we cut it off ourselves. */
function flushOf(coding: Coding, isCut: boolean): { finishFlush?: number } {
  if (!isCut) return {}
  return { finishFlush: coding === 'br' ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH }
}

/** `deflate` means zlib (RFC 9110 8.4.1.2), but many servers send it without the header that RFC 1950 2.2 describes. */
export function hasZlibHeader(wire: Uint8Array): boolean {
  const [first = 0, second = 0] = wire
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}
