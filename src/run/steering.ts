import type { Clock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { reasonOf } from '../base/system-error.ts'
import { abridged } from '../folder/actions-file.ts'
import type { SettingChange } from '../folder/run-plan.ts'
import {
  type Action,
  type ActionResult,
  type HostChange,
  MOST_SEEDS,
  type SettingsChange,
} from '../settings/actions.ts'
import { checkedAction } from '../settings/checked-action.ts'
import type { CrawlHappening } from '../settings/events.ts'
import { HostBook } from '../settings/host-settings.ts'
import { type LinkChoice, reasonsIn } from '../settings/link-choice.ts'
import { isRuled } from '../settings/reasons.ts'
import { linesOfEnded } from './committer.ts'
import type { Conductor } from './conductor.ts'
import type { CrawlFolder } from './opening/crawl-folder.ts'
import type { CurrentRun, OtherSettings } from './opening/current-run.ts'
import { linesTakenBack, offerSeeds, refusedLinks, requeueRefused, requeueSeeds } from './opening/enqueue.ts'
import { applyBlock, applyDelay, knownHost, type Rests, withHostDelay } from './rests.ts'

export interface SteeringDeps {
  readonly folder: CrawlFolder
  readonly run: CurrentRun
  readonly rests: Rests
  readonly clock: Clock
  conductor(): Conductor | undefined
  /** Whether the run is to end: nothing can be changed any more. */
  isEnding(): boolean
  stop(): void
  emit(happened: CrawlHappening): void
}

/** Hosts with a delay of their own: all of them are in `crawl.json`. */
const MOST_HOST_SETTINGS = 10_000

/** Does what people want, one action at a time: it is done, then in `actions.jsonl`, then an event. The next start completes the rest. */
export class Steering {
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

  async idle(): Promise<void> {
    await this.turn
  }

  private checked(given: unknown): Action {
    const nowMs = this.deps.clock()
    return checkedAction(given, nowMs)
  }

  private async perform(given: Exclude<Action, { kind: 'stop' }>): Promise<ActionResult> {
    if (this.deps.isEnding()) throw new EscalonaError('CRAWL_NOT_RUNNING/ending')
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
    // What was not done is for the one who asked.
    const { refused: _, ...done } = result
    await folder.actions.append({ ...written, atMs: clock(), result: done })
    emit({ kind: 'action', action: written, result: done })
  }

  /** `action`: as it is written; undefined when there was nothing to do. */
  private async done(
    action: Exclude<Action, { kind: 'stop' }>,
  ): Promise<{ readonly action?: Action; readonly result: ActionResult }> {
    switch (action.kind) {
      case 'pause':
      case 'resume':
        return this.setPaused(action.kind === 'pause') ? { action, result: {} } : { result: {} }
      case 'add seeds': {
        const { refused, ...written } = action
        return { action: written, result: { ...(await this.addSeeds(action.urls)), ...(refused && { refused }) } }
      }
      case 'change settings':
        return { action, result: await this.changeSettings(action.settings) }
      case 'change host': {
        const { host, result } = await this.changeHost(action.host, action.change)
        return { action: { ...action, host }, result }
      }
      case 'retry links':
        return { action, result: await this.retryLinks(action.which) }
      case 'let links in':
        return { action, result: await this.letLinksIn(action.which) }
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
    const links = await offerSeeds(frontier, urls, run.config.ranks)
    let requeued = await requeueSeeds(frontier, links, takeBack)
    const { refusedFor } = await frontier.counts()
    if (fresh.length > 0 && Object.hasOwn(refusedFor, 'scope'))
      requeued += (await requeueRefused(frontier, ['scope'], run.config.rules, takeBack)).scope ?? 0
    run.addSeeds(fresh)
    this.deps.conductor()?.goOn()
    return { seeds: fresh.length, requeued }
  }

  private async retryLinks(which: LinkChoice): Promise<ActionResult> {
    const { frontier } = this.deps.folder
    const reasons = reasonsIn(which, (await frontier.counts()).refusedFor)
    const requeued = await requeueRefused(frontier, reasons, undefined, this.takeBack(), which)
    this.deps.conductor()?.goOn()
    return { requeued: Object.values(requeued).reduce((sum, links) => sum + links, 0) }
  }

  /** They become seeds, which no rule keeps out. All of them, or none. */
  private async letLinksIn(which: LinkChoice): Promise<ActionResult> {
    const { frontier } = this.deps.folder
    const reasons = reasonsIn(which, (await frontier.counts()).refusedFor)
    const others = new Set<string>()
    const urls: string[] = []
    for await (const links of refusedLinks(frontier, reasons, which)) {
      for (const { url, reason } of links) {
        if (isRuled(reason!)) urls.push(url)
        else others.add(reason!)
      }
      if (urls.length > MOST_SEEDS) throw new EscalonaError('CRAWL_BAD_ACTION/many-links', { most: MOST_SEEDS })
    }
    if (others.size > 0) throw new EscalonaError('CRAWL_BAD_ACTION/other-reason', { reasons: [...others] })
    return urls.length === 0 ? { requeued: 0 } : this.addSeeds(urls)
  }

  private async changeSettings(change: SettingsChange): Promise<ActionResult> {
    const { folder, run } = this.deps
    const other = run.with(change)
    if (folder.shared !== undefined && other.sharedChanges.length > 0)
      throw new EscalonaError('CRAWL_BAD_ACTION/shared', { settings: listed(other) })
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
    if (view === undefined) throw new EscalonaError('CRAWL_BAD_ACTION/no-host', { host: name })
    const { host } = view
    if (delayMs !== undefined) await this.changeDelay(host, delayMs)
    if (blockedUntilMs !== undefined) await this.block(host, blockedUntilMs ?? 0)
    const cleared = clear ? await this.clear(host) : undefined
    this.deps.conductor()?.goOn()
    return { host, result: cleared === undefined ? {} : { cleared } }
  }

  private async changeDelay(host: string, delayMs: number | null): Promise<void> {
    const { folder, run, rests, clock } = this.deps
    if (folder.shared !== undefined) throw new EscalonaError('CRAWL_BAD_ACTION/shared-delay')
    const former = new HostBook(run.settings)
    const hostSettings = withHostDelay(run.settings.hostSettings, host, delayMs)
    if (hostSettings.length > MOST_HOST_SETTINGS)
      throw new EscalonaError('CRAWL_BAD_ACTION/many-hosts', { most: MOST_HOST_SETTINGS })
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
