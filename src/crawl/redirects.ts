/** SPEC: a chain of redirects has at most ten. */
const MOST_REDIRECTS = 10
/** Targets that wait to be visited. Of more than this nobody knows how they were reached, and they count as new. */
const MOST_WAITING = 100_000

/** How many redirects lead to the links that wait. Kept in memory: after a restart a chain may be ten longer. */
export class Redirects {
  private readonly ways = new Map<string, number>()

  /** Tells whether the redirect from here to there may be followed, and remembers it. */
  follow(from: string, to: string): boolean {
    const way = (this.ways.get(from) ?? 0) + 1
    this.ways.delete(from)
    if (way > MOST_REDIRECTS) return false
    if (this.ways.size < MOST_WAITING) this.ways.set(to, way)
    return true
  }

  /** This link was visited and led nowhere else. */
  end(url: string): void {
    if (this.ways.size > 0) this.ways.delete(url)
  }
}
