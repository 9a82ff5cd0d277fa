import { availableParallelism } from 'node:os'
import { EscalonaError } from '../base/errors.ts'
import { version } from '../base/version.ts'
import { shownCount } from '../base/words/quantity.ts'
import type { HostSettings } from '../settings/host-settings.ts'
import type { SettingRow } from '../settings/setting-row.ts'
import { namedSettings, readNamed, showSetting } from '../settings/setting-texts.ts'
import { agentOf, type CrawlSettings, completeSettings, settingsWith } from '../settings/settings.ts'
import { SETTINGS, WRITTEN_SETTINGS } from '../settings/settings-table.ts'
import type { WebUrl } from '../url/web.ts'
import type { CrawlFile, CrawlRun, NamedHostSettings } from './crawl-file.ts'

const MOST_LISTED = 5
const LONGEST_LISTED = 200

export interface RunRequest {
  readonly seeds: readonly WebUrl[]
  /** Whether to add seeds that the crawl does not have; otherwise they are an error. */
  readonly add: boolean
  readonly given: Partial<CrawlSettings>
  readonly cores: number
  readonly version: string
}

export interface Former {
  /** The settings given in earlier runs; undefined in a new folder, and in one that has lost them. */
  readonly given: Partial<CrawlSettings> | undefined
  /** Whether the newest run was killed before links that its settings bring back were all in the queue. */
  readonly isUnsure: boolean
  readonly seeds: ReadonlySet<string>
  /** Whether seeds that an earlier run was given are missing. */
  readonly lacksSeeds: boolean
}

/** A setting that differs from the previous run. */
export interface SettingChange {
  /** Its name on the command line. */
  readonly setting: string
  readonly before: string
  readonly now: string
}

/** What a run does: its seeds and settings, and what differs from the previous run. */
export interface RunPlan {
  readonly settings: CrawlSettings
  /** The settings given now or in an earlier run. */
  readonly given: Partial<CrawlSettings>
  readonly changes: readonly SettingChange[]
  /** Of the changes, those that hold for all machines when several share the crawl. */
  readonly sharedChanges: readonly SettingChange[]
  readonly changed: ReadonlySet<keyof CrawlSettings>
  readonly addedSeeds: readonly WebUrl[]
}

/** Plans a run: settings given now override those of earlier runs, and the rest stay as they were. */
export function planRun(request: RunRequest, former: Former): RunPlan {
  const { given, cores } = request
  const before = keptOf(former)
  const merged = { ...before, ...withoutUndefined(given) }
  if (given.hostSettings !== undefined) merged.hostSettings = [...(before.hostSettings ?? []), ...given.hostSettings]
  const settings = completeSettings(merged, cores, request.version)
  if (settings.recrawl === 'no' && settings.recrawlOnly.length > 0)
    throw new EscalonaError('CRAWL_BAD_SETTING/only-again', { option: 'recrawl-only' })
  const addedSeeds = addedTo(former, request)
  // When it is unknown what held links back, each setting that is given may let them in.
  const all = new Set(Object.keys(merged) as (keyof CrawlSettings)[])
  if (former.given === undefined)
    return { settings, given: merged, changes: [], sharedChanges: [], changed: all, addedSeeds }
  const old = completeSettings(before, cores, request.version)
  const { changes, sharedChanges, changed } = difference(old, settings, { ...before, ...merged })
  return { settings, given: merged, addedSeeds, changes, sharedChanges, changed: former.isUnsure ? all : changed }
}

/** How the settings of one machine differ from those of another, among those that hold for all machines of a crawl. */
export function sharedDifference(
  theirs: Partial<CrawlSettings>,
  ours: Partial<CrawlSettings>,
): readonly SettingChange[] {
  const [before, now] = [theirs, ours].map(given => completeSettings(given, 1, version()))
  return difference(before!, now!, { ...theirs, ...ours }).sharedChanges
}

export function givenIn(run: Pick<CrawlRun, 'settings' | 'hostSettings'>): Partial<CrawlSettings> {
  const hostSettings = Object.entries(run.hostSettings).map(([host, named]) => readHost(host, named))
  return { ...readNamed(run.settings), ...(hostSettings.length > 0 && { hostSettings }) }
}

export function namedHosts(hostSettings: readonly HostSettings[]): Record<string, NamedHostSettings> {
  const named: Record<string, NamedHostSettings> = {}
  for (const { host, delayMs, limit } of hostSettings) {
    const one = namedSettings({ ...(delayMs !== undefined && { delayMs }), ...(limit !== undefined && { limit }) })
    if (Object.keys(one).length > 0) named[host] = { ...named[host], ...(one as NamedHostSettings) }
  }
  return named
}

