import { COLON, copyBytes, HASH, newChunk, QUESTION, SLASH } from '../../../base/structures/bytes.ts'
import { sharedKernel } from '../../../url/classic.ts'

const SCHEME_END = 3

/**
 * A text to look up: a copy of its bytes, and its hashes. It is valid until the next text is read into it; the kernel's
 * window is used only within a call.
 */
export class LookupKey {
  length = 0
  /** The halves of a URL's fingerprint. */
  low = 0
  high = 0
  /** Where the name of the host is, and its hash. */
  hostStart = 0
  hostLength = 0
  hostHash = 0
  private chunk = newChunk(1 << 12)

  /** The text from its first byte on. */
  get view(): DataView {
    return this.chunk.view
  }

  get hostName(): string {
    return this.chunk.bytes.toString('utf8', this.hostStart, this.hostStart + this.hostLength)
  }

  readUrl(url: string | Uint8Array, seed: readonly [number, number]): this {
    const end = sharedKernel.putRaw(url)
    const { start } = sharedKernel
    sharedKernel.fingerprint(start, end, seed)
    this.low = sharedKernel.fingerprintLow
    this.high = sharedKernel.fingerprintHigh
    this.keep(start, end)
    this.findHost()
    this.hostHash = sharedKernel.hashHost(start + this.hostStart, start + this.hostStart + this.hostLength)
    return this
  }

  /** Reads the name of a host, a server or a domain. */
  readName(name: string | Uint8Array): this {
    const end = sharedKernel.putRaw(name)
    this.hostHash = sharedKernel.hashHost(sharedKernel.start, end)
    this.keep(sharedKernel.start, end)
    this.hostStart = 0
    this.hostLength = this.length
    return this
  }

  private keep(start: number, end: number): void {
    this.length = end - start
    if (this.length + 8 > this.chunk.bytes.length) this.chunk = newChunk(this.length * 2)
    copyBytes(sharedKernel.view, start, this.length, this.chunk.view, 0)
  }

  private findHost(): void {
    const { length } = this
    const { bytes } = this.chunk
    let at = 0
    while (at < length && !(bytes[at] === COLON && bytes[at + 1] === SLASH && bytes[at + 2] === SLASH)) at++
    this.hostStart = Math.min(at + SCHEME_END, length)
    let end = this.hostStart
    while (end < length && bytes[end] !== SLASH && bytes[end] !== QUESTION && bytes[end] !== HASH) end++
    this.hostLength = end - this.hostStart
  }
}

/** The lower half of the fingerprint of a URL. */
export function fingerprintLow(url: Uint8Array, seed: readonly [number, number]): number {
  const end = sharedKernel.putRaw(url)
  sharedKernel.fingerprint(sharedKernel.start, end, seed)
  return sharedKernel.fingerprintLow
}
