/** One run of a crawl, as `crawl.json` keeps it. */
export interface RunFacts {
  /** ISO 8601. */
  readonly startedAt: string
  /** Missing while it runs, and for one that was killed. */
  readonly endedAt?: string | undefined
  readonly because?: string | undefined
  readonly seeds: readonly string[]
  /** By the names of the options, as a person would write them. */
  readonly settings: Readonly<Record<string, string | readonly string[]>>
  /** Of Escalona. */
  readonly version: string
}

/** The same in a report. */
export interface ReportRun {
  readonly startedAt: string
  readonly endedAt?: string
  readonly because?: string
  readonly version: string
  readonly seeds: { readonly count: number; readonly first: readonly string[] }
  readonly settings: Readonly<Record<string, string>>
}

/** The newest, and with them the first, whose seeds and settings the crawl began with. */
const MOST_RUNS = 50
const MOST_SEEDS = 20

/** What a report says about the runs, the oldest first. `earlierRuns`: how many after the first one are left out. */
export function reportRuns(all: readonly RunFacts[]): {
  readonly runs: readonly ReportRun[]
  readonly earlierRuns: number
} {
  const kept = all.length <= MOST_RUNS ? all : [all[0]!, ...all.slice(1 - MOST_RUNS)]
  return { runs: kept.map(reportRun), earlierRuns: all.length - kept.length }
}

function reportRun({ startedAt, endedAt, because, seeds, settings, version }: RunFacts): ReportRun {
  return {
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(because !== undefined && { because }),
    version,
    seeds: { count: seeds.length, first: seeds.slice(0, MOST_SEEDS) },
    settings: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, [value].flat().join(', ')])),
  }
}

/** A setting that a run began with, and what it was in the run before. */
export interface SettingChange {
  readonly name: string
  /** Undefined: it was not given. */
  readonly before: string | undefined
  readonly now: string | undefined
}

export function changedSettings(before: ReportRun, now: ReportRun): SettingChange[] {
  const names = [...new Set([...Object.keys(before.settings), ...Object.keys(now.settings)])]
  return names
    .map(name => ({ name, before: before.settings[name], now: now.settings[name] }))
    .filter(change => change.before !== change.now)
}
