import type { RecordLocation } from '../../archive/scan.ts'
import { systemClock } from '../../base/clock.ts'
import { compileRobots } from '../../robots/robots.ts'
import { RobotsRules, type RulesKind } from '../../robots/rules.ts'
import type { RobotsState } from '../questions/host-shapes.ts'
import { robotsStateOf } from '../questions/robots-state.ts'
import { isVerdict, readRobots, robotsUrls } from './robots-file.ts'

/** What a list may wait for; hosts that were not reached stay unknown until the next one. */
const LONGEST_MS = 30
const MOST_KEPT = 10_000

/** Says what the robots.txt of hosts comes to, from the archive: the rules in use are known to the process of a running crawl only. */
export class ArchivedRobots {
  private readonly folder: string
  private readonly answerOf: (url: string) => Promise<RecordLocation | undefined>
  private readonly kept = new Map<string, RobotsState>()

  constructor(folder: string, answerOf: (url: string) => Promise<RecordLocation | undefined>) {
    this.folder = folder
    this.answerOf = answerOf
  }

  /** The state of each host, in their order. */
  async states(hosts: readonly string[], agent: string): Promise<readonly RobotsState[]> {
    const startMs = systemClock()
    const states: RobotsState[] = []
    for (const host of hosts) {
      const kept = this.kept.get(host)
      const isLate = systemClock() - startMs > LONGEST_MS
      states.push(kept ?? (isLate ? 'unknown' : await this.read(host, agent)))
    }
    return states
  }

  private async read(host: string, agent: string): Promise<RobotsState> {
    const kinds = await Promise.all(robotsUrls(host).map(url => this.kindOf(url, agent)))
    const state = robotsStateOf(kinds.filter(kind => kind !== undefined))
    if (state === 'unknown') return state
    if (this.kept.size >= MOST_KEPT) this.kept.clear()
    this.kept.set(host, state)
    return state
  }

  private async kindOf(url: string, agent: string): Promise<RulesKind | undefined> {
    const place = await this.answerOf(url)
    const read = place && (await readRobots(place, this.folder))
    // Where a redirect leads is not followed here.
    if (read === undefined || !isVerdict(read.status)) return undefined
    return new RobotsRules(compileRobots(read.rules, agent)).kind
  }
}
