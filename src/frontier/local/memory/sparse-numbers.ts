const CHUNK_BITS = 12
const IN_CHUNK = (1 << CHUNK_BITS) - 1

/** Numbers at indices from 0 up, nearly all of them 0: stretches of zeros take no memory. */
export class SparseNumbers {
  private readonly chunks: (Float64Array | undefined)[] = []

  get(place: number): number {
    const chunk = this.chunks[place >>> CHUNK_BITS]
    return chunk === undefined ? 0 : chunk[place & IN_CHUNK]!
  }

  set(place: number, value: number): void {
    const n = place >>> CHUNK_BITS
    let chunk = this.chunks[n]
    if (chunk === undefined) {
      if (value === 0) return
      while (this.chunks.length < n) this.chunks.push(undefined)
      chunk = new Float64Array(1 << CHUNK_BITS)
      this.chunks[n] = chunk
    }
    chunk[place & IN_CHUNK] = value
  }

  copy(): SparseNumbers {
    const twin = new SparseNumbers()
    twin.chunks.push(...this.chunks.map(chunk => chunk?.slice()))
    return twin
  }
}
