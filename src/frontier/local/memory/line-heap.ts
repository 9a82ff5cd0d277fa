import type { HostId, Hosts } from './hosts.ts'
import { Rows } from './rows.ts'
import { SkewHeap } from './skew-heap.ts'

const NODE_WORDS = 3
const NODE_BITS = 16

/** Any number of heaps of hosts that stand in line, the first to join on top. */
export class LineHeap extends SkewHeap {
  protected nodes = new Rows(NODE_WORDS, NODE_BITS)
  private readonly hosts: Hosts

  constructor(hosts: Hosts) {
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
