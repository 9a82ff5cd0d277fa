const SERIES = ['pages', 'wireBytes', 'newDomains', 'failures'] as const
export type TimelineSeries = (typeof SERIES)[number]

/** A list of sums for each series; entry i covers the time from `widthMs` × i to `widthMs` × (i + 1). */
export interface TimelineData extends Readonly<Record<TimelineSeries, readonly number[]>> {
  readonly widthMs: number
}

const FIRST_WIDTH_MS = 250
const MOST_ENTRIES = 480

/** Sums over time, in at most 480 steps; when they run out, neighbouring steps are merged in pairs. */
export class Timeline {
  widthMs: number
  private readonly rows: Record<TimelineSeries, number[]>

  constructor(data?: TimelineData) {
    this.widthMs = Math.max(data?.widthMs ?? 0, FIRST_WIDTH_MS)
    this.rows = Object.fromEntries(SERIES.map(name => [name, [...(data?.[name] ?? [])]])) as Record<
      TimelineSeries,
      number[]
    >
  }

  add(atMs: number, series: TimelineSeries, amount: number): void {
    while (Math.floor(atMs / this.widthMs) >= MOST_ENTRIES) this.coarsen()
    const at = Math.max(0, Math.floor(atMs / this.widthMs))
    for (const name of SERIES) while (this.rows[name].length <= at) this.rows[name].push(0)
    this.rows[series][at]! += amount
  }

  sum(series: TimelineSeries): number {
    return this.rows[series].reduce((sum, amount) => sum + amount, 0)
  }

  toJSON(): TimelineData {
    return { widthMs: this.widthMs, ...structuredClone(this.rows) }
  }

  private coarsen(): void {
    this.widthMs *= 2
    for (const name of SERIES) {
      const row = this.rows[name]
      for (let i = 0; i < row.length; i += 2) row[i / 2] = row[i]! + (row[i + 1] ?? 0)
      row.length = Math.ceil(row.length / 2)
    }
  }
}
