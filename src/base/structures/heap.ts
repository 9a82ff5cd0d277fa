/** Numbers with keys, the smallest key first; of equal keys the smaller number. A binary heap in two typed arrays. */
export class Heap {
  length = 0
  private keys = new Float64Array(4)
  private ids = new Float64Array(4)

  push(key: number, id: number): void {
    if (this.length === this.keys.length) {
      this.keys = doubled(this.keys)
      this.ids = doubled(this.ids)
    }
    let at = this.length++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.isBefore(key, id, parent)) break
      this.keys[at] = this.keys[parent]!
      this.ids[at] = this.ids[parent]!
      at = parent
    }
    this.keys[at] = key
    this.ids[at] = id
  }

  /** The number must be there. Looks at all pairs. */
  rekey(id: number, key: number): void {
    let at = this.ids.subarray(0, this.length).indexOf(id)
    // It becomes the first, whatever its key was, and leaves.
    while (at > 0) {
      const parent = (at - 1) >> 1
      this.keys[at] = this.keys[parent]!
      this.ids[at] = this.ids[parent]!
      at = parent
    }
    this.pop()
    this.push(key, id)
  }

  get topKey(): number {
    return this.keys[0]!
  }

  get topId(): number {
    return this.ids[0]!
  }

  pop(): void {
    const last = --this.length
    const key = this.keys[last]!
    const id = this.ids[last]!
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= last) break
      if (child + 1 < last && this.isBefore(this.keys[child + 1]!, this.ids[child + 1]!, child)) child++
      if (this.isBefore(key, id, child)) break
      this.keys[at] = this.keys[child]!
      this.ids[at] = this.ids[child]!
      at = child
    }
    this.keys[at] = key
    this.ids[at] = id
  }

  /** From the first on, in no order; those after a pair only when `visit` returns true for it. */
  walk(visit: (key: number, id: number) => boolean): void {
    const open = this.length > 0 ? [0] : []
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (!visit(this.keys[at]!, this.ids[at]!)) continue
      const child = 2 * at + 1
      if (child < this.length) open.push(child)
      if (child + 1 < this.length) open.push(child + 1)
    }
  }

  /** A copy. */
  inOrder(): [number, number][] {
    const pairs = Array.from({ length: this.length }, (_, i): [number, number] => [this.keys[i]!, this.ids[i]!])
    return pairs.sort(([a, x], [b, y]) => a - b || x - y)
  }

  clear(): void {
    this.length = 0
  }

  private isBefore(key: number, id: number, at: number): boolean {
    return key < this.keys[at]! || (key === this.keys[at] && id < this.ids[at]!)
  }
}

function doubled(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}
