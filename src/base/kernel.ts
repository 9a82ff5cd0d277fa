import { readFileSync } from 'node:fs'
import { EscalonaError } from './errors.ts'

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

/** Compiles a kernel; the result makes instances of it. Its file is missing when the package was bundled into a program. */
export function compiledKernel<Exports>(
  file: URL,
  code: 'URL_NO_KERNEL' | 'ARCHIVE_NO_KERNEL' | 'EXTRACT_NO_KERNEL',
): () => Exports {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new EscalonaError(code, {}, { cause: error })
  }
  const kernel = new WebAssembly.Module(bytes)
  return () => new WebAssembly.Instance(kernel).exports as Exports
}
