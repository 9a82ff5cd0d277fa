// Stack distance as a person would compute it by hand: a list, the last touched word first.
export class NaiveStack {
  private readonly words: number[] = []

  touch(word: number): number {
    const at = this.words.indexOf(word)
    if (at >= 0) this.words.splice(at, 1)
    this.words.unshift(word)
    return at + 1
  }
}

/** Rows of [phase, id, distance, count] of a log, rising; and nothing clever. */
export function naiveHistogram(accesses: readonly { phase: number; id: number; address: number }[]): number[][] {
  const lowest = Math.min(...accesses.map(({ address }) => address))
  const stacks = new Map<string, NaiveStack>()
  const counts = new Map<string, number>()
  for (const { phase, id, address } of accesses) {
    const name = `${phase} ${id}`
    const stack = stacks.get(name) ?? new NaiveStack()
    stacks.set(name, stack)
    const distance = stack.touch(Math.floor((address - lowest) / 8))
    const row = `${name} ${distance}`
    counts.set(row, (counts.get(row) ?? 0) + 1)
  }
  const rows = [...counts].map(([row, count]) => [...row.split(' ').map(Number), count])
  return rows.sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!)
}
