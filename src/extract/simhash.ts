import { compiledKernel } from '../base/kernel.ts'

interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly PIECES: { readonly value: number }
  readonly MOST_PIECES: { readonly value: number }
  readonly PAGE: { readonly value: number }
  readonly MOST_PAGE_BYTES: { readonly value: number }
  readonly MOST_SAMPLED: { readonly value: number }
  readonly SAMPLE: { readonly value: number }
  simhash(pieces: number): bigint
  sample(): number
}

/** What a page's words say about it, in a few bytes. */
export interface Fingerprint {
  /** 64 bits as 16 hexadecimal digits: pages whose words are nearly the same differ in few bits. Undefined when there are no words. */
  readonly simhash: string | undefined
  /** One in 32 of its pairs of neighbouring words, as hashes of 32 bits; at most 32. */
  readonly sample: readonly number[]
  /** For each of these pairs, the run of four words that begins with it. */
  readonly runs: readonly number[]
}

const newKernel = compiledKernel<KernelExports>(new URL('./simhash.wasm', import.meta.url), 'EXTRACT_NO_KERNEL')

/** Its memory is allocated when the first page wants a fingerprint. */
function newRoom() {
  const kernel = newKernel()
  const { buffer } = kernel.memory
  return {
    kernel,
    mostPageBytes: kernel.MOST_PAGE_BYTES.value,
    pieces: new Uint32Array(buffer, kernel.PIECES.value, 2 * kernel.MOST_PIECES.value),
    page: new Uint8Array(buffer, kernel.PAGE.value),
    mostSampled: kernel.MOST_SAMPLED.value,
    sampled: new Uint32Array(buffer, kernel.SAMPLE.value, 2 * kernel.MOST_SAMPLED.value),
  }
}

let shared: ReturnType<typeof newRoom> | undefined

/**
 * Where the visible text of a page is, for its fingerprint. One page at a time: `extract` never waits. Text beyond the first MiB of a page, and
 * beyond its first 32,768 pieces, does not count. Markup divides words, and character references count as they are written.
 */
export class TextPieces {
  private length = 0
  private readonly room = (shared ??= newRoom())

  add(start: number, end: number): void {
    const { pieces, mostPageBytes } = this.room
    if (end <= start || start >= mostPageBytes || this.length >= pieces.length) return
    pieces[this.length++] = start
    pieces[this.length++] = Math.min(end, mostPageBytes)
  }

  fingerprint(bytes: Uint8Array): Fingerprint {
    const { kernel, page, sampled, mostSampled, mostPageBytes } = this.room
    page.set(bytes.length > mostPageBytes ? bytes.subarray(0, mostPageBytes) : bytes)
    const hash = BigInt.asUintN(64, kernel.simhash(this.length >> 1))
    const simhash = hash === 0n ? undefined : hash.toString(16).padStart(16, '0')
    const count = kernel.sample()
    const runs = Array.from(sampled.subarray(mostSampled, mostSampled + count))
    return { simhash, sample: Array.from(sampled.subarray(0, count)), runs }
  }
}

/** In how many bits two simhashes differ. */
export function distanceOf(a: string, b: string): number {
  let bits = 0
  for (let at = 0; at < 16; at += 8)
    bits += ones(Number.parseInt(a.slice(at, at + 8), 16) ^ Number.parseInt(b.slice(at, at + 8), 16))
  return bits
}

/** How many bits of a 32-bit number are set. */
export function ones(number: number): number {
  let n = number - ((number >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Pages whose simhashes differ in at most this many bits nearly repeat each other. */
export const NEAR_BITS = 3
