type Counts = Int32Array | Float64Array

/**
 * The largest of many counts, each change in O(log n). A binary tree in one array: leaf `n` at `size + n`, inner nodes hold the larger of their two.
 * Of equal counts the smaller number wins.
 */
export class Tournament {
  private size = 1
  private readonly newCounts: (length: number) => Counts
  private tree: Counts

  /** `newCounts`: makes an array of counts; none is less than 0. */
  constructor(newCounts: (length: number) => Counts = length => new Int32Array(length)) {
    this.newCounts = newCounts
    this.tree = newCounts(2)
  }

  set(n: number, count: number): void {
    if (n >= this.size) this.grow(n)
    const tree = this.tree
    let at = this.size + n
    tree[at] = count
    for (at >>>= 1; at > 0; at >>>= 1) {
      const left = tree[at * 2]!
      const right = tree[at * 2 + 1]!
      const larger = Math.max(left, right)
      if (tree[at] === larger) return
      tree[at] = larger
    }
  }

  /** -1 when every count is 0. */
  winner(): number {
    const tree = this.tree
    const best = tree[1]!
    if (best === 0) return -1
    let at = 1
    while (at < this.size) at = tree[at * 2] === best ? at * 2 : at * 2 + 1
    return at - this.size
  }

  clear(): void {
    this.size = 1
    this.tree = this.newCounts(2)
  }

  private grow(n: number): void {
    const leaves = this.tree.subarray(this.size)
    while (this.size <= n) this.size *= 2
    const tree = this.newCounts(this.size * 2)
    tree.set(leaves, this.size)
    for (let at = this.size - 1; at > 0; at--) tree[at] = Math.max(tree[at * 2]!, tree[at * 2 + 1]!)
    this.tree = tree
  }
}
