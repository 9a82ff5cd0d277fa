import type { Frontier, FrontierCounts } from '../../frontier/frontier.ts'
import { isHeld } from '../reasons.ts'

/** After so many the frontier is asked again how many it holds: most links that are found were found before. */
const LOOK_EVERY = 10_000

/** How many links may still be remembered that a setting holds back. */
export class HeldLinks {
  private readonly most: number
  private readonly frontier: Pick<Frontier, 'counts'>
  private room: number
  private spent = 0
  private isLooking = false

  constructor(frontier: Pick<Frontier, 'counts'>, most: number, counts: FrontierCounts) {
    this.frontier = frontier
    this.most = most
    this.room = roomIn(counts, most)
  }

  /** Whether there is room for one more. */
  take(): boolean {
    if (this.spent >= Math.min(LOOK_EVERY, this.room)) this.look()
    if (this.room <= 0) return false
    this.room--
    this.spent++
    return true
  }

  /** Nobody waits for it: until it is known, repeated links count as if each were new. */
  private look(): void {
    if (this.isLooking || this.spent === 0) return
    this.isLooking = true
    this.spent = 0
    this.frontier.counts().then(
      counts => {
        this.isLooking = false
        this.room = roomIn(counts, this.most) - this.spent
      },
      // The frontier has stopped; the crawl itself says so.
      () => {},
    )
  }
}

function roomIn({ refusedFor }: FrontierCounts, most: number): number {
  let held = 0
  for (const [reason, count] of Object.entries(refusedFor)) if (isHeld(reason)) held += count
  return Math.max(0, most - held)
}
