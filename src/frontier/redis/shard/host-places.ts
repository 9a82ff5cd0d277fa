import { registrableDomain } from '../../../url/registrable-domain.ts'
import { hash32 } from '../../domain-hash.ts'

/** A host, and where it belongs. */
export interface HostShard {
  readonly name: string
  /** How long its name is. */
  readonly nameBytes: number
  /** Its registrable domain: a part of its name. */
  readonly domain: string
  /** The shard of its domain. */
  readonly shard: number
}

const MOST_KEPT = 100_000

/** Finds the shards of hosts, and remembers those asked for lately. */
export class HostShards {
  private readonly shards: number
  private places = new Map<string, HostShard>()

  constructor(shards: number) {
    this.shards = shards
  }

  of(name: string): HostShard {
    let place = this.places.get(name)
    if (place !== undefined) return place
    const domain = registrableDomain(name)
    place = { name, nameBytes: Buffer.byteLength(name), domain, shard: hash32(domain) % this.shards }
    if (this.places.size >= MOST_KEPT) this.places = new Map()
    this.places.set(name, place)
    return place
  }

  /** The shard that knows a server. */
  ofServer(server: string): number {
    return hash32(server) % this.shards
  }
}
