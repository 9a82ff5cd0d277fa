import type { HostId } from '../memory/hosts.ts'
import type { LinkId } from '../memory/links.ts'
import type { FrontierState } from '../state/state.ts'
import type { LinkHomes } from './link-homes.ts'

/** Some of the links, grouped by host: 4 bytes per link and per host. */
export class GroupedLinks {
  private readonly homes: LinkHomes
  /** Where each host's links begin. */
  private readonly starts: Int32Array
  private readonly links: Int32Array

  constructor(state: FrontierState, homes: LinkHomes, isWanted: (link: LinkId) => boolean) {
    this.homes = homes
    const { known } = state.hosts
    const { last } = state.links
    this.starts = new Int32Array(known + 2)
    for (let link = 1; link <= last; link++) if (isWanted(link)) this.starts[homes.host(link) + 1]!++
    for (let host = 1; host <= known + 1; host++) this.starts[host]! += this.starts[host - 1]!
    this.links = new Int32Array(this.starts[known + 1]!)
    const next = this.starts.slice()
    for (let link = 1; link <= last; link++) {
      if (isWanted(link)) this.links[next[homes.host(link)]!++] = link
    }
  }

  /** A host's links, ordered by fingerprint. */
  of(host: HostId): Int32Array {
    const links = this.links.subarray(this.starts[host]!, this.starts[host + 1]!)
    return links.length < 2 ? links : links.sort((a, b) => this.compare(a, b))
  }

  private compare(a: LinkId, b: LinkId): number {
    const { homes } = this
    return (homes.high(a) >>> 0) - (homes.high(b) >>> 0) || (homes.low(a) >>> 0) - (homes.low(b) >>> 0)
  }
}
