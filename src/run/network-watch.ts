import type { Clock } from '../base/clock.ts'
import { said } from '../base/messages/message.ts'
import type { FetchResult } from '../decide/job.ts'

/** Silence of all hosts for this long means more than that some hosts are silent. */
const QUIET_MS = 5000
/** This many different servers that had answered before must be silent; servers that never answered prove nothing. */
const LEAST_SILENT = 3
/** After this long it is not the network after all, and failures count against hosts again. */
const LONGEST_AWAY_MS = 3_600_000
const FIRST_PROBE_MS = 1000
const LONGEST_PROBE_MS = 30_000

export interface AskedServer {
  /** Its address, or its name when the address is unknown. */
  readonly server: string
  /** Its host has answered, and not failed since. */
  readonly isProven: boolean
  /** Its name could not be looked up, and the name itself is not to blame. */
  readonly isOurDns: boolean
}

/**
 * Tells hosts that do not answer from a network of ours that is down. When no host answers at all, it is our network: nothing
 * that happens then counts against a host, only a few links are taken from time to time to see whether anything answers, and
 * the crawl continues by itself.
 */
export class NetworkWatch {
  private readonly clock: Clock
  private readonly say: (message: string) => void
  /** Some host has answered this crawl, now or in an earlier run, so there is a network. */
  private hasAnswered: boolean
  private answeredAtMs: number
  /** Servers of proven hosts that were silent, and names that could not be looked up, since the last answer. */
  private readonly silent = new Set<string>()
  private awaySinceMs: number | undefined
  private isProxyAway = false
  private probeMs = FIRST_PROBE_MS
  private nextProbeMs = 0

  constructor(clock: Clock, hasAnswered: boolean, say: (message: string) => void) {
    this.clock = clock
    this.say = say
    this.hasAnswered = hasAnswered
    this.answeredAtMs = hasAnswered ? clock() - QUIET_MS : Number.NEGATIVE_INFINITY
  }

  get isAway(): boolean {
    return this.awaySinceMs !== undefined
  }

  /** What cannot be reached at the moment; undefined when all is well. */
  get missing(): 'network' | 'proxy' | undefined {
    if (this.awaySinceMs === undefined) return undefined
    return this.isProxyAway ? 'proxy' : 'network'
  }

  /** While the network is down: how long until the next probe; 0 means now. */
  get probeInMs(): number {
    return Math.max(0, this.nextProbeMs - this.clock())
  }

  probed(): void {
    this.nextProbeMs = this.clock() + this.probeMs
    this.probeMs = Math.min(this.probeMs * 2, LONGEST_PROBE_MS)
  }

  /** Whether a result says something about the host, and not about our network. */
  isTheirs({ server, isProven, isOurDns }: AskedServer, result: FetchResult): boolean {
    if ('answer' in result || result.kind === 'no such host') {
      this.heard()
      return true
    }
    if (result.kind !== 'failed') return true
    if (result.why === 'proxy') {
      this.missedProxy()
      return false
    }
    const isOurs = isOurDns || result.why === 'network'
    if (!isOurs && !result.isSilent) {
      this.heard()
      return true
    }
    return !this.isAwayNow(server, isProven, isOurs)
  }

  private isAwayNow(server: string, isProven: boolean, isOurs: boolean): boolean {
    const nowMs = this.clock()
    if (isProven && this.silent.size < LEAST_SILENT) this.silent.add(server)
    if (this.awaySinceMs !== undefined) return nowMs - this.awaySinceMs < LONGEST_AWAY_MS
    if (nowMs - this.answeredAtMs < QUIET_MS) return false
    const isSure = isOurs && (isProven || !this.hasAnswered)
    if (!isSure && this.silent.size < LEAST_SILENT) return false
    this.goAway(nowMs, 'network')
    return true
  }

  /** A proxy that cannot be reached says nothing about any host, however long it lasts. */
  private missedProxy(): void {
    const nowMs = this.clock()
    if (this.awaySinceMs === undefined && nowMs - this.answeredAtMs >= QUIET_MS) this.goAway(nowMs, 'proxy')
  }

  private goAway(nowMs: number, what: 'network' | 'proxy'): void {
    this.awaySinceMs = nowMs
    this.isProxyAway = what === 'proxy'
    this.probeMs = FIRST_PROBE_MS
    this.probed()
    this.say(said(`away/${what}`))
  }

  private heard(): void {
    this.answeredAtMs = this.clock()
    this.hasAnswered = true
    if (this.silent.size > 0) this.silent.clear()
    if (this.awaySinceMs === undefined) return
    this.say(said('run/back', { away: this.clock() - this.awaySinceMs }))
    this.awaySinceMs = undefined
  }
}
