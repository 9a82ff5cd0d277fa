import { availableParallelism } from 'node:os'
import { EscalonaError } from '../base/errors.ts'
import { version } from '../base/version.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { shownCount } from '../base/words/quantity.ts'
import type { HostSettings } from '../settings/host-settings.ts'
import { namedSettings, readNamed, showSetting } from '../settings/setting-texts.ts'
import { agentOf, type CrawlSettings, completeSettings, settingsWith } from '../settings/settings.ts'
import { WRITTEN_SETTINGS } from '../settings/settings-table.ts'
import type { WebUrl } from '../url/web.ts'
import type { CrawlFile, CrawlRun, NamedHostSettings } from './crawl-file.ts'

const words = catalogue({
  en: {
    otherSeeds: (count: number, example: string) =>
      `${count === 1 ? `this crawl does not have the seed ${example}` : `this crawl does not have ${shownCount(count)} of these seeds, such as ${example}`}; add ${count === 1 ? 'it' : 'them'} with --add, or start another crawl in another folder with -o (in a program: the options add and folder)`,
    lostSeeds:
      'this folder does not have all seeds of its crawl: its start was interrupted, or seeds.jsonl was changed; run the crawl command again with all of its seeds (with --rebuild, too, to make the frontier again)',
  },
  pt: {
    otherSeeds: (count: number, example: string) =>
      `${count === 1 ? `esta coleta não tem a semente ${example}` : `esta coleta não tem ${shownCount(count)} destas sementes, como ${example}`}; acrescente-${count === 1 ? 'a' : 'as'} com --add, ou comece outra coleta em outra pasta com -o (num programa: as opções add e folder)`,
    lostSeeds:
      'esta pasta não tem todas as sementes da sua coleta: o início foi interrompido, ou seeds.jsonl foi alterado; execute de novo o comando crawl com todas as sementes (e com --rebuild, para refazer a fronteira)',
  },
})

const MOST_LISTED = 5
const LONGEST_LISTED = 200

/** What a run was asked to do. */
export interface RunRequest {
  readonly seeds: readonly WebUrl[]
  /** Whether to add seeds that the crawl does not have; otherwise they are an error. */
  readonly add: boolean
  /** Only the settings given now. */
  readonly given: Partial<CrawlSettings>
  readonly cores: number
  readonly version: string
}

/** What the folder knows about earlier runs. */
export interface Former {
  /** The settings given in earlier runs; undefined in a new folder, and in one that has lost them. */
  readonly given: Partial<CrawlSettings> | undefined
  /** Whether the newest run was killed before links that its settings bring back were all in the queue. */
  readonly isUnsure: boolean
  /** Canonical URLs. */
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
  /** The settings in effect in this run. */
  readonly settings: CrawlSettings
  /** The settings given now or in an earlier run. */
  readonly given: Partial<CrawlSettings>
  readonly changes: readonly SettingChange[]
  /** Of the changes, those that hold for all machines when several share the crawl. */
  readonly sharedChanges: readonly SettingChange[]
  /** The settings that differ from the previous run. */
  readonly changed: ReadonlySet<keyof CrawlSettings>
  readonly addedSeeds: readonly WebUrl[]
}

/** Plans a run: settings given now override those of earlier runs, and the rest stay as they were. */
export function planRun(request: RunRequest, former: Former): RunPlan {
  const { given, cores } = request
  const before = former.given ?? {}
  const merged = { ...before, ...withoutUndefined(given) }
  if (given.hostSettings !== undefined) merged.hostSettings = [...(before.hostSettings ?? []), ...given.hostSettings]
  const settings = completeSettings(merged, cores, request.version)
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

/** The settings that were given to a run or to an earlier one. */
export function givenIn(run: Pick<CrawlRun, 'settings' | 'hostSettings'>): Partial<CrawlSettings> {
  const hostSettings = Object.entries(run.hostSettings).map(([host, named]) => readHost(host, named))
  return { ...readNamed(run.settings), ...(hostSettings.length > 0 && { hostSettings }) }
}

/** The settings of single hosts, without their secret headers. */
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
  if (lacksSeeds && seeds.length === 0) throw new EscalonaError('CRAWL_NO_SEEDS', words().lostSeeds)
  const fresh = [...new Map(seeds.map(seed => [seed.href, seed])).values()].filter(({ href }) => !known.has(href))
  // Where `seeds.jsonl` is missing, there is nothing to compare with.
  if (fresh.length === 0 || add || known.size === 0 || lacksSeeds) return fresh
  throw new EscalonaError('CRAWL_OTHER_SEEDS', words().otherSeeds(fresh.length, printable(fresh[0]!.href)))
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
    if (given[name] === undefined) continue
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

/** A list for people, cut short when it is long. */
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

/** How far from a seed a run followed links. */
export function deepestOf({ settings, deepest }: Pick<CrawlRun, 'settings' | 'deepest'>): number {
  const last = readNamed(settings).maxDepth ?? Infinity
  return deepest === undefined ? last : Math.max(last, readNamed({ 'max-depth': deepest }).maxDepth ?? Infinity)
}

/** The settings of the newest run; undefined when there is none. */
export function runSettings(file: CrawlFile | undefined): CrawlSettings | undefined {
  const run = file?.runs.at(-1)
  return run && settingsWith(givenIn(run), availableParallelism(), version())
}
