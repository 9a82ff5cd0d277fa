import { compiledKernel } from '../base/kernel.ts'
import { HASH, LF, QUESTION, SLASH, VT } from '../base/structures/bytes.ts'

/** It is not stored. */
export const SCHEME = 'http://'

/** Not a mistake in the input: it is counted. */
export type Refusal = 'protocol' | 'malformed' | 'extension'

/** Per scan: enough to make calls cheap, few enough for the cache. */
export const ROWS = 1024

interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  setSeed(low: number, high: number): void
  scan(from: number, to: number, maxLines: number, out: number): number
  hostHash(start: number, end: number): number
  fingerprint(start: number, end: number, low: number, high: number): void
  skipWww(at: number): number
  lower(start: number, end: number): void
}

/** A longer line is cut; see {@link ClassicKernel.cut}. */
export const LONGEST_LINE_BYTES = (1 << 24) - 1
const KEPT_BYTES = 64

/** See `kernel/classic.ts`. */
const COLUMN_BYTES = ROWS * 4
const RESULTS = 6 * COLUMN_BYTES
const WINDOW = RESULTS + 64
/** The kernel reads a little beyond the last line feed. */
const SPARE_BYTES = 64
const PAGE_BYTES = 1 << 16

const newKernel = compiledKernel<KernelExports>(new URL('./classic.wasm', import.meta.url), 'URL_NO_KERNEL')

/**
 * The classic rules (docs/classic-rules.md), in WebAssembly. A scan reads the lines in a window of the kernel's memory, writes the canonical texts
 * (without `http://`) of accepted URLs one after the other, and fills columns, one row per URL.
 */
export class ClassicKernel {
  readonly start = WINDOW
  bytes!: Buffer
  view!: DataView
  at!: Int32Array
  length!: Int32Array
  hostLength!: Int32Array
  depth!: Int32Array
  hostHash!: Int32Array
  urlHash!: Int32Array
  columns!: Uint8Array
  private results!: Int32Array
  private windowBytes = 0
  private readonly exports: KernelExports

  /** The seed, two 32-bit numbers, decides the hashes. */
  constructor(seed: readonly [number, number]) {
    this.exports = newKernel()
    this.exports.setSeed(...seed)
    this.lookAtMemory()
  }

  /** The contents stay, but `bytes`, `view` and the columns must be read anew. */
  reserve(windowBytes: number): void {
    if (windowBytes <= this.windowBytes) return
    this.windowBytes = windowBytes
    const missing = WINDOW + 2 * (windowBytes + SPARE_BYTES) - this.bytes.length
    if (missing <= 0) return
    this.exports.memory.grow(Math.ceil(missing / PAGE_BYTES))
    this.lookAtMemory()
  }

  /** Returns where its LF is. */
  put(line: string | Uint8Array): number {
    const isString = typeof line === 'string'
    if (line.length > LONGEST_LINE_BYTES) return this.putCut(line.slice(0, KEPT_BYTES))
    this.reserve(isString ? line.length * 3 + 1 : line.length + 1)
    const { bytes } = this
    if (!isString) bytes.set(line, WINDOW)
    let end = WINDOW + (isString ? bytes.write(line, WINDOW, 'utf8') : line.length)
    if (end - WINDOW > LONGEST_LINE_BYTES) return this.putCut(line.slice(0, KEPT_BYTES))
    if (end > WINDOW && bytes[end - 1] === LF) end--
    return this.endLine(end)
  }

  /**
   * Cuts the line at `at`, which is too long: after its first bytes, before any fragment, it gets a control character. So as a URL it is malformed
   * (or not http), and as a command unknown. Returns where it ends.
   */
  cut(at: number): number {
    const fragment = this.bytes.subarray(at, at + KEPT_BYTES).indexOf(HASH)
    const end = at + (fragment < 0 ? KEPT_BYTES : fragment)
    this.bytes[end] = VT
    return end + 1
  }

  /** Returns where it ends. */
  putRaw(text: string | Uint8Array): number {
    this.reserve(typeof text === 'string' ? text.length * 3 : text.length)
    if (typeof text === 'string') return WINDOW + this.bytes.write(text, WINDOW, 'utf8')
    this.bytes.set(text, WINDOW)
    return WINDOW + text.length
  }

  private putCut(beginning: string | Uint8Array): number {
    this.putRaw(beginning)
    return this.endLine(this.cut(WINDOW))
  }

  /** An LF inside a text counts as a control character. */
  private endLine(end: number): number {
    const { bytes } = this
    bytes[end] = LF
    for (let lf = bytes.indexOf(LF, WINDOW); lf < end; lf = bytes.indexOf(LF, lf)) bytes[lf] = VT
    return end
  }

  /**
   * Reads whole lines from `from` to `to`, where an LF must be. Returns how many rows it filled; {@link lines}, {@link refused} and {@link next}
   * have the rest.
   */
  scan(from: number, to: number, maxLines: number): number {
    const texts = WINDOW + this.windowBytes + SPARE_BYTES
    return this.exports.scan(from, to, Math.min(maxLines, 0x7fffffff), texts)
  }

  get lines(): number {
    return this.results[0]!
  }

  refused(reason: Refusal): number {
    return this.results[REFUSALS.indexOf(reason) + 1]!
  }

  /** The first line that was not read. */
  get next(): number {
    return this.results[4]!
  }

  /** The host that a command names, by rules 3 and 4: cut at the first `/` or `?`, without one leading `www.`, in lower case. */
  readHost(from: number, to: number): { start: number; end: number; hash: number } {
    const start = to - from >= 4 ? this.exports.skipWww(from) : from
    let end = start
    while (end < to && this.bytes[end] !== SLASH && this.bytes[end] !== QUESTION) end++
    this.exports.lower(start, end)
    return { start, end, hash: this.hashHost(start, end) }
  }

  hashHost(start: number, end: number): number {
    return this.exports.hostHash(start, end)
  }

  /** 64 bits: {@link fingerprintLow} and {@link fingerprintHigh}. */
  fingerprint(start: number, end: number, seed: readonly [number, number]): void {
    this.exports.fingerprint(start, end, seed[0], seed[1])
  }

  get fingerprintLow(): number {
    return this.results[6]!
  }

  get fingerprintHigh(): number {
    return this.results[7]!
  }

  private lookAtMemory(): void {
    const { buffer } = this.exports.memory
    const column = (n: number) => new Int32Array(buffer, n * COLUMN_BYTES, ROWS)
    this.bytes = Buffer.from(buffer)
    this.view = new DataView(buffer)
    this.at = column(0)
    this.length = column(1)
    this.hostLength = column(2)
    this.depth = column(3)
    this.hostHash = column(4)
    this.urlHash = column(5)
    this.columns = new Uint8Array(buffer, 0, 6 * COLUMN_BYTES)
    this.results = new Int32Array(buffer, RESULTS, 8)
  }
}

/** In the order in which the kernel counts them. */
export const REFUSALS: readonly Refusal[] = ['protocol', 'malformed', 'extension']
