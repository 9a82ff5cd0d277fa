/** One run of a crawl, as `crawl.json` keeps it. */
export interface RunFacts {
  /** ISO 8601. */
  readonly startedAt: string
  /** Missing while the run lasts, and after it was killed. */
  readonly endedAt?: string | undefined
  readonly because?: string | undefined
  /** Seeds added in this run: the first of them, and how many there are. */
  readonly seeds: readonly string[]
  readonly seedCount: number
  /** All settings given in this run or an earlier one, by name; the others have their defaults. */
  readonly settings: Readonly<Record<string, string | readonly string[]>>
  /** The version of Escalona. */
  readonly version: string
}

/** A run as a report lists it. */
export interface ReportRun {
  readonly startedAt: string
  readonly endedAt?: string
  readonly because?: string
  readonly version: string
  readonly seeds: { readonly count: number; readonly first: readonly string[] }
  readonly settings: Readonly<Record<string, string>>
}

/** The most runs listed: the first and the newest ones. */
const MOST_RUNS = 50
const MOST_SEEDS = 20
const MOST_VALUES = 10

/** What a report says about the runs, the oldest first. `earlierRuns`: how many after the first one are left out. */
export function reportRuns(
  all: readonly RunFacts[],
  forgotten: number,
): {
  readonly runs: readonly ReportRun[]
  readonly earlierRuns: number
} {
  const kept = all.length <= MOST_RUNS ? all : [all[0]!, ...all.slice(1 - MOST_RUNS)]
  return { runs: kept.map(reportRun), earlierRuns: all.length - kept.length + forgotten }
}

function reportRun({ startedAt, endedAt, because, seeds, seedCount, settings, version }: RunFacts): ReportRun {
  return {
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(because !== undefined && { because }),
    version,
    seeds: { count: seedCount, first: seeds.slice(0, MOST_SEEDS) },
    settings: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, shownValues([value].flat())])),
  }
}

/** The first values of a long list, such as the addresses of a hosts file, and how many there are in all. */
function shownValues(values: readonly string[]): string {
  if (values.length <= MOST_VALUES) return values.join(', ')
  return `${values.slice(0, MOST_VALUES).join(', ')}, … (${values.length})`
}

/** A setting that a run changed, and its value in the run before. */
export interface SettingChange {
  readonly name: string
  /** Undefined: the default. */
  readonly before: string | undefined
  readonly now: string | undefined
}

export function changedSettings(before: ReportRun, now: ReportRun): SettingChange[] {
  const names = [...new Set([...Object.keys(before.settings), ...Object.keys(now.settings)])]
  return names
    .map(name => ({ name, before: before.settings[name], now: now.settings[name] }))
    .filter(change => change.before !== change.now)
}