function readHost(host: string, named: NamedHostSettings): HostSettings {
  const { delayMs, limit } = readNamed({ ...named })
  return { host, ...(delayMs !== undefined && { delayMs }), ...(limit !== undefined && { limit }) }
}

function addedTo({ seeds: known, lacksSeeds }: Former, { seeds, add }: RunRequest): WebUrl[] {
  if (lacksSeeds && seeds.length === 0) throw new EscalonaError('CRAWL_NO_SEEDS/lost-seeds')
  const fresh = [...new Map(seeds.map(seed => [seed.href, seed])).values()].filter(({ href }) => !known.has(href))
  // Where `seeds.jsonl` is missing, there is nothing to compare with.
  if (fresh.length === 0 || add || known.size === 0 || lacksSeeds) return fresh
  throw new EscalonaError('CRAWL_OTHER_SEEDS', { count: fresh.length, example: fresh[0]!.href })
}

/** `given`: settings given now or earlier; defaults that merely follow from them are not reported. */
function difference(
  before: CrawlSettings,
  now: CrawlSettings,
  given: Partial<CrawlSettings>,
): Pick<RunPlan, 'changes' | 'sharedChanges' | 'changed'> {
  const changes: SettingChange[] = []
  const sharedChanges: SettingChange[] = []
  const changed = new Set<keyof CrawlSettings>()
  for (const row of WRITTEN_SETTINGS) {
    const { name, option, whose } = row
    if (given[name] === undefined || row.isOfRun) continue
    const [was, is] = [showSetting(row, before[name]), showSetting(row, now[name])]
    if (was.join('\n') === is.join('\n')) continue
    const change = { setting: option, before: listed(was), now: listed(is) }
    changes.push(change)
    if (whose === 'crawl') sharedChanges.push(change)
    if (name !== 'userAgent' || agentOf(before.userAgent) !== agentOf(now.userAgent)) changed.add(name)
  }
  const [were, are] = [shownHosts(before.hostSettings), shownHosts(now.hostSettings)]
  if (were.join('\n') !== are.join('\n')) {
    const change = { setting: 'hosts', before: listed(were), now: listed(are) }
    changes.push(change)
    sharedChanges.push(change)
    changed.add('hostSettings')
  }
  return { changes, sharedChanges, changed }
}

function listed(texts: readonly string[]): string {
  const shown = texts
    .slice(0, MOST_LISTED)
    .map(text => (text.length <= LONGEST_LISTED ? text : `${text.slice(0, LONGEST_LISTED)}…`))
  const some = shown.join(', ')
  return texts.length <= MOST_LISTED ? some : `${some}, … (${shownCount(texts.length)})`
}

function shownHosts(hostSettings: readonly HostSettings[]): string[] {
  const hosts = Object.entries(namedHosts(hostSettings))
  if (hosts.length === 0) return ['none']
  return hosts.map(([host, named]) => [host, ...Object.entries(named).map(pair => pair.join(' '))].join(' '))
}

/** Without those that held for one run alone; and what was due at once then is not once more, unless that run was killed before it was. */
function keptOf({ given = {}, isUnsure }: Former): Partial<CrawlSettings> {
  const kept: Partial<CrawlSettings> = Object.fromEntries(
    Object.entries(given).filter(([name]) => !(SETTINGS as Record<string, SettingRow>)[name]?.isOfRun),
  )
  const { recrawl, recrawlOnly } = given
  if (recrawl !== 'now') return kept
  return isUnsure ? { ...kept, ...(recrawlOnly && { recrawlOnly }) } : { ...kept, recrawl: 'due' }
}

function withoutUndefined(given: Partial<CrawlSettings>): Partial<CrawlSettings> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** Whether an earlier run of a crawl followed links farther from a seed than this; true when that is not known. */
export function wasDeeper(runs: readonly CrawlRun[], isNew: boolean, maxDepth: number): boolean {
  const newest = runs.at(-1)
  if (newest?.deepest !== undefined && deepestOf(newest) > maxDepth) return true
  if (isNew) return false
  const earlier = runs.slice(0, -1)
  return earlier.length === 0 || earlier.some(run => deepestOf(run) > maxDepth)
}

export function deepestOf({ settings, deepest }: Pick<CrawlRun, 'settings' | 'deepest'>): number {
  const last = readNamed(settings).maxDepth ?? Infinity
  return deepest === undefined ? last : Math.max(last, readNamed({ 'max-depth': deepest }).maxDepth ?? Infinity)
}

export function runSettings(file: CrawlFile | undefined): CrawlSettings | undefined {
  const run = file?.runs.at(-1)
  return run && settingsWith(givenIn(run), availableParallelism(), version())
}
