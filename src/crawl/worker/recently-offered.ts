const GENERATION = 1 << 15

/**
 * The links that a worker's pages brought lately: most links of a page were on the page before, and need not travel again.
 * It may forget, since the frontier knows all of them, but it never takes a new link for an old one.
 *
 * A link counts only once the page that brought it is settled, so a crash can't lose it: every page that is settled without
 * it was settled after one that had it.
 */
export class RecentlyOffered {
  private young = new Set<string>()
  private old = new Set<string>()
  /** Of visits that are not settled yet. */
  private readonly unsettled = new Map<number, readonly string[]>()

  isKnown(url: string): boolean {
    return this.young.has(url) || this.old.has(url)
  }

  /** This visit brought these links. */
  bring(visit: number, urls: readonly string[]): void {
    if (urls.length > 0 && urls.length <= GENERATION) this.unsettled.set(visit, urls)
  }

  /** What became of the visit is known: it was settled, or not. */
  close(visit: number, isSettled: boolean): void {
    const urls = this.unsettled.get(visit)
    if (urls === undefined) return
    this.unsettled.delete(visit)
    if (!isSettled) return
    for (const url of urls) {
      if (this.young.size >= GENERATION) {
        this.old = this.young
        this.young = new Set()
      }
      this.young.add(url)
    }
  }
}
