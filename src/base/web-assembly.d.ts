/** What we use of it; TypeScript knows WebAssembly only together with the browser's other types. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports?: object)
    readonly exports: object
  }
  /** Shared between threads. */
  class Memory {
    constructor(size: { initial: number; maximum: number; shared: true })
    readonly buffer: SharedArrayBuffer
    grow(pages: number): number
  }
}
