import { hash32 } from '../domain-hash.ts'

/**
 * The shards in the order in which a crawler asks them: its own, then the others; each kind in turn, so that no shard waits
 * for ever. A shard belongs to the living crawler whose hash with it is highest (rendezvous hashing): whoever comes or goes
 * moves only its own share.
 */
export class Shares {
  private own: number[] = []
  private others: number[] = []
  private turn = 0
  private sharedAmong = ''

  /** `alive`: this crawler first. */
  order(shards: number, alive: readonly string[]): number[] {
    this.share(shards, alive)
    return [...turned(this.own, this.turn), ...turned(this.others, this.turn)]
  }

  /** So many shards were asked; the next ones are first next time. */
  passOver(asked: number): void {
    this.turn += asked
  }

  private share(shards: number, alive: readonly string[]): void {
    const among = `${shards} ${alive.toSorted().join(' ')}`
    if (among === this.sharedAmong) return
    this.sharedAmong = among
    const numbers = Array.from({ length: shards }, (_, shard) => shard)
    this.own = numbers.filter(shard => ownerOf(shard, alive) === alive[0])
    this.others = numbers.filter(shard => ownerOf(shard, alive) !== alive[0])
  }
}

/** To which of the living crawlers a shard belongs. */
export function ownerOf(shard: number, alive: readonly string[]): string | undefined {
  let owner: string | undefined
  let highest = -1
  for (const id of alive) {
    const hash = hash32(`${shard} ${id}`)
    if (hash < highest || (hash === highest && owner !== undefined && id > owner)) continue
    highest = hash
    owner = id
  }
  return owner
}

function turned(list: readonly number[], turn: number): number[] {
  const start = list.length === 0 ? 0 : turn % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}
