import type { Clock } from '../base/clock.ts'

/** An answer that many want: it is asked for once, and kept for a moment. */
export class KeptAnswer<Answer> {
  private readonly ask: () => Promise<Answer>
  private readonly forMs: number
  private readonly clock: Clock
  private asked: Promise<Answer> | undefined
  /** Infinity until it is. */
  private answeredMs = Infinity

  constructor(ask: () => Promise<Answer>, forMs: number, clock: Clock) {
    this.ask = ask
    this.forMs = forMs
    this.clock = clock
  }

  get(): Promise<Answer> {
    const ageMs = this.clock() - this.answeredMs
    // A clock that was set back makes no answer last for hours.
    if (this.asked !== undefined && ageMs < this.forMs && (ageMs >= 0 || this.answeredMs === Infinity))
      return this.asked
    const asked = this.ask()
    this.asked = asked
    this.answeredMs = Infinity
    asked.then(
      () => this.asked === asked && (this.answeredMs = this.clock()),
      () => this.asked === asked && this.forget(),
    )
    return asked
  }

  forget(): void {
    this.asked = undefined
  }
}
