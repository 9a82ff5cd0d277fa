const GENERATION = 1 << 15

/**
 * The links that a worker sent lately: most links of a page were on the page before, and need not travel again. It may
 * forget, since the frontier knows all of them, but it never takes a new link for an old one.
 *
 * No link is lost by this in a crash: findings are settled in the order in which a worker sent them, so a page that was
 * settled without a link stands behind the one that brought it.
 */
export class RecentlyOffered {
  private young = new Set<string>()
  private old = new Set<string>()

  /** Tells whether the link was not known, and remembers it. */
  isNew(url: string): boolean {
    if (this.young.has(url)) return false
    if (this.young.size >= GENERATION) {
      this.old = this.young
      this.young = new Set()
    }
    this.young.add(url)
    return !this.old.has(url)
  }
}
