import type { Clock } from '../base/clock.ts'
import { checkedInBothLanguages, EscalonaError } from '../base/errors.ts'
import { reasonOf } from '../base/system-error.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { abridged } from '../folder/actions-file.ts'
import type { SettingChange } from '../folder/run-plan.ts'
import type { Action, ActionResult, HostChange, SettingsChange } from '../settings/actions.ts'
import { badAction, checkedAction } from '../settings/checked-action.ts'
import type { CrawlHappening } from '../settings/events.ts'
import { HostBook } from '../settings/host-settings.ts'
import { linesOfEnded } from './committer.ts'
import type { Conductor } from './conductor.ts'
import type { CrawlFolder } from './opening/crawl-folder.ts'
import type { CurrentRun, OtherSettings } from './opening/current-run.ts'
import { linesTakenBack, offerSeeds, requeueRefused, requeueSeeds } from './opening/enqueue.ts'
import { applyBlock, applyDelay, knownHost, type Rests, withHostDelay } from './rests.ts'

export interface SteeringDeps {
  readonly folder: CrawlFolder
  readonly run: CurrentRun
  readonly rests: Rests
  readonly clock: Clock
  /** Undefined before the run begins. */
  conductor(): Conductor | undefined
  /** Whether the run is to end: nothing can be changed any more. */
  isEnding(): boolean
  stop(): void
  emit(happened: CrawlHappening): void
}

/** Hosts with a delay of their own: all of them are in `crawl.json`. */
const MOST_HOST_SETTINGS = 10_000

const words = catalogue({
  en: {
    ending: 'the crawl is ending; start it again with escalona resume, then change it',
    shared: (settings: string) =>
      `machines share this crawl, and what holds for all of them can be changed only when it starts (${settings}); stop all machines, then start one with the new value`,
    sharedDelay:
      'machines share this crawl, and the delay of a host holds for all of them; stop all machines, then start one with the delay in its configuration file',
    noHost: (host: string) =>
      `this crawl does not know the host ${host}; search for its exact name, or add one of its pages as a seed`,
    manyHosts: (most: number) =>
      `${most} hosts have settings of their own already; remove some with delayMs null, or use a pattern such as *.example.org in a configuration file`,
  },
  pt: {
    ending: 'a coleta está terminando; inicie-a de novo com escalona resume, e depois mude-a',
    shared: (settings: string) =>
      `várias máquinas fazem esta coleta, e o que vale para todas só pode ser mudado quando ela começa (${settings}); pare todas as máquinas e inicie uma com o novo valor`,
    sharedDelay:
      'várias máquinas fazem esta coleta, e o intervalo de um host vale para todas; pare todas as máquinas e inicie uma com o intervalo no arquivo de configuração',
    noHost: (host: string) =>
      `esta coleta não conhece o host ${host}; procure o nome exato, ou acrescente uma de suas páginas como semente`,
    manyHosts: (most: number) =>
      `${most} hosts já têm configurações próprias; remova algumas com delayMs null, ou use um padrão como *.example.org em um arquivo de configuração`,
  },
})

/**
 * Does what people want done to a running crawl, one action at a time. Each is done first, then written to `actions.jsonl`, then
 * an event. A kill in between leaves the action done but not written, or half done in a way that the next start completes.
 */
export class Steering {
  /** How many actions were done. */
  performed = 0
  private readonly deps: SteeringDeps
  private turn: Promise<unknown> = Promise.resolve()

  constructor(deps: SteeringDeps) {
    this.deps = deps
  }

  /** Checks an action, wherever it comes from, and does it. Stopping waits for no other action; only its line does. */
  async act(given: unknown): Promise<ActionResult> {
    const action = this.checked(given)
    if (action.kind === 'stop') return this.stop(action)
    const done = this.turn.then(() => this.perform(action))
    this.turn = done.catch(() => {})
    return done
  }

  /** Resolves when all actions so far are done. */
  async idle(): Promise<void> {
    await this.turn
  }

  private checked(given: unknown): Action {
    const nowMs = this.deps.clock()
    return checkedInBothLanguages(() => checkedAction(given, nowMs))
  }

  private async perform(given: Exclude<Action, { kind: 'stop' }>): Promise<ActionResult> {
    if (this.deps.isEnding()) throw new EscalonaError('CRAWL_NOT_RUNNING', () => words().ending)
    const { action, result } = await this.done(given)
    if (action === undefined) return result
    this.performed++
    await this.record(action, result)
    return result
  }

  /** A crawl that stops already goes on doing so. */
  private stop(action: Action): ActionResult {
    const { isEnding, stop, emit } = this.deps
    if (isEnding()) return {}
    stop()
    const recorded = this.turn.then(() => this.record(action, {}))
    this.turn = recorded.catch(error => emit({ kind: 'trouble', message: reasonOf(error) }))
    return {}
  }

  private async record(action: Action, result: ActionResult): Promise<void> {
    const { folder, clock, emit } = this.deps
    const written = abridged(action)
    await folder.actions.append({ ...written, atMs: clock(), result })
    emit({ kind: 'action', action: written, result })
  }

