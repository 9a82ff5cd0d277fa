/** How many hosts are remembered; the one that asked longest ago is forgotten first. */
const MOST_HOSTS = 10_000

/** Remembers which hosts sent Retry-After, and until when. Only for messages: the frontier enforces the time. */
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
