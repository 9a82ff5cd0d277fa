import {
  BLANK,
  type Chunk,
  COLON,
  CR,
  DOT,
  HASH,
  LF,
  newChunk,
  QUESTION,
  SLASH,
  TAB,
  VT,
  wordOf,
} from '../base/bytes.ts'

/** Why a URL is not taken. Not a mistake in the input: it is counted. */
export type Refusal = 'protocol' | 'malformed' | 'extension'

export type ClassicUrl =
  | { readonly kind: 'accepted'; readonly url: string; readonly host: string; readonly depth: number }
  | { readonly kind: 'refused'; readonly reason: Refusal }

/** What every canonical URL begins with; it is not stored. */
export const SCHEME = 'http://'

const UPPER = 1
const ENDS_HOST = 2
const ENDS_PATH = 3
const ENDS_URL = 4

/** What a byte means for the rules: 0 nothing, a letter to lower in a host, or the end of host, path or URL. */
const MEANING = new Uint8Array(256)
MEANING.fill(ENDS_URL, 0, BLANK + 1)
MEANING[0x7f] = ENDS_URL
MEANING[HASH] = ENDS_URL
MEANING[QUESTION] = ENDS_PATH
MEANING[SLASH] = ENDS_HOST
MEANING.fill(UPPER, 0x41, 0x5b)

const LOWER = 0x20202020
const HTTP = wordOf('http')
const WWW = wordOf('www.')
const EXTENSIONS = ['.jpg', '.gif', '.mp3', '.avi', '.doc', '.pdf'].map(wordOf)

/**
 * The classic rules (SPEC 1) on one line of bytes, in one pass and in place: the canonical text without its `http://` is
 * a part of the line, from `start` to `end`; only upper-case letters of the host are changed, where they stand. The line
 * must be followed by an LF, and as many bytes as {@link Chunk} says.
 */
export class ClassicScanner {
  start = 0
  hostEnd = 0
  end = 0
  depth = 0
  /** Where the line's LF is. */
  lineEnd = 0

  /** Reads the line that begins at `from`; tells why it is refused, or `undefined` for a URL that the rules accept. */
  scan(chunk: Chunk, from: number): Refusal | undefined {
    const { bytes, view } = chunk
    let at = from
    while (isBlank(bytes[at]!)) at++
    if (!isHttp(chunk, at)) return this.refuse('protocol', bytes, at)
    at += SCHEME.length
    if (isWww(chunk, at)) at += 4
    const start = at

    let meaning = MEANING[bytes[at]!]!
    while (meaning < ENDS_HOST) {
      if (meaning === UPPER) bytes[at]! |= BLANK
      meaning = MEANING[bytes[++at]!]!
    }
    const hostEnd = at
    let slashes = 0
    while (meaning < ENDS_PATH) {
      slashes += meaning >>> 1
      meaning = MEANING[bytes[++at]!]!
    }
    const pathStop = at
    while (meaning < ENDS_URL) meaning = MEANING[bytes[++at]!]!

    const lineEnd = lineEndBehind(bytes, at)
    if (lineEnd < 0 || hostEnd === start) return this.refuse('malformed', bytes, at)
    let end = at
    while (end > hostEnd && bytes[end - 1] === SLASH) end--
    const pathEnd = Math.min(end, pathStop)
    if (pathEnd > hostEnd + 4 && bytes[pathEnd - 4] === DOT && isRefusedExtension(view, pathEnd - 4)) {
      return this.refuse('extension', bytes, lineEnd)
    }
    this.start = start
    this.hostEnd = hostEnd
    this.end = end
    this.depth = slashes - (pathStop - pathEnd)
    this.lineEnd = lineEnd
    return undefined
  }

  private refuse(reason: Refusal, bytes: Uint8Array, at: number): Refusal {
    this.lineEnd = nextLf(bytes, at)
    return reason
  }
}

/** The classic rules on a single text. A final line end is dropped; any other LF is a control character like the rest. */
export function readClassic(line: string | Uint8Array): ClassicUrl {
  const chunk = newChunk(lineBytes(line))
  putLine(line, chunk, 0)
  const scanner = new ClassicScanner()
  const reason = scanner.scan(chunk, 0)
  if (reason !== undefined) return { kind: 'refused', reason }
  const { start, hostEnd, end, depth } = scanner
  const url = SCHEME + chunk.bytes.toString('utf8', start, end)
  return { kind: 'accepted', url, host: chunk.bytes.toString('utf8', start, hostEnd), depth }
}

/** The most bytes that {@link putLine} needs for a text. */
export function lineBytes(line: string | Uint8Array): number {
  return typeof line === 'string' ? line.length * 3 + 1 : line.length + 1
}

/** Writes a text as one line that {@link ClassicScanner} can read; tells where its LF is. */
export function putLine(line: string | Uint8Array, chunk: Chunk, at: number): number {
  const { bytes } = chunk
  if (typeof line !== 'string') bytes.set(line, at)
  let end = at + (typeof line === 'string' ? bytes.write(line, at, 'utf8') : line.length)
  if (end > at && bytes[end - 1] === LF) end--
  bytes[end] = LF
  for (let lf = nextLf(bytes, at); lf < end; lf = nextLf(bytes, lf)) bytes[lf] = VT
  return end
}

/**
 * The host that a command names, by rules 3 and 4: cut at the first `/` or `?`, without one leading `www.`, in lower
 * case. Works in place; tells where the name begins and ends.
 */
export function readHost(chunk: Chunk, from: number, to: number): { start: number; end: number } {
  const { bytes } = chunk
  const start = to - from >= 4 && isWww(chunk, from) ? from + 4 : from
  let end = start
  for (; end < to; end++) {
    const meaning = MEANING[bytes[end]!]
    if (meaning === ENDS_HOST || meaning === ENDS_PATH) break
    if (meaning === UPPER) bytes[end]! |= BLANK
  }
  return { start, end }
}

/** Behind a URL only blanks may follow, or a fragment. Where the line's LF is, or -1 when something else follows. */
function lineEndBehind(bytes: Uint8Array, urlEnd: number): number {
  let at = urlEnd
  if (bytes[at] === HASH) return nextLf(bytes, at)
  while (isBlank(bytes[at]!)) at++
  if (bytes[at] === CR) at++
  return bytes[at] === LF ? at : -1
}

function nextLf(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] !== LF) at++
  return at
}

function isBlank(byte: number): boolean {
  return byte === BLANK || byte === TAB
}

function isHttp({ bytes, view }: Chunk, at: number): boolean {
  return (
    (view.getInt32(at, true) | LOWER) === HTTP &&
    bytes[at + 4] === COLON &&
    bytes[at + 5] === SLASH &&
    bytes[at + 6] === SLASH
  )
}

function isWww({ bytes, view }: Chunk, at: number): boolean {
  return (view.getInt32(at, true) | LOWER) === WWW && bytes[at + 3] === DOT
}

function isRefusedExtension(view: DataView, at: number): boolean {
  return EXTENSIONS.includes(view.getInt32(at, true) | LOWER)
}
