const GENERATION = 1 << 15

/**
 * The links that a worker found recently. Most links of a page were on the previous page too, and need not be sent again. It may
 * forget links, since the frontier knows all of them, but it never mistakes a new link for an old one.
 *
 * A link counts only once its page is settled, so a crash cannot lose it: every page settled without it was settled after a page
 * that had it.
 */
export class RecentlyOffered {
  private young = new Set<string>()
  private old = new Set<string>()
  private readonly unsettled = new Map<number, readonly string[]>()

  isKnown(url: string): boolean {
    return this.young.has(url) || this.old.has(url)
  }

  /** The frontier has lost some of them. Those of visits that are not settled yet are not among these. */
  forget(): void {
    this.young = new Set()
    this.old = new Set()
  }

  bring(visit: number, urls: readonly string[]): void {
    if (urls.length > 0 && urls.length <= GENERATION) this.unsettled.set(visit, urls)
  }

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
