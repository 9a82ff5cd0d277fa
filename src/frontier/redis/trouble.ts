import { type Clock, systemClock } from '../../base/clock.ts'
import { words } from './engine-words.ts'
import type { Fault } from './faults.ts'

/** What is repeated for longer than this is trouble that people hear of; a slot that moves usually takes less. */
const WORTH_SAYING_MS = 1_000

/** What happens to one call that is being repeated. */
export interface Story {
  /** It has failed, again. */
  readonly failed: (fault: Fault, node: string) => void
  /** It was answered, or given up. */
  readonly over: () => void
}

/** Counts the calls that are being repeated, and says once when that begins to matter, per fault, and once when it is over. */
export class Trouble {
  private readonly say: (message: string) => void
  private readonly clock: Clock
  private readonly said = new Set<Fault>()
  private repeated = 0
  private sinceMs = 0
  private isQuit = false

  constructor(say: (message: string) => void, clock: Clock = systemClock) {
    this.say = say
    this.clock = clock
  }

  get isSaid(): boolean {
    return this.said.size > 0
  }

  get isThere(): boolean {
    return this.repeated > 0
  }

  /** A call has failed for the first time. */
  begin(): Story {
    const sinceMs = this.clock()
    if (this.repeated++ === 0) this.sinceMs = sinceMs
    return {
      failed: (fault, node) => {
        if (this.isQuit || this.said.has(fault) || this.clock() - sinceMs < WORTH_SAYING_MS) return
        this.said.add(fault)
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
    if (!this.isQuit) this.say(words().over(((this.clock() - this.sinceMs) / 1_000).toFixed(1)))
  }
}

function textOf(fault: Fault, node: string): string {
  const text = words()[fault]
  return typeof text === 'string' ? text : text(node)
}
