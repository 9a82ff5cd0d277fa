import { shareOf } from './link-note.ts'

/** How much of the sums is kept from one page to the next: about the last 10,000 pages count. */
const KEPT = 0.9999
/** Each level has shares that are this many times smaller than those of the level before. */
const STEP = 4
/** Of the links that get a computed rank, from 1, the first, to this. */
export const LEVELS = 8

/**
 * What pages seen lately gave each of their links, on average: shares are judged by it, so that the levels divide the links of a crawl
 * of any size. Nothing of it is kept for the next run, which measures anew.
 */
export class RecentShares {
  private importance = 0
  private links = 0
  private pages = 0

  /** A page with links, at least one. */
  add(importance: number, links: number): void {
    this.importance = this.importance * KEPT + importance
    this.links = this.links * KEPT + links
    this.pages = this.pages * KEPT + 1
  }

  /** What a page counts as when its importance is not known. */
  get meanImportance(): number {
    return this.pages === 0 ? SEED_IMPORTANCE : this.importance / this.pages
  }

  level(share: number): number {
    const steps = Math.log(this.importance / this.links / share) / Math.log(STEP)
    return Math.min(Math.max(2 + Math.floor(steps), 1), LEVELS)
  }
}

/** Far from all seeds, importance would be 0 otherwise, and not known any more, which counts as much as a page seen lately. */
export const LEAST_IMPORTANCE = 1e-100

/** All seeds are equally important, whenever they are added, and so is what they redirect to. */
const SEED_IMPORTANCE = 1

/** The importance of the page that a link led to: what the page that it was first found on gave it. Undefined when that is not known. */
export function importanceOf(note: string | undefined, isSeed: boolean): number | undefined {
  const share = shareOf(note)
  if (share !== undefined) return share[0] / share[1]
  return isSeed ? SEED_IMPORTANCE : undefined
}