  /** `action`: as it is written; undefined when there was nothing to do. */
  private async done(
    action: Exclude<Action, { kind: 'stop' }>,
  ): Promise<{ readonly action?: Action; readonly result: ActionResult }> {
    switch (action.kind) {
      case 'pause':
      case 'resume':
        return this.setPaused(action.kind === 'pause') ? { action, result: {} } : { result: {} }
      case 'add seeds':
        return { action, result: await this.addSeeds(action.urls) }
      case 'change settings':
        return { action, result: await this.changeSettings(action.settings) }
      case 'change host': {
        const { host, result } = await this.changeHost(action.host, action.change)
        return { action: { ...action, host }, result }
      }
    }
  }

  /** Returns whether that is a change. */
  private setPaused(isPaused: boolean): boolean {
    const { run } = this.deps
    if (run.isPaused === isPaused) return false
    run.setPaused(isPaused)
    const conductor = this.deps.conductor()
    if (isPaused) conductor?.pause()
    else conductor?.resume()
    return true
  }

  /** A kill after the seeds are on disk costs nothing: each start offers all seeds, and looks again at links that were out of scope. */
  private async addSeeds(urls: readonly string[]): Promise<ActionResult> {
    const { folder, run } = this.deps
    const { frontier, shared, seeds } = folder
    const fresh = urls.filter(url => !seeds.all.has(url))
    const lines = fresh.map(url => ({ url }))
    seeds.append(lines)
    await seeds.sync()
    for (const url of fresh) run.config.rules.admit(url)
    await shared?.addSeeds(lines)
    const takeBack = this.takeBack()
    const links = await offerSeeds(frontier, urls)
    let requeued = await requeueSeeds(frontier, links, takeBack)
    const { refusedFor } = await frontier.counts()
    if (fresh.length > 0 && Object.hasOwn(refusedFor, 'scope'))
      requeued += (await requeueRefused(frontier, ['scope'], run.config.rules, takeBack)).scope ?? 0
    run.addSeeds(fresh)
    this.deps.conductor()?.goOn()
    return { seeds: fresh.length, requeued }
  }

  private async changeSettings(change: SettingsChange): Promise<ActionResult> {
    const { folder, run } = this.deps
    const other = run.with(change)
    if (folder.shared !== undefined && other.sharedChanges.length > 0)
      throw badAction(() => words().shared(listed(other)))
    const requeued = await this.adopt(other)
    return requeued > 0 ? { requeued } : {}
  }

  private async adopt(other: OtherSettings): Promise<number> {
    const { run } = this.deps
    const conductor = this.deps.conductor()
    let requeued = 0
    const adopt = async () => {
      requeued = await run.adopt(other, this.takeBack())
      return run.config
    }
    if (other.needsQuiet && conductor !== undefined) await conductor.followAnew(adopt)
    else {
      const config = await adopt()
      conductor?.follow(config)
    }
    return requeued
  }

  private async changeHost(
    name: string,
    { delayMs, blockedUntilMs, clear }: HostChange,
  ): Promise<{ readonly host: string; readonly result: ActionResult }> {
    const { frontier } = this.deps.folder
    const view = await knownHost(frontier, name)
    if (view === undefined) throw badAction(() => words().noHost(printable(name)))
    const { host } = view
    if (delayMs !== undefined) await this.changeDelay(host, delayMs)
    if (blockedUntilMs !== undefined) await this.block(host, blockedUntilMs ?? 0)
    const cleared = clear ? await this.clear(host) : undefined
    this.deps.conductor()?.goOn()
    return { host, result: cleared === undefined ? {} : { cleared } }
  }

  private async changeDelay(host: string, delayMs: number | null): Promise<void> {
    const { folder, run, rests, clock } = this.deps
    if (folder.shared !== undefined) throw badAction(() => words().sharedDelay)
    const former = new HostBook(run.settings)
    const hostSettings = withHostDelay(run.settings.hostSettings, host, delayMs)
    if (hostSettings.length > MOST_HOST_SETTINGS) throw badAction(() => words().manyHosts(MOST_HOST_SETTINGS))
    await this.adopt(run.withHosts(hostSettings))
    const view = await folder.frontier.host(host)
    const facts = {
      nowMs: clock(),
      delayMs: (one: string) => former.delayMs(one),
      rest: (one: string) => rests.of(one),
    }
    if (view !== undefined) await applyDelay(folder.frontier, view, facts, new HostBook(run.settings).delayMs(host))
  }

  private async block(host: string, untilMs: number): Promise<void> {
    const { folder, run, rests, clock } = this.deps
    const book = new HostBook(run.settings)
    const view = await folder.frontier.host(host)
    const facts = { nowMs: clock(), delayMs: (one: string) => book.delayMs(one), rests }
    if (view !== undefined) await applyBlock(folder.frontier, view, facts, untilMs)
  }

  private async clear(host: string): Promise<number> {
    const { frontier, failures } = this.deps.folder
    let cleared = 0
    await frontier.clear(host, links => {
      failures.append(linesOfEnded(links, 'cleared', this.deps.clock()))
      cleared += links.length
    })
    return cleared
  }

  private takeBack() {
    return linesTakenBack(this.deps.folder.failures, this.deps.clock())
  }
}

function listed({ sharedChanges }: { readonly sharedChanges: readonly SettingChange[] }): string {
  return sharedChanges.map(({ setting }) => `--${setting}`).join(', ')
}
