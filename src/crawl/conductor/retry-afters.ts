/** So many hosts are remembered; the one that asked longest ago is forgotten first. */
const MOST_HOSTS = 10_000

/** Which hosts asked to be left alone, and until when: only to say so, since the frontier keeps the time itself. */
export class RetryAfters {
  private readonly untilMs = new Map<string, number>()

  asked(host: string, untilMs: number): void {
    this.untilMs.delete(host)
    if (this.untilMs.size >= MOST_HOSTS) this.untilMs.delete(this.untilMs.keys().next().value!)
    this.untilMs.set(host, untilMs)
  }

  of(host: string): number | undefined {
    return this.untilMs.get(host)
  }
}
