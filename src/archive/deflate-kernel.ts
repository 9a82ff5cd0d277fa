import { compiledKernel } from '../base/kernel.ts'

interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly free: { readonly value: number }
  deflate(from: number, length: number, to: number): number
}

export const LONGEST_BYTES = 1 << 18
/** The kernel reads a little beyond the record. */
const SPARE_BYTES = 64

const kernel = compiledKernel<KernelExports>(new URL('./deflate.wasm', import.meta.url), 'ARCHIVE_NO_KERNEL')()
const memory = Buffer.from(kernel.memory.buffer)
const RECORD = kernel.free.value
const RESULT = RECORD + LONGEST_BYTES + SPARE_BYTES

/** Deflates at most `LONGEST_BYTES`: as small as level 2 of zlib, in little more than half the time (docs/decisions/0027); deterministic. */
export function deflate(plain: Uint8Array): Buffer {
  memory.set(plain, RECORD)
  const length = kernel.deflate(RECORD, plain.length, RESULT)
  return Buffer.from(memory.subarray(RESULT, RESULT + length))
}
