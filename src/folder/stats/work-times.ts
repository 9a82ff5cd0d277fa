import type { Tally } from './tally.ts'

/** When a machine worked, in milliseconds since 1970. */
interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * When the machines of a crawl worked. The working time of the whole is the time in which at least one of them did: two that
 * work for the same hour give one hour.
 */
export class WorkTimes {
  /** How long at least one machine worked. */
  readonly totalMs: number
  /** The spans of each machine, and those of all together, in order. */
  private readonly machines: readonly (readonly Span[])[]
  private readonly together: readonly Span[]

  constructor(tallies: readonly Tally[]) {
    this.machines = tallies.map(spansOf)
    this.together = joined(this.machines.flat())
    this.totalMs = this.together.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  }

  /** What moment of a machine's working time is in that of the whole. */
  at(machine: number, workMs: number): number {
    const atMs = momentOf(this.machines[machine]!, workMs)
    let before = 0
    for (const { fromMs, toMs } of this.together) {
      if (atMs < toMs) return before + Math.max(0, atMs - fromMs)
      before += toMs - fromMs
    }
    return Math.max(0, before - 1)
  }
}

/** The runs of a machine. One that was killed has no end: it gets an equal share of the working time that the others leave. */
function spansOf({ runs, stats, startedAt }: Tally): Span[] {
  const starts = runs.map(run => Date.parse(run.startedAt))
  const lengths = runs.map(({ endedAt }, n) => (endedAt === undefined ? undefined : Date.parse(endedAt) - starts[n]!))
  const known = lengths.reduce((sum: number, length) => sum + (length ?? 0), 0)
  const open = lengths.filter(length => length === undefined).length
  const share = Math.max(0, (stats.workMs ?? 0) - known) / Math.max(1, open)
  if (runs.length === 0) return [{ fromMs: Date.parse(startedAt), toMs: Date.parse(startedAt) + (stats.workMs ?? 0) }]
  return starts.map((fromMs, n) => {
    const toMs = fromMs + Math.max(0, lengths[n] ?? share)
    return { fromMs, toMs: Math.min(toMs, Math.max(fromMs, starts[n + 1] ?? toMs)) }
  })
}

function momentOf(spans: readonly Span[], workMs: number): number {
  let left = workMs
  for (const { fromMs, toMs } of spans) {
    if (left < toMs - fromMs) return fromMs + left
    left -= toMs - fromMs
  }
  return spans.at(-1)?.toMs ?? 0
}

/** Spans that overlap become one. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = all.at(-1)
    if (last !== undefined && span.fromMs <= last.toMs) {
      all[all.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) }
    } else all.push(span)
  }
  return all
}
