/** The memory of one watched array. */
export interface WatchedArray {
  readonly memory: ArrayBufferLike
}

/** Called when `bytes` bytes of a piece, from `at` on, are read or written; for a write, after it is done. */
type OnTouch = (piece: WatchedArray, kind: 'read' | 'write', at: number, bytes: number) => void

type Watchable = Int32Array | Float64Array | Buffer

/** The real constructors: while memory is watched, the global names mean others. */
const RealInt32Array = Int32Array
const RealFloat64Array = Float64Array
const RealDataView = DataView
const allocateReal = Buffer.allocUnsafeSlow

/**
 * Typed arrays that report every access, to one element or many, to them or to a view of their memory. They replace
 * real ones in code that does not know about it: a watched array is a Proxy around a real one. An operation that is not
 * understood throws, so that no access goes unnoticed.
 */
export class WatchedMemory {
  private readonly onTouch: OnTouch
  private readonly pieces = new WeakMap<ArrayBufferLike, WatchedArray>()
  private readonly realOf = new WeakMap<object, Watchable>()
  private readonly View: typeof DataView

  constructor(onTouch: OnTouch) {
    this.onTouch = onTouch
    this.View = watchedViewClass(memory => this.pieces.get(memory), onTouch)
  }

  /** The same array, watched. */
  watch<A extends Watchable>(array: A): A {
    const piece = this.pieces.get(array.buffer) ?? { memory: array.buffer }
    this.pieces.set(array.buffer, piece)
    return this.standIn(array, piece)
  }

  /** A view of watched memory. */
  view(memory: ArrayBufferLike): DataView {
    return new this.View(memory as ArrayBuffer)
  }

  pieceOf(memory: ArrayBufferLike): WatchedArray | undefined {
    return this.pieces.get(memory)
  }

  /** While `work` runs, every new array with memory of its own, and every view of such memory, is watched. */
  during<T>(work: () => T): T {
    const watchNew = (array: Watchable) => this.watch(array)
    globalThis.Int32Array = constructorThat(RealInt32Array, watchNew)
    globalThis.Float64Array = constructorThat(RealFloat64Array, watchNew)
    globalThis.DataView = this.View
    Buffer.allocUnsafeSlow = bytes => this.watch(allocateReal(bytes))
    try {
      return work()
    } finally {
      globalThis.Int32Array = RealInt32Array
      globalThis.Float64Array = RealFloat64Array
      globalThis.DataView = RealDataView
      Buffer.allocUnsafeSlow = allocateReal
    }
  }

  private standIn<A extends Watchable>(array: A, piece: WatchedArray): A {
    const { BYTES_PER_ELEMENT: width, byteOffset: start, length } = array
    const touch = (kind: 'read' | 'write', from: number, to: number) => {
      if (to > from) this.onTouch(piece, kind, start + from * width, (to - from) * width)
    }
    const bulk = this.bulkOperations(array, piece, touch)
    const proxy = new Proxy(array, {
      get: (_, key) => {
        const index = indexOf(key)
        if (index >= 0) {
          if (index < length) touch('read', index, index + 1)
          return array[index]
        }
        if (Object.hasOwn(bulk, key)) return bulk[key as keyof typeof bulk]
        const value: unknown = Reflect.get(array, key, array)
        if (typeof value === 'function') throw new Error(`watched memory has no ${String(key)}`)
        return value
      },
      set: (_, key, value: number) => {
        const index = indexOf(key)
        if (index < 0) throw new Error(`watched memory has no ${String(key)} to set`)
        array[index] = value
        if (index < length) touch('write', index, index + 1)
        return true
      },
    })
    this.realOf.set(proxy, array)
    return proxy
  }

  private bulkOperations(
    array: Watchable,
    piece: WatchedArray,
    touch: (kind: 'read' | 'write', from: number, to: number) => void,
  ) {
    return {
      fill: (value: number, from = 0, to = array.length): void => {
        array.fill(value, from, to)
        touch('write', from, to)
      },
      set: (source: Watchable, at = 0): void => {
        const real = this.realOf.get(source)
        if (real !== undefined) this.onTouch(this.pieces.get(real.buffer)!, 'read', real.byteOffset, real.byteLength)
        array.set(real ?? source, at)
        touch('write', at, at + source.length)
      },
      copyWithin: (to: number, from: number, end: number): void => {
        touch('read', from, end)
        array.copyWithin(to, from, end)
        touch('write', to, to + end - from)
      },
      subarray: (from = 0, to = array.length): Watchable => this.standIn(array.subarray(from, to) as Watchable, piece),
    }
  }
}

/** The array index that a property key means, or -1. */
function indexOf(key: string | symbol): number {
  if (typeof key === 'symbol') return -1
  const first = key.charCodeAt(0)
  return first >= 0x30 && first <= 0x39 ? Number(key) : -1
}

/** A constructor that makes what `real` makes, passed through `watch` if it has memory of its own. */
function constructorThat<C extends Int32ArrayConstructor | Float64ArrayConstructor>(
  real: C,
  watch: (array: Watchable) => Watchable,
): C {
  return new Proxy(real, {
    construct: (_, args: [number]) => {
      const array = new real(...args)
      return typeof args[0] === 'number' ? watch(array) : array
    },
  })
}

const NUMBERS = { Int8: 1, Uint8: 1, Int16: 2, Uint16: 2, Int32: 4, Uint32: 4, Float32: 4, Float64: 8 } as const

function watchedViewClass(
  pieceOf: (memory: ArrayBufferLike) => WatchedArray | undefined,
  onTouch: OnTouch,
): typeof DataView {
  const WatchedView = class extends RealDataView<ArrayBuffer> {}
  for (const [name, bytes] of Object.entries(NUMBERS) as [keyof typeof NUMBERS, number][]) {
    const get = RealDataView.prototype[`get${name}`]
    const set = RealDataView.prototype[`set${name}`]
    WatchedView.prototype[`get${name}`] = function (at: number, isLittleEndian?: boolean) {
      const value = get.call(this, at, isLittleEndian)
      const piece = pieceOf(this.buffer)
      if (piece !== undefined) onTouch(piece, 'read', this.byteOffset + at, bytes)
      return value
    }
    WatchedView.prototype[`set${name}`] = function (at: number, value: number, isLittleEndian?: boolean) {
      set.call(this, at, value, isLittleEndian)
      const piece = pieceOf(this.buffer)
      if (piece !== undefined) onTouch(piece, 'write', this.byteOffset + at, bytes)
    }
  }
  return WatchedView as unknown as typeof DataView
}
