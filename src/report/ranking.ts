/** The largest of many counts, the largest first, and how much the others make up together. */
export interface Ranking {
  readonly top: readonly Ranked[]
  readonly others: {
    /** How many names are not in `top`, and the sum of their counts. */
    readonly names: number
    readonly count: number
  }
}

export interface Ranked {
  readonly name: string
  readonly count: number
}

/** Among equals, the name decides. One pass, with memory for `most` names, as there may be a million. */
export function ranking(counts: Readonly<Record<string, number>>, most = 100): Ranking {
  const top: Ranked[] = []
  let names = 0
  let sum = 0
  for (const name of Object.keys(counts)) {
    const one = { name, count: counts[name]! }
    names++
    sum += one.count
    if (top.length === most && !isBefore(one, top[most - 1]!)) continue
    top.splice(placeOf(one, top), 0, one)
    if (top.length > most) top.pop()
  }
  const shown = top.reduce((total, { count }) => total + count, 0)
  return { top, others: { names: names - top.length, count: sum - shown } }
}

/** How many names a ranking is about, and the sum of their counts. */
export function sumsOf({ top, others }: Ranking): { readonly names: number; readonly count: number } {
  return {
    names: top.length + others.names,
    count: top.reduce((sum, { count }) => sum + count, others.count),
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
