import type { HostId, HostTable } from './hosts.ts'
import { Rows } from './rows.ts'

/**
 * Any number of heaps of rows, threaded through three words of each. A heap is named by its top; 0 is the empty one. These are
 * skew heaps: a step takes amortized O(log n) time, and a row can be removed from anywhere.
 */
export abstract class SkewHeap {
  private readonly left: number
  private readonly right: number
  private readonly up: number

  /** `word`: the first of the three words. */
  constructor(word: number) {
    this.left = word
    this.right = word + 1
    this.up = word + 2
  }

  protected abstract readonly nodes: Rows

  /** Whether `a` comes before `b`. */
  protected abstract isBefore(a: number, b: number): boolean

  /** Adds a row to the heap with this top; returns the new top. */
  add(top: number, row: number): number {
    this.nodes.set(row, this.left, 0)
    this.nodes.set(row, this.right, 0)
    return this.merge(top, row, 0)
  }

  /** Removes a row from the heap with this top; returns the new top. */
  remove(top: number, row: number): number {
    const { nodes } = this
    const up = nodes.get(row, this.up)
    const below = this.merge(nodes.get(row, this.left), nodes.get(row, this.right), up)
    if (top === row) return below
    nodes.set(up, nodes.get(up, this.left) === row ? this.left : this.right, below)
    return top
  }

  /** Merges two heaps below `up`; returns the new top. */
  private merge(one: number, other: number, up: number): number {
    const { nodes } = this
    let [a, b] = [one, other]
    let top = 0
    let parent = up
    while (a !== 0 && b !== 0) {
      if (this.isBefore(b, a)) [a, b] = [b, a]
      this.hang(a, parent, top)
      if (top === 0) top = a
      const rest = nodes.get(a, this.right)
      nodes.set(a, this.right, nodes.get(a, this.left))
      parent = a
      a = rest
    }
    const left = a === 0 ? b : a
    if (left !== 0) this.hang(left, parent, top)
    return top === 0 ? left : top
  }

  private hang(row: number, parent: number, top: number): void {
    this.nodes.set(row, this.up, parent)
    if (top !== 0) this.nodes.set(parent, this.left, row)
  }
}

const NODE_WORDS = 3
const NODE_BITS = 16

/** Any number of heaps of hosts in line, the first to join on top. */
export class LineHeap extends SkewHeap {
  protected nodes = new Rows(NODE_WORDS, NODE_BITS)
  private readonly hosts: HostTable

  constructor(hosts: HostTable) {
    super(0)
    this.hosts = hosts
  }

  override add(top: HostId, host: HostId): HostId {
    this.nodes.reach(host)
    return super.add(top, host)
  }

  clear(): void {
    this.nodes = new Rows(NODE_WORDS, NODE_BITS)
  }

  protected isBefore(a: HostId, b: HostId): boolean {
    return this.hosts.isBefore(a, b)
  }
}
