import { availableParallelism } from 'node:os'
import { version } from '../../base/version.ts'
import type { EarlierPages } from '../../decide/earlier-pages.ts'
import { HeldLinks } from '../../decide/filtered-links.ts'
import type { LinkRanks } from '../../decide/link-rank.ts'
import { RevisitPlan } from '../../decide/revisit-plan.ts'
import { writeConfig } from '../../folder/config-file.ts'
import { amendRun, type CrawlFile, MOST_NAMED_SEEDS, type RunChange } from '../../folder/crawl-file.ts'
import { pageLines } from '../../folder/lines-of.ts'
import { deepestOf, namedHosts, planRun, type RunPlan, wasDeeper } from '../../folder/run-plan.ts'
import { type LinkRuleOptions, LinkRules, linkRuleOptions } from '../../settings/link-rules.ts'
import { namedSettings } from '../../settings/setting-texts.ts'
import { type CrawlSettings, completeSettings } from '../../settings/settings.ts'
import { ALL_SETTINGS } from '../../settings/settings-table.ts'
import { registrableDomain } from '../../url/registrable-domain.ts'
import { deepestIn } from '../machines/terms.ts'
import type { CrawlFolder } from './crawl-folder.ts'
import { requeueRefused, type TakeBack, undone } from './enqueue.ts'
import { changeFrontier } from './open-frontier.ts'
import type { OpenRun } from './opening.ts'
import { BOUNDS, planByBounds } from './replan.ts'

export interface OtherSettings extends Pick<RunPlan, 'settings' | 'given' | 'changed' | 'sharedChanges'> {
  /** Whether the open requests must end first: they were made, or are judged, by what changes. */
  readonly needsQuiet: boolean
}

/** Links are judged by these when they are found or taken; a change must not come in between. */
const JUDGING = ALL_SETTINGS.filter(({ judges }) => judges !== undefined)
const RULING = JUDGING.filter(({ judges }) => judges === 'found')

/** The newest run as it is now: its settings, its rules and its entry in `crawl.json`. */
export class CurrentRun {
  file: CrawlFile
  config: RunConfig
  private given: Partial<CrawlSettings>
  private readonly folder: CrawlFolder

  constructor({ folder, file, opening, ruleOptions, rules, held, ranks, earlier }: OpenRun) {
    const { settings, given } = folder.plan
    const { shared } = folder
    this.folder = folder
    this.file = file
    this.given = given
    const mayBeTooDeep =
      shared === undefined
        ? wasDeeper(file.runs, opening.isNew, settings.maxDepth)
        : deepestIn(shared.joined.terms) > settings.maxDepth
    const revisits = file.revisits ?? false
    this.config = { settings, ruleOptions, rules, held, ranks, earlier, mayBeTooDeep, revisits }
  }

  get settings(): CrawlSettings {
    return this.config.settings
  }

  get isPaused(): boolean {
    return this.file.runs.at(-1)?.isPaused ?? false
  }

  setPaused(isPaused: boolean): void {
    this.amend({ isPaused: isPaused ? true : undefined })
  }

  addSeeds(urls: readonly string[]): void {
    const { seeds, seedCount } = this.file.runs.at(-1)!
    this.amend({ seeds: [...seeds, ...urls].slice(0, MOST_NAMED_SEEDS), seedCount: seedCount + urls.length })
  }

  with(change: Partial<CrawlSettings>): OtherSettings {
    const request = { seeds: [], add: false, given: change, cores: availableParallelism(), version: version() }
    const former = { given: this.given, isUnsure: false, seeds: new Set<string>(), lacksSeeds: false }
    const { settings, given, changed, sharedChanges } = planRun(request, former)
    const needsQuiet = settings.workers !== this.settings.workers || JUDGING.some(({ name }) => changed.has(name))
    return { settings, given, changed, sharedChanges, needsQuiet }
  }

  /** What other delays of single hosts mean. They let no link in that was kept out. */
  withHosts(hostSettings: CrawlSettings['hostSettings']): OtherSettings {
    const given = { ...this.given, hostSettings }
    const settings = completeSettings(given, availableParallelism(), version())
    return { settings, given, changed: new Set(), sharedChanges: [], needsQuiet: false }
  }

  /**
   * Goes by other settings from now on, and in all later runs, and puts the links that they let in back in the queue. A kill
   * meanwhile leaves either the former settings, or the new ones with a mark that links may still be missing in the queue.
   * Returns how many were put back.
   */
  async adopt({ settings, given, changed }: OtherSettings, takeBack: TakeBack): Promise<number> {
    const { path, frontier, shared, seeds } = this.folder
    const before = this.settings
    const reasons = undone(changed, (await frontier.counts()).refusedFor)
    const isReplanned = this.config.revisits && BOUNDS.some(name => changed.has(name))
    const isLong = isReplanned || reasons.length > 0
    const deepest = Math.max(deepestOf(this.file.runs.at(-1)!), settings.maxDepth)
    this.amend({
      settings: namedSettings(given),
      hostSettings: namedHosts(settings.hostSettings),
      ...(settings.maxDepth < deepest && { deepest: namedSettings({ maxDepth: deepest })['max-depth'] as string }),
      ...(isLong && { isOpening: true }),
    })
    writeConfig(path, settings, given, shared?.place.where)
    await changeFrontier(frontier, settings)
    this.given = given
    let { ruleOptions, rules, held } = this.config
    if (RULING.some(({ name }) => changed.has(name))) {
      ruleOptions = linkRuleOptions(settings, [...seeds.all])
      rules = new LinkRules(ruleOptions, registrableDomain)
    }
    const requeued = Object.values(await requeueRefused(frontier, reasons, rules, takeBack))
    if (requeued.length > 0) held = new HeldLinks(frontier, settings.maxHeld, await frontier.counts())
    const mayBeTooDeep = this.config.mayBeTooDeep || before.maxDepth > settings.maxDepth
    const ranks = this.config.ranks.with(settings)
    this.config = { ...this.config, settings, ruleOptions, rules, held, ranks, mayBeTooDeep }
    if (isReplanned)
      await planByBounds({ pages: pageLines(path), frontier, plan: new RevisitPlan(settings, shared?.place.crawler) })
    if (isLong) this.amend({ isOpening: undefined })
    return requeued.reduce((sum, links) => sum + links, 0)
  }

  private amend(change: RunChange): void {
    this.folder.lock.check()
    this.file = amendRun(this.folder.path, this.file, change)
  }
}

/** What a run goes by; other ones after a change of settings. */
export interface RunConfig {
  readonly settings: CrawlSettings
  /** For worker threads. `rules` start out the same and grow when seeds are added or redirect. */
  readonly ruleOptions: LinkRuleOptions
  readonly rules: LinkRules
  readonly held: HeldLinks
  readonly earlier: EarlierPages
  readonly ranks: LinkRanks
  /** Whether links that are too deep by now may be waiting: an earlier run, or this one, allowed more. */
  readonly mayBeTooDeep: boolean
  readonly revisits: boolean
}
