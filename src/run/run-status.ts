import type { Clock } from '../base/clock.ts'
import { LinkRanks } from '../decide/link-rank.ts'
import type { ChallengedHost } from '../folder/stats/details.ts'
import type { Eta } from '../folder/stats/eta.ts'
import { type Outage, Outages } from '../folder/stats/outages.ts'
import type { TimelineData } from '../folder/stats/timeline.ts'
import type { FrontierCounts, HostView, Outlook } from '../frontier/frontier.ts'
import type { FrontierView } from '../frontier/local/read-only.ts'
import type { Action, ActionResult } from '../settings/actions.ts'
import type { CrawlHappening } from '../settings/events.ts'
import { HostBook, type SettingGap } from '../settings/host-settings.ts'
import { LinkRules, linkRuleOptions } from '../settings/link-rules.ts'
import { agentOf, type CrawlSettings } from '../settings/settings.ts'
import { registrableDomain } from '../url/registrable-domain.ts'
import type { NetworkWatch } from './network-watch.ts'
import { type RestCause, type RestFacts, Rests, restCause } from './rests.ts'
import type { Slots } from './slots.ts'

/** `stopping`: the open requests are being finished. */
export type SessionState = 'running' | 'paused' | 'stopping' | 'ended'

/** The state of a crawl: what its frontier counts and, while it runs, what its process does. `Doing`: as facts, or as sentences. */
export interface RunStatus<Doing> {
  readonly frontier: FrontierCounts
  readonly outlook: Outlook
  /** This folder's links that ended by an error, also those that were put back in the queue since; undefined when that is not known. */
  readonly failed?: number
  /** How often the engine of a shared frontier had forgotten what it had acknowledged; undefined: as this folder's files say. */
  readonly losses?: number
  /** How many hosts people block; undefined when that is not known. */
  readonly blockedHosts?: number
  /** Hosts that answer with challenge pages; undefined: as this folder's files say. */
  readonly challengedHosts?: readonly ChallengedHost[]
  readonly running: RunActivity<Doing> | undefined
  /** When machines share the crawl: how many are at work. */
  readonly machines?: number
}

/** What the process of a running crawl is doing. */
export interface RunActivity<Doing = string> {
  readonly pid: number
  readonly sinceMs: number
  /** Pages archived in the life of the folder. */
  readonly pages: number
  /** Undefined: no limit. */
  readonly limit: number | undefined
  readonly requests: number
  readonly wireBytes: number
  readonly workMs: number
  /** `stopping`: the open requests are being finished. */
  readonly state: SessionState
  readonly openRequests: number
  readonly slots: number
  /** Over the last few seconds. */
  readonly pagesPerSecond: number
  readonly bytesPerSecond: number
  /** Undefined while there is nothing to estimate from. */
  readonly eta: Eta | undefined
  /** One sentence about what it is doing or waiting for; never empty. */
  readonly waitingFor: Doing
}

/** What a run is doing, from which a sentence for people is made. `message`: why the frontier cannot be used for now. */
export type Doing =
  | { readonly kind: 'starting' | 'ended' }
  | { readonly kind: 'frontier away'; readonly message: string }
  | { readonly kind: 'working'; readonly facts: WorkFacts }

/** The facts from which the sentence is made. Times are Unix time. */
export interface WorkFacts extends RestFacts {
  readonly outlook: Outlook
  readonly waiting: number
  /** With `--recrawl`: pages whose next visit is planned. */
  readonly planned?: number
  /** `paceMs`: how long `maxRequestsPerSecond` delays a request for which there is room. */
  readonly slots: Pick<Slots, 'open' | 'size' | 'waiting' | 'paceMs'>
  /** At the last attempt, fewer links could be taken than there was room for. */
  readonly isShort: boolean
  readonly lookups: number
  readonly network: Pick<NetworkWatch, 'missing' | 'probeInMs'>
  /** Open requests are being finished, and no new ones are made. */
  readonly isEnding: boolean
  readonly isPaused: boolean
  /** The rules for links are being changed: open requests are being finished before. */
  readonly isChanging: boolean
  /** What cannot keep up: the disk, or the program that reads the pages. */
  readonly heldUpBy: 'disk' | 'reader' | undefined
  readonly maxRequestsPerSecond: number
  /** `--server-delay` is longer than `--delay`. */
  readonly isServerSlower: boolean
}

/** What a running crawl shows of itself to those who look at it from outside. The settings may change, so each is asked anew. */
export interface ViewedRun extends SettingFacts {
  readonly folder: string
  readonly frontier: Omit<FrontierView, 'close'>
  /** Present when machines share the crawl: how many are at work. */
  readonly machines?: (() => number) | undefined
  /** Called every second. */
  totals(): RunTotals
  /** The sums over the whole crawl. */
  timeline(): TimelineData
  /** `seen`: what only those who watch the run over time know. */
  status(seen: SeenRun): Promise<RunStatus<Doing>>
  act(action: Action): Promise<ActionResult>
  /** Called with a sentence when the crawl cannot be looked at. */
  onTrouble(message: string): void
}

export interface RunTotals {
  readonly pages: number
  readonly wireBytes: number
  readonly failures: number
  readonly openRequests: number
}

export type SeenRun = Pick<RunActivity, 'sinceMs' | 'pagesPerSecond' | 'bytesPerSecond'>

/** Lets others look at a run, in other processes and threads. Never throws: the crawl continues without. */
export type ServeRun = (run: ViewedRun) => Promise<RunServer>

export interface RunServer {
  hear(happened: CrawlHappening, atMs: number): void
  /** Closes all connections. The frontier is not called any more afterwards. */
  close(): Promise<void>
}

/** What the settings say, and what is remembered of hosts, for those who look at a crawl. */
export interface SettingFacts {
  readonly clock: Clock
  /** The current settings' rules for links; undefined when the settings are unknown. */
  rules(): Pick<LinkRules, 'refusal' | 'settingBehind'> | undefined
  /** Undefined when the settings are unknown. */
  strategy(): CrawlSettings['strategy'] | undefined
  /** The pattern that decides the rank of a URL, as on the command line. */
  preference(url: string): string | undefined
  /** The product token that robots.txt rules are matched against. */
  agent(): string
  gapOf(host: string): SettingGap
  /** Until when a person blocks a host, in milliseconds since 1970. */
  blockedUntilMs(host: string): number | undefined
  restCause(host: HostView): RestCause | undefined
  /** Why a host that is down does not answer, as far as this folder's machine knows. */
  outage(host: string): Outage | undefined
}

const NO_GAP = { ms: 0, by: 'setting' } as const

/** What the settings alone say. `settings`: undefined in a folder without `crawl.json`. */
export function settingFacts(
  settings: CrawlSettings | undefined,
  seeds: readonly string[],
  clock: Clock,
  rests = new Rests(),
  outages = new Outages(),
): SettingFacts {
  const hosts = settings && new HostBook(settings)
  const rules = settings && new LinkRules(linkRuleOptions(settings, seeds), registrableDomain)
  const ranks = settings && new LinkRanks(settings)
  const agent = agentOf(settings?.userAgent ?? 'escalona')
  return {
    clock,
    rules: () => rules,
    strategy: () => settings?.strategy,
    preference: url => ranks?.preference(url),
    agent: () => agent,
    gapOf: host => hosts?.gapOf(host) ?? NO_GAP,
    blockedUntilMs: host => rests.blockedUntilMs(host, clock()),
    outage: host => outages.of(host),
    restCause: view =>
      hosts && restCause(view, { nowMs: clock(), delayMs: host => hosts.delayMs(host), rest: host => rests.of(host) }),
  }
}
