import type { Clock } from '../base/clock.ts'
import type { HintRecord } from '../folder/sitemaps-file.ts'
import type { Hint, VisitPlans } from '../frontier/frontier.ts'
import { hostOf } from '../url/host-of.ts'
import { KEPT_MS } from './robots-gate.ts'

/** So many visits decide whether a host is believed. */
const LEAST_VISITS = 5
/** Then both counts are halved: what a host said long ago counts less. */
const MOST_VISITS = 40
/** Beyond that the oldest is forgotten. */
const MOST_HOSTS = 10_000

export interface HintRooms {
  /** Undefined: nothing is visited again. */
  readonly plans: Pick<VisitPlans, 'hint'> | undefined
  /** How true the hints of each host were; later runs have it too. */
  readonly records: Map<string, HintRecord>
  readonly clock: Clock
  /** The shortest time between two visits of a page. */
  leastMs(): number
}

/** The pages of a host that were hinted at before it is known how true its hints are. */
interface Trial {
  readonly sinceMs: number
  pages: number
}

/**
 * Passes on what sitemaps say about changes, unless a host has proven that its dates mean nothing: more than half of the visits
 * that followed found no change. Until so much is known of a host, only a few of its pages are hinted at per day.
 */
export class HintBook {
  private readonly rooms: HintRooms
  private readonly trials = new Map<string, Trial>()

  constructor(rooms: HintRooms) {
    this.rooms = rooms
  }

  /** Makes pages due that were changed since their last visit. Returns how many. */
  async offer(hints: readonly Hint[]): Promise<number> {
    const leastMs = this.rooms.leastMs()
    const byHost = new Map<string, Hint[]>()
    for (const hint of hints) {
      const host = hostOf(hint.url)
      const own = byHost.get(host) ?? []
      own.push({ ...hint, leastMs })
      byHost.set(host, own)
    }
    let hinted = 0
    for (const [host, own] of byHost) hinted += await this.offerOf(host, own)
    return hinted
  }

  /** Hears whether a visit that a hint caused found a change. */
  learn(host: string, found: boolean): void {
    const record = this.recordOf(host)
    if (found) record.isTrue++
    else record.isUntrue++
    if (record.isTrue + record.isUntrue > MOST_VISITS) {
      record.isTrue >>= 1
      record.isUntrue >>= 1
    }
    keep(this.rooms.records, host, record)
  }

  private async offerOf(host: string, hints: readonly Hint[]): Promise<number> {
    const { plans, clock } = this.rooms
    if (plans === undefined) return 0
    const { isTrue, isUntrue } = this.recordOf(host)
    if (isTrue + isUntrue >= LEAST_VISITS) return isUntrue <= isTrue ? plans.hint(hints) : 0
    const trial = this.trialOf(host, clock())
    const room = LEAST_VISITS - trial.pages
    if (room === 0) return 0
    // Another sitemap may hint at the same host meanwhile.
    trial.pages += room
    const hinted = await plans.hint(hints, room)
    trial.pages -= room - hinted
    return hinted
  }

  /** A visit that fails proves nothing, so a trial ends after a day. */
  private trialOf(host: string, nowMs: number): Trial {
    const known = this.trials.get(host)
    if (known !== undefined && nowMs - known.sinceMs < KEPT_MS) return known
    const trial = { sinceMs: nowMs, pages: 0 }
    keep(this.trials, host, trial)
    return trial
  }

  private recordOf(host: string): HintRecord {
    return this.rooms.records.get(host) ?? { isTrue: 0, isUntrue: 0 }
  }
}

function keep<Value>(map: Map<string, Value>, host: string, value: Value): void {
  map.delete(host)
  map.set(host, value)
  if (map.size > MOST_HOSTS) map.delete(map.keys().next().value!)
}
