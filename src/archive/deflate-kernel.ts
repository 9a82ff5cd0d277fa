import { readFileSync } from 'node:fs'
import { EscalonaError } from '../base/errors.ts'

/** What we use of it; TypeScript knows WebAssembly only together with the browser's other types. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module)
    readonly exports: object
  }
}

interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly free: { readonly value: number }
  deflate(from: number, length: number, to: number): number
}

export const LONGEST_BYTES = 1 << 18
/** The kernel reads a little beyond the record. */
const SPARE_BYTES = 64

const kernel = new WebAssembly.Instance(new WebAssembly.Module(kernelFile())).exports as KernelExports
const memory = Buffer.from(kernel.memory.buffer)
const RECORD = kernel.free.value
const RESULT = RECORD + LONGEST_BYTES + SPARE_BYTES

function kernelFile(): Uint8Array {
  try {
    return readFileSync(new URL('./deflate.wasm', import.meta.url))
  } catch (error) {
    throw new EscalonaError('ARCHIVE_NO_KERNEL', {}, { cause: error })
  }
}

/** Deflates at most `LONGEST_BYTES`: as small as level 2 of zlib, in little more than half the time (docs/decisions/0027); deterministic. */
export function deflate(plain: Uint8Array): Buffer {
  memory.set(plain, RECORD)
  const length = kernel.deflate(RECORD, plain.length, RESULT)
  return Buffer.from(memory.subarray(RESULT, RESULT + length))
}
