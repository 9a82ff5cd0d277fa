export interface Ranking {
  readonly top: readonly Ranked[]
  readonly others: {
    readonly names: number
    readonly count: number
  }
}

export interface Ranked {
  readonly name: string
  readonly count: number
}

/** Among equals, the name decides. One pass, with memory for `most` names. */
export function ranking(counts: Iterable<readonly [name: string, count: number]>, most = 100): Ranking {
  const ranks = new Ranks(most)
  for (const [name, count] of counts) ranks.add(name, count)
  return ranks.ranking()
}

export function sumsOf({ top, others }: Ranking): { readonly names: number; readonly count: number } {
  return {
    names: top.length + others.names,
    count: top.reduce((sum, { count }) => sum + count, others.count),
  }
}

/** Each name is added once. */
export class Ranks {
  private readonly most: number
  private readonly top: Ranked[] = []
  private names = 0
  private sum = 0

  constructor(most = 100) {
    this.most = most
  }

  add(name: string, count: number): void {
    const { top, most } = this
    const one = { name, count }
    this.names++
    this.sum += count
    if (top.length === most && !isBefore(one, top[most - 1]!)) return
    top.splice(placeOf(one, top), 0, one)
    if (top.length > most) top.pop()
  }

  ranking(): Ranking {
    const { top, names, sum } = this
    const shown = top.reduce((total, { count }) => total + count, 0)
    return { top: [...top], others: { names: names - top.length, count: sum - shown } }
  }
}

function isBefore(a: Ranked, b: Ranked): boolean {
  return a.count > b.count || (a.count === b.count && a.name < b.name)
}

function placeOf(one: Ranked, sorted: readonly Ranked[]): number {
  let [start, end] = [0, sorted.length]
  while (start < end) {
    const middle = (start + end) >> 1
    if (isBefore(sorted[middle]!, one)) start = middle + 1
    else end = middle
  }
  return start
}
