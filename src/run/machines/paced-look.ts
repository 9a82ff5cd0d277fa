import type { Clock } from '../../base/clock.ts'

/**
 * A question to the frontier that progress asks many times per second. A frontier in the folder answers each time. One that
 * machines share takes a call per shard, and may be away: it is asked in the background, now and then, and the last answer is
 * given meanwhile.
 */
export class PacedLook<Answer> {
  private readonly ask: () => Promise<Answer>
  private readonly clock: Clock
  private readonly everyMs: number
  private last: { readonly answer: Answer } | undefined
  private askedMs = Number.NEGATIVE_INFINITY
  private asking: Promise<Answer> | undefined

  /** `everyMs`: 0 asks each time. */
  constructor(ask: () => Promise<Answer>, everyMs: number, clock: Clock) {
    this.ask = ask
    this.everyMs = everyMs
    this.clock = clock
  }

  async latest(): Promise<Answer> {
    if (this.everyMs === 0) return this.ask()
    if (this.asking === undefined && this.clock() - this.askedMs >= this.everyMs) this.lookAgain()
    return this.last === undefined ? (this.asking ?? this.ask()) : this.last.answer
  }

  private lookAgain(): void {
    this.askedMs = this.clock()
    this.asking = this.ask()
      .then(answer => {
        this.last = { answer }
        return answer
      })
      .finally(() => {
        this.asking = undefined
      })
    // The frontier was closed, or has failed; the crawl itself reports that.
    this.asking.catch(() => {})
  }
}
