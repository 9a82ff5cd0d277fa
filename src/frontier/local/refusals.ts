/** A reason's number, from 0 up, in the order in which the reasons were first given. */
export type ReasonNumber = number

/** Why links are refused: each reason once, and how many links are refused for it now. */
export class Refusals {
  /** Of all links. */
  count = 0
  readonly reasons: string[] = []
  private readonly numbers = new Map<string, ReasonNumber>()
  private readonly counts: number[] = []

  /** A reason that was never given before gets the next number. */
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

  /** So many links more, or fewer, are refused for this reason. */
  change(reason: ReasonNumber, by: 1 | -1): void {
    this.counts[reason]! += by
    this.count += by
  }

  countFor(reason: ReasonNumber): number {
    return this.counts[reason]!
  }

  /** By reason; without those that no link is refused for. */
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
