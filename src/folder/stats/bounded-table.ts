/**
 * Keeps the heaviest of many entries, by name. It holds at most twice `most` of them and then drops the lightest half. An entry
 * that comes back after it was dropped starts from zero, so its weight may be too low by at most `floor`.
 */
export class BoundedTable<Entry> {
  /** The heaviest weight that was ever dropped; 0 while the table is exact. */
  floor: number
  private readonly entries: Map<string, Entry>
  private readonly most: number
  private readonly weight: (entry: Entry) => number

  constructor(most: number, weight: (entry: Entry) => number, data?: TableData<Entry>) {
    this.most = most
    this.weight = weight
    this.floor = data?.floor ?? 0
    this.entries = new Map(data?.entries)
  }

  get(name: string): Entry | undefined {
    return this.entries.get(name)
  }

  set(name: string, entry: Entry): void {
    this.entries.set(name, entry)
    if (this.entries.size > 2 * this.most) this.drop(this.sorted())
  }

  /** Adds the entries of another table; `both` makes one of two that have the same name. */
  merge({ floor, entries }: TableData<Entry>, both: (a: Entry, b: Entry) => Entry): void {
    this.floor = Math.max(this.floor, floor)
    for (const [name, entry] of entries) {
      const own = this.entries.get(name)
      this.set(name, own === undefined ? entry : both(own, entry))
    }
  }

  /** The heaviest `most` entries, heaviest first. The ones left out count as dropped. */
  toJSON(): TableData<Entry> {
    const sorted = this.sorted()
    const next = sorted[this.most]
    const floor = next === undefined ? this.floor : Math.max(this.floor, this.weight(next[1]))
    return { floor, entries: sorted.slice(0, this.most) }
  }

  private sorted(): [string, Entry][] {
    const { weight } = this
    return [...this.entries].sort(([, a], [, b]) => weight(b) - weight(a))
  }

  private drop(sorted: readonly (readonly [string, Entry])[]): void {
    this.floor = Math.max(this.floor, this.weight(sorted[this.most]![1]))
    for (const [name] of sorted.slice(this.most)) this.entries.delete(name)
  }
}

export interface TableData<Entry> {
  readonly floor: number
  readonly entries: readonly (readonly [name: string, entry: Entry])[]
}
