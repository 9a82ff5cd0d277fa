/** A reason's number, from 0 up, in the order in which the reasons were first given. */
export type ReasonNumber = number

/** Why links are refused: each reason once, with how many links are refused for it now. */
export class Refusals {
  /** How many links are refused, for any reason. */
  count = 0
  readonly reasons: string[] = []
  private readonly numbers = new Map<string, ReasonNumber>()
  private readonly counts: number[] = []

  /** The number of a reason; a new reason gets the next one. */
  numberOf(reason: string): ReasonNumber {
    const known = this.numbers.get(reason)
    if (known !== undefined) return known
    this.numbers.set(reason, this.reasons.length)
    this.counts.push(0)
    return this.reasons.push(reason) - 1
  }

  /** The number of a reason, if it was ever given. */
  find(reason: string): ReasonNumber | undefined {
    return this.numbers.get(reason)
  }

  /** One link more, or one fewer, is refused for this reason. */
  change(reason: ReasonNumber, by: 1 | -1): void {
    this.counts[reason]! += by
    this.count += by
  }

  countFor(reason: ReasonNumber): number {
    return this.counts[reason]!
  }

  /** How many links are refused for each reason; without reasons that have none. */
  byReason(): Record<string, number> {
    const pairs = this.reasons.map((reason, number) => [reason, this.counts[number]!] as const)
    return Object.fromEntries(pairs.filter(([, count]) => count > 0))
  }

  /** No link is refused; the numbers stay. */
  clear(): void {
    this.count = 0
    this.counts.fill(0)
  }
}
