import type { HostId, Hosts } from './hosts.ts'
import { Rows } from './rows.ts'

const LEFT = 0
const RIGHT = 1
const UP = 2
const NODE_WORDS = 3
const NODE_BITS = 16

/**
 * Any number of heaps of hosts that stand in line, the first to join on top. A heap is named by its top; 0 is the empty
 * one. These are skew heaps: a step takes amortized O(log n) time, and a host can be removed from anywhere.
 */
export class LineHeap {
  private readonly hosts: Hosts
  private nodes = new Rows(NODE_WORDS, NODE_BITS)

  constructor(hosts: Hosts) {
    this.hosts = hosts
  }

  /** Adds a host to the heap with this top; returns the new top. */
  add(top: HostId, host: HostId): HostId {
    const { nodes } = this
    nodes.reach(host)
    nodes.set(host, LEFT, 0)
    nodes.set(host, RIGHT, 0)
    return this.merge(top, host, 0)
  }

  /** Removes a host from the heap with this top; returns the new top. */
  remove(top: HostId, host: HostId): HostId {
    const { nodes } = this
    const up = nodes.get(host, UP)
    const below = this.merge(nodes.get(host, LEFT), nodes.get(host, RIGHT), up)
    if (top === host) return below
    nodes.set(up, nodes.get(up, LEFT) === host ? LEFT : RIGHT, below)
    return top
  }

  clear(): void {
    this.nodes = new Rows(NODE_WORDS, NODE_BITS)
  }

  /** Merges two heaps below `up`; returns the new top. */
  private merge(one: HostId, other: HostId, up: HostId): HostId {
    const { nodes } = this
    let [a, b] = [one, other]
    let top = 0
    let parent = up
    while (a !== 0 && b !== 0) {
      if (this.hosts.isBefore(b, a)) [a, b] = [b, a]
      this.hang(a, parent, top)
      if (top === 0) top = a
      const rest = nodes.get(a, RIGHT)
      nodes.set(a, RIGHT, nodes.get(a, LEFT))
      parent = a
      a = rest
    }
    const left = a === 0 ? b : a
    if (left !== 0) this.hang(left, parent, top)
    return top === 0 ? left : top
  }

  private hang(host: HostId, parent: HostId, top: HostId): void {
    this.nodes.set(host, UP, parent)
    if (top !== 0) this.nodes.set(parent, LEFT, host)
  }
}
