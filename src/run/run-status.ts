import type { Eta } from '../folder/stats/eta.ts'
import type { FrontierCounts, Outlook } from '../frontier/frontier.ts'
import type { RestFacts } from './rests.ts'

/** `stopping`: the open requests are being finished. */
export type SessionState = 'running' | 'paused' | 'stopping' | 'ended'

/**
 * Where a crawl stands: what its frontier counts and, while it runs, what its process is doing. `Doing`: what it is doing or waiting
 * for, as facts, in several languages, or in one.
 */
export interface RunStatus<Doing> {
  readonly frontier: FrontierCounts
  readonly outlook: Outlook
  /** This folder's links that ended by an error, also those that were put back in the queue since; undefined when that is not known. */
  readonly failed?: number
  /** How often the engine of a shared frontier had forgotten what it had acknowledged; undefined: as this folder's files say. */
  readonly losses?: number
  /** How many hosts people block; undefined when that is not known. */
  readonly blockedHosts?: number
  /** Undefined when the crawl is not running. */
  readonly running: RunActivity<Doing> | undefined
  /** When machines share the crawl: how many are at work. */
  readonly machines?: number
}

/** What the process of a running crawl is doing. */
export interface RunActivity<Doing = string> {
  readonly pid: number
  /** When this run began, in milliseconds since 1970. */
  readonly sinceMs: number
  /** Pages archived in the life of the folder. */
  readonly pages: number
  /** Undefined: no limit. */
  readonly limit: number | undefined
  readonly requests: number
  readonly wireBytes: number
  /** How long all runs have worked so far. */
  readonly workMs: number
  /** `stopping`: the open requests are being finished. */
  readonly state: SessionState
  readonly openRequests: number
  /** How many requests may be open at once. */
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
  /** All waiting links. */
  readonly waiting: number
  /** With `--recrawl`: pages whose next visit is planned. */
  readonly planned?: number
  /** `paceMs`: how long `maxRequestsPerSecond` delays a request for which there is room. */
  readonly slots: {
    readonly open: number
    readonly size: number
    readonly waiting: number
    readonly paceMs: number | undefined
  }
  /** At the last attempt, fewer links could be taken than there was room for. */
  readonly isShort: boolean
  /** Host names that are being looked up. */
  readonly lookups: number
  readonly network: { readonly missing: 'network' | 'proxy' | undefined; readonly probeInMs: number }
  /** Open requests are being finished, and no new ones are made. */
  readonly isEnding: boolean
  /** A person paused the crawl. */
  readonly isPaused: boolean
  /** The rules for links are being changed: open requests are being finished before. */
  readonly isChanging: boolean
  /** What cannot keep up: the disk, or the program that reads the pages. */
  readonly heldUpBy: 'disk' | 'reader' | undefined
  readonly maxRequestsPerSecond: number
  /** `--server-delay` is longer than `--delay`. */
  readonly isServerSlower: boolean
}
