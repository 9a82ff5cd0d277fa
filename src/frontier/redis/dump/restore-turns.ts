import type { HostPlace } from '../shard/host-places.ts'

/** Divides the turns of a dump among shards: in each, it is the turn of the first host, or domain, that is not before the whole's. */
export class RestoreTurns {
  private readonly turns: readonly number[]
  /** How many of each shard's hosts, or domains, come before each turn. */
  private readonly before: readonly number[][]
  private readonly domains = new Set<string>()
  private seen = 0

  constructor(turns: readonly number[], shards: number) {
    this.turns = turns
    this.before = turns.map(() => Array.from({ length: shards }, () => 0))
  }

  saw({ shard, domain }: HostPlace): void {
    if (this.turns.length === 2) {
      if (this.domains.has(domain)) return
      this.domains.add(domain)
    }
    this.seen++
    for (const [n, turn] of this.turns.entries()) if (this.seen < turn) this.before[n]![shard]!++
  }

  /** Of hosts; of domains that were never visited; of the others. */
  of(shard: number): [number, number, number] {
    const [first, second] = this.before.map(counts => counts[shard]! + 1)
    if (first === undefined) return [0, 0, 0]
    return second === undefined ? [first, 0, 0] : [0, first, second]
  }
}
