import { systemClock } from '../../../base/clock.ts'
import { words } from './engine-words.ts'
import type { Fault } from './faults.ts'

/** What is repeated for longer than this is trouble that people hear of; a slot that moves usually takes less. */
export const WORTH_SAYING_MS = 1_000

/** What people hear of once: a primary that is away soon becomes a cluster that is down, and then one that is starting. */
type Topic = 'absent' | 'full' | 'moving' | 'replicas' | 'busy'
const TOPICS: Readonly<Record<Fault, Topic>> = {
  away: 'absent',
  down: 'absent',
  loading: 'absent',
  full: 'full',
  noDisk: 'full',
  moving: 'moving',
  replicas: 'replicas',
  busy: 'busy',
}

/** What happens to one call that is being repeated. */
export interface RepeatedCall {
  /** It has failed, again. */
  readonly failed: (fault: Fault, node: string) => void
  /** It was answered, or given up. */
  readonly over: () => void
}

/** Counts the calls that are being repeated, and says once when that begins to matter, per topic, and once when it is over. */
export class Trouble {
  private readonly say: (message: string) => void
  private readonly said = new Set<Topic>()
  private repeated = 0
  private sinceMs = 0
  private isQuit = false

  constructor(say: (message: string) => void) {
    this.say = say
  }

  get isSaid(): boolean {
    return this.said.size > 0
  }

  get isThere(): boolean {
    return this.repeated > 0
  }

  /** A call that was asked at `sinceMs` has failed for the first time. */
  begin(sinceMs: number): RepeatedCall {
    this.sinceMs = this.repeated++ === 0 ? sinceMs : Math.min(sinceMs, this.sinceMs)
    return {
      failed: (fault, node) => {
        const topic = TOPICS[fault]
        if (this.isQuit || this.said.has(topic) || systemClock() - sinceMs < WORTH_SAYING_MS) return
        this.said.add(topic)
        this.say(textOf(fault, node))
      },
      over: () => this.end(),
    }
  }

  /** Nothing is said from now on. */
  quit(): void {
    this.isQuit = true
  }

  private end(): void {
    if (--this.repeated > 0 || this.said.size === 0) return
    this.said.clear()
    if (!this.isQuit) this.say(words().over(secondsSince(this.sinceMs)))
  }
}

export function secondsSince(sinceMs: number): string {
  return ((systemClock() - sinceMs) / 1_000).toFixed(1)
}

function textOf(fault: Fault, node: string): string {
  const text = words()[fault]
  return typeof text === 'string' ? text : text(node)
}
