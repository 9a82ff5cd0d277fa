import type { EndedBecause } from '../../settings/events.ts'
import type { CrawlRun } from '../crawl-file.ts'
import { Details } from './details.ts'
import { COUNTS, each, HISTOGRAMS, Stats, type StatsData, SUMS } from './stats.ts'
import { Timeline, type TimelineData } from './timeline.ts'

/** What a machine tells the others about its share of a crawl: the statistics of its folder. */
export interface Tally {
  readonly format: 1
  readonly crawler: string
  readonly machine: string
  /** ISO 8601: when the first run in its folder began. */
  readonly startedAt: string
  /** When its newest run ended, and why; missing while it lasts, and if it was killed. */
  readonly endedAt?: string
  readonly because?: EndedBecause
  /** The runs in its folder, the oldest first, and how many after the first are no longer listed. */
  readonly runs: readonly CrawlRun[]
  readonly forgottenRuns: number
  readonly stats: StatsData
}

/** Undefined for a text that is damaged or was not written by this version or an earlier one. */
export function readTally(text: string): Tally | undefined {
  try {
    const tally = JSON.parse(text) as Partial<Tally> | null
    const isOurs =
      tally?.format === 1 &&
      typeof tally.crawler === 'string' &&
      typeof tally.machine === 'string' &&
      Array.isArray(tally.runs) &&
      typeof tally.stats === 'object' &&
      tally.stats !== null
    return isOurs ? (tally as Tally) : undefined
  } catch {
    return undefined
  }
}

/** Adds up the statistics of all machines of a crawl. `domains`: how many registrable domains have pages, over all machines. */
export function mergeStats(tallies: readonly Tally[], nowMs: number, domains: number): Stats {
  const all = tallies.map(({ stats }) => new Stats(nowMs, stats).toJSON())
  const times = new WorkTimes(tallies)
  const details = new Details()
  for (const stats of all) details.merge(stats.details)
  return new Stats(nowMs, {
    ...(all.length > 0 && { startedAtMs: Math.min(...all.map(({ startedAtMs }) => startedAtMs)) }),
    ...each(SUMS, name => all.reduce((sum, stats) => sum + stats[name], 0)),
    ...each(COUNTS, name => summedByName(all.map(stats => stats[name]))),
    ...each([...HISTOGRAMS, 'hops'], name => summedByPlace(all.map(stats => stats[name]))),
    // Every machine notices the same loss.
    losses: Math.max(0, ...all.map(({ losses }) => losses)),
    workMs: times.totalMs,
    failuresBytes: 0,
    timeline: mergedTimeline(
      all.map(({ timeline }) => timeline),
      times,
      domains,
    ),
    details: details.toJSON(),
    outages: all.flatMap(({ outages }) => outages),
  })
}

function summedByName(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return Object.fromEntries(sums)
}

function summedByPlace(all: readonly (readonly number[])[]): number[] {
  const length = Math.max(0, ...all.map(list => list.length))
  return Array.from({ length }, (_, at) => all.reduce((sum, list) => sum + (list[at] ?? 0), 0))
}

/** Each machine's amounts at the time at which it worked. A domain that several machines have found counts once. */
function mergedTimeline(all: readonly TimelineData[], times: WorkTimes, domains: number): TimelineData {
  const widthMs = Math.max(0, ...all.map(timeline => timeline.widthMs))
  const merged = new Timeline({ widthMs, pages: [], wireBytes: [], newDomains: [], failures: [] })
  for (const [machine, timeline] of all.entries()) {
    for (const series of ['pages', 'wireBytes', 'newDomains', 'failures'] as const) {
      for (const [at, amount] of timeline[series].entries()) {
        if (amount > 0) merged.add(times.at(machine, (at + 0.5) * timeline.widthMs), series, amount)
      }
    }
  }
  const timeline = merged.toJSON()
  return { ...timeline, newDomains: atMost(timeline.newDomains, domains) }
}

/** The same course, scaled down so that the sum is at most this. */
function atMost(amounts: readonly number[], most: number): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  if (total <= most) return [...amounts]
  let before = 0
  let given = 0
  return amounts.map(amount => {
    before += amount
    const now = Math.round((before / total) * most) - given
    given += now
    return now
  })
}

interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** When machines worked. The working time of the whole is the time in which at least one of them did. */
class WorkTimes {
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
