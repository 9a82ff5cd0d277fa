import { MOST_HELD_BACK } from '../../decide/earlier-pages.ts'
import type { FilterLink } from '../../decide/filtered-links.ts'
import type { FrontierViews, HostNotes, Link, LinkControl, Ticket } from '../../frontier/frontier.ts'
import type { CrawlSettings } from '../../settings/settings.ts'
import { hostOf } from '../../url/host-of.ts'

/** Reasons that depend on the page that a link was found on. */
const OF_THE_PATH: ReadonlySet<string> = new Set(['max-depth', 'filtered', 'page-language', 'near-duplicate'])

/** Whether links may be held for one of these. */
export function holdsByPath(
  { maxDepth, onlyLanguage }: Pick<CrawlSettings, 'maxDepth' | 'onlyLanguage'>,
  filterLink: FilterLink | undefined,
): boolean {
  return maxDepth < Infinity || onlyLanguage.length > 0 || filterLink !== undefined
}

/** How many links are remembered; beyond that the oldest count as far from a seed as when they were found first. */
const MOST_KEPT = 100_000
/** How long the other machines of a crawl find out about a shorter path. */
const NOTED_MS = 7 * 24 * 3_600_000

/** Brings back links that were held because of the page they were found on, once another page may lead to them. */
export class ShorterPaths {
  isNeeded: boolean
  private readonly frontier: ShorterPathsFrontier
  private readonly sharedDepth: number | undefined
  /** The frontier keeps the number of links from a seed of the first offer. */
  private readonly hops = new Map<string, number>()
  /** Links of pages that repeat others. Not `isNeeded`: nearly every crawl has some, and asking about every link costs much. */
  private readonly heldBack = new Set<string>()

  /** `sharedDepth`: the largest number of links from a seed, when other machines may get links that this one requeued. */
  constructor(frontier: ShorterPathsFrontier, isNeeded: boolean, sharedDepth?: number) {
    this.frontier = frontier
    this.isNeeded = isNeeded
    this.sharedDepth = sharedDepth
  }

  /** Call it just before links are offered; returns what to offer. Links held until now are requeued if a page now leads to them. */
  async ahead(pages: readonly (readonly Link[])[]): Promise<readonly (readonly Link[])[]> {
    for (const links of pages) for (const { url, refused } of links) if (refused === 'near-duplicate') this.hold(url)
    if (!this.isNeeded && this.heldBack.size === 0) return pages
    const followed = pages
      .flat()
      .filter(({ url, kind = 'page', refused }) => kind === 'page' && refused === undefined && this.mayBeHeld(url))
    if (followed.length === 0) return pages
    await this.requeueHeld(followed)
    const urls = new Set(followed.map(({ url }) => url))
    for (const url of urls) this.heldBack.delete(url)
    return pages.map(links => links.filter(({ url, refused }) => refused === undefined || !urls.has(url)))
  }

  /** Hears of a link that is held because its page repeats another one. */
  hold(url: string): void {
    if (this.heldBack.size >= MOST_HELD_BACK) this.heldBack.delete(this.heldBack.values().next().value!)
    this.heldBack.add(url)
  }

  private mayBeHeld(url: string): boolean {
    return this.isNeeded || this.heldBack.has(url)
  }

  /** The ticket, as far from a seed as the shortest path that was found. Returns a promise only if another machine may know more. */
  shortest(ticket: Ticket): Ticket | Promise<Ticket> {
    const hops = this.hops.get(ticket.url)
    // A link that is too deep is leased only after a machine has found a shorter path to it.
    const isAnothers = hops === undefined && this.sharedDepth !== undefined && ticket.hops > this.sharedDepth
    return isAnothers ? this.noted(ticket) : withHops(ticket, hops)
  }

  private async noted(ticket: Ticket): Promise<Ticket> {
    const noted = await this.frontier.noted(ticket.host, noteKey(ticket.url))
    return withHops(ticket, noted && Number(Buffer.from(noted).toString()))
  }

  private async requeueHeld(followed: readonly Link[]): Promise<void> {
    const states = await this.frontier.explain(followed.map(({ url }) => url))
    const held = followed.filter((_, i) => {
      const known = states[i]!
      return known.state === 'refused' && OF_THE_PATH.has(known.reason)
    })
    if (held.length === 0) return
    for (const { url, hops } of held) this.remember(url, hops)
    if (this.sharedDepth !== undefined)
      await Promise.all(
        held.map(({ url, hops }) => this.frontier.note(hostOf(url), noteKey(url), Buffer.from(String(hops)), NOTED_MS)),
      )
    await this.frontier.requeue(held)
  }

  private remember(url: string, hops: number): void {
    if (this.hops.size >= MOST_KEPT) this.hops.delete(this.hops.keys().next().value!)
    this.hops.set(url, Math.min(hops, this.hops.get(url) ?? hops))
  }
}

type ShorterPathsFrontier = FrontierViews & LinkControl & HostNotes

function noteKey(url: string): string {
  return `hops ${url}`
}

function withHops(ticket: Ticket, hops: number | undefined): Ticket {
  return hops !== undefined && hops < ticket.hops ? { ...ticket, hops } : ticket
}
